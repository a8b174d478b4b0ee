"""One refutation by the sets of gone cards, with any choice of piles lifted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.position import Position
from engine.rules import get_rules
from engine.solver import gone, refute
from engine.solver.encode import encode


def choices(position: Position) -> Iterator[int]:
    """Masks of the cards of each choice of piles to lift: none first, never all."""
    start = encode(get_rules("R"), position)
    piles = [sum(1 << card for card in pile) for pile in start.piles if pile]
    for choice in range((1 << len(piles)) - 1):
        yield sum(pile for at, pile in enumerate(piles) if choice >> at & 1)


def proves(position: Position, lifted: int, expansions: int = 1_000_000) -> bool:
    """Whether the position is proved lost within so many expansions, with these cards lifted."""
    start = encode(get_rules("R"), position)
    o = gone.new_outline()
    gone.begin_outline(start.game, start.row, np.uint64(lifted), o)
    while (status := gone.exhaust(o, expansions - int(o.state[gone.EXPANDED]))) == refute.FULL:
        o = gone.enlarge_outline(o)
    return status == refute.PROVED
