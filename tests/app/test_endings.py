"""How games end: finished at once, with what the panel tells, or stuck."""

from collections.abc import Iterator

import pytest

from app.db import Database
from app.games.check import differences
from tests.app.html import Html
from tests.app.solver import Solving, brought_to, wander
from tests.app.support import (
    START,
    Client,
    Json,
    good,
    refused,
    refused_page,
    rows,
    short_win,
)

pytestmark = pytest.mark.usefixtures("no_waiting")


def _is_whole(database: Database, game: Json) -> None:
    with database.read() as connection:
        assert differences(connection, game["id"]) == []


def _nearly_won(client: Client) -> Iterator[Json]:
    """A game after each move of a line that wins."""
    code, win = short_win("F")
    game = client.start(str(code))
    for move in win.moves:
        game = client.move(game, str(move))
        yield game


def test_a_game_is_finished_at_once(client: Client, database: Database) -> None:
    for game in _nearly_won(client):
        page = Html(client.get(f"/games/{game['id']}").text)
        buttons = page.all("button", form="finish-form")
        if buttons:
            break
        refused(client.write(game, "finish"), 422, "move-illegal")
    line = buttons[0].attributes["data-finish"].split()
    won = good(client.write(game, "finish"))
    assert (won["status"], won["version"]) == ("won", game["version"] + len(line))
    assert [event[3] for event in rows(database)["events"]][-len(line) :] == line
    assert good(client.write(game, "finish")) == won
    assert len(rows(database)["results"]) == 1
    refused(client.write({**game, "version": 0}, "finish"), 409, "version-stale")
    refused(client.write(won, "finish"), 422, "game-over")
    refused(client.write(won, "back", length=0), 422, "game-over")
    _is_whole(database, game)


def test_a_form_finishes_and_goes_back(client: Client) -> None:
    for game in _nearly_won(client):
        at, form = f"/games/{game['id']}", {"version": game["version"]}
        answer = client.post(f"{at}/finish", form)
        if answer.status_code == 303:
            break
        refused_page(answer, 422, "cannot be finished")
    assert client.see(game)["status"] == "won"
    other = brought_to(client, START, wander("C", 1, 3, 2))
    answer = client.post(f"/games/{other['id']}/back", {"version": 2, "length": 0})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{other['id']}")
    assert client.see(other)["undos"] == 2


def test_the_win_panel_tells_par_and_help(client: Client, solving: Solving) -> None:
    code, win = short_win("F")
    game = client.start(str(code))
    client.get(f"/d/{code}")
    solving.work()
    game = solving.ask(client, game, "hint")["game"]
    for move in win.moves:
        game = client.move(game, str(move))
    page = Html(client.get(f"/games/{game['id']}").text)
    par = good(client.get(f"/api/v1/deals/{code}"))["par"]
    assert f"Par {par}" in page.text
    assert "Solved Assisted" in page.text


def test_stuck_is_told_apart(client: Client) -> None:
    stuck = wander("F", 21, 21, 40)
    assert stuck.is_stuck
    game = brought_to(client, "YU1-F-AAAAAAV", stuck)
    page = Html(client.get(f"/games/{game['id']}").text)
    assert "No move is left." in page.text
    assert len(page.all("button", form="verdict-form")) == 2  # in the notice and in the menu
    back = wander("C", 1, 1, 22)
    game = brought_to(client, START, back)
    page = Html(client.get(f"/games/{game['id']}").text)
    assert "No move that is left brings anything new" in page.text
    assert "Can this still be won?" in page.text
