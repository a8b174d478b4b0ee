"""Which games there are, as data over one default; nothing here acts.

The default is Yukon with fixed foundations (rule F): one pack, seven piles, building down in
alternate colour, kings to empty piles, nothing back from the foundations, no stock. A game of the
family is a few overrides over it. The axes carry the whole family (48 games); the rules compile
those that the seven games need and say so when they meet another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple


class DealStep(NamedTuple):
    """One card to each pile of `zone` from `first` to `last` (from 1), `times` times over.

    `first` may be above `last` (right to left). `face` is `up` or `down`.
    """

    face: str
    zone: str
    first: int
    last: int
    times: int = 1


@dataclass(frozen=True, slots=True)
class Build:
    """How cards go on cards in the tableau.

    `direction`: `down`, `up-or-down`, `down-by-suit-step`; `match`: `alternate-colour`, `any`,
    `same-suit`, `different-suit`; `wrap`: whether an ace and a king are neighbours.
    """

    direction: str = "down"
    match: str = "alternate-colour"
    wrap: bool = False


@dataclass(frozen=True, slots=True)
class Foundations:
    """`kind`: `one-card`, `whole-suit-run` or `none`; `start`: the first rank, or None."""

    count: int = 4
    kind: str = "one-card"
    start: str | None = "A"


@dataclass(frozen=True, slots=True)
class Stock:
    """`to`: `waste` or `columns`; `passes`: how often it may be dealt through (-1: no limit)."""

    cards: int
    to: str
    per_deal: int
    passes: int
    waste_start: int = 0


@dataclass(frozen=True, slots=True)
class Cells:
    """Free cells and how many of them the deal fills."""

    count: int
    filled: int


_DOWN_ALTERNATE = Build()
_FOUR = Foundations()


@dataclass(frozen=True, slots=True)
class Variant:
    """One game of the family.

    `key` names it in addresses, `rule` in deal codes; `columns` gives (face-down, face-up) cards
    of each pile after the deal; `max_group` is the largest group that may be lifted, or None.
    """

    key: str
    name: str
    rule: str
    deal: tuple[DealStep, ...]
    columns: tuple[tuple[int, int], ...]
    decks: int = 1
    build: Build = _DOWN_ALTERNATE
    empty_pile: str = "king"
    foundations: Foundations = _FOUR
    worrying_back: bool = False
    max_group: int | None = None
    stock: Stock | None = None
    cells: Cells | None = None
    reserve: int = 0
    redeals: int = 0
    column_patterns: tuple[str, ...] = ()
    pysolfc_id: int | None = None

    @property
    def piles(self) -> int:
        """The number of tableau piles."""
        return len(self.columns)

    @property
    def cards(self) -> int:
        """The number of cards in the game."""
        return 52 * self.decks


_YUKON_DEAL = (
    *(DealStep("down", "tableau", first, 7) for first in range(2, 8)),
    DealStep("up", "tableau", 2, 7, 4),
    DealStep("up", "tableau", 1, 7),
)
_YUKON_COLUMNS = ((0, 1), *((down, 5) for down in range(1, 7)))
_DOUBLE_DEAL = (
    *(DealStep("down", "tableau", first, 10) for first in range(2, 10)),
    DealStep("up", "tableau", 1, 10, 6),
)
_AUSTRALIAN_DEAL = (
    DealStep("up", "tableau", 1, 7, 4),
    DealStep("up", "waste", 1, 1),
)

YUKON_FIXED = Variant(
    key="yukon-fixed",
    name="Yukon, fixed foundations",
    rule="F",
    deal=_YUKON_DEAL,
    columns=_YUKON_COLUMNS,
    pysolfc_id=19,
)
YUKON = replace(
    YUKON_FIXED,
    key="yukon",
    name="Yukon",
    rule="C",
    worrying_back=True,
    max_group=20,
    pysolfc_id=None,
)
YUKON_FLEXIBLE = replace(
    YUKON, key="yukon-flexible", name="Yukon Flexible", rule="R", build=Build(match="any")
)
RUSSIAN = replace(
    YUKON_FIXED,
    key="russian",
    name="Russian Solitaire",
    rule="S",
    build=Build(match="same-suit"),
    pysolfc_id=20,
)
ALASKA = replace(
    RUSSIAN,
    key="alaska",
    name="Alaska",
    rule="A",
    build=Build(direction="up-or-down", match="same-suit"),
    pysolfc_id=186,
)
AUSTRALIAN = replace(
    RUSSIAN,
    key="australian",
    name="Australian Patience",
    rule="P",
    deal=_AUSTRALIAN_DEAL,
    columns=((0, 4),) * 7,
    worrying_back=True,
    stock=Stock(cards=23, to="waste", per_deal=1, passes=1, waste_start=1),
    pysolfc_id=447,
)
DOUBLE_YUKON = replace(
    YUKON_FIXED,
    key="double-yukon",
    name="Double Yukon",
    rule="D",
    decks=2,
    deal=_DOUBLE_DEAL,
    columns=(*((down, 6) for down in range(9)), (8, 6)),
    foundations=Foundations(count=8),
    pysolfc_id=271,
)

VARIANTS: tuple[Variant, ...] = (
    YUKON,
    YUKON_FLEXIBLE,
    YUKON_FIXED,
    RUSSIAN,
    ALASKA,
    AUSTRALIAN,
    DOUBLE_YUKON,
)
"""The games that can be played, in the order in which they are offered."""

BY_RULE = {variant.rule: variant for variant in VARIANTS}
BY_KEY = {variant.key: variant for variant in VARIANTS}
