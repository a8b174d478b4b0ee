"""What a rules page shows: facts from the rule data, and an example that the engine plays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from app.games.table import Picture, picture_of
from app.rules_pages.measured import MEASURED, Measured
from engine.cards import FACE_DOWN, card_words, parse_card
from engine.deals import DealCode, deal
from engine.game import UNDO_LIMIT
from engine.moves import parse_move
from engine.position import Position
from engine.rules import get_rules
from engine.scoring import RAISED, TURNED, clean_win
from engine.variants import BY_KEY, VARIANTS, Variant

_BODY = "AAAAAAB"
_LEAD, _ABOVE, _BENEATH = "6H", ("KC", "3D", "9S"), "QC"
_TARGETS = {"alternate-colour": "7S", "any": "7D", "same-suit": "7H"}
_UNDER_TARGET = ("4C", "TD")


@dataclass(frozen=True, slots=True)
class Example:
    """A group's move: `card` with the cards on it goes on `target`; the table before and after.

    `card` and `target` are English phrases that the catalogues know, `more` counts the cards
    that come along.
    """

    card: str
    target: str
    more: int
    before: Picture
    after: Picture


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile of the deal: its number, and how many cards lie face down and face up."""

    n: int
    down: int
    up: int


@dataclass(frozen=True, slots=True)
class Rules:
    """One game's page: `variant` is the rule data, all numbers follow from it.

    `down` and `up` count the deal's face-down and face-up cards on the piles, `clean` is the
    score of a win without worrying back; `code` is an example deal, `twin` the same deal's code
    under the other colour rule (None where there is none).
    """

    variant: Variant
    piles: tuple[Pile, ...]
    code: str
    twin: str | None
    picture: Picture
    example: Example
    measured: Measured
    raised: int = RAISED
    turned: int = TURNED
    undos: int = UNDO_LIMIT

    @property
    def down(self) -> int:
        """How many cards the deal puts face down on the piles."""
        return sum(pile.down for pile in self.piles)

    @property
    def up(self) -> int:
        """How many cards the deal puts face up on the piles."""
        return sum(pile.up for pile in self.piles)

    @property
    def clean(self) -> int:
        """The score of a win without worrying back."""
        return clean_win(self.variant.cards, self.down)


@cache
def rules_of(key: str) -> Rules:
    """The page of the game with this key. Raises KeyError."""
    variant = BY_KEY[key]
    code = DealCode("YU1", variant.rule, _BODY)
    twin = {"C": "R", "R": "C"}.get(variant.rule)
    return Rules(
        variant,
        tuple(Pile(n, *counts) for n, counts in enumerate(variant.columns, 1)),
        str(code),
        str(DealCode("YU1", twin, _BODY)) if twin else None,
        picture_of(deal(code), variant),
        _example(variant),
        MEASURED[variant.rule],
    )


def all_rules() -> list[Rules]:
    """Every game's page, in the order in which the games are offered."""
    return [rules_of(variant.key) for variant in VARIANTS]


def _example(variant: Variant) -> Example:
    rules, target = get_rules(variant.rule), _TARGETS[variant.build.match]
    base, *group = (parse_card(name) for name in (_BENEATH, _LEAD, *_ABOVE))
    hidden = base | FACE_DOWN if any(down for down, _up in variant.columns) else base
    before = Position(
        (
            bytes(parse_card(name) for name in (*_UNDER_TARGET, target)),
            bytes((hidden, *group)),
        ),
        (b"",) * variant.foundations.count,
    )
    after = rules.outcome(before, parse_move(f"t2x{len(group)}-t1")).position
    return Example(
        _the(_LEAD),
        _the(target),
        len(_ABOVE),
        _piles_only(picture_of(before, variant)),
        _piles_only(picture_of(after, variant)),
    )


def _piles_only(picture: Picture) -> Picture:
    return replace(picture, stock=None, waste=None)


def _the(name: str) -> str:
    return f"the {card_words(parse_card(name))}"
