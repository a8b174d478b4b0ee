# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""Samples of the hidden cards: drawing and solving them, plans cut from their wins (compiled)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.fair.compiled import kernel
from engine.solver import search
from engine.solver.board import (
    ABOVE,
    BOARD_SIZE,
    DEALT,
    HEIGHT,
    HIDDEN,
    load,
    put,
    save,
)
from engine.solver.keys import mix
from engine.solver.model import (
    CARDS,
    DEALS,
    DOWN,
    FLOOR,
    I32,
    I64,
    MERGED,
    NONE,
    ORDER,
    ROOTED,
    SHIFT,
    STOCK,
    SUITED,
    U8,
    U64,
)

MOST_SAMPLES: Final = 256
MOST_PLANS: Final = 64
MOST_MOVES: Final = 160
_STOCK: Final = 64

UNTRIED, WINS, FAILS, DEAD = 0, 1, 2, 3
"""What is known of a sample: nothing, won within the budget, not won, nothing left to try."""

LENGTH, VOTES = range(2)
PLANS, POSITIONS = range(2)


class Desk(NamedTuple):
    """The samples and plans of one decision.

    `rows[i]`, `orders[i]`: sample i as a row, and its stock in the order of dealing. `fate[i]`:
    what came of solving it. `slot_of`: scratch, the slot of each hidden card of the last sample.
    `plans[j]`: moves as pairs (card, to), `infos[j]` their LENGTH in pairs and VOTES, `keys[j]` the
    position that plan j leads to. `won[j, i]`: what came of plan j on sample i. `counts`: PLANS and
    POSITIONS. The rest is scratch.
    """

    rows: U8
    orders: U8
    fate: U8
    slot_of: U8
    plans: U8
    infos: I32
    keys: U64
    won: U8
    counts: I64
    path: I32
    line: U8
    board: U8
    row: U8


@kernel
def _random(x: np.uint64, below: int) -> int:
    return np.int64((mix(x) >> np.uint64(33)) % np.uint64(below))


@kernel
def draw(row: U8, slots: I32, pool: U8, seed: int, i: int, d: Desk) -> None:
    """Make sample `i`: put the pool into the slots in an order that `seed` and `i` give."""
    n = len(pool)
    x = mix(np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(i) + np.uint64(1))
    drawn = d.line
    for k in range(n):
        drawn[k] = pool[k]
    for k in range(n - 1, 0, -1):
        x += np.uint64(0x9E3779B97F4A7C15)
        j = _random(x, k + 1)
        drawn[k], drawn[j] = drawn[j], drawn[k]
    for c in range(len(row)):
        d.rows[i, c] = row[c]
    stock = 0
    for k in range(n):
        card = drawn[k]
        d.slot_of[card] = k
        below = slots[k, 0]
        if below == -2:
            d.rows[i, card] = STOCK
            d.orders[i, stock] = card
            stock += 1
            continue
        d.rows[i, card] = (FLOOR if below < 0 else drawn[below]) | DOWN
        if slots[k, 1] >= 0:
            d.rows[i, slots[k, 1]] = card


@kernel
def set_order(game: U8, stock: int, i: int, d: Desk) -> None:
    """Give the game the stock of sample `i`."""
    first = np.int64(game[DEALS]) - stock
    for k in range(stock):
        game[ORDER + first + k] = d.orders[i, k]


@kernel
def attempt(game: U8, s: search.Search, row: U8, seed: int, budget: int) -> int:
    """Look for a win from a row with so many positions; what `search.advance` says.

    Positions are taken by their score alone: a short attempt has no time for random ones.
    """
    for i in range(len(s.seen)):
        s.seen[i] = np.uint64(0)
    for c in range(np.int64(12) << np.int64(game[SHIFT]), np.int64(game[CARDS])):
        game[ROOTED + c] = (row[c] & 127) == FLOOR
    search.start(game, s, row, seed)
    status = search.RUNNING
    for _ in range(budget):
        s.state[search.TURN] = 0
        status = search.advance(game, s, 1)
        if status != search.RUNNING:
            break
    return status


@kernel
def seen_key(game: U8, b: U8, slot_of: U8) -> np.uint64:
    """What tells apart two boards as the player sees them, whichever cards are hidden.

    Cards with a slot (`slot_of` < NONE) count as that slot: they were hidden when the sample was
    drawn.
    """
    key = np.uint64(b[DEALT])
    for s in range(8):
        key = (key << np.uint64(4)) | np.uint64(b[HEIGHT + s])
    key = mix(key)
    which = 255 - 4 if game[SHIFT] == 3 else 255
    for base in range(np.int64(game[CARDS])):
        if b[base] == FLOOR:
            pile = np.uint64(0x2545F4914F6CDD1D)
            c = base
            while c != NONE:
                face = c & which if slot_of[c] == NONE else 128 + np.int64(slot_of[c])
                pile = (pile ^ np.uint64(face)) * np.uint64(0x9FB21C651E98DF25)
                pile ^= pile >> np.uint64(35)
                c = np.int64(b[ABOVE + c])
            key += mix(pile)
    return key


