# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""Samples of the hidden cards: drawing and solving them, plans cut from their wins (compiled)."""

from __future__ import annotations

import numpy as np

from engine.fair.compiled import kernel
from engine.fair.compiled.plans import (
    DEAD,
    FAILS,
    LENGTH,
    POSITIONS,
    UNTRIED,
    WINS,
    Desk,
    cut,
    keep_plan,
    seen_key,
    without_needless,
)
from engine.solver import search
from engine.solver.board import load, put, save
from engine.solver.keys import mix
from engine.solver.model import (
    CARDS,
    DEALS,
    DOWN,
    FLOOR,
    I32,
    I64,
    MERGED,
    ORDER,
    ROOTED,
    SHIFT,
    STOCK,
    SUITED,
    U8,
)


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
        whole = cut(game, d.rows[i], d, used)
        used = without_needless(game, d.rows[i], d, whole)
        cut(game, d.rows[i], d, used)
        j = keep_plan(d, used, seen_key(game, d.board, d.slot_of))
        if j >= 0 and used == whole:
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
