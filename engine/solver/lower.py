# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""How many moves a position needs at least.

Each move has one base card, the lowest card of what it lifts, so moves with different base cards
are different moves, and so are a card's move to its foundation and its other moves. It is enough
to count, for each card, the moves that it must make as a base card:

- **Up.** A card that is not out makes one move to a foundation.
- **From the stock.** A stock card makes one move to the waste before.
- **Aside.** Let `c` lie in a pile above `x`, where `c` can go out only after `x` (same suit, `x`
  lower). Before `x` goes out it is parted from `c`: the first move that parts them has a base
  card `b` above `x` up to `c`. It goes to no foundation: a card that goes there is bare, so `b`
  would be `c`, and `x`, still under it, is not out. So one of the cards above `x` up to `c` makes
  a move aside, besides its move up. Within a pile these are intervals, and the least number of
  cards that meets every interval is found by taking the upper end of the first to end, again and
  again (`cuts`). Intervals of different piles share no card.
- **The waste** gives only its top card, so every `c` above such an `x` there moves aside itself.
- **Two packs.** `c` waits for a rank only if all copies of it that are not out lie under it:
  both, or, when one copy of `c` is out, the other.

Bringing cards back changes nothing of this: it only adds moves.

`rate` counts that for each position of a search. `forced_moves` sees more, once for a start: if
`c` never moves aside, it goes out from the card `p` that it lies on, so before `p` does. With the
order of the suits these are arcs *c before p*, *rank k before rank k + 1*, over the moments when
the cards go out for the last time, and they cannot run in a circle. So in every circle one card
moves aside; the least number of cards that meets all circles is found exactly, by branching over
the cards of a circle, with circles that share no card as the bound on what is still needed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.solver.board import (
    ABOVE,
    DEALT,
    HEIGHT,
    HIDDEN,
    RAISED,
    USED,
)
from engine.solver.encode import Start
from engine.solver.jit import kernel
from engine.solver.model import (
    CARDS,
    DEALS,
    DOWN,
    FITS,
    FLOOR,
    I64,
    NONE,
    ORDER,
    OUT,
    PILES,
    SHIFT,
    STOCK,
    U8,
    WASTE,
)

NEED, HIDES, MISPLACED, INVERTED, OVER, HOLLOW = range(6)
"""What `rate` counts: see there. The weights of a score are in the same order."""
FEATURES: Final = 6
_MOST_CIRCLES: Final = 4_000
"""So many circles are looked for before `forced_moves` is content with what it has proved."""


@kernel
def _waits(game: U8, b: U8, c: int, ones: int, twos: int) -> bool:
    """Whether `c` lies above a card that must be out before it.

    `ones`: bit 13 * suit + rank for each card below; `twos`: where both copies are there.
    """
    k = c >> np.int64(game[SHIFT])
    s = c & 3
    lower = ((1 << k) - 1) << (13 * s)
    if game[SHIFT] == 3 and k >= b[HEIGHT + s]:
        return twos & lower != 0
    return ones & lower != 0


@kernel
def rate(game: U8, b: U8, counts: I64) -> None:
    """Count, into `counts`, what a position's score is made of.

    NEED: the least number of moves to the win (see the module). HIDES: face-down cards. MISPLACED:
    cards on one that they do not fit, and base cards that are no kings. INVERTED: cards above a
    card that must be out before. OVER: cards above the next card of a suit, for each such card.
    HOLLOW: empty piles, at most two.
    """
    n = np.int64(game[CARDS])
    shift = np.int64(game[SHIFT])
    need = n - np.int64(b[RAISED])
    misplaced = 0
    inverted = 0
    over = 0
    for base in range(n):
        if b[base] != FLOOR:
            continue
        ones = 0  # since the last cut
        twos = 0
        all_ones = 0
        all_twos = 0
        wanted = 0
        misplaced += base >> shift != 12
        c = base
        while True:
            s = c & 3
            k = c >> shift
            if _waits(game, b, c, all_ones, all_twos):
                inverted += 1
                if _waits(game, b, c, ones, twos):
                    need += 1
                    ones = 0
                    twos = 0
            bit = 1 << (13 * s + k)
            twos |= ones & bit
            ones |= bit
            all_twos |= all_ones & bit
            all_ones |= bit
            over += wanted
            wanted += k == b[HEIGHT + s] or (shift == 3 and k == b[HEIGHT + s + 4])
            above = np.int64(b[ABOVE + c])
            if above == NONE:
                break
            misplaced += 1 - np.int64(game[FITS + 128 * above + c])
            c = above
    if game[DEALS]:
        need += np.int64(game[DEALS]) - np.int64(b[DEALT])
        ones = 0
        twos = 0
        for i in range(np.int64(b[DEALT])):
            c = np.int64(game[ORDER + i])
            if b[c] == WASTE:
                need += _waits(game, b, c, ones, twos)
                bit = 1 << (13 * (c & 3) + (c >> shift))
                twos |= ones & bit
                ones |= bit
    counts[NEED] = need
    counts[HIDES] = b[HIDDEN]
    counts[MISPLACED] = misplaced
    counts[INVERTED] = inverted
    counts[OVER] = over
    counts[HOLLOW] = min(np.int64(game[PILES]) - np.int64(b[USED]), 2)


