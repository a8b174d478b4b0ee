"""Analyses of finished games, and practice games begun in the middle of one."""

import re

import pytest

from app.db import Database
from app.games.check import differences
from app.games.service import GameService
from engine.deals import deal, parse_code
from engine.rules import get_rules
from engine.solver import UNWINNABLE, WINNABLE, solve
from tests.app.html import Html
from tests.app.solver import Solving, lost_game
from tests.app.support import Client, Json, count, load, win_game

pytestmark = pytest.mark.usefixtures("no_waiting")


def _played(client: Client) -> tuple[Json, int]:
    """A game that was lost on the way, given up; and the move with which it was lost."""
    code, played = lost_game()
    game = client.start(code)
    for move in played.line:
        game = client.move(game, str(move))
    client.end(game)
    rules, position = get_rules("F"), deal(parse_code(code))
    verdicts = [solve(rules, position, 500_000).verdict]
    for move in played.line:
        position = rules.apply(position, move)
        verdicts.append(solve(rules, position, 500_000).verdict)
    assert set(verdicts) == {WINNABLE, UNWINNABLE}
    return game, verdicts.index(UNWINNABLE)


def test_an_analysis_finds_the_move_that_lost(
    client: Client, solving: Solving, database: Database
) -> None:
    game, lost_with = _played(client)
    at = f"/games/{game['id']}"
    first = client.get(f"{at}/analysis")
    assert "are settled" in Html(first.text).text
    for _ in range(40):
        fragment = client.get(f"{at}/analysis?looks=1", headers={"hx-request": "true"}).text
        if "hx-get" not in fragment:
            break
        assert solving.work()
    assert "hx-get" not in fragment
    steps = client.see(game)["moves"] + 1
    kinds = re.findall(r'<rect [^>]*class="(\w+)"', fragment)
    assert kinds == ["winnable"] * lost_with + ["unwinnable"] * (steps - lost_with)
    assert f"replay?at={lost_with}" in fragment

    results = count(database, "results")
    answer = client.post(f"{at}/play-from", {"at": str(lost_with - 1)})
    practice = client.get(f"/api/v1{answer.headers['location']}").json()
    assert practice["moves"] == lost_with - 1
    stored = load(database, practice["id"])
    assert stored.practice
    assert stored.game.line == load(database, game["id"]).game.line[: lost_with - 1]
    assert not stored.clock.running
    client.end(client.move(practice, practice["legal_moves"][0]))
    assert count(database, "results") == results
    with database.read() as connection:
        assert differences(connection, practice["id"]) == []


def test_what_is_under_way_or_sealed_is_not_analysed(client: Client, database: Database) -> None:
    game = client.start()
    at = f"/games/{game['id']}"
    assert client.get(f"{at}/analysis").status_code == 409
    assert client.post(f"{at}/play-from", {"at": "0"}).status_code == 409
    assert count(database, "games") == 1
    assert client.get("/games/nothing/analysis").status_code == 404


def test_a_won_game_is_won_all_along(client: Client, service: GameService) -> None:
    game = win_game(service)
    page = Html(client.get(f"/games/{game.id}/analysis").text)
    assert "Won: no position of the winning line was lost." in page.text
    steps = game.version + 1
    assert f"{steps} of {steps} positions are settled." in page.text
    last = client.post(f"/games/{game.id}/play-from", {"at": "9999"})
    assert last.status_code == 422


def test_a_deals_solution_is_shown_to_whoever_asks(client: Client, solving: Solving) -> None:
    none = client.get("/solutions/YU1-F-AAAAAAN")
    assert none.status_code == 404
    client.get("/d/YU1-F-AAAAAAN")
    assert solving.work()
    page = Html(client.get("/d/YU1-F-AAAAAAN").text)
    assert page.one("a", href="/solutions/YU1-F-AAAAAAN")
    last = Html(client.get("/solutions/YU1-F-AAAAAAN?at=9999").text)
    tops = [tag for tag in last.all("button") if "data-card" in tag.attributes]
    assert len(tops) == 4
    assert all(tag.attributes["data-card"].startswith("K") for tag in tops)
    assert "Solution" in last.text
    assert client.get("/solutions/nonsense").status_code == 422
