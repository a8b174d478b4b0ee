"""Taking games along: a one-time link makes a second device the same player's."""

import re

import pytest
from sqlalchemy import select

from app.account.joining import join
from app.account.service import LINK_LASTS_MS
from app.db import Database
from app.games.service import GameService
from app.models import games, results
from app.players.service import token_hash
from tests.app.html import Html
from tests.app.races import game_of, gather, go, see
from tests.app.support import (
    ALSO_LEGAL,
    LEGAL,
    MORNING,
    THIRD_LEGAL,
    Client,
    Clients,
    Clock,
    count,
    good,
    new_player,
    refused,
    refused_page,
    rows,
    start_sealed,
    unchanged,
    win_game,
)

LINK = re.compile(r"/take/([A-Za-z0-9_-]{43})")


def link_of(client: Client) -> str:
    """The path of a new one-time link."""
    answer = client.post("/account/link")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert Html(answer.text).all("svg")
    found = LINK.search(answer.text)
    assert found
    return found[0]


def enter(client: Client, path: str, games: str = "") -> None:
    answer = client.post(path, {"games": games} if games else {})
    assert (answer.status_code, answer.headers["location"]) == (303, "/"), answer.text


def test_both_devices_play_the_same_game_on(
    client: Client, other: Client, database: Database
) -> None:
    game = client.move(client.start(), LEGAL)
    enter(other, link_of(client))
    assert other.token != client.token
    assert count(database, "players") == 1
    game = other.move(game, THIRD_LEGAL)
    game = client.undo(game)
    game = client.redo(game)
    game = other.undo(game)
    assert good(client.get(f"/api/v1/games/{game['id']}"))["version"] == 5


def test_the_settings_come_along(client: Client, other: Client) -> None:
    client.post("/settings", {"deck": "four", "hand": "left"})
    enter(other, link_of(client))
    root = Html(other.get("/").text).one("html").attributes
    assert (root["data-deck"], root["data-hand"]) == ("four", "left")


def test_settings_are_shared_from_then_on(client: Client, other: Client) -> None:
    game = client.start()
    enter(other, link_of(client))
    other.post("/settings", {"deck": "four", "hand": "left", "lang": "de"})
    for path in (f"/games/{game['id']}", "/"):
        root = Html(client.get(path).text).one("html").attributes
        assert (root["data-deck"], root["data-hand"], root["lang"]) == ("four", "left", "de")
    client.post("/settings", {"deck": "two"})
    root = Html(other.get("/").text).one("html").attributes
    assert (root["data-deck"], root["lang"]) == ("two", "en")


def test_looking_does_not_use_a_link_up(client: Client, other: Client, database: Database) -> None:
    client.move(client.start(), LEGAL)
    path = link_of(client)
    with unchanged(database):
        for _ in range(3):
            page = other.get(path)
            assert page.status_code == 200
            assert page.headers["cache-control"] == "no-store"
            # none at all, and browsers say Origin: null, which the form's POST is refused for
            assert page.headers["referrer-policy"] == "same-origin"
            assert "player" not in other.http.cookies
        assert other.request("HEAD", path).status_code == 200
        foreign = other.post(path, {}, headers={"sec-fetch-site": "cross-site"})
        assert foreign.status_code == 403
    enter(other, path)


def test_a_link_lets_one_device_in_once(
    client: Client, other: Client, clients: Clients, database: Database
) -> None:
    client.start()
    path = link_of(client)
    enter(other, path)
    third = clients.new()
    with unchanged(database):
        refused_page(third.post(path), 404, "Make a new one")
        refused_page(third.get(path), 404)
    assert "player" not in third.http.cookies


def test_a_link_ends_after_ten_minutes_and_with_the_next_one(
    client: Client, other: Client, clock: Clock
) -> None:
    client.start()
    first = link_of(client)
    second = link_of(client)
    refused_page(other.post(first), 404)
    clock.now += LINK_LASTS_MS
    refused_page(other.post(second), 404)
    third = link_of(client)
    clock.now += LINK_LASTS_MS - 1
    enter(other, third)


@pytest.mark.parametrize("bad", ["x", "A" * 43, "%00" * 43, "ä" * 43])
def test_what_is_no_link(client: Client, database: Database, bad: str) -> None:
    client.start()
    with unchanged(database):
        assert client.get(f"/take/{bad}").status_code == 404
        assert client.post(f"/take/{bad}").status_code == 404


def test_the_database_holds_no_secret_of_a_link(client: Client, database: Database) -> None:
    secret = link_of(client).rpartition("/")[2]
    assert secret not in str(rows(database))
    ((kept, _player, ends_at),) = rows(database)["links"]
    assert (kept, ends_at) == (token_hash(secret), MORNING + LINK_LASTS_MS)


