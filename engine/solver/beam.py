# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""Search in layers for short wins (compiled).

Layer g holds positions that take g moves. The children of a layer's positions are looked up in one
closed set for all layers (an earlier layer is never worse), dropped if their moves and what they
need at least (`lower.rate`) come to more than `most`, and scored; of what is left the best `width`
are the next layer, without those that the dead-end test refutes.

Nothing is lost while no layer was too wide (DROPPED is 0): then the first win found is a shortest
one, and a search that runs empty proves that every win takes more than `most` moves. As in
`keys.state_key`, positions are told apart by 64 bits.

A safe card (`safe.safe`) is played up at once, as the only child. That lengthens no win: take any
win from here. No card that still has to be placed fits on the safe card, so the win lifts it only
alone or on top of others; strike out its moves but the one up, and play that first. Every pile
then holds the same cards without it, so every other move stays legal. (Worrying back: cards of a
lower rank that the win brings back can hold only each other; strike out their moves as well.)

Positions with their key in `kept` (those of a line known) are never dropped for their score: so a
shorter way between any two of them, found anywhere in the search, shortens the line.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.solver.board import (
    ABOVE,
    DEALT,
    FACE,
    HEIGHT,
    HIDDEN,
    RAISED,
    USED,
    load,
    measure,
    put,
    save,
)
from engine.solver.children import children
from engine.solver.deadend import hopeless
from engine.solver.jit import kernel
from engine.solver.keys import mix
from engine.solver.lower import FEATURES, HOLLOW, NEED, rate
from engine.solver.model import (
    CARDS,
    FLOOR,
    I32,
    I64,
    NONE,
    OUT,
    SHIFT,
    U8,
    U64,
    WASTE,
)
from engine.solver.safe import safe_card

(
    WIDTH,
    MOST,
    NOISE,
    SEED,
    DEPTH,
    FOUND,
    BAR,
    DROPPED,
    SEEN,
    EXPANDED,
    GOAL,
    GOAL_CARD,
    WEIGHTS,
) = range(13)
SCORES: Final = 4096
_MOST_CHILDREN: Final = 512


class Beam(NamedTuple):
    """The arrays of a search in layers.

    `rows`: the layer's positions; `following`: the next layer's. `found`: the children kept so
    far, as (parent's index in the layer, card, to), their `scores`, and how many have each score
    (`tally`). `seen`: the keys of all positions kept in any layer, by open addressing; `kept`:
    those of a line known. `state`: what the caller sets (WIDTH, MOST, NOISE, SEED, DEPTH and, from
    WEIGHTS on, one for each count of `rate`), what one layer needs (FOUND, BAR: from this score on
    nothing is kept), and what came out (DROPPED, SEEN, EXPANDED; GOAL, the index of the position
    whose move of GOAL_CARD wins, or -1). `boards`, `work`, `counts`: scratch.
    """

    rows: U8
    following: U8
    found: I32
    scores: I32
    tally: I64
    seen: U64
    kept: U64
    state: I64
    boards: U8
    work: U8
    counts: I64


@kernel
def _term(c: int, below: int, face: int) -> np.uint64:
    return mix(np.uint64((c << 9) | (below << 1) | face) + np.uint64(0x9E3779B97F4A7C15))


@kernel
def link_key(game: U8, b: U8) -> np.uint64:
    """A position's key: its links and faces, whatever the order of the piles."""
    key = np.uint64(0)
    for c in range(np.int64(game[CARDS])):
        key ^= _term(c, np.int64(b[c]), np.int64(b[FACE + c]))
    return key


@kernel
def _key_after(b: U8, key: np.uint64, c: int, to: int) -> np.uint64:
    """The key after a move; never 0."""
    old = np.int64(b[c])
    key ^= _term(c, old, np.int64(b[FACE + c])) ^ _term(c, to, 0)
    if old < FLOOR and b[FACE + old]:
        key ^= _term(old, np.int64(b[old]), 1) ^ _term(old, np.int64(b[old]), 0)
    return key if key != np.uint64(0) else np.uint64(1)


@kernel
def _take_back(game: U8, b: U8, c: int, old: int, turned: bool) -> None:
    """Undo the `put` of `c` that came from `old` (and `turned` it)."""
    to = np.int64(b[c])
    if to < FLOOR:
        b[ABOVE + to] = NONE
    elif to == FLOOR:
        b[USED] -= 1
    elif to == OUT:
        s = c & 3
        if game[SHIFT] == 3 and b[HEIGHT + s + 4] == (c >> 3) + 1:
            s += 4
        b[HEIGHT + s] -= 1
        b[RAISED] -= 1
    elif to == WASTE:
        b[DEALT] -= 1
    b[c] = old
    if old < FLOOR:
        b[ABOVE + old] = c
        if turned:
            b[FACE + old] = 1
            b[HIDDEN] += 1
    elif old == FLOOR:
        b[USED] += 1
    elif old == OUT:  # one pack only
        b[HEIGHT + (c & 3)] += 1
        b[RAISED] += 1


@kernel
def _place_of(keys: U64, key: np.uint64) -> int:
    """Where `key` stands in an open-addressing table, or where it would."""
    mask = np.int64(len(keys) - 1)
    i = np.int64(mix(key) >> np.uint64(8)) & mask
    while keys[i] != np.uint64(0) and keys[i] != key:
        i = (i + 1) & mask
    return i


