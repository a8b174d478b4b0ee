"""What is left of the line that a hint came from, as the game keeps it.

A proven hint's line leads to the win; a fair hint's plan to the next card that turns, and its
shares stay those of the plan. A plan is text: `12|t4-f t3x2-t1` (the length of the line when it
was made, and its moves), a fair one `52/64/8;12|t4-f` with its samples won, samples and chance in
tenths (`-` where there is none).
"""

from __future__ import annotations

from app.games.store import Stored
from app.games.table import Shares
from engine.errors import ReplayError
from engine.game import replay
from engine.moves import Move, parse_line


def proven_plan(stored: Stored, line: list[Move]) -> str:
    """The text to keep of a proven line."""
    return f"{len(stored.game.line)}|{' '.join(map(str, line))}"


def fair_plan(stored: Stored, moves: list[Move], shares: Shares) -> str:
    """The text to keep of a fair plan."""
    chance = "-" if shares.chance is None else shares.chance
    head = f"{shares.wins}/{shares.samples}/{chance}/{int(shares.exact)}"
    return f"{head};{proven_plan(stored, moves)}"


def planned(stored: Stored) -> list[Move]:
    """The rest of the proven line, while the player keeps to it; it wins."""
    if ";" in stored.plan:
        return []
    rest, wins = _rest(stored, stored.plan)
    return rest if wins else []


def fairly_planned(stored: Stored) -> tuple[list[Move], Shares]:
    """The rest of the fair plan, while the player keeps to it, and its shares."""
    head, found, text = stored.plan.partition(";")
    if not found:
        return [], Shares()
    won, samples, chance, exact = head.split("/")
    shares = Shares(
        int(won), int(samples), None if chance == "-" else int(chance), bool(int(exact))
    )
    return _rest(stored, text)[0], shares


def _rest(stored: Stored, text: str) -> tuple[list[Move], bool]:
    """The moves not yet played, and whether they win; none when the player has left the line."""
    begun, _, moves = text.partition("|")
    played = len(stored.game.line) - int(begun or 0)
    line = parse_line(moves)
    if not line or played < 0 or list(stored.game.line[int(begun) :]) != line[:played]:
        return [], False
    try:
        return line[played:], replay(stored.game.rules, stored.game.position, line[played:]).is_won
    except ReplayError:
        return [], False
