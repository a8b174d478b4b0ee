"""A daily deal's code cannot be had before the finish, by any request at all."""

import pytest

from app.db import Database
from app.games.words import CARDS
from engine.cards import FACE_DOWN
from engine.deals import commitment
from tests.app.daily import DAY_S, choose, lose, play, win, winnable
from tests.app.sealed import tells_nothing
from tests.app.support import Client, Clock, good, load, refused, refused_page

CODE, LINE = winnable("C", 0)


@pytest.fixture(autouse=True)
def _chosen(database: Database) -> None:
    choose(database, CODE)


def test_no_request_tells_it_while_it_is_played(client: Client, other: Client) -> None:
    lose(other)
    game = play(client)
    asked = tells_nothing(client, game, CODE)
    for path in ("", "/record", "/replay", "/hint", "/verdict", "/undo", "/moves", "/finish"):
        assert f"/games/{game['id']}{path}" in asked
        if path not in ("/record", "/replay"):
            assert f"/api/v1/games/{game['id']}{path}" in asked
    assert {"/", "/daily", "/statistics.csv", "/leaderboard", "/api/v1/daily"} <= asked


def test_no_request_tells_it_to_others(client: Client, other: Client) -> None:
    game = lose(client)
    assert game["code"] == str(CODE)
    for path in ("", "/record", "/replay", "/restart"):
        answer = other.get(f"/games/{game['id']}{path}")
        assert str(CODE) not in refused_page(answer, 403)
    for path in ("/", "/daily", "/leaderboard", "/api/v1/leaderboard", "/api/v1/daily"):
        assert str(CODE) not in other.get(path).text
        assert game["id"] not in other.get(path).text


def test_a_restart_tells_nothing(client: Client) -> None:
    first = play(client)
    first = client.move(first, first["legal_moves"][0])
    for path in (f"/api/v1/games/{first['id']}/restart", f"/games/{first['id']}/restart"):
        answer = client.post(path)
        assert str(CODE) not in answer.text + str(answer.headers)
    again = play(client)
    assert again["id"] != first["id"]
    assert again["code"] is None
    tells_nothing(client, again, CODE)
    tells_nothing(client, {**again, "id": first["id"]}, CODE)
    last = good(client.post(f"/api/v1/games/{again['id']}/restart"), 201)
    won = client.moves(last, " ".join(LINE))
    assert (won["status"], won["code"]) == ("won", str(CODE))
    first_row = good(client.get("/api/v1/statistics"))["results"][0]
    assert (first_row["first_try"], first_row["won"]) == (True, False)


def test_leaving_an_untouched_one_tells_nothing(client: Client) -> None:
    for way in ("end", "leave", "end"):
        game = play(client)
        if way == "end":
            assert client.end(game)["code"] is None
        else:
            client.start("YU1-C-AAAAAAB", **{"from": game["id"]})
        assert client.see(game)["code"] is None
        for path in ("", "/record", "/replay"):
            assert str(CODE) not in client.get(f"/games/{game['id']}{path}").text
    assert good(client.get("/api/v1/daily"))["code"] is None


def test_it_is_told_to_whoever_has_finished_and_after_the_day_to_all(
    client: Client, other: Client, clock: Clock
) -> None:
    sealed = good(client.get("/api/v1/daily"))
    assert sealed["commitment"] == commitment(CODE)
    win(client, LINE)
    assert good(client.get("/api/v1/daily"))["code"] == str(CODE)
    assert str(CODE) in client.get("/daily").text
    assert good(other.get("/api/v1/daily"))["code"] is None
    clock.pass_by(DAY_S)
    assert str(CODE) in other.get("/daily?day=2026-12-01").text
    assert other.get(f"/d/{CODE}").status_code == 200


def test_the_solver_is_not_asked(client: Client, database: Database) -> None:
    game = play(client)
    game = client.move(game, game["legal_moves"][0])
    for ask in ("hint", "verdict"):
        answer = refused(client.write(game, ask), 422, "deal-sealed")
        assert answer["game"]["hints"] == 0
        page = client.htmx(f"/games/{game['id']}/{ask}", {"version": game["version"]})
        refused_page(page, 422, "before you have finished it")
    html = client.get(f"/games/{game['id']}").text
    assert 'data-ask="verdict"' not in html
    down = [
        card & ~FACE_DOWN
        for pile in load(database, game["id"]).game.position.tableau
        for card in pile
        if card & FACE_DOWN
    ]
    names = list(CARDS)
    for card in down:
        assert f'data-card="{names[card]}"' not in html
