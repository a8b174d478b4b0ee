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

from collections import deque
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
_SMALLEST_CIRCLES: Final = 4_000
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
    links = {c: p for c, p in enumerate(below) if p < FLOOR}
    circles = _Circles(links, {c for c, p in enumerate(below) if p <= FLOOR}, start.width)
    aside = circles.disjoint(frozenset())
    while not circles.met_by(aside, frozenset(), frozenset()):
        aside += 1
    return len(below) - below.count(OUT) + below.count(STOCK) + aside


class _Circles:
    """The circles of a position's arcs: `links` (card to the card below), and the suits' order."""

    def __init__(self, links: dict[int, int], tableau: set[int], width: int) -> None:
        self._links = links
        self._next = {
            c: higher
            for c in tableau
            if (higher := min((d for d in tableau if d > c and d % width == c % width), default=-1))
            >= 0
        }
        self.looked_for = 0

    def _shortest(self, aside: frozenset[int]) -> list[int]:
        """The links of a circle without cards of `aside`, as few as can be; empty if none."""
        self.looked_for += 1
        best: list[int] = []
        for first, below in self._links.items():
            if first in aside:
                continue
            distance, before = {below: 0}, {below: (below, False)}
            queue = deque([below])
            most = len(best) - 2 if best else len(self._links)
            while queue and first not in distance:
                card = queue.popleft()
                higher = self._next.get(card, -1)
                if higher >= 0 and distance.get(higher, 99) > distance[card]:
                    distance[higher], before[higher] = distance[card], (card, False)
                    queue.appendleft(higher)
                under = self._links.get(card, -1)
                far = distance[card] + 1
                within = under >= 0 and far <= most and card not in aside
                if within and distance.get(under, 99) > far:
                    distance[under], before[under] = far, (card, True)
                    queue.append(under)
            if first in distance:
                best, card = [first], first
                while card != below:
                    card, linked = before[card]
                    if linked:
                        best.append(card)
                if len(best) == 1:
                    break
        return best

    def disjoint(self, aside: frozenset[int]) -> int:
        """How many circles were found that share no card, none with a card of `aside`."""
        count = 0
        while circle := self._shortest(aside):
            count += 1
            aside |= frozenset(circle)
        return count

    def met_by(self, number: int, aside: frozenset[int], not_aside: frozenset[int]) -> bool:
        """Whether so many cards more, none of `not_aside`, can meet every circle.

        True as well when the search has become too long: nothing is claimed then.
        """
        circle = self._shortest(aside)
        if not circle or self.looked_for > _SMALLEST_CIRCLES:
            return True
        if number == 0 or self.disjoint(aside) > number:
            return False
        for card in circle:
            if card not in not_aside:
                if self.met_by(number - 1, aside | {card}, not_aside):
                    return True
                not_aside |= {card}
        return False
