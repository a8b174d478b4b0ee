# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""What can be done with the visible cards alone: the greedy move, the look-ahead (compiled).

A row of any sample will do: until a card turns, no move depends on which cards are hidden, and
nothing here looks at them.
"""

from __future__ import annotations

import numpy as np

from engine.fair.compiled import kernel
from engine.fair.compiled.plans import MOST_MOVES, MOST_PLANS, PLANS, Desk, keep_plan, seen_key
from engine.solver import search
from engine.solver.board import DEALT, FACE, HIDDEN, RAISED, USED, assign, load, put, save
from engine.solver.children import children
from engine.solver.keys import is_new, mix
from engine.solver.model import CARDS, FITS, FLOOR, I32, OUT, SHIFT, U8
from engine.solver.safe import safe

_ROOM = 400  # of nodes and keys, more than one position has children


@kernel
def loose(game: U8, b: U8) -> int:
    """How many face-up cards lie on nothing that they fit; a king on the floor fits."""
    count = 0
    for c in range(np.int64(game[CARDS])):
        below = b[c]
        if b[FACE + c]:
            continue
        if below < FLOOR:
            count += b[FACE + below] == 1 or game[FITS + 128 * c + below] == 0
        elif below == FLOOR:
            count += c >> game[SHIFT] != 12
    return count


@kernel
def _king_waits(game: U8, b: U8) -> bool:
    """Whether a face-up king lies on another card."""
    for c in range(np.int64(12) << np.int64(game[SHIFT]), np.int64(game[CARDS])):
        if b[c] < FLOOR and not b[FACE + c]:
            return True
    return False


@kernel
def greedy(game: U8, row: U8, s: search.Search, seed: int, move: U8) -> bool:
    """The greedy player's move as (card, to) in `move`; False when it has none.

    In this order: a safe card to its foundation; a move that turns a card; one that empties a
    pile while a face-up king waits; one that puts a card where it fits; any card to its
    foundation; the next card of the stock; among equals at random.

    It cannot circle: of (face-down cards, cards in the stock, loose cards, cards not out) every
    move lowers the first that it changes.
    """
    here, child, scratch, found = s.boards[0], s.boards[1], s.boards[2], s.boards[3]
    load(game, row, here)
    before = loose(game, here)
    waits = _king_waits(game, here)
    used = children(game, here, scratch, found)
    best = np.int64(0)
    for i in range(0, used, 4):
        c, to = np.int64(found[i]), np.int64(found[i + 1])
        assign(here, child)
        put(game, child, c, to)
        after = loose(game, child)
        value = 0
        if to == OUT and safe(game, here, c):
            value = 6
        elif child[HIDDEN] < here[HIDDEN]:
            value = 5
        elif after < before and child[USED] < here[USED] and waits:
            value = 4
        elif after < before and child[DEALT] == here[DEALT]:
            value = 3
        elif to == OUT:
            value = 2
        elif child[DEALT] > here[DEALT]:
            value = 1
        if value == 0:
            continue
        x = mix(np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(i + 1))
        value = (value << 40) + np.int64(x >> np.uint64(30))
        if value > best:
            best = value
            move[0], move[1] = c, to
    return best > 0


@kernel
def _way_to(s: search.Search, node: int, line: U8) -> int:
    """Write the moves from the root to a node; twice their number."""
    length = 0
    x = node
    while x > 0:
        length += 1
        x = np.int64(s.nodes[x, search.PARENT])
    x = node
    for i in range(length - 1, -1, -1):
        line[2 * i] = s.moves[x, 0]
        line[2 * i + 1] = s.moves[x, 1]
        x = np.int64(s.nodes[x, search.PARENT])
    return 2 * length


@kernel
def look_ahead(game: U8, row: U8, s: search.Search, d: Desk, limit: int, scores: I32) -> int:
    """Make plans of the ways to turn a card, the shortest first; how many positions were met.

    `limit`: of visible positions. `scores[j]` of plan j: loose cards and cards not out at its end,
    low is good. The game's states must be plain.
    """
    here, child, scratch, found = s.boards[0], s.boards[1], s.boards[2], s.boards[3]
    for i in range(len(s.seen)):
        s.seen[i] = np.uint64(0)
    load(game, row, here)
    is_new(s.seen, seen_key(game, here, d.slot_of))
    save(game, here, s.rows[0])
    s.nodes[0, search.PARENT] = -1
    nodes = 1
    keys = 1
    node = 0
    while node < nodes:
        load(game, s.rows[node], here)
        used = children(game, here, scratch, found)
        for i in range(0, used, 4):
            c, to = np.int64(found[i]), np.int64(found[i + 1])
            assign(here, child)
            put(game, child, c, to)
            if 2 * keys + _ROOM > len(s.seen):
                return nodes
            key = seen_key(game, child, d.slot_of)
            if not is_new(s.seen, key):
                continue
            keys += 1
            turned = child[HIDDEN] != here[HIDDEN] or child[DEALT] != here[DEALT]
            if turned:
                end = _way_to(s, node, d.line)
                if end + 2 > 2 * MOST_MOVES or d.counts[PLANS] == MOST_PLANS:
                    continue
                d.line[end] = c
                d.line[end + 1] = to
                j = keep_plan(d, end + 2, key)
                if j >= 0:
                    scores[j] = 2 * loose(game, child) + np.int64(game[CARDS]) - child[RAISED]
            elif nodes < limit:
                save(game, child, s.rows[nodes])
                s.nodes[nodes, search.PARENT] = node
                s.moves[nodes, 0] = c
                s.moves[nodes, 1] = to
                nodes += 1
        node += 1
    return nodes
