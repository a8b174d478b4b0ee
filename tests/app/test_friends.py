"""Friends by link: both are, either ends it, nobody is found otherwise."""

import re

import pytest
from sqlalchemy import insert, select

from app.account.joining import join
from app.db import Database
from app.friends import service, store
from app.friends.service import LINK_LASTS_MS
from app.models import players
from engine.deals import deal, parse_code
from engine.rules import get_rules
from tests.app.html import Html
from tests.app.support import (
    LEGAL,
    Client,
    Clients,
    Clock,
    Json,
    count,
    good,
    refused,
    rows,
    services_of,
    unchanged,
)

API = "/api/v1/account/friends"
LINK = re.compile(r"/friends/([A-Za-z0-9_-]{43})")


def link_of(client: Client) -> str:
    """The path of a new friends' link."""
    answer = client.post("/account/friends/link")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    found = LINK.search(answer.text)
    assert found
    return found[0]


def first_move(code: str) -> str:
    """A legal move at the start of a deal."""
    parsed = parse_code(code)
    return str(get_rules(parsed.rule).legal_moves(deal(parsed))[0])


def section(client: Client) -> str:
    """The friends' part of the account's page."""
    return client.get("/account").text.partition('id="friends"')[2].partition("</section>")[0]


def friends_of(client: Client) -> list[str | None]:
    return [each["name"] for each in good(client.get(API))["friends"]]


def named(client: Client, name: str) -> None:
    good(client.request("PUT", "/api/v1/players/me", json={"name": name}))


def befriend(one: Client, other: Client) -> None:
    answer = other.post(link_of(one))
    assert (answer.status_code, answer.headers["location"]) == (303, "/account?done=friends")


def test_both_are_friends(client: Client, other: Client, database: Database) -> None:
    named(client, "Kate")
    named(other, "Leo")
    link = link_of(client)
    with unchanged(database):
        asked = other.get(link)
        assert asked.status_code == 200
        assert "Kate" in asked.text
        assert asked.headers["cache-control"] == "no-store"
    assert other.post(link).status_code == 303
    assert (friends_of(client), friends_of(other)) == (["Leo"], ["Kate"])
    for each, name in ((client, "Leo"), (other, "Kate")):
        assert name in section(each)


def test_a_link_makes_several_friends_and_each_once(
    client: Client, other: Client, clients: Clients, database: Database
) -> None:
    third = clients.new()
    link = link_of(client)
    for each in (other, third, other):
        assert each.post(link).status_code == 303
    assert len(friends_of(client)) == 2
    assert count(database, "friendships") == 4
    assert "friends already" in other.get(link).text


def test_either_ends_it(client: Client, other: Client, database: Database) -> None:
    named(client, "Kate")
    befriend(client, other)
    (path,) = re.findall(r'href="(/account/friends/[^"]+/remove)"', section(other))
    with unchanged(database):
        assert "Kate" in other.get(path).text
        assert client.get(path).status_code == 303  # a key is its own player's alone
        assert client.post(path).status_code == 404
    assert other.post(path).headers["location"] == "/account?done=friend-removed"
    assert friends_of(client) == friends_of(other) == []
    assert count(database, "friendships") == 0
    assert other.post(path).status_code == 404


