"""Reports 27: the rules page says something else than the program does."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.e2e.conftest import Browse
from tests.e2e.table import Table

RANKS = "A23456789TJQK"


def higher(card: str, top: str) -> int:
    return RANKS.index(top[0]) - RANKS.index(card[0])


def is_red(card: str) -> bool:
    return card[1] in "HD"


Fits = Callable[[str, str], bool]
SAID: dict[str, Fits] = {
    "a card of the other colour that is one rank higher": lambda card, top: (
        higher(card, top) == 1 and is_red(card) != is_red(top)
    ),
    "any card one rank higher, whatever its colour": lambda card, top: higher(card, top) == 1,
    "its own suit that is one rank higher, and on no other": lambda card, top: (
        higher(card, top) == 1 and card[1] == top[1]
    ),
    "its own suit that is one rank higher or one rank lower": lambda card, top: (
        abs(higher(card, top)) == 1 and card[1] == top[1]
    ),
}
"""What a rules page may say of building, as a reader takes it."""


@pytest.mark.parametrize(
    "key",
    [
        *("yukon", "yukon-flexible", "yukon-fixed", "russian", "alaska", "australian"),
        "double-yukon",
    ],
)
def test_the_deal_is_played_as_the_page_says(browse: Browse, key: str) -> None:
    """The example deal: as many piles as said, and the legal moves that the words allow."""
    context = browse()
    page = context.new_page()
    page.goto(f"/rules/{key}")
    moves_said = page.locator("#moves").inner_text()
    (fits,) = [fits for words, fits in SAID.items() if words in moves_said]
    limit = re.search(r"At most (\d+) cards move together", moves_said)
    figures = [text.split("\n") for text in page.locator(".kv > div").all_inner_texts()]
    said = {name: value for name, value, *_ in figures}
    link = page.locator("figcaption a").get_attribute("href")
    assert link is not None
    table = Table.start_from(context, link)
    shown = table.shown()
    piles = [shown["places"][f"t{number}"] for number in range(1, int(said["Piles"]) + 1)]
    assert f"t{len(piles) + 1}" not in shown["places"]
    expected = {"s-w"} if "s" in shown["places"] else set()
    for at, pile in enumerate(piles, 1):
        for size in range(1, len(pile["cards"]) + 1):
            if limit and size > int(limit[1]):
                continue
            for to, other in enumerate(piles, 1):
                if to != at and fits(pile["cards"][-size], other["cards"][-1]):
                    expected.add(f"t{at}{f'x{size}' if size > 1 else ''}-t{to}")
        if pile["cards"][-1][0] == "A":
            expected.add(f"t{at}-f")
    if waste := shown["places"].get("w", {}).get("cards"):
        expected |= {
            f"w-t{to}" for to, pile in enumerate(piles, 1) if fits(waste[-1], pile["cards"][-1])
        }
        expected |= {"w-f"} if waste[-1][0] == "A" else set()
    assert set(shown["legal"]) == expected
