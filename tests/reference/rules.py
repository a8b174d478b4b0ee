"""The rules of a game, read from the family's data file, and what its words mean."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.reference.cards import colour, rank, suit

DATA = Path(__file__).parent.parent / "data"
RULE_LETTERS = "CRFSAPD"


@dataclass(frozen=True)
class Step:
    """One step of the deal: a card to each pile from `first` to `last`, `times` times."""

    face_up: bool
    zone: str
    first: int
    last: int
    times: int


@dataclass(frozen=True)
class Rules:
    """What one game of the family says (one entry of family.json)."""

    letter: str
    key: str
    decks: int
    pile_count: int
    direction: str
    match: str
    worrying_back: bool
    max_group: int | None
    has_waste: bool
    steps: tuple[Step, ...]

    def fits(self, card: str, onto: str) -> bool:
        """May `card` lie on `onto` in the tableau? ("build" in the data; ranks never wrap.)"""
        return self.ranks_fit(card, onto) and self.suits_fit(card, onto)

    def ranks_fit(self, card: str, onto: str) -> bool:
        """Building down: one lower than the card beneath. Alaska: one lower or one higher."""
        if self.direction == "up-or-down":
            return abs(rank(onto) - rank(card)) == 1
        return rank(onto) - rank(card) == 1

    def suits_fit(self, card: str, onto: str) -> bool:
        """The other colour, the same suit, or any suit at all."""
        if self.match == "alternate-colour":
            return colour(card) != colour(onto)
        if self.match == "same-suit":
            return suit(card) == suit(onto)
        return True

    def may_start_a_pile(self, card: str) -> bool:
        """Only a king goes to an empty pile ("empty_column": "king")."""
        return rank(card) == 13

    def may_be_lifted(self, group_size: int) -> bool:
        """A group may be ordered or not; some games limit its size ("max_group")."""
        return self.max_group is None or group_size <= self.max_group


def load_rules(letter: str) -> Rules:
    """The rules that a rule letter of a deal code stands for."""
    if letter not in RULE_LETTERS or len(letter) != 1:
        raise ValueError(f"no game with the rule {letter!r} here")
    family = json.loads((DATA / "family.json").read_text(encoding="utf-8"))
    (entry,) = [game for game in family if game["rule"] == letter]
    _check_that_the_words_are_known(entry)
    return Rules(
        letter=letter,
        key=entry["key"],
        decks=entry["decks"],
        pile_count=len(entry["columns"]),
        direction=entry["build"]["direction"],
        match=entry["build"]["match"],
        worrying_back=entry["worrying_back"],
        max_group=entry["max_group"],
        has_waste="stock" in entry,
        steps=tuple(_read_step(step) for step in entry["deal"]),
    )


def _read_step(step: list[str | int]) -> Step:
    """A step is `[face, zone, first, last, times]`, `times` being 1 where it is absent."""
    face, zone, first, last, times = step if len(step) == 5 else [*step, 1]
    return Step(face == "up", str(zone), int(first), int(last), int(times))


def _check_that_the_words_are_known(entry: dict[str, Any]) -> None:
    """The oracle must not pass over a rule that it does not know."""
    assert entry["build"]["direction"] in ("down", "up-or-down")
    assert entry["build"]["match"] in ("alternate-colour", "same-suit", "any")
    assert entry["build"]["wrap"] is False
    assert entry["empty_column"] == "king"
    assert entry["foundations"]["kind"] == "one-card"
    assert entry["foundations"]["start"] == "A"
    assert not {"reserve", "cells"} & set(entry)
    if "stock" in entry:
        stock = entry["stock"]
        assert (stock["to"], stock["per_deal"], stock["passes"]) == ("waste", 1, 1)
