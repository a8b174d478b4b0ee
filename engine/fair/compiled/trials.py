# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""Whole games of the simplest sampling player in one compiled loop, to measure a deal's difficulty.

The player draws one sample at each turned card and follows the beginning of its win; when four
samples give none it makes the greedy player's move. It sees what a player sees: the hidden cards'
order is looked up only to show the card that a move has turned.
"""

from __future__ import annotations

import numpy as np

from engine.fair.compiled import kernel
from engine.fair.compiled.ahead import greedy
from engine.fair.compiled.plans import Desk, cut
from engine.fair.compiled.samples import attempt, draw
from engine.solver import search
from engine.solver.board import DEALT, FACE, RAISED, load, put, save
from engine.solver.model import (
    CARDS,
    DEALS,
    FLOOR,
    I32,
    MERGED,
    ORDER,
    STOCK,
    U8,
    WASTE,
)

_TRIES = 4
_AT_THE_END = 20  # times the budget, once every card is visible


@kernel
def mask(game: U8, b: U8, row: U8, slots: I32, pool: U8) -> int:
    """Find the slots and the pool of a board; how many. `row` becomes the visible cards' row.

    Slots go by the lowest visible cards of the piles, from the base of each, then the stock.
    """
    n = 0
    cards = np.int64(game[CARDS])
    save(game, b, row)
    for c in range(cards):
        below = b[c]
        if b[FACE + c] or below >= FLOOR or not b[FACE + below]:
            continue
        depth = 0
        x = np.int64(below)
        while x < FLOOR:
            depth += 1
            x = np.int64(b[x])
        for k in range(depth):
            slots[n + k, 0] = n + k - 1 if k else -1
            slots[n + k, 1] = -1
        slots[n + depth - 1, 1] = c
        n += depth
    for _ in range(np.int64(b[DEALT]), np.int64(game[DEALS])):
        slots[n, 0] = -2
        slots[n, 1] = -1
        n += 1
    hidden = 0
    for c in range(cards):
        if b[FACE + c] or b[c] == STOCK:
            pool[hidden] = c
            hidden += 1
            row[c] = 255
    return n


@kernel
def play_out(
    game: U8,
    stock: U8,
    truth: U8,
    s: search.Search,
    d: Desk,
    slots: I32,
    pool: U8,
    row: U8,
    seed: int,
    budget: int,
    merged: int,
) -> int:
    """Play from the row `truth`, which becomes the row at the end; how many cards are out then.

    `stock`: the true order of the stock, to the end of the game's order.
    """
    b = d.board
    dealt = np.int64(game[DEALS]) - len(stock)
    turn = 0
    while True:
        load(game, truth, b)
        out = np.int64(b[RAISED])
        if out == game[CARDS]:
            return out
        game[MERGED] = merged
        turn += 1
        hidden = mask(game, b, row, slots, pool)
        for k in range(len(stock)):
            game[ORDER + dealt + k] = stock[k]
        if hidden == 0:
            won = attempt(game, s, truth, seed, _AT_THE_END * budget) == search.WON
            return np.int64(game[CARDS]) if won else out
        used = 0
        left = np.int64(game[DEALS]) - np.int64(b[DEALT])
        for i in range(_TRIES):
            draw(row, slots[:hidden], pool[:hidden], seed + 1000 * turn, i, d)
            for k in range(left):
                game[ORDER + np.int64(game[DEALS]) - left + k] = d.orders[i, k]
            if attempt(game, s, d.rows[i], seed + i, budget) == search.WON:
                used = search.trace(game, s, d.rows[i], s.state[search.GOAL], d.path, d.line)
                used = cut(game, d.rows[i], d, used)
                break
        for k in range(len(stock)):
            game[ORDER + dealt + k] = stock[k]
        if used == 0:
            game[MERGED] = 0
            if not greedy(game, truth, s, seed + 1000 * turn, d.line):
                return out
            used = 2
        load(game, truth, b)
        for k in range(0, used, 2):
            c = np.int64(d.line[k])
            if d.line[k + 1] == WASTE:  # the sample's card stands for the true one
                c = np.int64(game[ORDER + np.int64(b[DEALT])])
            put(game, b, c, np.int64(d.line[k + 1]))
        save(game, b, truth)
