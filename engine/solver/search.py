# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""The best-first search over positions (compiled).

Each new state is settled, looked up in an exact closed set, tested for a dead end, scored, and
put on two open lists: buckets by score (last in, first out in a bucket) and one list from which
every other turn takes a state uniformly at random. An emptied list is a proof if the states are
told apart exactly (see `state_key`).

Score, low first: 8 for each face-down card, 2 for each card on one that it does not fit, 1 for
each card not out, 1 for each card above the next card of a suit; with a stock 1 for each card in
it or in the waste.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.solver.board import (
    COLUMN,
    DEPTH,
    HEIGHT,
    HIDDEN,
    RAISED,
    SIZE,
    assign,
    load,
    measure,
    put,
    save,
)
from engine.solver.children import children
from engine.solver.deadend import hopeless
from engine.solver.jit import kernel
from engine.solver.keys import (
    is_new,
    mix,
    rehash,
    state_key,
)
from engine.solver.model import (
    CARDS,
    DEALS,
    FITS,
    FLOOR,
    I32,
    I64,
    NONE,
    ORDER,
    OUT,
    SHIFT,
    STOCK,
    U8,
    U64,
    WASTE,
    grown,
)
from engine.solver.safe import settle

RUNNING, WON, EMPTY, FULL = 0, 1, 2, 3
"""What `advance` reports: not done, a win found, no state left, the arrays must grow."""
NODES, OPEN, LOWEST, RANDOM, TURN, GOAL, SEEN, EXPANDED, UNTESTED, UNPRUNED, WEIGHTS = range(11)
BUCKETS = 1024
PARENT, LINK, PLACE = range(3)
_MOST_CHILDREN = 512
FIRST_KEYS = 16384
_LAZY = 2000
"""So many expansions test a node only when its turn comes; later ones before it takes memory."""


class Search(NamedTuple):
    """A search's arrays; it stops and goes on at any expansion.

    `nodes[i]`: a node's PARENT, LINK (the next node of its bucket) and PLACE (where it stands among
    the open nodes, or -1); `moves[i]`: the one or two moves that made it, as (card, to) with NONE
    where there is one. `open`, `rows`: the open nodes and their rows, which no other node keeps.
    `heads`: the first node of each bucket. `seen`: the keys of all states met, by open addressing,
    0 where free. `state`: the counters NODES ... UNTESTED, then what the caller sets before the
    start: UNPRUNED (1: no state is tested for a dead end) and four WEIGHTS. `boards`, `work`:
    scratch.
    """

    nodes: I32
    moves: U8
    open: I32
    rows: U8
    heads: I32
    seen: U64
    state: I64
    boards: U8
    work: U8


@kernel
def score(game: U8, b: U8, weights: I64) -> int:
    """How far the measured board looks from won; low is near."""
    bad = 0
    shift = np.int64(game[SHIFT])
    n = np.int64(game[CARDS])
    for c in range(n):
        below = b[c]
        if below < FLOOR:
            bad += 1 - game[FITS + 128 * c + below]
        elif below == FLOOR:
            bad += c >> shift != 12
    over = 0
    for s in range(1 << shift):
        k = np.int64(b[HEIGHT + s])
        if k <= 12:
            y = (k << shift) + s
            if b[y] == OUT:  # two packs: the copy's turn
                y ^= 4
            if b[y] <= FLOOR:
                over += np.int64(b[SIZE + b[COLUMN + y]]) - 1 - np.int64(b[DEPTH + y])
    value = (
        weights[WEIGHTS] * np.int64(b[HIDDEN])
        + weights[WEIGHTS + 1] * bad
        + weights[WEIGHTS + 2] * (n - np.int64(b[RAISED]))
        + weights[WEIGHTS + 3] * over
    )
    for i in range(np.int64(game[DEALS])):
        below = b[game[ORDER + i]]
        value += below in (STOCK, WASTE)
    return min(value, BUCKETS - 1)


@kernel
def _add(game: U8, s: Search, b: U8, parent: int, test: bool) -> int:
    """Settle the board, and add it as a node unless met or, if tested, dead; the node, or -1."""
    settle(game, b, s.work[7], 0)
    if not is_new(s.seen, state_key(game, b)):
        return -1
    s.state[SEEN] += 1
    won = b[RAISED] == game[CARDS]
    value = np.int64(0)
    if not won:
        measure(game, b)
        if test and not s.state[UNPRUNED] and hopeless(game, b, s.work):
            return -1
        value = score(game, b, s.state)
    node = s.state[NODES]
    s.state[NODES] = node + 1
    s.nodes[node, PARENT] = parent
    s.nodes[node, LINK] = s.heads[value]
    s.heads[value] = node
    s.nodes[node, PLACE] = s.state[OPEN]
    s.open[s.state[OPEN]] = node
    save(game, b, s.rows[s.state[OPEN]])
    s.state[OPEN] += 1
    s.state[LOWEST] = min(s.state[LOWEST], value)
    if won:
        s.state[GOAL] = node
    return node


@kernel
def start(game: U8, s: Search, row: U8, seed: int) -> None:
    """Begin a search from `row` (`seen` must be clear)."""
    s.state[:UNPRUNED] = 0
    s.state[GOAL] = -1
    s.state[LOWEST] = BUCKETS - 1
    s.state[RANDOM] = seed
    s.heads[:] = -1
    load(game, row, s.boards[0])
    if _add(game, s, s.boards[0], -1, True) >= 0:
        s.moves[0] = NONE