def test_a_guest_with_games_is_asked_and_brings_them(
    client: Client, other: Client, database: Database
) -> None:
    theirs = client.move(client.start(), LEGAL)
    mine = other.start("YU1-S-AAAAAAB")
    mine = other.move(mine, mine["legal_moves"][0])
    path = link_of(client)
    page = Html(other.get(path).text)
    assert [tag.attributes["value"] for tag in page.all("input", name="games")] == [
        "bring",
        "leave",
    ]
    enter(other, path, "bring")
    assert count(database, "players") == 1
    for device in (client, other):
        assert device.undo(device.see(theirs))["id"] == theirs["id"]
        theirs = device.redo(device.see(theirs))
        assert device.undo(device.see(mine))["id"] == mine["id"]
        device.redo(device.see(mine))


def test_a_guest_leaves_games_behind(client: Client, other: Client, database: Database) -> None:
    client.move(client.start(), LEGAL)
    mine = other.move(other.start(), ALSO_LEGAL)
    enter(other, link_of(client), "leave")
    refused(other.write(mine, "undo"), 403, "not-your-game")
    assert count(database, "players") == 2
    assert count(database, "devices") == 2


def test_a_choice_that_is_none_changes_nothing(
    client: Client, other: Client, database: Database
) -> None:
    path = link_of(client)
    with unchanged(database):
        refused_page(other.post(path, {"games": "burn"}), 422)


def test_a_device_that_is_the_players_already_keeps_its_cookie(
    client: Client, database: Database
) -> None:
    client.start()
    path, token = link_of(client), client.token
    assert "yours already" in Html(client.get(path).text).text
    enter(client, path)
    assert client.token == token
    assert count(database, "devices") == 1


def test_of_two_first_tries_the_earlier_stays_one(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    game = client.start()
    clock.pass_by(10)
    early = other.move(other.start(), LEGAL)
    clock.pass_by(10)
    game = client.move(client.move(game, LEGAL), THIRD_LEGAL)
    enter(other, link_of(client), "bring")
    for device, each in ((client, game), (other, early)):
        device.end(device.undo(each))
    with database.read() as connection:
        tries = {row.id: row.first_try for row in connection.execute(select(games))}
        counted = {row.game_id: row.first_try for row in connection.execute(select(results))}
    assert tries == {game["id"]: False, early["id"]: True}
    assert counted == tries


def test_the_better_result_is_the_best_one_after_it(
    service: GameService, client: Client, database: Database, clock: Clock
) -> None:
    won = win_game(service)
    clock.pass_by(1)  # of two at the same moment either may be the first try
    again = win_game(service)
    assert won.token_hash != again.token_hash
    board = f"/api/v1/deals/{won.code}/leaderboard"
    assert len(good(client.get(board))["rows"]) == 2

    with database.write() as connection:
        join(connection, service, again.player_id, won.player_id)
    assert [row["moves"] for row in good(client.get(board))["rows"]] == [won.game.moves]
    with database.read() as connection:
        flags = {
            row.game_id: (row.best, row.clean_best, row.first_try, row.listed)
            for row in connection.execute(select(results))
        }
    assert flags == {won.id: (True, True, True, True), again.id: (False, False, False, False)}


def test_one_sealed_game_is_under_way_after_it(
    client: Client, other: Client, database: Database
) -> None:
    for device in (client, other):
        device.http.cookies["player"] = new_player(database)
        stored = start_sealed(database, device.token)
        game = device.see({"id": stored.id})
        device.move(game, game["legal_moves"][0])
    enter(other, link_of(client), "bring")
    with database.read() as connection:
        statuses = {row.status: row.id for row in connection.execute(select(games))}
    assert sorted(statuses) == ["ended", "playing"]
    kept = statuses["playing"]
    assert other.see({"id": kept})["code"] is None


def test_a_race_goes_on_on_the_other_device_and_has_one_seat_a_player(
    client: Client, other: Client, clients: Clients, clock: Clock
) -> None:
    third = clients.new()
    race = go(clock, client, other, third)
    game = game_of(client, race)
    enter(other, link_of(client), "bring")
    assert len(see(third, race)["players"]) == 2
    assert game_of(other, race)["id"] == game["id"]
    other.move(game, game["legal_moves"][0])


def test_a_room_goes_on_without_who_deletes_everything(
    client: Client, other: Client, database: Database
) -> None:
    race = gather(client, other)
    client.post("/account/delete", {"sure": "yes"})
    (left,) = see(other, race)["players"]
    assert left["seat"] == see(other, race)["me"]
    other.post("/account/delete", {"sure": "yes"})
    assert count(database, "races") == count(database, "players") == 0
