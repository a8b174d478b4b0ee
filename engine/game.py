"""One player's play of one deal, as an immutable value: play, undo, redo, restart, replay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.errors import IllegalMoveError, MoveError, NothingToUndoError, ReplayError
from engine.moves import Move, parse_move
from engine.position import Position
from engine.refusals import game_over
from engine.rules import Outcome, Rules
from engine.scoring import NO_SCORE, Score, scored

UNDO_LIMIT = 100
"""How many of the last moves can be undone."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one moment.

    `line` are the moves from `start` to `position`, undone ones left out; `undone` those that
    redo would play, the next one last. `moves` counts every move played: it never goes down, an
    undo or redo is not a move. `undos` counts the undos. `floor` is the length of line below
    which no undo goes (the longest the line has been, less `UNDO_LIMIT`).

    An undo replays the line from the start instead of keeping old positions: what it restores is
    the same position byte for byte, by construction.
    """

    rules: Rules
    start: Position
    position: Position
    score: Score = NO_SCORE
    line: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()
    moves: int = 0
    undos: int = 0
    floor: int = 0

    @classmethod
    def new(cls, rules: Rules, start: Position) -> Game:
        """A game at its start."""
        return cls(rules, start, start)

    @property
    def is_won(self) -> bool:
        """Whether every card lies on the foundations."""
        return self.rules.is_won(self.position)

    @property
    def is_stuck(self) -> bool:
        """Whether the game is not won and no move at all is legal."""
        return self.rules.is_stuck(self.position)

    @property
    def can_undo(self) -> bool:
        """Whether there is a move that can be taken back."""
        return len(self.line) > self.floor and not self.is_won

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone move to play again."""
        return bool(self.undone)

    def legal_moves(self) -> list[Move]:
        """Every legal move; none once the game is won (won is tested before all else)."""
        return [] if self.is_won else self.rules.legal_moves(self.position)

    def play(self, move: Move) -> Game:
        """The game after `move`. Raises IllegalMoveError, which names the rule."""
        return self.play_out(move)[0]

    def play_out(self, move: Move) -> tuple[Game, Outcome]:
        """As `play`, with what the move did."""
        if self.is_won:
            raise IllegalMoveError(game_over(move))
        outcome = self.rules.outcome(self.position, move)
        line = (*self.line, move)
        after = replace(
            self,
            position=outcome.position,
            score=scored(self.score, outcome),
            line=line,
            undone=(),
            moves=self.moves + 1,
            floor=max(self.floor, len(line) - UNDO_LIMIT),
        )
        return after, outcome

    def undo(self) -> Game:
        """The game with its last move taken back: cards, faces and score as before it.

        Raises NothingToUndoError at the start, beyond the limit, and in a game that is won.
        """
        if not self.can_undo:
            raise NothingToUndoError("There is no move to take back")
        before, score = replay_line(self.rules, self.start, self.line[:-1])
        return replace(
            self,
            position=before,
            score=score,
            line=self.line[:-1],
            undone=(*self.undone, self.line[-1]),
            undos=self.undos + 1,
        )

    def redo(self) -> Game:
        """The game with the last undone move played again. Raises NothingToUndoError."""
        if not self.undone:
            raise NothingToUndoError("There is no undone move to play again")
        move = self.undone[-1]
        outcome = self.rules.outcome(self.position, move)
        return replace(
            self,
            position=outcome.position,
            score=scored(self.score, outcome),
            line=(*self.line, move),
            undone=self.undone[:-1],
        )

    def restart(self) -> Game:
        """The same deal from its start, as a new game."""
        return Game.new(self.rules, self.start)


def replay_line(rules: Rules, start: Position, line: Iterable[Move]) -> tuple[Position, Score]:
    """Play moves known to be a legal line; the position and score at its end.

    Raises IllegalMoveError at a move that the rules refuse.
    """
    position, score = start, NO_SCORE
    for move in line:
        outcome = rules.outcome(position, move)
        position, score = outcome.position, scored(score, outcome)
    return position, score


def replay(rules: Rules, start: Position, moves: Iterable[str | Move]) -> Game:
    """Play a line of moves from `start`.

    Raises ReplayError with the first bad move's number and the rule that it breaks (or what is
    wrong with its text).
    """
    position, score, won = start, NO_SCORE, rules.is_won(start)
    line: list[Move] = []
    for given in moves:
        try:
            move = given if isinstance(given, Move) else parse_move(given)
            if won:
                raise IllegalMoveError(game_over(move))
            outcome = rules.outcome(position, move)
        except (IllegalMoveError, MoveError) as error:
            raise ReplayError(len(line) + 1, str(given), str(error)) from error
        position, score = outcome.position, scored(score, outcome)
        won = outcome.raised is not None and rules.is_won(position)
        line.append(move)
    return Game(
        rules,
        start,
        position,
        score,
        tuple(line),
        moves=len(line),
        floor=max(0, len(line) - UNDO_LIMIT),
    )
