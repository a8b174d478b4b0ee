# mypy: warn-return-any=False, disable-error-code="assignment,arg-type,return-value,call-overload"
"""What lies on a decision's desk: samples, and plans, ways to a card that turns (compiled)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.fair.compiled import kernel
from engine.solver.board import (
    ABOVE,
    BOARD_SIZE,
    DEALT,
    FACE,
    HEIGHT,
    HIDDEN,
    USED,
    load,
    may_go_out,
    may_lie,
    put,
    waste_top,
    within_limit,
)
from engine.solver.keys import mix
from engine.solver.model import (
    BACK,
    CARDS,
    DEALS,
    FLOOR,
    I32,
    I64,
    NONE,
    ORDER,
    OUT,
    PILES,
    SHIFT,
    STOCK,
    U8,
    U64,
    WASTE,
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
def _is_legal(game: U8, b: U8, c: int, to: int) -> bool:
    """Whether `c` may be moved to `to`, by the rules."""
    below = b[c]
    if to == WASTE:
        return b[DEALT] < game[DEALS] and c == np.int64(game[ORDER + b[DEALT]])
    if b[FACE + c] or below == STOCK or (below == WASTE and c != waste_top(game, b)):
        return False
    if below == OUT and (not game[BACK] or b[HEIGHT + (c & 3)] != (c >> 2) + 1):
        return False
    if to == OUT:
        return may_go_out(game, b, c)
    if to == FLOOR:
        king = c >> game[SHIFT] == 12
        return king and below != FLOOR and b[USED] < game[PILES] and within_limit(game, b, c)
    return may_lie(game, b, c, to)


@kernel
def _does_without(game: U8, row: U8, d: Desk, used: int, left_out: int) -> bool:
    """Whether `d.line[:used]` less the move at `left_out` turns its card, and none before."""
    load(game, row, d.board)
    hidden, dealt = d.board[HIDDEN], d.board[DEALT]
    for i in range(0, used, 2):
        if i == left_out:
            continue
        if d.board[HIDDEN] != hidden or d.board[DEALT] != dealt:
            return False
        c, to = np.int64(d.line[i]), np.int64(d.line[i + 1])
        if not _is_legal(game, d.board, c, to):
            return False
        put(game, d.board, c, to)
    return d.board[HIDDEN] != hidden or d.board[DEALT] != dealt


@kernel
def without_needless(game: U8, row: U8, d: Desk, used: int) -> int:
    """Leave out of a plan, `d.line[:used]`, the moves that the turning of its card does not need.

    They can be made later as well, when more is seen. A deal from the stock needs none: there the
    plan stays. What is left of the line.
    """
    if used == 0 or d.line[used - 1] == WASTE:
        return used
    before = used + 1
    while used < before:  # with one less, another may be needless too
        before = used
        for k in range(used - 4, -1, -2):
            if _does_without(game, row, d, used, k):
                for i in range(k, used - 2):
                    d.line[i] = d.line[i + 2]
                used -= 2
    return used


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
