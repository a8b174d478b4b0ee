"""The rules: what is legal, why not, and what a move does.

The rules of a game are compiled once into tables (which cards may go on a card), so that a
variant is data. Everything that moves cards asks here: the table, hints, the solver, replays.
Sources of the rules: docs/rules.md.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import NamedTuple

from engine.cards import FACE_DOWN, KING, is_red
from engine.errors import IllegalMoveError
from engine.moves import FOUNDATION, OWN_FOUNDATION, STOCK, TABLEAU, WASTE, Move, Place
from engine.position import Position
from engine.refusals import Refusal, explain
from engine.variants import BY_RULE, Foundations, Variant

_BETWEEN = b"\xff"
DEAL_FROM_STOCK = Move(Place(STOCK), 1, Place(WASTE))
_LONGEST = 104  # no pile is longer than two packs


class Outcome(NamedTuple):
    """What a move did: the position after it, and the cards that matter to score and words.

    `lead` is the base card of what moved (None for a deal from the stock), `raised` the card put
    on a foundation, `turned` the card turned face up by it.
    """

    position: Position
    lead: int | None
    raised: int | None
    turned: int | None


class Rules:
    """The compiled rules of one game; get them with `get_rules`."""

    def __init__(self, variant: Variant) -> None:
        """Compile `variant`. Raises ValueError when it uses an axis that is not played yet."""
        _check_axes(variant)
        self.variant = variant
        self.accepts: tuple[bytes, ...] = tuple(
            bytes(card for card in range(52) if _fits(variant, card, top)) for top in range(52)
        )
        """For each face-up top card, the cards that may be put on it."""
        self.on_empty = bytes(
            card for card in range(52) if variant.empty_pile == "any" or card % 13 == KING
        )
        """The cards that may go to an empty pile."""
        self._wanted = tuple(
            (suit * 13,) for suit in range(4) for _ in range(variant.decks)
        )  # the base card of each foundation
        piles = range(variant.piles)
        places = [Place(TABLEAU, index) for index in piles]
        self._group_moves = [
            [[Move(source, count, target) for count in range(_LONGEST + 1)] for target in places]
            for source in places
        ]
        self._up_moves = [Move(place, 1, OWN_FOUNDATION) for place in places]
        self._waste_moves = [Move(Place(WASTE), 1, place) for place in places]
        self._limit = variant.max_group or _LONGEST

    def legal_moves(self, position: Position) -> list[Move]:
        """Every legal move, each once, in a fixed order.

        First the moves to the foundations, then within the tableau by target pile, then those
        from the waste, back from the foundations, and the deal from the stock.
        """
        tableau = position.tableau
        moves: list[Move] = []
        wanted = self._wanted_cards(position)
        for index, pile in enumerate(tableau):
            if pile and pile[-1] in wanted:
                moves.append(self._up_moves[index])
        joined = _BETWEEN.join(tableau)
        starts = []
        start = 0
        for pile in tableau:
            starts.append(start)
            start += len(pile) + 1
        accepts, on_empty, limit = self.accepts, self.on_empty, self._limit
        find = joined.find
        for target, pile in enumerate(tableau):
            for card in accepts[pile[-1]] if pile else on_empty:
                at = find(card)
                while at >= 0:
                    source = bisect_right(starts, at) - 1
                    count = starts[source] + len(tableau[source]) - at
                    if source != target and count <= limit:
                        moves.append(self._group_moves[source][target][count])
                    at = find(card, at + 1)
        if position.waste:
            self._add_waste_moves(position, wanted, moves)
        if self.variant.worrying_back:
            self._add_worrying_back(position, moves)
        if position.stock:
            moves.append(DEAL_FROM_STOCK)
        return moves

    def foundation_moves(self, position: Position) -> list[Move]:
        """The legal moves that put a card on its foundation."""
        wanted = self._wanted_cards(position)
        moves = [
            self._up_moves[index]
            for index, pile in enumerate(position.tableau)
            if pile and pile[-1] in wanted
        ]
        if position.waste and position.waste[-1] in wanted:
            moves.append(Move(Place(WASTE), 1, OWN_FOUNDATION))
        return moves

    def _wanted_cards(self, position: Position) -> set[int]:
        """The cards that a foundation takes next."""
        return {
            pile[-1] + 1 if pile else base[0]
            for pile, base in zip(position.foundations, self._wanted, strict=True)
            if len(pile) < 13
        }

    def _add_waste_moves(self, position: Position, wanted: set[int], moves: list[Move]) -> None:
        card = position.waste[-1]
        if card in wanted:
            moves.append(Move(Place(WASTE), 1, OWN_FOUNDATION))
        for target, pile in enumerate(position.tableau):
            if card in (self.accepts[pile[-1]] if pile else self.on_empty):
                moves.append(self._waste_moves[target])

    def _add_worrying_back(self, position: Position, moves: list[Move]) -> None:
        decks = self.variant.decks
        for index, foundation in enumerate(position.foundations):
            if not foundation:
                continue
            card = foundation[-1]
            source = Place(FOUNDATION, index // decks * 2 + index % decks)
            for target, pile in enumerate(position.tableau):
                if card in (self.accepts[pile[-1]] if pile else self.on_empty):
                    moves.append(Move(source, 1, Place(TABLEAU, target)))

    def refusal(self, position: Position, move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None when it is legal."""
        return explain(self, position, move)

    def is_legal(self, position: Position, move: Move) -> bool:
        """Whether the rules allow `move`; the same as being among `legal_moves`."""
        return self.refusal(position, move) is None

    def has_legal_move(self, position: Position) -> bool:
        """Whether any move at all is legal."""
        return bool(self.legal_moves(position))

    def is_won(self, position: Position) -> bool:
        """Whether every card lies on the foundations."""
        return sum(map(len, position.foundations)) == self.variant.cards

    def is_stuck(self, position: Position) -> bool:
        """Whether the game is not won and no move is legal (worrying back and stock included)."""
        return not self.is_won(position) and not self.has_legal_move(position)

    def apply(self, position: Position, move: Move) -> Position:
        """The position after `move`. Raises IllegalMoveError, which names the rule."""
        return self.outcome(position, move).position

    def outcome(self, position: Position, move: Move) -> Outcome:
        """What `move` does. Raises IllegalMoveError, which names the rule."""
        refusal = self.refusal(position, move)
        if refusal is not None:
            raise IllegalMoveError(refusal)
        after = self.apply_legal(position, move)
        lead, turned = self._lead(position, move), None
        if move.source.zone == TABLEAU:
            pile = position.tableau[move.source.pile]
            if len(pile) > move.size and pile[-move.size - 1] & FACE_DOWN:
                turned = pile[-move.size - 1] & ~FACE_DOWN
        raised = lead if move.target.zone == FOUNDATION else None
        return Outcome(after, lead, raised, turned)

    def _lead(self, position: Position, move: Move) -> int | None:
        zone, index = move.source
        if zone == TABLEAU:
            return position.tableau[index][-move.size]
        if zone == FOUNDATION:
            return position.foundations[self.foundation_index(move.source)][-1]
        return position.waste[-1] if zone == WASTE else None

    def foundation_index(self, place: Place) -> int:
        """Which of the position's foundations a place such as `fS2` means."""
        suit, copy = divmod(place.pile, 2)
        return suit * self.variant.decks + copy

    def foundation_for(self, position: Position, card: int) -> int | None:
        """The foundation that takes `card` next (the first of two), or None."""
        decks = self.variant.decks
        first = card // 13 * decks
        for index in range(first, first + decks):
            if len(position.foundations[index]) == card % 13:
                return index
        return None

    def apply_legal(self, position: Position, move: Move) -> Position:
        """The position after a move known to be legal (one of `legal_moves`), unchecked."""
        (zone, index), count, (to_zone, to_index) = move
        if zone == STOCK:
            return position._replace(
                stock=position.stock[:-1], waste=position.waste + position.stock[-1:]
            )
        tableau = list(position.tableau)
        foundations, waste = position.foundations, position.waste
        if zone == TABLEAU:
            pile = tableau[index]
            group = pile[-count:]
            rest = pile[:-count]
            if rest and rest[-1] & FACE_DOWN:
                rest = rest[:-1] + bytes((rest[-1] & ~FACE_DOWN,))
            tableau[index] = rest
        elif zone == WASTE:
            group, waste = waste[-1:], waste[:-1]
        else:
            source = self.foundation_index(move.source)
            group = foundations[source][-1:]
            foundations = _with(foundations, source, foundations[source][:-1])
        if to_zone == TABLEAU:
            tableau[to_index] += group
        else:
            target = self.foundation_for(position, group[0])
            assert target is not None
            foundations = _with(foundations, target, foundations[target] + group)
        return Position(
            tuple(tableau), foundations, position.stock, waste, position.cells, position.reserve
        )


