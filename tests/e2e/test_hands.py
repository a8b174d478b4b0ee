"""The playing hand and the direction of writing: on which side everything lies (reports 21)."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from tests.e2e.api import Json, Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table
from tests.e2e.test_geometry import OUTSIDE

CODE = "YU1-C-AAAAABE"
GAMES = (CODE, "YU1-P-AAAAAAB", "YU1-D-AAAAAAB")
"""One pack; a stock; two packs."""
SIZES = PHONE, _, SIDE, _ = (360, 640), (768, 1024), (740, 360), (1280, 720)
"""Of a phone, a tablet, a phone on its side, and a desk."""
RAIL = 64
"""At the start of a phone on its side."""
SIDES = """() => {
    const middles = (selector) => [...document.querySelectorAll(selector)].map((each) => {
        const { left, right } = each.getBoundingClientRect();
        return (left + right) / 2;
    });
    const rects = [...document.querySelectorAll(".board [data-place]")]
        .map((each) => each.getBoundingClientRect());
    const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
        && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return {
        piles: middles(".board .pile"), found: middles(".board .found"),
        stock: middles(".board .stock-place"), undo: middles(".tools .undo")[0],
        menu: middles(".tools .menu")[0],
        clash: rects.some((one, n) => rects.slice(n + 1).some((other) => overlap(one, other))),
    };
}"""


Size = tuple[int, int]


def opened(browse: Browse, player: Player, code: str, size: Size) -> tuple[Table, Json]:
    """A new game in a window of this size."""
    game = player.start(code)
    context = browse(viewport=dict(zip(("width", "height"), size, strict=True)))
    player.enter(context)
    return Table.open(context, game), game


def like(table: Table, prefs: str) -> None:
    """Show the table with these settings."""
    page = table.page
    page.context.add_cookies([{"name": "prefs", "value": prefs, "url": page.url}])
    page.reload()


def laid_out(table: Table, size: Size) -> Json:
    """Where things lie in a window of this size: everything in view, nothing on anything else."""
    width, height = size
    table.page.set_viewport_size({"width": width, "height": height})
    table.page.wait_for_function("width => innerWidth === width", arg=width)
    assert (size, table.page.evaluate(OUTSIDE)) == (size, [])
    found = table.page.evaluate(SIDES)
    assert isinstance(found, dict)
    assert not found["clash"]
    return found


@pytest.mark.parametrize("code", GAMES)
def test_the_hand(browse: Browse, player: Player, code: str) -> None:
    """Foundations and stock change sides; the piles and the suits keep their order."""
    table, _ = opened(browse, player, code, PHONE)
    found = []
    for hand in ("right", "left"):
        like(table, f"hand={hand}")
        found.append([laid_out(table, size) for size in SIZES])
    for size, right, left in zip(SIZES, *found, strict=True):
        centre = (size[0] + (RAIL if size == SIDE else 0)) / 2
        for each in (right, left):
            assert each["piles"] == sorted(each["piles"])
        assert _mean(right["found"]) > centre > _mean(left["found"])
        assert _steps(right["found"]) == _steps(left["found"])
        for stock, other in zip(right["stock"], left["stock"], strict=True):
            assert stock < centre < other


def _mean(all_: list[float]) -> float:
    return sum(all_) / len(all_)


def _steps(all_: list[float]) -> list[int]:
    return [round(b - a) for a, b in pairwise(all_)]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_hand_is_a_hand_in_every_language(browse: Browse, player: Player, language: str) -> None:
    """Undo lies under the thumb that plays, wherever a line begins; only Arabic's piles turn."""
    table, game = opened(browse, player, CODE, PHONE)
    line = iter(winning_line(CODE))
    for order, hand in product(("ltr", "rtl"), ("right", "left")):
        like(table, f"lang={language}&hand={hand}&order={order}")
        found = laid_out(table, PHONE)
        assert (found["undo"] > found["menu"]) == (hand == "right")
        assert (_mean(found["found"]) > PHONE[0] / 2) == (hand == "right")
        turned = language == "ar" and order == "rtl"
        assert found["piles"] == sorted(found["piles"], reverse=turned)
        table.play(table.drag, [next(line) for _ in range(3)])
        table.is_as_stored(player, game)
