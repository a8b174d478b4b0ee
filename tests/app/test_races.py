"""Races over JSON: from the room to the rematch, and what becomes of every odd case."""

from fastapi import FastAPI

from app.db import Database
from app.games import check
from app.main import create_app
from app.races.machine import IDLE_MS, LIMIT_MS
from engine.deals import commitment, parse_code
from tests.app.races import GO_S, do, game_of, gather, go, open_room, places, see, states
from tests.app.support import (
    Client,
    Clients,
    Clock,
    Json,
    good,
    refused,
    refused_page,
    services_of,
    unchanged,
)


def first_moves(client: Client, game: Json, count: int = 1) -> Json:
    for _ in range(count):
        game = client.move(game, game["legal_moves"][0])
    return game


def test_from_the_room_to_the_finish(client: Client, other: Client, clock: Clock) -> None:
    race = open_room(client)
    assert (race["state"], race["me"], race["host"], race["game_id"]) == ("lobby", 1, 1, None)
    race = good(other.post(f"/api/v1/races/{race['letters'].lower()}/join"))
    assert states(race) == {1: "waiting", 2: "waiting"}
    do(client, race, "ready", ready=True)
    race = do(other, race, "ready", ready=True)
    assert race["starts_at"] == clock.now + GO_S * 1000
    clock.pass_by(GO_S - 0.001)
    assert see(client, race)["state"] == "countdown"
    clock.pass_by(0.001)
    race = see(client, race)
    assert (race["state"], race["code"]) == ("running", None)
    games = [game_of(client, race), game_of(other, race)]
    assert games[0]["tableau"] == games[1]["tableau"]
    assert games[0]["id"] != games[1]["id"]
    clock.pass_by(7)
    first_moves(other, games[1], 2)
    race = see(client, race)
    by_seat = {each["seat"]: each for each in race["players"]}
    assert (by_seat[2]["moves"], by_seat[2]["elapsed_ms"]) == (2, 7000)
    race = do(other, race, "give-up")
    assert states(race) == {1: "racing", 2: "ended"}
    assert commitment(parse_code(race["code"])) == race["commitment"]  # they have finished
    assert see(client, race)["commitment"] == race["commitment"]
    assert see(client, race)["code"] is None
    clock.pass_by(3)
    race = do(client, race, "give-up")
    assert (race["state"], race["ended_at"]) == ("over", clock.now)
    assert race["code"] is not None
    assert places(race) == {1: 2, 2: 1} or places(race) == {1: 1, 2: 2}
    assert all(each["game_id"] for each in race["players"])


def test_the_clock_runs_from_go_and_cannot_be_stopped(
    client: Client, other: Client, clock: Clock
) -> None:
    race = go(clock, client, other)
    game = game_of(client, race)
    client.report(game, "hidden")
    clock.pass_by(500)
    game = first_moves(client, game)
    client.report(game, "paused")
    clock.pass_by(500)
    assert game_of(client, race)["elapsed_ms"] == 1_000_000


def test_who_joins_twice_in_two_tabs_is_one_player(client: Client, other: Client) -> None:
    race = gather(client, other)
    with_both = do(other, race, "join")
    assert states(with_both) == states(race)
    assert with_both["event"] == race["event"]


def test_a_late_answer_changes_nothing(
    client: Client, other: Client, clients: Clients, clock: Clock, database: Database
) -> None:
    third = clients.new()
    race = go(clock, client, other)
    third.start()
    with unchanged(database):
        for player, what, body in (
            (client, "ready", {"ready": False}),
            (client, "leave", None),
            (client, "remove", {"seat": 2}),
            (client, "computers", {"strength": "strong"}),
            (third, "join", None),
        ):
            answer = player.post(f"/api/v1/races/{race['id']}/{what}", body)
            refused(answer, 409, "race-under-way")
        refused(client.post(f"/api/v1/races/{race['id']}/rematch"), 409, "race-not-over")
        for what, body in (("ready", {"ready": True}), ("give-up", None), ("rematch", None)):
            refused(third.post(f"/api/v1/races/{race['id']}/{what}", body), 403, "not-in-race")


def test_a_reconnect_gets_the_whole_standing_at_once(
    client: Client, other: Client, clock: Clock
) -> None:
    race = go(clock, client, other)
    clock.pass_by(600)  # a closed laptop is no forfeit
    first_moves(other, game_of(other, race), 3)
    race = see(client, race)
    assert states(race) == {1: "racing", 2: "racing"}
    assert {each["seat"]: each["moves"] for each in race["players"]} == {1: 0, 2: 3}
    first_moves(client, game_of(client, race))


def test_the_host_leaves_and_the_room_is_left_empty(client: Client, other: Client) -> None:
    race = gather(client, other)
    race = do(client, race, "leave")
    race = see(other, race)
    assert (race["host"], race["me"], states(race)) == (2, 2, {2: "waiting"})
    race = do(other, race, "leave")
    assert (race["state"], race["players"]) == ("closed", [])
    refused(client.post(f"/api/v1/races/{race['id']}/join"), 409, "race-closed")
    assert do(other, race, "leave")["state"] == "closed"


