"""A worker in the test's own hands, and games in the states that it is asked about."""

from random import Random

from app.config import Settings
from app.jobs.worker import Worker
from engine.deals import deal, open_code
from engine.game import Game
from engine.moves import OWN_FOUNDATION, Move
from engine.rules import get_rules
from engine.solver import UNWINNABLE, WINNABLE, solve
from tests.app.support import Client, Json, good

BUDGET = 200_000


class Solving:
    """A worker that works when it is told to."""

    def __init__(self, settings: Settings, name: str = "test") -> None:
        self.worker = Worker(settings, name)

    def close(self) -> None:
        self.worker.close()

    def work(self) -> int:
        """Do every job there is; how many."""
        done = 0
        while self.worker.work_once():
            done += 1
        return done

    def ask(self, client: Client, game: Json, what: str) -> Json:
        """The answer to a question, once there is one."""
        answer = good(client.write(game, what))
        while answer["state"] == "pending" or answer["seeking"]:
            assert self.work()
            answer = good(client.write(game, what))
        return answer


def wander(rule: str, number: int, seed: int, steps: int) -> Game:
    """A deal after so many moves of chance; cards go up where they can."""
    random = Random(seed)
    game = Game.new(get_rules(rule), deal(open_code(rule, number)))
    for _ in range(steps):
        moves = game.legal_moves()
        if not moves:
            break
        ups = [move for move in moves if move.target == OWN_FOUNDATION]
        game = game.play(random.choice(ups or moves))
    return game


def lost_game(rule: str = "F") -> tuple[str, Game]:
    """A winnable deal that has been played until it was lost: its code and game."""
    for number in range(5, 60):
        game = wander(rule, number, number, 40)
        if verdict(game, 0) == WINNABLE and verdict(game, len(game.line)) == UNWINNABLE:
            return str(open_code(rule, number)), game
    raise AssertionError("no such game")


def verdict(game: Game, length: int) -> str:
    """The solver's word on a game's position after so many moves of its line."""
    position = game.start
    for move in game.line[:length]:
        position = game.rules.apply(position, move)
    return solve(game.rules, position, BUDGET).verdict


def there_and_back(rule: str, number: int) -> tuple[Game, Move, Move]:
    """A game, and two moves of which the second takes the first back."""
    for steps in range(60):
        game = wander(rule, number, 1, steps)
        for move in game.legal_moves():
            back = Move(move.target, move.size, move.source)
            after = game.play(move)
            if back in after.legal_moves() and after.play(back).position == game.position:
                return game, move, back
    raise AssertionError("no move can be taken back by another")


def brought_to(client: Client, code: str, game: Game) -> Json:
    """The same game on the server."""
    return client.moves(client.start(code), " ".join(map(str, game.line)))