def _with(piles: tuple[bytes, ...], index: int, pile: bytes) -> tuple[bytes, ...]:
    return (*piles[:index], pile, *piles[index + 1 :])


def _fits(variant: Variant, card: int, top: int) -> bool:
    build = variant.build
    step = top % 13 - card % 13
    if build.wrap:
        step = (step + 6) % 13 - 6
    if step != 1 and not (step == -1 and build.direction == "up-or-down"):
        return False
    same_suit = card // 13 == top // 13
    if build.match == "same-suit":
        return same_suit
    if build.match == "different-suit":
        return not same_suit
    return build.match == "any" or is_red(card) != is_red(top)


def _check_axes(variant: Variant) -> None:
    stock = variant.stock
    unplayed = {
        "the build direction": variant.build.direction not in ("down", "up-or-down"),
        "the foundations": variant.foundations != Foundations(4 * variant.decks),
        "the stock": stock is not None
        and (stock.to, stock.per_deal, stock.passes) != ("waste", 1, 1),
        "cells": variant.cells is not None,
        "a reserve": variant.reserve > 0,
        "redeals": variant.redeals > 0,
        "more than two packs": variant.decks > 2,
        "pile patterns": bool(variant.column_patterns),
    }
    found = [axis for axis, used in unplayed.items() if used]
    if found:
        raise ValueError(f"{variant.name} uses {', '.join(found)}, which cannot be played yet")


@cache
def get_rules(rule: str) -> Rules:
    """The compiled rules of the game with this `rule` (C R F S A P D). Raises KeyError."""
    return Rules(BY_RULE[rule])