def test_a_new_link_and_its_end_and_a_week_end_a_link(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    first = link_of(client)
    second = link_of(client)
    with unchanged(database):
        assert other.get(first).status_code == 404
        assert other.post(first).status_code == 404
    assert other.get(second).status_code == 200
    assert "is out until" in client.get("/account").text
    assert client.post("/account/friends/link/end").status_code == 303
    assert other.post(second).status_code == 404
    third = link_of(client)
    clock.pass_by(LINK_LASTS_MS / 1000 + 1)
    assert other.post(third).status_code == 404
    assert good(client.get(API))["link_ends"] is None


@pytest.mark.parametrize("secret", ["A" * 43, "1", "é", "%00", "A" * 2000])
def test_what_is_no_link(client: Client, database: Database, secret: str) -> None:
    with unchanged(database):
        assert client.get(f"/friends/{secret}").status_code == 404
        assert client.post(f"/friends/{secret}").status_code == 404


def test_one_s_own_link(client: Client, database: Database) -> None:
    link = link_of(client)
    with unchanged(database):
        assert "your own link" in client.get(link).text
        answer = client.post(link)
        assert answer.status_code == 422
        assert "your own link" in answer.text


def test_no_more_than_fit(
    client: Client, other: Client, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST", 1)
    befriend(client, other)
    third = clients.new()
    answer = third.post(link_of(client))
    assert answer.status_code == 409
    assert "They have 1 friends already" in answer.text
    answer = client.post(link_of(third))
    assert answer.status_code == 409
    assert "You have 1 friends already" in answer.text
    assert friends_of(third) == []


def test_a_program_s_friends(client: Client, other: Client, database: Database) -> None:
    named(other, "Leo")
    with unchanged(database):
        assert good(client.get(API)) == {"friends": [], "link_ends": None}
    link = good(client.post(f"{API}/link"), 201)
    assert link["ends_at"] == good(client.get(API))["link_ends"]
    found = good(other.post(API, {"link": link["url"]}))
    assert len(found["friends"]) == 1
    (friend,) = good(client.get(API))["friends"]
    assert (friend["name"], friend["since"]) == ("Leo", "2026-12-01T08:00:00.000+00:00")
    refused(client.post(API, {"link": link["url"]}), 422, "request-invalid")
    refused(client.post(API, {"link": "A" * 43}), 404, "friend-link-unknown")
    refused(other.request("DELETE", f"{API}/{friend['id']}"), 404, "friend-unknown")
    assert client.request("DELETE", f"{API}/{friend['id']}").status_code == 204
    assert friends_of(other) == []
    assert client.request("DELETE", f"{API}/link").status_code == 204
    refused(other.post(API, {"link": link["url"]}), 404, "friend-link-unknown")


def test_a_device_that_nobody_has_played_on(client: Client, database: Database) -> None:
    with unchanged(database):
        assert client.post("/account/friends/link/end").status_code == 303
        assert client.post("/account/friends/nosuch/remove").status_code == 404
        assert client.get("/account/friends/nosuch/remove").status_code == 303


def test_deleting_everything_takes_the_friendships_along(
    client: Client, other: Client, database: Database
) -> None:
    befriend(client, other)
    link_of(client)
    assert client.post("/account/delete", {"sure": "yes"}).status_code == 303
    found = rows(database)
    assert (found["friendships"], found["friend_links"]) == ([], [])
    assert friends_of(other) == []


def test_the_export_has_them(client: Client, other: Client) -> None:
    named(other, "Leo")
    befriend(client, other)
    export = good(client.get("/account/export"))
    assert export["friends"] == [{"name": "Leo", "since": "2026-12-01T08:00:00.000+00:00"}]


def test_a_guest_s_friends_come_along(
    client: Client, other: Client, clients: Clients, database: Database
) -> None:
    third, fourth = clients.new(), clients.new()
    for each, name in ((client, "Kate"), (other, "Leo"), (third, "Mia"), (fourth, "Noa")):
        each.move(each.start(), LEGAL)
        named(each, name)
    befriend(client, other)
    befriend(client, third)
    befriend(other, third)
    befriend(client, fourth)
    with database.read() as connection:
        found = connection.execute(select(players.c.name, players.c.id))
        ids = {row.name: row.id for row in found}
    with database.write() as connection:
        join(connection, services_of(client.app).games, ids["Kate"], ids["Leo"])
    assert sorted(map(str, friends_of(other))) == ["Mia", "Noa"]
    assert friends_of(third) == friends_of(fourth) == ["Leo"]


def test_of_a_guest_s_friends_as_many_come_as_fit(
    client: Client, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST", 2)
    client.start()
    with database.write() as connection:
        made = [
            connection.scalar(insert(players).values(created_at=0).returning(players.c.id))
            for _ in range(5)
        ]
        guest, player, *others = (each or 0 for each in made)
        for since, each in enumerate(others):
            store.befriend(connection, guest, each, since)
        store.merge(connection, guest, player)
        assert [each.since for each in store.of_player(connection, player)] == [1, 0]
        assert store.count(connection, guest) == store.count(connection, others[2]) == 0


def test_the_boards_of_friends(client: Client, other: Client, clients: Clients) -> None:
    third = clients.new()
    for each, name in ((client, "Kate"), (other, "Leo"), (third, "Mia")):
        named(each, name)
        each.end(each.move(each.start(), LEGAL))
    befriend(client, other)
    code = good(client.get("/api/v1/leaderboard"))["rows"][0]["code"]
    for address in ("/api/v1/leaderboard", f"/api/v1/deals/{code}/leaderboard"):
        for query in (
            "",
            "game=yukon&",
            "period=day&",
            "period=week&",
            "period=month&",
            "clean=1&",
        ):
            assert _names(client, f"{address}?{query}") == ["Kate", "Leo", "Mia"]
            assert _names(client, f"{address}?{query}friends=1") == ["Kate", "Leo"]
            assert _names(third, f"{address}?{query}friends=1") == ["Mia"]
    nobody = clients.new()
    assert _names(nobody, "/api/v1/leaderboard?friends=1") == []
    for path in ("/leaderboard", f"/d/{code}"):
        page = Html(client.get(f"{path}?friends=1").text)
        assert "Leo" in page.text
        assert "Mia" not in page.text
        assert 'href="/account#friends"' in page.source
    assert "of yours or your friends’" in nobody.get("/leaderboard?friends=1").text


def _names(client: Client, address: str) -> list[str]:
    return sorted(row["name"] for row in good(client.get(address))["rows"])


def test_the_friends_page_after_page(
    client: Client, other: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.leaderboard.service.ROWS", 2)
    befriend(client, other)
    others = [(f"YU1-C-AAAAAA{letter}", first_move(f"YU1-C-AAAAAA{letter}")) for letter in "BCD"]
    for each in (client, other):
        for code, move in others:
            each.end(each.move(each.start(code), move))
    found = good(client.get("/api/v1/leaderboard?friends=1"))
    whole: list[Json] = found["rows"]
    while found["next"]:
        found = good(client.get(f"/api/v1/leaderboard?friends=1&after={found['next']}"))
        whole += found["rows"]
    assert [row["place"] for row in whole] == [1, 2, 3, 4, 5, 6]
    assert len({row["game_id"] for row in whole}) == 6
