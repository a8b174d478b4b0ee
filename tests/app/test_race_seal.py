"""A race's code, and the others' boards, cannot be had before the finish, by any request at all."""

from fastapi import FastAPI

from app.db import Database
from app.i18n import LANGUAGES, use
from app.races.routes import standing_text
from app.races.schemas import RaceOut
from tests.app.races import code_of, do, game_of, go, see
from tests.app.sealed import tells_nothing
from tests.app.support import Client, Clients, Clock, refused, refused_page, services_of


def test_no_request_tells_it_before_the_finish(
    client: Client, other: Client, clients: Clients, clock: Clock, database: Database
) -> None:
    race = go(clock, client, other)
    code = code_of(database, race)
    game = game_of(client, race)
    theirs = game_of(other, race)
    other.move(theirs, theirs["legal_moves"][0])
    do(other, race, "give-up")
    asked = tells_nothing(client, game, code, race["id"])
    assert {f"/races/{race['id']}", f"/api/v1/races/{race['id']}", "/statistics.csv"} <= asked
    tells_nothing(clients.new(), game, code, race["id"])
    for watcher in (client, clients.new()):
        for path in ("", "/record", "/replay"):
            refused_page(watcher.get(f"/games/{theirs['id']}{path}"), 403)
        refused(watcher.get(f"/api/v1/games/{theirs['id']}"), 403, "not-your-game")
        assert theirs["id"] not in watcher.get(f"/races/{race['id']}").text
        assert theirs["id"] not in watcher.get(f"/api/v1/races/{race['id']}").text


def test_nobody_sees_the_game_of_one_who_plays(
    client: Client, other: Client, clients: Clients, clock: Clock, database: Database
) -> None:
    race = go(clock, client, other)
    game = game_of(client, race)
    theirs = game_of(other, race)
    other.move(theirs, theirs["legal_moves"][0])
    finished = do(other, race, "give-up")
    assert finished["code"] == str(code_of(database, race))
    for watcher in (other, clients.new()):
        refused(watcher.get(f"/api/v1/games/{game['id']}"), 403, "not-your-game")
        assert game["id"] not in watcher.get(f"/races/{race['id']}").text
    do(client, race, "give-up")
    assert str(code_of(database, race)) in clients.new().get(f"/races/{race['id']}").text
    assert clients.new().get(f"/games/{theirs['id']}/replay").status_code == 200


def test_streams_tell_neither_code_nor_cards(
    client: Client, other: Client, clock: Clock, database: Database, app: FastAPI
) -> None:
    race = go(clock, client, other)
    theirs = game_of(other, race)
    other.move(theirs, theirs["legal_moves"][0])
    do(other, race, "give-up")
    view = services_of(app).races.shared(race["id"])
    sent = RaceOut.model_validate(view).model_dump_json()
    for language in LANGUAGES:
        use(language)
        sent += standing_text(services_of(app).pages, view)
    use("en")
    for secret in (str(code_of(database, race)), code_of(database, race).body, theirs["id"]):
        assert secret not in sent
    assert "tableau" not in sent
    assert see(client, race)["game_id"] not in sent


def test_leaving_before_a_move_tells_nothing(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    race = go(clock, client, other)
    race = do(client, race, "give-up")
    assert race["code"] is None
    assert str(code_of(database, race)) not in client.get(f"/games/{race['game_id']}").text
