"""Two accounts of one browser do not race each other for rank."""

from sqlalchemy import select

from app.db import Database
from app.models import entries, games
from app.players.service import token_hash
from tests.app.races import GO_S, do, gather, go, open_room, see
from tests.app.support import HOST, Client, Clients, Clock, Json, refused

NOTE = "from one browser"


def sign_out(client: Client) -> None:
    """Become nobody, as the account's page does it; other cookies stay."""
    assert client.post("/account/sign-out").status_code == 303
    assert "player" not in client.http.cookies


def unlisted(database: Database) -> set[bool]:
    with database.read() as connection:
        return set(connection.scalars(select(games.c.unlisted)))


def browsers(database: Database) -> list[bytes | None]:
    with database.read() as connection:
        return list(connection.scalars(select(entries.c.browser).order_by(entries.c.seat)))


def two_of_one(client: Client) -> tuple[Json, dict[str, str]]:
    """A room that one browser has come into twice, and the first player's cookies."""
    race = open_room(client)
    first = dict(client.http.cookies)
    client.http.cookies.delete("player")  # signed out it could not come back to play
    return do(client, race, "join"), first


def begin(clock: Clock, race: Json, client: Client, first: dict[str, str]) -> None:
    do(client, race, "ready", ready=True)
    client.http.cookies.delete("player")
    client.http.cookies.set("player", first["player"])
    do(client, race, "ready", ready=True)
    clock.pass_by(GO_S)
    assert see(client, race)["state"] == "running"


def test_a_browser_that_comes_back_as_another_player(
    client: Client, clock: Clock, database: Database
) -> None:
    race, first = two_of_one(client)
    assert len(race["players"]) == 2
    assert NOTE in client.get(f"/races/{race['id']}").text
    secret = client.http.cookies["browser"]
    assert browsers(database) == [token_hash(secret)] * 2
    begin(clock, race, client, first)
    assert unlisted(database) == {True}
    assert browsers(database) == [None, None]  # of no use any more


def test_a_third_player_makes_it_no_better(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    race, first = two_of_one(client)
    do(other, race, "join")
    assert NOTE in other.get(f"/races/{race['id']}").text
    do(other, race, "ready", ready=True)
    begin(clock, race, client, first)
    assert unlisted(database) == {True}


def test_the_host_can_send_the_second_one_away(client: Client, other: Client) -> None:
    race = gather(other, client)
    sign_out(client)
    do(client, race, "join")
    assert NOTE in other.get(f"/races/{race['id']}").text
    do(other, race, "remove", seat=3)
    assert NOTE not in other.get(f"/races/{race['id']}").text


def test_two_browsers_race_for_rank(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    race = go(clock, client, other)
    assert unlisted(database) == {False}
    assert client.http.cookies["browser"] != other.http.cookies["browser"]
    assert NOTE not in client.get(f"/races/{race['id']}").text


def test_the_cookie_is_the_races_alone(clients: Clients, client: Client) -> None:
    client.start()
    client.get("/races")
    assert "browser" not in client.http.cookies
    open_room(client)
    secret = client.http.cookies["browser"]
    answer = client.post("/races", {"game": "yukon"})
    assert "set-cookie" not in answer.headers
    assert client.http.cookies["browser"] == secret
    safe = clients.new(HOST.replace("http:", "https:"))
    (cookie,) = [
        text
        for text in safe.post("/races", {"game": "yukon"}).headers.get_list("set-cookie")
        if text.startswith("browser=")
    ]
    for part in ("HttpOnly", "SameSite=lax", "Secure", "Path=/", "Max-Age="):
        assert part in cookie


def test_a_broken_cookie_is_a_new_one(client: Client) -> None:
    client.http.cookies.set("browser", "x" * 10, domain="yukon.test")
    answer = client.post("/races", {"game": "yukon"})
    assert answer.status_code == 303
    assert any(text.startswith("browser=") for text in answer.headers.get_list("set-cookie"))


def test_the_rematch_looks_again(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    race = go(clock, client, other)
    for each in (client, other):
        do(each, race, "give-up")
    made = do(client, see(client, race), "rematch")
    refused(client.post("/api/v1/races/nothing/rematch"), 404, "race-not-found")
    do(other, see(other, race), "rematch")
    with database.read() as connection:
        found = connection.scalars(
            select(entries.c.browser).where(entries.c.race_id == made["id"])
        ).all()
    assert set(found) == {token_hash(each.http.cookies["browser"]) for each in (client, other)}


def test_the_room_has_a_code_to_scan(client: Client) -> None:
    race = open_room(client)
    page = client.get(f"/races/{race['id']}").text
    assert 'class="fold qr"' in page
    assert page.index('class="fold qr"') < page.index("<svg", page.index('class="fold qr"'))
