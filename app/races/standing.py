"""How a race stands: what everybody may know of everybody, and the order of finish.

Foundation cards, moves, time and state; never a card. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

RunnerState = Literal["waiting", "ready", "racing", "won", "ended"]


@dataclass(frozen=True, slots=True)
class Runner:
    """A player as the others see them.

    `cards` lie on the foundations, of `of`. `finished_at` in ms since 1970; `place` from 1 once
    it is certain. `game_id` where whoever asks may see the board. `is_ghost`: a game that is over
    already (see `ghosts`).
    """

    seat: int
    player_id: int
    name: str | None
    strength: str | None
    pace: str | None
    state: RunnerState
    cards: int = 0
    of: int = 52
    moves: int = 0
    elapsed_ms: int = 0
    finished_at: int | None = None
    place: int | None = None
    game_id: str | None = None
    version: int = 0
    is_ghost: bool = False


def order(runners: Sequence[Runner]) -> list[Runner]:
    """The runners as they stand, the first one first.

    Who has won, in the order of the finish; then by cards on the foundations, then by fewer moves
    (none before the first card), then by seat. Those who have given up come after those who play.
    """

    def key(runner: Runner) -> tuple[int, ...]:
        if runner.state == "won":
            return 0, runner.finished_at or 0, runner.seat
        gone = 2 if runner.state == "ended" else 1
        return gone, -runner.cards, runner.moves if runner.cards else 0, runner.seat

    return sorted(runners, key=key)


def places(runners: Sequence[Runner], is_over: bool) -> dict[int, int]:
    """Seats and their places from 1: a win's is certain at once, the others' when all is over."""
    ranked = order(runners)
    return {
        runner.seat: place
        for place, runner in enumerate(ranked, 1)
        if runner.state == "won" or is_over
    }