@kernel
def _next_node(game: U8, s: Search, b: U8) -> int:
    """Take the node to expand next, by score and at random in turn, onto the board."""
    s.state[TURN] += 1
    if s.state[TURN] & 1 == 0:
        x = np.uint64(s.state[RANDOM]) + np.uint64(0x9E3779B97F4A7C15)
        s.state[RANDOM] = np.int64(x)
        node = np.int64(s.open[np.int64(mix(x) >> np.uint64(33)) % s.state[OPEN]])
    else:
        value = s.state[LOWEST]
        while True:
            node = np.int64(s.heads[value])
            if node < 0:
                value += 1
                continue
            s.heads[value] = s.nodes[node, LINK]
            if s.nodes[node, PLACE] >= 0:
                break
        s.state[LOWEST] = value
    i = s.nodes[node, PLACE]
    load(game, s.rows[i], b)
    end = s.state[OPEN] - 1
    s.state[OPEN] = end
    last = s.open[end]
    s.open[i] = last
    for c in range(np.int64(game[CARDS])):
        s.rows[i, c] = s.rows[end, c]
    s.nodes[last, PLACE] = i
    s.nodes[node, PLACE] = -1
    return node


@kernel
def advance(game: U8, s: Search, expansions: int) -> int:
    """Expand up to so many nodes. Returns RUNNING, WON, EMPTY or FULL."""
    here, child, scratch, found = s.boards[0], s.boards[1], s.boards[2], s.boards[3]
    for _ in range(expansions):
        if s.state[GOAL] >= 0:
            return WON
        if s.state[OPEN] == 0:
            return EMPTY
        if s.state[NODES] + _MOST_CHILDREN > len(s.nodes):
            return FULL
        if s.state[OPEN] + _MOST_CHILDREN > len(s.open):
            return FULL
        if 2 * (s.state[SEEN] + _MOST_CHILDREN) > len(s.seen):
            return FULL
        parent = _next_node(game, s, here)
        s.state[EXPANDED] += 1
        if parent < s.state[UNTESTED]:
            measure(game, here)
            if not s.state[UNPRUNED] and hopeless(game, here, s.work):
                continue
        test = s.state[EXPANDED] > _LAZY
        used = children(game, here, scratch, found)
        for i in range(0, used, 4):
            assign(here, child)
            put(game, child, np.int64(found[i]), np.int64(found[i + 1]))
            if found[i + 2] != NONE:
                put(game, child, np.int64(found[i + 2]), np.int64(found[i + 3]))
            node = _add(game, s, child, parent, test)
            if node >= 0:
                if not test:
                    s.state[UNTESTED] = node + 1
                for j in range(4):
                    s.moves[node, j] = found[i + j]
    return WON if s.state[GOAL] >= 0 else RUNNING


@kernel
def trace(game: U8, s: Search, row: U8, goal: int, path: I32, line: U8) -> int:
    """Write the moves from `row` to a node as pairs (card, to); returns twice their number."""
    length = 0
    node = np.int64(goal)
    while node >= 0:
        path[length] = node
        length += 1
        node = np.int64(s.nodes[node, PARENT])
    b = s.boards[0]
    load(game, row, b)
    used = settle(game, b, line, 0)
    for i in range(length - 1, -1, -1):
        for j in range(0, 4, 2):
            c = np.int64(s.moves[path[i], j])
            if c != NONE:
                to = np.int64(s.moves[path[i], j + 1])
                put(game, b, c, to)
                line[used] = c
                line[used + 1] = to
                used += 2
        used = settle(game, b, line, used)
    return used


def new_search(cards: int) -> Search:
    """A small search for a game of `cards` cards; `enlarge` makes it larger."""
    nodes, keys = 4096, FIRST_KEYS
    return Search(
        nodes=np.empty((nodes, 3), np.int32),
        moves=np.empty((nodes, 4), np.uint8),
        open=np.empty(nodes, np.int32),
        rows=np.empty((nodes, cards), np.uint8),
        heads=np.empty(BUCKETS, np.int32),
        seen=np.zeros(keys, np.uint64),
        state=np.zeros(16, np.int64),
        boards=np.zeros((4, 4 * _MOST_CHILDREN), np.uint8),
        work=np.zeros((9, 512), np.uint8),
    )


def enlarge(s: Search) -> Search:
    """The same search with twice the room where it is short."""
    more_nodes, more_open, more_keys = _short(s)
    if more_nodes:
        size = 2 * len(s.nodes)
        s = s._replace(nodes=grown(s.nodes, size), moves=grown(s.moves, size))
    if more_open:
        size = 2 * len(s.open)
        s = s._replace(open=grown(s.open, size), rows=grown(s.rows, size))
    if more_keys:
        seen = np.zeros(2 * len(s.seen), np.uint64)
        rehash(s.seen, seen)
        s = s._replace(seen=seen)
    return s


def enlarged_bytes(s: Search) -> int:
    """How many bytes the search would take once enlarged."""
    more_nodes, more_open, more_keys = _short(s)
    return (
        (s.nodes.nbytes + s.moves.nbytes) * (1 + more_nodes)
        + (s.open.nbytes + s.rows.nbytes) * (1 + more_open)
        + s.seen.nbytes * (1 + more_keys)
    )


def _short(s: Search) -> tuple[bool, bool, bool]:
    """Whether the nodes, the open nodes, the keys need more room."""
    return (
        bool(s.state[NODES] + _MOST_CHILDREN > len(s.nodes)),
        bool(s.state[OPEN] + _MOST_CHILDREN > len(s.open)),
        bool(2 * (s.state[SEEN] + _MOST_CHILDREN) > len(s.seen)),
    )
