"""How the four players think, and how samples of each game are solved: data only."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.rules import Rules


class Strength(NamedTuple):
    """How a player thinks.

    `samples`: how many deals of the hidden cards a decision is tried on; none: the greedy player.
    `ahead`: among how many visible positions it looks for further plans, the shortest ways to turn
    a card. `plans`: how many of the plans, the most voted, are tried on the samples. `careless`:
    of a hundred decisions so many are the greedy player's. `batches`: how often as many
    samples are drawn again when none of them was won.
    """

    name: str
    samples: int
    plans: int = 8
    ahead: int = 0
    careless: int = 0
    batches: int = 3


STRENGTHS: Final = {
    strength.name: strength
    for strength in (
        Strength("greedy", 0),
        Strength("casual", 1, careless=30),
        Strength("strong", 4),
        Strength("expert", 16, plans=16, ahead=300),
    )
}
"""The four players, the weakest first."""


class Method(NamedTuple):
    """How a sample is solved: one short best-first search without random picks.

    `merged`: the kind of its states (see `engine.solver`); `weights`: of face-down cards, of cards
    on one that they do not fit, of cards not out, of cards above the next of a suit; `positions`:
    how many it may expand. `share`: the part of a strength's samples that the game gets, less where
    a sample takes long.
    """

    merged: bool
    weights: tuple[int, int, int, int]
    positions: int
    share: float = 1.0


_PLAIN = Method(False, (16, 1, 1, 0), 100)
_SUITED = Method(True, (16, 1, 1, 0), 100, share=4)  # exact states, soon exhausted
_METHODS: Final = {
    "C": _PLAIN,
    "F": _PLAIN,
    "R": Method(True, (8, 2, 1, 1), 100),
    "S": _SUITED,
    "P": _SUITED,
    "A": Method(False, (8, 2, 1, 1), 200),
    "D": Method(True, (16, 1, 1, 0), 200, share=0.5),
}


def method(rules: Rules) -> Method:
    """How a game's samples are solved. Raises ValueError for a game that is not provided for."""
    found = _METHODS.get(rules.variant.rule)
    if found is None:
        raise ValueError(f"{rules.variant.name} cannot be played fairly yet")
    return found
