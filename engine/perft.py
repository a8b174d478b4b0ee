"""Counting sequences of legal moves: the check that two engines play the same rules."""

from __future__ import annotations

from engine.position import Position
from engine.rules import Rules


def perft(rules: Rules, position: Position, depth: int) -> int:
    """How many sequences of `depth` legal moves there are from `position`."""
    if depth <= 0:
        return 1
    moves = rules.legal_moves(position)
    if depth == 1:
        return len(moves)
    apply = rules.apply_legal
    return sum(perft(rules, apply(position, move), depth - 1) for move in moves)


def perft_split(rules: Rules, position: Position, depth: int) -> dict[str, int]:
    """The count of `perft` by first move, in the order of `legal_moves`; depth at least 1."""
    return {
        str(move): perft(rules, rules.apply_legal(position, move), depth - 1)
        for move in rules.legal_moves(position)
    }
