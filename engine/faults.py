"""What can be wrong with a position or its text, each with a stable code and its sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

FAULTS = {
    "too-long": "A board has at most {most} characters",
    "no-card": "“{card}” is no card; cards are written like 7H, TS or KD",
    "face-down-here": "“{card}” is marked face-down, which it cannot be here",
    "foundation-form": "“{word}” is not of the form S-3 (suit, top rank or 0)",
    "foundation-often": "The foundation of {suit} is given too often",
    "no-freecells": "{game} has no free cells",
    "no-reserve": "{game} has no reserve",
    "piles": "{game} has {piles} piles, not {count}",
    "foundations": "{game} has {foundations} foundations, not {count}",
    "no-stock": "{game} has no stock and no waste",
    "no-cells": "{game} has no cells and no reserve",
    "unknown-card": "Byte {byte} is no card",
    "too-many": "{card} is there {count} times",
    "missing": "{card} is missing",
    "missing-copies": "{card} is missing {count} times",
    "no-face-down": "{game} has no face-down cards",
    "top-face-down": "The top card of pile {pile} lies face down",
    "face-down-above": "Pile {pile} has a face-down card on a face-up one",
    "foundation-order": "The foundation of {suit} does not go from the ace upwards in suit",
}
"""The English sentence of each fault of a position or its text, without the full stop."""


class Fault(NamedTuple):
    """One thing that is wrong with a position or its text.

    `code` is stable, `facts` are what its sentence names (a game by its English name). `places`
    are where the fault lies: `t1` …, `f`, `s`, `w`; `lines` the lines of the text, from 1. Both
    are empty where the fault is nowhere in particular.
    """

    code: str
    facts: Mapping[str, str | int] = {}
    places: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.said(str)

    def said(self, say: Callable[[str], str]) -> str:
        """The sentence in the language of `say`, which translates one."""
        facts = {
            name: say(str(fact)) if name == "game" else fact for name, fact in self.facts.items()
        }
        return say(FAULTS[self.code]).format(**facts)
