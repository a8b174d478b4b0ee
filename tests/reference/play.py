"""Lines of moves: replaying and scoring them, and counting them (the formats, "Score")."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.reference.moves import IllegalMoveError, after, apply, is_stuck, is_won, legal_moves
from tests.reference.table import Table


@dataclass(frozen=True)
class Outcome:
    """Where a line of moves leads."""

    table: Table
    won: bool
    stuck: bool
    score: int
    ranked_score: int


def replay(table: Table, line: str | Sequence[str]) -> Outcome:
    """Play a line and keep the score: 10 a card put up, 5 a face-down card turned.

    Everything else is 0, a card taken back from a foundation included, so the score never
    falls; putting it up again gives 10 again. In the ranked score each card's way up counts
    once. With two decks a card is known by the foundation that it goes to.
    """
    points = ranked_points = 0
    already_counted: set[tuple[str, int]] = set()
    moves = line.split() if isinstance(line, str) else line
    for number, move in enumerate(moves, start=1):
        before = table
        try:
            table = apply(before, move)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number}: {error}") from error
        turned = before.face_down_count() - table.face_down_count()
        points += 5 * turned
        ranked_points += 5 * turned
        for name, cards in table.foundations.items():
            if len(cards) > len(before.foundations[name]):
                points += 10
                if (name, len(cards)) not in already_counted:
                    ranked_points += 10
                already_counted.add((name, len(cards)))
    return Outcome(table, is_won(table), is_stuck(table), points, ranked_points)


def score(table: Table, line: str | Sequence[str]) -> int:
    """The score of a line of moves."""
    return replay(table, line).score


def ranked_score(table: Table, line: str | Sequence[str]) -> int:
    """The ranked score of a line of moves."""
    return replay(table, line).ranked_score


def perft(table: Table, depth: int) -> int:
    """How many sequences of `depth` legal moves there are."""
    if depth == 0:
        return 1
    moves = legal_moves(table)
    if depth == 1:
        return len(moves)
    return sum(perft(after(table, move), depth - 1) for move in moves)


def split_perft(table: Table, depth: int) -> dict[str, int]:
    """The same count for each first move: where two engines differ, this shows it."""
    return {move: perft(after(table, move), depth - 1) for move in legal_moves(table)}
