"""Known winning lines, and what the deals hide."""

from __future__ import annotations

from functools import cache

from engine.deals import deal, parse_code
from engine.game import Game
from engine.moves import Move
from engine.rules import get_rules
from tests.engine.cases import WINS

_WON = [win.name for win in WINS if win.name.startswith("YU1-F-")]
OWN = _WON[_WON.index("YU1-F-AAAAAAW") : _WON.index("YU1-F-AAAAABS")]
"""Deals for tests that read a deal's leaderboard, one for each; no other test names one of them."""


@cache
def winning_line(code: str) -> tuple[str, ...]:
    """The moves that win a deal."""
    (win,) = [win for win in WINS if win.name == code]
    return tuple(str(move) for move in win.moves)


def game_after(code: str, moves: tuple[str, ...]) -> Game:
    """A deal after some moves, face-down cards and all."""
    parsed = parse_code(code)
    game = Game.new(get_rules(parsed.rule), deal(parsed))
    for text in moves:
        game = game.play(next(move for move in game.legal_moves() if str(move) == text))
    return game


def there_and_back(code: str, moves: tuple[str, ...]) -> tuple[str, ...]:
    """Two moves after `moves` that leave the table as it was; none where there are none."""
    game = game_after(code, moves)
    for move in game.legal_moves():
        after = game.play(move)
        back = Move(move.target, move.size, move.source)
        if back in after.legal_moves() and after.play(back).position == game.position:
            return str(move), str(back)
    return ()


def detour(code: str) -> tuple[str, ...]:
    """The moves that win a deal, with two more that change nothing as early as there are any."""
    line = winning_line(code)
    for count in range(len(line)):
        found = there_and_back(code, line[:count])
        if found:
            return (*line[:count], *found, *line[count:])
    raise AssertionError(f"no move of {code} can be taken back by another")
