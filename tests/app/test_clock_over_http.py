"""The clock of a game that is played over HTTP."""

from typing import Any

import pytest

from app.db import Database
from app.games.service import GameService
from tests.app.html import Html
from tests.app.support import (
    ILLEGAL,
    LEGAL,
    THIRD_LEGAL,
    Client,
    Clock,
    Json,
    load,
    rows,
    short_win,
)


def _result_time(database: Database) -> int:
    (row,) = rows(database)["results"]
    return int(row[9])


def test_it_starts_at_the_first_move(client: Client, clock: Clock) -> None:
    game = client.start()
    clock.pass_by(600)
    assert client.see(game)["elapsed_ms"] == 0
    game = client.move(game, LEGAL)
    assert game["elapsed_ms"] == 0
    clock.pass_by(12.5)
    assert client.see(game)["elapsed_ms"] == 12_500
    assert client.move(game, THIRD_LEGAL)["elapsed_ms"] == 12_500


def test_looking_and_refusals_count_nothing(client: Client, clock: Clock) -> None:
    game = client.start()
    client.write(game, "moves", move=ILLEGAL)
    client.write(game, "undo")
    clock.pass_by(60)
    assert client.see(game)["elapsed_ms"] == 0


def test_undo_and_redo_are_counted_like_moves(client: Client, clock: Clock) -> None:
    game = client.move(client.start(), LEGAL)
    for write in (client.undo, client.redo):
        clock.pass_by(5)
        game = write(game)
    assert game["elapsed_ms"] == 10_000


def test_a_hidden_page_stops_it_and_a_shown_one_goes_on(client: Client, clock: Clock) -> None:
    game = client.move(client.start(), LEGAL)
    clock.pass_by(10)
    client.report(game, "hidden")
    clock.pass_by(1000)
    assert client.see(game)["elapsed_ms"] == 10_000
    client.report(game, "shown")
    clock.pass_by(2)
    assert client.see(game)["elapsed_ms"] == 12_000


def test_a_form_reports_as_well(client: Client, clock: Clock) -> None:
    game = client.move(client.start(), LEGAL)
    clock.pass_by(3)
    answer = client.post(f"/games/{game['id']}/clock", {"state": "paused"})
    assert (answer.status_code, answer.content) == (204, b"")
    clock.pass_by(100)
    table = Html(client.get(f"/games/{game['id']}").text).table
    assert table["data-elapsed"] == "3000"
    assert "paused" in table["class"].split()
    assert "data-running" not in table


def test_a_closed_laptop_is_not_counted(client: Client, clock: Clock) -> None:
    game = client.move(client.start(), LEGAL)
    clock.pass_by(30)
    client.report(game, "tick")
    clock.pass_by(8 * 3600)
    assert client.see(game)["elapsed_ms"] == 105_000
    assert client.move(game, THIRD_LEGAL)["elapsed_ms"] == 105_000


def test_a_move_at_a_hidden_table_counts(client: Client, clock: Clock) -> None:
    game = client.move(client.start(), LEGAL)
    client.report(game, "hidden")
    clock.pass_by(20)
    assert client.move(game, THIRD_LEGAL)["elapsed_ms"] == 20_000


def test_a_report_changes_neither_version_nor_log(
    client: Client, clock: Clock, database: Database
) -> None:
    game = client.move(client.start(), LEGAL)
    before = rows(database)["events"]
    for state in ("hidden", "shown", "paused", "tick", "shown"):
        clock.pass_by(1)
        client.report(game, state)
    assert rows(database)["events"] == before
    assert client.see(game)["version"] == 1
    assert client.move(game, THIRD_LEGAL)["version"] == 2


def test_it_stops_at_the_win(
    client: Client, clock: Clock, service: GameService, database: Database
) -> None:
    code, win = short_win()
    game = client.start(str(code))
    stored = load(database, game["id"])
    for move in win.moves:
        clock.pass_by(2)
        stored = service.move(stored.id, client.token, str(move), stored.version).stored
    seconds = 2 * (len(win.moves) - 1)
    clock.pass_by(500)
    won = client.see(game)
    assert won["elapsed_ms"] == _result_time(database) == seconds * 1000
    for state in ("shown", "tick", "hidden"):
        client.report(game, state)
        clock.pass_by(50)
    assert client.see(game)["elapsed_ms"] == seconds * 1000
    assert f'[Time "{seconds}.0"]' in client.get(f"/games/{game['id']}/record").text


def test_it_stops_at_the_end(client: Client, clock: Clock, database: Database) -> None:
    game = client.move(client.start(), LEGAL)
    clock.pass_by(7)
    game = client.end(game)
    clock.pass_by(500)
    client.report(game, "shown")
    clock.pass_by(500)
    assert client.see(game)["elapsed_ms"] == _result_time(database) == 7_000


def test_the_time_of_a_game_that_is_left_is_its_own(
    client: Client, clock: Clock, database: Database
) -> None:
    game = client.move(client.start(), LEGAL)
    clock.pass_by(4)
    client.report(game, "hidden")
    clock.pass_by(9000)
    client.post("/api/v1/games", {"game": "yukon", "from": game["id"]})
    assert _result_time(database) == 4_000


def test_a_server_whose_time_goes_back_counts_nothing(client: Client, clock: Clock) -> None:
    game = client.move(client.start(), LEGAL)
    clock.pass_by(10)
    game = client.move(game, THIRD_LEGAL)
    clock.pass_by(-3600)
    assert client.see(game)["elapsed_ms"] == 10_000
    game = client.undo(game)
    assert game["elapsed_ms"] == 10_000
    clock.pass_by(1)
    assert client.see(game)["elapsed_ms"] == 11_000


@pytest.mark.parametrize("again", [False, True])
def test_every_event_knows_its_time(
    client: Client, clock: Clock, database: Database, again: bool
) -> None:
    game: Json = client.start()
    at: list[tuple[Any, ...]] = []
    for move in (LEGAL, THIRD_LEGAL):
        clock.pass_by(5)
        if again:
            client.write(game, "moves", move=move)
        game = client.move(game, move)
        at.append((clock.now, game["elapsed_ms"]))
    assert [row[4:] for row in rows(database)["events"]] == at
