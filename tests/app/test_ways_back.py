"""Lost games: said to be lost, and taken back to where they could last be won."""

import pytest

from app.db import Database
from app.games.check import differences
from app.games.service import GameService
from app.games.table import Advice, table_of
from engine.game import UNDO_LIMIT, Game
from engine.solver import UNWINNABLE, WINNABLE
from tests.app.html import Html
from tests.app.solver import Solving, brought_to, lost_game, there_and_back, verdict, wander
from tests.app.support import (
    START,
    Client,
    Json,
    good,
    load,
    play,
    refused,
)

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.fixture(scope="module")
def lost() -> tuple[str, Game]:
    return lost_game()


def _is_whole(database: Database, game: Json) -> None:
    with database.read() as connection:
        assert differences(connection, game["id"]) == []


def test_a_lost_game_says_where_it_could_last_be_won(
    client: Client, solving: Solving, database: Database, lost: tuple[str, Game]
) -> None:
    code, played = lost
    game = brought_to(client, code, played)
    answer = solving.ask(client, game, "verdict")
    assert answer["state"] == "lost"
    back_to = answer["back_to"]
    assert 0 <= back_to < len(played.line)
    assert verdict(played, back_to) == WINNABLE
    assert verdict(played, back_to + 1) == UNWINNABLE
    assert answer["game"]["hints"] == 1
    game = good(client.write(answer["game"], "back", length=back_to))
    assert game["undos"] == len(played.line) - back_to
    assert len(load(database, game["id"]).game.line) == back_to
    assert solving.ask(client, game, "verdict")["state"] == "winnable"
    _is_whole(database, game)


def test_a_hint_in_a_lost_game_says_so(
    client: Client, solving: Solving, lost: tuple[str, Game]
) -> None:
    game = brought_to(client, *lost)
    answer = solving.ask(client, game, "hint")
    assert (answer["state"], answer["move"]) == ("lost", None)
    assert answer["back_to"] is not None
    assert good(client.write(game, "hint")) == answer


def test_the_page_of_a_lost_game_offers_the_way_back(
    client: Client, solving: Solving, lost: tuple[str, Game]
) -> None:
    game = brought_to(client, *lost)
    at, form = f"/games/{game['id']}", {"version": game["version"]}
    pending = Html(client.htmx(f"{at}/verdict", form).text)
    assert pending.table["data-asking"] == f"verdict {game['version']}"
    assert pending.table["data-version"] == str(game["version"])
    assert solving.work() == 1
    seeking = Html(client.htmx(f"{at}/verdict", form).text)
    assert "No: from here no line wins." in seeking.text
    assert seeking.table["data-asking"] == f"verdict {game['version']}"
    assert solving.work() == 1
    told = Html(client.htmx(f"{at}/verdict", form).text)
    assert told.table["data-asking"] == ""
    button = told.one("button", form="back-form").attributes
    assert f"Go back to move {button['value']}" in told.text
    form = {"version": told.table["data-version"], "length": button["value"]}
    after = Html(client.htmx(f"{at}/back", form).text)
    assert after.table["data-announce"] == f"Back after move {button['value']}"
    assert int(after.table["data-version"]) > int(form["version"])
    again = client.htmx(f"{at}/back", form)
    assert again.status_code == 200
    assert Html(again.text).table["data-version"] == after.table["data-version"]
    assert client.htmx(f"{at}/back", {**form, "version": 0}).status_code == 409


@pytest.mark.parametrize("length", [-1, 3, 4, 99])
def test_there_is_no_way_to_elsewhere(client: Client, length: int) -> None:
    game = brought_to(client, START, wander("C", 1, 3, 3))
    code = "request-invalid" if length < 0 else "nothing-to-undo"
    refused(client.write(game, "back", length=length), 422, code)


def test_a_way_back_beyond_the_last_hundred_moves_is_not_offered(
    service: GameService,
) -> None:
    game, there, back = there_and_back("C", 1)
    started = service.start(None, "", START, "")
    stored = play(service, started, game.line)
    lost = Advice("verdict", "lost", 1, back_to=0)
    for turn in range(UNDO_LIMIT + 2 - len(game.line)):
        move = str((there, back)[turn % 2])
        stored = service.move(stored.id, started.token, move, stored.version).stored
        reaches = len(stored.game.line) <= UNDO_LIMIT
        assert table_of(stored, 0, advice=lost).can_go_back == reaches
    assert not reaches


def test_a_stuck_game_has_a_way_back(client: Client, solving: Solving) -> None:
    stuck = wander("F", 21, 21, 40)
    game = brought_to(client, "YU1-F-AAAAAAV", stuck)
    answer = solving.ask(client, game, "verdict")
    assert answer["state"] == "lost"
    if answer["back_to"] is not None:
        assert verdict(stuck, answer["back_to"]) == WINNABLE
