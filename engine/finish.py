"""Endings: the line that finishes a game by itself, and positions from which nothing new comes."""

from __future__ import annotations

from engine.cards import FACE_DOWN
from engine.moves import OWN_FOUNDATION, TABLEAU, WASTE, Move, Place
from engine.position import Position
from engine.rules import Rules

LEADS_BACK_LIMIT = 60
"""How many positions are looked at before a position counts as open."""


def finishing_line(rules: Rules, position: Position) -> tuple[Move, ...] | None:
    """The moves to the foundations that win from here, or None when they alone do not.

    Found by playing them: lowest card first, until nothing goes up. Nothing is claimed of
    positions with face-down cards or a stock, where a player still decides.
    """
    if position.stock or max(b"".join(position.tableau), default=0) >= FACE_DOWN:
        return None
    if rules.variant.decks == 1:
        if any(map(_is_blocked, position.tableau)):
            return None
        return _one_pack_line(position)
    line: list[Move] = []
    while moves := rules.foundation_moves(position):
        move = min(moves, key=lambda one: _rank(position, one))
        line.append(move)
        position = rules.apply_legal(position, move)
    return tuple(line) if line and rules.is_won(position) else None


def _one_pack_line(position: Position) -> tuple[Move, ...] | None:
    """The same with one pack, where each foundation waits for one card: in a fifth of the time.

    A table that is near its end is asked at every move.
    """
    piles = [list(pile) for pile in (*position.tableau, position.waste)]
    tops = {pile[-1]: index for index, pile in enumerate(piles) if pile}
    foundations = enumerate(position.foundations)
    waiting = {suit * 13 + len(pile) for suit, pile in foundations if len(pile) < 13}
    line: list[Move] = []
    while fits := [(card % 13, tops[card], card) for card in waiting if card in tops]:
        rank, index, card = min(fits)
        line.append(_UP[index] if index < len(position.tableau) else _UP_FROM_WASTE)
        pile = piles[index]
        del tops[pile.pop()]
        if pile:
            tops[pile[-1]] = index
        waiting.remove(card)
        if rank < 12:
            waiting.add(card + 1)
    return tuple(line) if line and not any(piles) else None


_UP = tuple(Move(Place(TABLEAU, index), 1, OWN_FOUNDATION) for index in range(20))
_UP_FROM_WASTE = Move(Place(WASTE), 1, OWN_FOUNDATION)


def _is_blocked(pile: bytes) -> bool:
    """Whether a card lies above a lower card of its suit: neither can then go up by itself.

    With one pack only; in a double pack the lower card's twin may lie elsewhere.
    """
    lowest = [13, 13, 13, 13]
    for card in pile:
        suit, rank = divmod(card, 13)
        if lowest[suit] < rank:
            return True
        lowest[suit] = rank
    return False


def _rank(position: Position, move: Move) -> int:
    pile = position.tableau[move.source.pile] if move.source.zone == "t" else position.waste
    return pile[-1] % 13


def _progress(position: Position) -> tuple[int, int, int]:
    """What never comes back: cards out, face-down cards turned, stock dealt (as counts)."""
    down = sum(1 for pile in position.tableau for card in pile if card & FACE_DOWN)
    return sum(map(len, position.foundations)), -down, -len(position.stock)


def only_leads_back(rules: Rules, position: Position, limit: int = LEADS_BACK_LIMIT) -> bool:
    """Whether every move leads round and round: nothing new can be reached from here.

    True when the positions that can be reached are few (at most `limit`) and none of them has a
    card more on the foundations, a card more turned, or a card more dealt. Such a position is
    lost as well; True is a proof, False is not.
    """
    here = _progress(position)
    seen, todo = {position}, [position]
    while todo:
        at = todo.pop()
        for move in rules.legal_moves(at):
            after = rules.apply_legal(at, move)
            if any(new > old for new, old in zip(_progress(after), here, strict=True)):
                return False
            if after not in seen:
                if len(seen) == limit:
                    return False
                seen.add(after)
                todo.append(after)
    return len(seen) > 1
