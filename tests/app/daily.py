"""Daily deals in tests: chosen by hand, with lines that the solver has found."""

from functools import cache

from sqlalchemy import select

from app.daily import store
from app.db import Database
from app.games.results import day_of
from app.models import dailies
from engine.deals import DealCode, deal, sealed_code
from engine.rules import get_rules
from engine.solver import WINNABLE, solve
from tests.app.support import MORNING, Client, Clock, Json, good

TODAY = day_of(MORNING)
DAY_S = 86_400


@cache
def winnable(rule: str, nth: int) -> tuple[DealCode, tuple[str, ...]]:
    """A sealed deal that can be won, and how."""
    found = 0
    for number in range(1, 400):
        code = sealed_code(rule, number)
        solution = solve(get_rules(rule), deal(code), 60_000)
        if solution.verdict == WINNABLE:
            if found == nth:
                return code, tuple(map(str, solution.moves))
            found += 1
    raise AssertionError("no such deal")


def choose(database: Database, code: DealCode, day: int = TODAY) -> None:
    """Make this the day's deal."""
    with database.write() as connection:
        store.keep(connection, day, code, 1, MORNING)


def chosen(database: Database) -> list[tuple[int, str, str]]:
    """The daily deals there are: day, rule, code."""
    with database.read() as connection:
        asked = select(dailies.c.day, dailies.c.rule, dailies.c.code).order_by(dailies.c.day)
        return [(row.day, row.rule, row.code) for row in connection.execute(asked)]


def play(client: Client, game: str = "yukon") -> Json:
    """Today's deal, as its player starts it."""
    return good(client.post("/api/v1/daily", {"game": game}), 201)


def lose(client: Client) -> Json:
    """Play one move of today's deal, and give it up."""
    game = play(client)
    return client.end(client.move(game, game["legal_moves"][0]))


def win(client: Client, line: tuple[str, ...], clock: Clock | None = None) -> Json:
    """Win today's deal."""
    game = play(client)
    for move in line:
        if clock:
            clock.pass_by(1)
        game = client.move(game, move)
    assert game["status"] == "won"
    return game
