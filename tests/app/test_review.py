"""Impossible speed: flagged, shown to its player alone, and decided about by an operator."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI

from app import cli
from app.config import Settings
from app.db import Database
from app.games.review import JUDGED
from app.main import create_app
from engine.finish import finishing_line
from engine.moves import Move
from tests.app.support import (
    Client,
    Clock,
    Json,
    load,
    rows,
    services_of,
    short_win,
    start_sealed,
)
from tests.app.test_account_along import enter, link_of

CODE, WIN = short_win()
FLOOR_MS = 200


@pytest.fixture
def app(database: Database, clock: Clock) -> Iterator[FastAPI]:
    """An application that looks at how fast games are."""
    url = database.url.render_as_string(hide_password=False)
    app = create_app(Settings(database_url=url, fastest_move_ms=FLOOR_MS), now=clock)
    yield app
    services_of(app).database.close()


def play(client: Client, clock: Clock, game: Json, moves: tuple[Move, ...], each_ms: int) -> Json:
    for move in moves:
        game = client.move(game, str(move))
        clock.pass_by(each_ms / 1000)
    return game


def win(client: Client, clock: Clock, each_ms: int) -> Json:
    return play(client, clock, client.start(str(CODE)), WIN.moves, each_ms)


def ids(client: Client, **asked: str) -> list[str]:
    board = client.get(f"/api/v1/deals/{CODE}/leaderboard", params=asked).json()
    return [row["game_id"] for row in board["rows"]]


def reviews(database: Database) -> list[tuple[str | None, int | None]]:
    return [tuple(row[-2:]) for row in rows(database)["results"]]


def test_the_floor(client: Client, other: Client, clock: Clock, database: Database) -> None:
    fast = win(client, clock, FLOOR_MS - 1)
    slow = win(other, clock, FLOOR_MS)
    assert reviews(database) == [("flagged", FLOOR_MS - 1), (None, None)]
    assert ids(client) == ids(other) == [slow["id"]]
    for asked in ({"sort": "time"}, {"clean": "1"}, {"first": "1"}):
        assert ids(other, **asked) == [slow["id"]]
    assert fast["id"] not in other.get("/leaderboard").text


def test_its_player_is_told(client: Client, other: Client, clock: Clock) -> None:
    game = win(client, clock, 10)
    assert "Under review" in client.get(f"/games/{game['id']}").text
    assert "No. " not in client.get(f"/games/{game['id']}").text
    for path in (f"/d/{CODE}", "/leaderboard"):
        assert "under review" in client.get(path).text
        assert "under review" not in other.get(path).text
    assert client.get("/api/v1/leaderboard").json()["under_review"] is True
    assert client.get("/api/v1/leaderboard?game=russian").json()["under_review"] is False
    assert client.get("/api/v1/statistics").json()["summary"]["won"] == 1


def test_an_honest_game_of_the_same_player_stands(client: Client, clock: Clock) -> None:
    win(client, clock, 10)
    slow = win(client, clock, 1000)
    assert ids(client) == [slow["id"]]
    win(client, clock, 10)
    assert ids(client) == [slow["id"]]


def test_what_the_server_plays_does_not_count(
    client: Client, clock: Clock, database: Database
) -> None:
    game = client.start(str(CODE))
    for move in WIN.moves:
        stored = load(database, game["id"])
        if finishing_line(stored.game.rules, stored.game.position):
            break
        game = client.move(game, str(move))
        clock.pass_by(FLOOR_MS / 1000)
    assert game["moves"] >= JUDGED
    finished = client.write(game, "finish").json()
    assert finished["status"] == "won"
    assert finished["moves"] > game["moves"] + 3
    assert reviews(database) == [(None, None)]


def test_undo_and_redo_do_not_count(client: Client, clock: Clock, database: Database) -> None:
    game = play(client, clock, client.start(str(CODE)), WIN.moves[:50], FLOOR_MS)
    for _ in range(40):
        game = client.undo(game)
    for _ in range(40):
        game = client.redo(game)
    play(client, clock, game, WIN.moves[50:], FLOOR_MS)
    assert reviews(database) == [(None, None)]


def test_a_few_quick_moves_are_not_judged(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    few = play(client, clock, client.start(str(CODE)), WIN.moves[: JUDGED - 1], 1)
    client.end(few)
    enough = play(other, clock, other.start(str(CODE)), WIN.moves[:JUDGED], 1)
    other.end(enough)
    assert reviews(database) == [(None, None), ("flagged", 1)]


def test_time_that_is_not_counted_is_no_time(
    client: Client, clock: Clock, database: Database
) -> None:
    """A page that says it is away between its moves is as fast as its clock says."""
    game = client.start(str(CODE))
    for move in WIN.moves:
        game = client.move(game, str(move))
        if game["status"] == "playing":
            client.report(game, "paused")
            clock.pass_by(5)
            client.report(game, "shown")
    assert reviews(database) == [("flagged", 0)]


def test_a_floor_of_nothing(client: Client, clock: Clock, database: Database) -> None:
    services_of(client.app).games._fastest_move_ms = 0
    win(client, clock, 0)
    assert reviews(database) == [(None, None)]


def test_the_game_s_par_stays(client: Client, clock: Clock, database: Database) -> None:
    win(client, clock, 0)
    assert len(rows(database)["deals"]) == 1  # a line that wins does, however fast it was played


class TestAnOperator:
    """`yukon results review`."""

    @pytest.fixture
    def told(
        self,
        database: Database,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> object:
        def run(*arguments: str) -> tuple[int, str, str]:
            url = database.url.render_as_string(hide_password=False)
            command = ["yukon", "results", "review", "--database", url, *arguments]
            monkeypatch.setattr("sys.argv", command)
            with pytest.raises(SystemExit) as end:
                cli.main()
            said = capsys.readouterr()
            return int(end.value.code or 0), said.out, said.err

        return run

    def test_lists_and_decides(self, client: Client, clock: Clock, told: object) -> None:
        assert callable(told)
        assert told() == (0, "0 results\n", "")
        game = win(client, clock, 10)
        code, out, _ = told()
        assert (code, out.splitlines()[-1]) == (0, "1 results")
        assert out.startswith(f"{game['id']} flagged {CODE} won 2026-12-01T")
        assert "10 ms a move, guest" in out
        assert told("--clear", game["id"]) == (0, f"{game['id']} cleared\n", "")
        assert ids(client) == [game["id"]]
        assert ids(client, clean="1") == ids(client, first="1") == [game["id"]]
        assert told()[1] == "0 results\n"
        assert f"{game['id']} cleared" in told("--all")[1]
        assert told("--keep-out", game["id"])[0] == 0
        assert ids(client) == []
        assert "after a review" in client.get(f"/games/{game['id']}").text

    def test_an_older_result_stands_again(self, client: Client, clock: Clock, told: object) -> None:
        assert callable(told)
        slow, fast = win(client, clock, 1000), win(client, clock, 10)
        assert ids(client) == [slow["id"]]
        told("--clear", fast["id"])
        assert ids(client) == [fast["id"]]
        told("--keep-out", fast["id"])
        assert ids(client) == [slow["id"]]

    def test_what_was_never_flagged(self, client: Client, clock: Clock, told: object) -> None:
        assert callable(told)
        game = win(client, clock, 1000)
        for game_id in (game["id"], "nothing"):
            code, out, err = told("--keep-out", game_id)
            assert (code, out) == (1, "")
            assert "has been under review" in err
        assert told("--clear", game["id"], "--keep-out", game["id"])[0] == 2
        assert ids(client) == [game["id"]]


def test_two_players_who_become_one(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    """What is under review stays so when a guest's games come along."""
    fast = win(client, clock, 10)
    slow = win(other, clock, 1000)
    enter(client, link_of(other), "bring")
    assert load(database, fast["id"]).player_id == load(database, slow["id"]).player_id
    assert ids(client) == [slow["id"]]


def test_sealed_games_are_looked_at_too(client: Client, database: Database) -> None:
    client.start()
    game = client.see({"id": start_sealed(database, client.token).id})
    for _ in range(JUDGED):
        game = client.move(game, game["legal_moves"][0])
    client.end(game)
    assert reviews(database) == [("flagged", 0)]