def forced_moves(start: Start) -> int:
    """A lower bound on the moves from a start position of one pack (see the module)."""
    below = [mark & ~DOWN for mark in start.row.tolist()]
    circles = _Circles(below, start.width)
    nothing = np.zeros(len(below), np.uint8)
    aside = circles.disjoint(nothing)
    while not circles.met_by(aside, nothing, frozenset()):
        aside += 1
    return len(below) - below.count(OUT) + below.count(STOCK) + aside


@kernel
def _circle(links: I64, higher: I64, aside: U8, work: I64, found: I64) -> int:
    """Write the links of a circle that is as short as can be into `found`; returns how many.

    `links[c]`: the card below `c`, `higher[c]`: the next card of its suit, or -1. Links of cards
    of `aside` are left out. Breadth first from each link, a suit's order costing nothing.
    """
    n = len(links)
    distance, before, linked, queue = work[:n], work[n : 2 * n], work[2 * n : 3 * n], work[3 * n :]
    best = 0
    for first in range(n):
        if links[first] < 0 or aside[first]:
            continue
        distance[:] = -1
        head = 0
        tail = 0
        card = first
        length = 0
        while True:
            if not aside[card] and links[card] >= 0:
                came = card
                x = links[card]
                by_link = 1
                while x >= 0 and distance[x] < 0:
                    distance[x] = length
                    before[x] = came
                    linked[x] = by_link
                    queue[tail] = x
                    tail += 1
                    came = x
                    by_link = 0
                    x = higher[x]
            if distance[first] >= 0 or head == tail:
                break
            card = queue[head]
            head += 1
            length = distance[card] + 1
            if best and length + 1 > best:
                break
        if distance[first] >= 0 and (best == 0 or distance[first] + 1 < best):
            best = 0
            x = first
            while True:
                if linked[x]:
                    found[best] = before[x]
                    best += 1
                x = before[x]
                if x == first:
                    break
            if best == 1:
                break
    return best


class _Circles:
    """The circles of a position's arcs."""

    def __init__(self, below: list[int], width: int) -> None:
        cards = len(below)
        self._links = np.array([p if p < FLOOR else -1 for p in below], np.int64)
        self._higher = np.full(cards, -1, np.int64)
        for suit in range(width):
            left = [c for c in range(suit, cards, width) if below[c] <= FLOOR]
            self._higher[left[:-1]] = left[1:]
        self._work, self._found = np.empty(4 * cards, np.int64), np.empty(cards, np.int64)
        self._looked_for = 0

    def _shortest(self, aside: U8) -> list[int]:
        self._looked_for += 1
        used = _circle(self._links, self._higher, aside, self._work, self._found)
        cards: list[int] = self._found[:used].tolist()
        return cards

    def disjoint(self, aside: U8) -> int:
        """How many circles were found that share no card, none with a card of `aside`."""
        count, used = 0, aside.copy()
        while circle := self._shortest(used):
            count += 1
            used[circle] = 1
        return count

    def met_by(self, number: int, aside: U8, kept: frozenset[int]) -> bool:
        """Whether so many cards besides `aside`, none of `kept`, can meet every circle.

        True as well when the search has become too long: nothing is claimed then.
        """
        circle = self._shortest(aside)
        if not circle or self._looked_for > _MOST_CIRCLES:
            return True
        if number == 0 or self.disjoint(aside) > number:
            return False
        for card in circle:
            if card not in kept:
                tried = aside.copy()
                tried[card] = 1
                if self.met_by(number - 1, tried, kept):
                    return True
                kept |= {card}
        return False