@kernel
def keep_line(game: U8, s: Beam, row: U8, line: U8, moves: int) -> None:
    """Enter the positions along a line into `kept` (which must be clear and large enough)."""
    b = s.boards[0]
    load(game, row, b)
    for i in range(moves):
        put(game, b, np.int64(line[2 * i]), np.int64(line[2 * i + 1]))
        key = link_key(game, b)
        s.kept[_place_of(s.kept, key)] = key


@kernel
def _narrow(s: Beam) -> None:
    """Keep the best WIDTH of the children found, and let in only better ones than the rest."""
    below = 0
    bar = 0
    while below + s.tally[bar] <= s.state[WIDTH]:
        below += s.tally[bar]
        bar += 1
    room = s.state[WIDTH] - below
    s.tally[bar] = room
    s.tally[bar + 1 :] = 0
    end = 0
    for i in range(s.state[FOUND]):
        if s.scores[i] == bar:
            room -= 1
        if s.scores[i] < bar or (s.scores[i] == bar and room >= 0):
            for j in range(3):
                s.found[end, j] = s.found[i, j]
            s.scores[end] = s.scores[i]
            end += 1
    s.state[FOUND] = end
    s.state[BAR] = bar
    s.state[DROPPED] = 1


@kernel
def _moves(game: U8, b: U8, scratch: U8, found: U8) -> int:
    """The moves worth trying, 4 bytes each: a safe one alone, or all."""
    for f in range(1 << np.int64(game[SHIFT])):
        c = safe_card(game, b, f)
        if c != NONE:
            found[0] = c
            found[1] = OUT
            return 4
    return children(game, b, scratch, found)


@kernel
def _score(s: Beam, key: np.uint64) -> int:
    value = 0
    for i in range(FEATURES - 1):
        value += s.state[WEIGHTS + i] * s.counts[i]
    value -= s.state[WEIGHTS + HOLLOW] * s.counts[HOLLOW]
    if s.state[NOISE] > 1:
        noise = mix(key ^ np.uint64(s.state[SEED])) >> np.uint64(40)
        value += np.int64(noise % np.uint64(s.state[NOISE]))
    return max(1, min(value, SCORES - 1))


@kernel
def expand(game: U8, s: Beam, first: int, end: int) -> int:
    """Find the children of the layer's positions from `first` to `end`.

    Returns the first that was not expanded: less than `end` when `seen` must grow; at a win `end`.
    """
    b, scratch, moves = s.boards[0], s.boards[1], s.boards[2]
    for at in range(first, end):
        if s.state[FOUND] + _MOST_CHILDREN > len(s.scores):
            _narrow(s)
        if 2 * (s.state[SEEN] + _MOST_CHILDREN) > len(s.seen):
            return at
        load(game, s.rows[at], b)
        s.state[EXPANDED] += 1
        key = link_key(game, b)
        for i in range(0, _moves(game, b, scratch, moves), 4):
            c = np.int64(moves[i])
            to = np.int64(moves[i + 1])
            new = _key_after(b, key, c, to)
            place = _place_of(s.seen, new)
            if s.seen[place] == new:
                continue
            old = np.int64(b[c])
            turned = old < FLOOR and b[FACE + old] == 1
            put(game, b, c, to)
            won = b[RAISED] == game[CARDS]
            rate(game, b, s.counts)
            _take_back(game, b, c, old, turned)
            if won:
                s.state[GOAL] = at
                s.state[GOAL_CARD] = c
                return end
            if s.state[DEPTH] + 1 + s.counts[NEED] > s.state[MOST]:
                continue
            score = _score(s, new)
            if s.kept[_place_of(s.kept, new)] == new:
                score = 0
            if score >= s.state[BAR]:
                s.state[DROPPED] = 1
                continue
            s.seen[place] = new
            s.state[SEEN] += 1
            child = s.state[FOUND]
            s.found[child, 0] = at
            s.found[child, 1] = c
            s.found[child, 2] = to
            s.scores[child] = score
            s.tally[score] += 1
            s.state[FOUND] = child + 1
    return end


@kernel
def descend(game: U8, s: Beam) -> int:
    """Make the next layer, in `following`, of the children found; returns how many it holds.

    The first so many of `found` say where they come from.
    """
    if s.state[FOUND] > s.state[WIDTH]:
        _narrow(s)
    b = s.boards[0]
    count = 0
    for i in range(s.state[FOUND]):
        load(game, s.rows[s.found[i, 0]], b)
        put(game, b, np.int64(s.found[i, 1]), np.int64(s.found[i, 2]))
        measure(game, b)
        if hopeless(game, b, s.work):
            continue
        save(game, b, s.following[count])
        for j in range(3):
            s.found[count, j] = s.found[i, j]
        count += 1
    s.state[DEPTH] += 1
    s.state[FOUND] = 0
    s.state[BAR] = SCORES
    s.tally[:] = 0
    return count


def new_beam(cards: int, width: int) -> Beam:
    """The arrays for layers of up to `width` positions of `cards` cards."""
    room = 4 * width + _MOST_CHILDREN
    keys = 1 << max(14, (32 * width).bit_length())
    return Beam(
        rows=np.empty((width, cards), np.uint8),
        following=np.empty((width, cards), np.uint8),
        found=np.empty((room, 3), np.int32),
        scores=np.empty(room, np.int32),
        tally=np.zeros(SCORES + 1, np.int64),
        seen=np.zeros(keys, np.uint64),
        kept=np.zeros(4096, np.uint64),
        state=np.zeros(WEIGHTS + FEATURES, np.int64),
        boards=np.zeros((3, 4 * _MOST_CHILDREN), np.uint8),
        work=np.zeros((9, 512), np.uint8),
        counts=np.zeros(FEATURES, np.int64),
    )
