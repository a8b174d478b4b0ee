"""Races as people meet them: pages and forms that need no script."""

import pytest

from app.db import Database
from app.races.machine import LIMIT_MS
from tests.app.html import Html
from tests.app.races import GO_S, game_of, go, see, states
from tests.app.support import Client, Clients, Clock, Json, count, refused_page, unchanged


def opened(client: Client, **form: str) -> Json:
    """A room opened by the form, as JSON."""
    answer = client.post("/races", {"game": "yukon", **form})
    assert answer.status_code == 303
    return see(client, {"id": answer.headers["location"].rpartition("/")[2]})


def post(client: Client, race: Json, what: str, **form: str) -> Json:
    """A form of the room, answered with 303; the race after it."""
    answer = client.post(f"/races/{race['id']}/{what}", form)
    assert answer.status_code == 303, answer.text
    return see(client, {"id": answer.headers["location"].rpartition("/")[2]})


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return Html(answer.text).text


def test_a_race_by_forms_alone(client: Client, other: Client, clock: Clock) -> None:
    race = opened(client)
    at = f"/races/{race['id']}"
    assert race["letters"] in text(client, at).replace(" ", "").replace("\n", "")
    assert "Waiting for somebody" in text(client, at)
    assert "Come in" in text(other, at)
    post(other, race, "join")
    assert "Leave" in text(other, at)
    race = post(client, race, "computers", strength="casual", pace="quick")
    assert "Computer, Casual" in text(other, at)
    race = post(client, race, "remove", seat="3")
    assert set(states(race)) == {1, 2}
    post(client, race, "ready", ready="1")
    race = post(client, race, "ready", ready="0")
    assert states(race)[1] == "waiting"
    for player in (client, other):
        race = post(player, race, "ready")
    assert "The cards are dealt when the count is over" in text(client, at)
    clock.pass_by(GO_S)
    answer = client.get(at)
    assert answer.status_code == 303
    table = client.get(answer.headers["location"]).text
    assert 'id="race"' in table
    assert f'action="/races/{race["id"]}/give-up"' in table
    assert "data-consent" not in Html(table).text
    post(client, race, "give-up")
    assert "You have given up" in text(client, at)
    race = post(other, race, "give-up")
    assert "Everybody’s board" in text(client, at)
    again = post(client, race, "rematch")
    assert again["id"] != race["id"]
    assert "Come into the rematch" in text(other, at)
    post(client, again, "leave")
    assert "Everybody has left this room" in text(client, f"/races/{again['id']}")


def test_a_refusal_shows_the_race_as_it_stands(
    client: Client, other: Client, clients: Clients, clock: Clock, database: Database
) -> None:
    race = go(clock, client, other)
    third = clients.new()
    third.start()
    with unchanged(database):
        for what in ("join", "ready"):
            answer = third.post(f"/races/{race['id']}/{what}", {})
            html = refused_page(answer, 409 if what == "join" else 403)
            assert 'role="alert"' in html
            assert "You are watching" in html
        refused_page(client.post(f"/races/{race['id']}/leave", {}), 409, "you can give it up")
        refused_page(client.post("/races/nosuchrace/join", {}), 404, "may be mistyped")


def test_against_the_computer(client: Client, clock: Clock) -> None:
    race = opened(client, strength="expert", pace="leisurely")
    assert (race["against_computer"], race["state"]) == (True, "countdown")
    assert "Against the computer" in text(client, f"/races/{race['id']}")
    clock.pass_by(GO_S)
    game = game_of(client, race)
    assert "Against the computer" in client.get(f"/games/{game['id']}").text
    assert "Computer, Expert" in client.get(f"/games/{game['id']}").text
    home = client.get("/").text
    assert f'href="/games/{game["id"]}"' in home
    assert f'name="from" value="{game["id"]}"' not in home


@pytest.mark.parametrize(
    "form", [{"game": "chess"}, {"strength": "god"}, {"strength": "strong", "pace": "warp"}]
)
def test_a_form_that_asks_for_what_is_not(
    client: Client, database: Database, form: dict[str, str]
) -> None:
    answer = client.post("/races", {"game": "yukon", **form})
    refused_page(answer, 422)
    assert count(database, "races") == 0


def test_the_page_to_begin_on(client: Client) -> None:
    html = client.get("/races?game=russian").text
    assert Html(html).one("input", id="letters-in")
    assert "Play against the computer" in html
    refused_page(client.get("/races?letters=zzzzzz"), 404, "may be mistyped")
    assert client.get("/r/ZZZZZZ").status_code == 404
    for page in ("/", "/new"):
        assert 'href="/races?game=' in client.get(page).text


def test_a_finished_game_leads_back_to_the_race(
    client: Client, other: Client, clock: Clock
) -> None:
    race = go(clock, client, other)
    game = game_of(client, race)
    client.end(client.move(game, game["legal_moves"][0]))
    page = client.get(f"/games/{game['id']}").text
    assert f'href="/races/{race["id"]}"' in page
    assert "See the race" in page


def test_how_a_race_ended_for_those_who_did_not_finish(
    client: Client, other: Client, clock: Clock
) -> None:
    race = go(clock, client, other)
    at = f"/races/{race['id']}"
    post(client, race, "give-up")
    assert "Gave up" in text(client, at)
    clock.pass_by(LIMIT_MS / 1000)
    assert see(client, race)["state"] == "over"
    for page in (text(client, at), text(other, at)):
        assert (page.count("Gave up"), page.count("Out of time")) == (1, 1)
        assert "Not finished" not in page