def test_an_idle_room_closes(client: Client, clock: Clock) -> None:
    race = open_room(client)
    clock.pass_by(IDLE_MS / 1000)
    assert see(client, race)["state"] == "closed"


def test_a_race_has_an_end(client: Client, other: Client, clock: Clock) -> None:
    race = go(clock, client, other)
    first_moves(other, game_of(other, race))
    clock.pass_by(LIMIT_MS / 1000)
    race = see(client, race)
    assert (race["state"], states(race)) == ("over", {1: "ended", 2: "ended"})
    assert len(good(other.get("/api/v1/statistics"))["results"]) == 1
    refused(client.write(game_of(client, race), "undo"), 422, "game-over")


def test_giving_up_twice_is_giving_up_once(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    race = go(clock, client, other)
    do(client, race, "give-up")
    with unchanged(database):
        do(client, race, "give-up")
    early = gather(client, other)
    refused(client.post(f"/api/v1/races/{early['id']}/give-up"), 409, "race-not-over")


def test_a_race_is_played_once_and_another_game_does_not_end_it(
    client: Client, other: Client, clock: Clock
) -> None:
    race = go(clock, client, other)
    game = first_moves(client, game_of(client, race))
    refused(client.post(f"/api/v1/games/{game['id']}/restart"), 409, "game-in-race")
    client.start(**{"from": game["id"]})
    assert client.see(game)["status"] == "playing"


def test_a_race_has_no_hints(client: Client, other: Client, clock: Clock) -> None:
    race = go(clock, client, other)
    game = game_of(client, race)
    for ask in ("hint", "verdict"):
        refused(client.write(game, ask), 409, "game-in-race")
    for ask in ("hint", "fair", "verdict"):
        answer = client.htmx(f"/games/{game['id']}/{ask}", {"version": game["version"]})
        refused_page(answer, 409, "A race has no hints")


def test_a_rematch_has_a_new_deal_and_one_room(client: Client, other: Client, clock: Clock) -> None:
    race = go(clock, client, other)
    do(client, race, "give-up")
    over = do(other, race, "give-up")
    again = do(other, over, "rematch")
    assert again["commitment"] is None
    assert (again["host"], again["me"]) == (1, 1)
    assert see(client, over)["next_id"] == again["id"]
    joined = do(client, over, "rematch")
    assert (joined["id"], joined["me"]) == (again["id"], 2)
    assert do(client, over, "rematch")["event"] == joined["event"]
    do(client, joined, "leave")
    do(other, joined, "leave")
    assert do(client, over, "rematch")["id"] != again["id"]


def test_a_restart_of_the_server_loses_nothing(
    client: Client, other: Client, clock: Clock, app: FastAPI, database: Database
) -> None:
    race = gather(client, other)
    for player in (client, other):
        do(player, race, "ready", ready=True)
    again = create_app(services_of(app).settings, now=clock)
    clock.pass_by(120)  # it was away for longer than the countdown
    services_of(again).races.keep()
    race = see(client, race)
    assert (race["state"], race["starts_at"]) == ("running", clock.now)
    game = first_moves(client, game_of(client, race), 2)
    seen = services_of(again).games.see(game["id"], client.token)
    assert seen.version == 2
    services_of(again).database.close()
    with database.read() as connection:
        assert check.differences(connection, game["id"]) == []


def test_what_is_unknown_or_unreadable(client: Client, database: Database) -> None:
    race = open_room(client)
    with unchanged(database):
        for ref in ("ZZZZZZ", "no-such-race", "x", "%00", "a" * 60):
            refused(client.get(f"/api/v1/races/{ref}"), 404, "race-not-found")
        refused(client.post("/api/v1/races", {"game": "chess"}), 422, "game-unknown")
        for body in ({"strength": "god"}, {"strength": "strong", "pace": "warp"}, {}):
            answer = client.post(f"/api/v1/races/{race['id']}/computers", body)
            refused(answer, 422, "request-invalid")


def test_letters_are_read_as_people_type_them(client: Client) -> None:
    race = open_room(client)
    letters = race["letters"]
    for typed in (letters.lower(), f"{letters[:3]}-{letters[3:]}", " ".join(letters)):
        answer = client.get("/races", params={"letters": typed})
        assert answer.headers["location"] == f"/races/{race['id']}"
    assert client.get(f"/r/{letters}").headers["location"] == f"/races/{race['id']}"


def test_results_count_and_stand_on_the_deal_s_board(
    client: Client, other: Client, clock: Clock
) -> None:
    race = go(clock, client, other)
    for player in (client, other):
        first_moves(player, game_of(player, race))
        race = do(player, race, "give-up")
    board = good(client.get(f"/api/v1/deals/{race['code']}/leaderboard"))
    assert len(board["rows"]) == 2
    assert len(good(client.get("/api/v1/statistics"))["results"]) == 1
