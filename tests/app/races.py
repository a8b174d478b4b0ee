"""Races in tests: rooms with players in them, brought to where a test begins."""

from sqlalchemy import select

from app.db import Database
from app.models import races
from app.races.machine import COUNTDOWN_MS
from engine.deals import DealCode, parse_code
from tests.app.support import Client, Clock, Json, good

GO_S = COUNTDOWN_MS / 1000


def open_room(host: Client, game: str = "yukon") -> Json:
    return good(host.post("/api/v1/races", {"game": game}), 201)


def see(client: Client, race: Json) -> Json:
    return good(client.get(f"/api/v1/races/{race['id']}"))


def do(client: Client, race: Json, what: str, **body: object) -> Json:
    """A write that is answered with the race."""
    status = 201 if what == "rematch" else 200
    return good(client.post(f"/api/v1/races/{race['id']}/{what}", body or None), status)


def gather(*clients: Client) -> Json:
    """A room that these players are in, the first one its host."""
    race = open_room(clients[0])
    for client in clients[1:]:
        race = do(client, race, "join")
    return race


def go(clock: Clock, *clients: Client) -> Json:
    """A race that has begun, as the first player sees it."""
    race = gather(*clients)
    for client in clients:
        race = do(client, race, "ready", ready=True)
    assert race["state"] == "countdown"
    clock.pass_by(GO_S)
    return see(clients[0], race)


def game_of(client: Client, race: Json) -> Json:
    """A player's own game."""
    return client.see({"id": see(client, race)["game_id"]})


def states(race: Json) -> dict[int, str]:
    """Seats and how they stand."""
    return {each["seat"]: each["state"] for each in race["players"]}


def places(race: Json) -> dict[int, int | None]:
    return {each["seat"]: each["place"] for each in race["players"]}


def code_of(database: Database, race: Json) -> DealCode:
    with database.read() as connection:
        found = connection.scalar(select(races.c.code).where(races.c.id == race["id"]))
    assert found is not None
    return parse_code(found)