@kernel
def keep_plan(d: Desk, used: int, key: np.uint64) -> int:
    """Count a vote for the plan `d.line[:used]` that leads to `key`; the plan, or -1 if no room.

    Of two ways to one position the shorter is kept.
    """
    pairs = used // 2
    if pairs > MOST_MOVES:
        return -1
    n = d.counts[PLANS]
    j = 0
    while j < n and d.keys[j] != key:
        j += 1
    if j == MOST_PLANS:
        return -1
    if j == n:
        d.counts[PLANS] = n + 1
        d.keys[j] = key
        d.infos[j, VOTES] = 0
        d.infos[j, LENGTH] = MOST_MOVES + 1
        for i in range(MOST_SAMPLES):
            d.won[j, i] = UNTRIED
    d.infos[j, VOTES] += 1
    if pairs < d.infos[j, LENGTH]:
        d.infos[j, LENGTH] = pairs
        for i in range(used):
            d.plans[j, i] = d.line[i]
    return j


@kernel
def cut(game: U8, row: U8, d: Desk, used: int) -> int:
    """How much of the line `d.line[:used]` there is up to the first card that it turns."""
    load(game, row, d.board)
    hidden, dealt = d.board[HIDDEN], d.board[DEALT]
    for i in range(0, used, 2):
        put(game, d.board, np.int64(d.line[i]), np.int64(d.line[i + 1]))
        if d.board[HIDDEN] != hidden or d.board[DEALT] != dealt:
            return i + 2
    return used


@kernel
def _vary(s: search.Search, weights: I64, seed: int, i: int) -> None:
    """Let sample `i` look for its win with weights of its own, so that the plans differ."""
    for k in range(4):
        s.state[search.WEIGHTS + k] = weights[k]
    if i % 4:
        x = mix(np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(i))
        most = np.uint64(weights[0])
        s.state[search.WEIGHTS] = weights[0] // 2 + np.int64(x % most)
        s.state[search.WEIGHTS + 1] = 1 + np.int64((x >> np.uint64(8)) % np.uint64(2))
        s.state[search.WEIGHTS + 2] = np.int64((x >> np.uint64(16)) % np.uint64(3))


@kernel
def vote(
    game: U8,
    row: U8,
    slots: I32,
    pool: U8,
    stock: int,
    s: search.Search,
    d: Desk,
    first: int,
    last: int,
    seed: int,
    budget: int,
    weights: I64,
) -> int:
    """Draw and solve the samples `first` ... `last` - 1; how many were won.

    The beginning of each win, up to the first card that it turns, gets a vote as a plan.
    """
    won = 0
    for i in range(first, last):
        draw(row, slots, pool, seed, i, d)
        set_order(game, stock, i, d)
        _vary(s, weights, seed, i)
        status = attempt(game, s, d.rows[i], seed + i, budget)
        d.counts[POSITIONS] += s.state[search.EXPANDED]
        d.fate[i] = FAILS
        if status == search.EMPTY and (not game[MERGED] or game[SUITED]):
            d.fate[i] = DEAD
        if status != search.WON:
            continue
        d.fate[i] = WINS
        won += 1
        goal = s.state[search.GOAL]
        used = search.trace(game, s, d.rows[i], goal, d.path, d.line)
        used = cut(game, d.rows[i], d, used)
        j = keep_plan(d, used, seen_key(game, d.board, d.slot_of))
        if j >= 0:
            d.won[j, i] = WINS
    return won


@kernel
def judge(
    game: U8,
    stock: int,
    s: search.Search,
    d: Desk,
    j: int,
    first: int,
    last: int,
    seed: int,
    budget: int,
    weights: I64,
) -> int:
    """Play plan `j` on the samples `first` ... `last` - 1 and solve what is left; how many won."""
    won = 0
    for k in range(4):
        s.state[search.WEIGHTS + k] = weights[k]
    for i in range(first, last):
        if d.won[j, i] == UNTRIED:
            d.won[j, i] = FAILS
            if d.fate[i] != DEAD:
                set_order(game, stock, i, d)
                load(game, d.rows[i], d.board)
                for k in range(0, 2 * d.infos[j, LENGTH], 2):
                    put(game, d.board, np.int64(d.plans[j, k]), np.int64(d.plans[j, k + 1]))
                save(game, d.board, d.row)
                if attempt(game, s, d.row, seed + i, budget) == search.WON:
                    d.won[j, i] = WINS
                d.counts[POSITIONS] += s.state[search.EXPANDED]
        won += d.won[j, i] == WINS
    return won


def new_desk(cards: int) -> Desk:
    """An empty desk for a game of `cards` cards."""
    return Desk(
        rows=np.zeros((MOST_SAMPLES, cards), np.uint8),
        orders=np.zeros((MOST_SAMPLES, _STOCK), np.uint8),
        fate=np.zeros(MOST_SAMPLES, np.uint8),
        slot_of=np.full(128, NONE, np.uint8),
        plans=np.zeros((MOST_PLANS, 2 * MOST_MOVES), np.uint8),
        infos=np.zeros((MOST_PLANS, 2), np.int32),
        keys=np.zeros(MOST_PLANS, np.uint64),
        won=np.zeros((MOST_PLANS, MOST_SAMPLES), np.uint8),
        counts=np.zeros(4, np.int64),
        path=np.zeros(8192, np.int32),
        line=np.zeros(16384, np.uint8),
        board=np.zeros(BOARD_SIZE, np.uint8),
        row=np.zeros(cards, np.uint8),
    )


def new_search(cards: int) -> search.Search:
    """A search for short attempts: it never grows."""
    s = search.new_search(cards)
    nodes = 8192
    return s._replace(
        nodes=np.empty((nodes, 3), np.int32),
        moves=np.empty((nodes, 4), np.uint8),
        open=np.empty(nodes, np.int32),
        rows=np.empty((nodes, cards), np.uint8),
    )
