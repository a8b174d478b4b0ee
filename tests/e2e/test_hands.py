"""The playing hand and the direction of writing: on which side everything lies (reports 21)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.e2e.api import Json, Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table
from tests.e2e.test_geometry import OUTSIDE

CODE = "YU1-C-AAAAABE"
GAMES = (CODE, "YU1-P-AAAAAAB", "YU1-D-AAAAAAB")
"""One pack; a stock; two packs."""
PHONE, TABLET, SIDE, DESK = (360, 640), (768, 1024), (740, 360), (1280, 720)
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


def laid_out(
    browse: Browse, player: Player, code: str, prefs: str, size: tuple[int, int]
) -> tuple[Table, Json]:
    """A game's page with some settings: everything in view, nothing on anything else."""
    game = player.start(code)
    context = browse(viewport=dict(zip(("width", "height"), size, strict=True)))
    player.enter(context)
    context.add_cookies([{"name": "prefs", "value": prefs, "url": player.url}])
    table = Table.open(context, game)
    assert table.page.evaluate(OUTSIDE) == []
    found = table.page.evaluate(SIDES)
    assert isinstance(found, dict)
    assert not found["clash"]
    return table, found


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("size", [PHONE, TABLET, SIDE, DESK])
def test_the_hand(browse: Browse, player: Player, code: str, size: tuple[int, int]) -> None:
    """Foundations and stock change sides; the piles and the suits keep their order."""
    _, right = laid_out(browse, player, code, "hand=right", size)
    _, left = laid_out(browse, player, code, "hand=left", size)
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
@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize("order", ["ltr", "rtl"])
def test_a_hand_is_a_hand_in_every_language(
    browse: Browse, player: Player, language: str, hand: str, order: str
) -> None:
    """Undo lies under the thumb that plays, wherever a line begins; only Arabic's piles turn."""
    prefs = f"lang={language}&hand={hand}&order={order}"
    table, found = laid_out(browse, player, CODE, prefs, PHONE)
    assert (found["undo"] > found["menu"]) == (hand == "right")
    assert (_mean(found["found"]) > PHONE[0] / 2) == (hand == "right")
    turned = language == "ar" and order == "rtl"
    assert found["piles"] == sorted(found["piles"], reverse=turned)
    table.play(table.drag, winning_line(CODE)[:3])
    table.is_as_stored(player, player.see(table.page.url.rpartition("/")[2]))
