"""Known winning lines, and what the deals hide."""

from __future__ import annotations

from functools import cache

from engine.deals import deal, parse_code
from engine.game import Game
from engine.moves import Move
from engine.rules import get_rules
from tests.engine.cases import WINS


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


def there_and_back(code: str, moves: tuple[str, ...]) -> tuple[str, str]:
    """Two moves after `moves` that leave the table as it was."""
    game = game_after(code, moves)
    for move in game.legal_moves():
        after = game.play(move)
        back = Move(move.target, move.size, move.source)
        if back in after.legal_moves() and after.play(back).position == game.position:
            return str(move), str(back)
    raise AssertionError(f"no move of {code} can be taken back by another")
