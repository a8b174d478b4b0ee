"""Score and ranked score.

The table: +10 for each card put on a foundation, +5 for each face-down card turned, 0 for a move
in the tableau, 0 for a card taken back from a foundation (putting it up again gives +10 again);
turning is the tableau's, so a deal from the stock gives nothing. The ranked score counts each
card's way up once. A win without worrying back is 52·10 + 21·5 = 625 in Yukon.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.rules import Outcome

RAISED, TURNED = 10, 5
_NO_PEAKS = bytes(52)


class Score(NamedTuple):
    """`points` as the player sees them, `ranked` for leaderboards.

    `peaks` remembers for each card how many copies of it have lain on the foundations at once:
    in a double pack the twins cannot be told apart, so a card's way up counts again only when
    one copy more is up than ever before.
    """

    points: int = 0
    ranked: int = 0
    peaks: bytes = _NO_PEAKS


NO_SCORE = Score()
"""The score at a game's start."""


def scored(score: Score, outcome: Outcome) -> Score:
    """The score after a move with this outcome."""
    points, ranked, peaks = score
    if outcome.turned is not None:
        points += TURNED
        ranked += TURNED
    card = outcome.raised
    if card is not None:
        points += RAISED
        copies = sum(card in pile for pile in outcome.position.foundations)
        if copies > peaks[card]:
            ranked += RAISED
            peaks = peaks[:card] + bytes((copies,)) + peaks[card + 1 :]
    return Score(points, ranked, peaks)


def clean_win(cards: int, face_down: int) -> int:
    """The score of a win without worrying back: `cards` in the game, `face_down` in the deal."""
    return RAISED * cards + TURNED * face_down
