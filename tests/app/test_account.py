"""Names with passwords, signing out, taking everything along, deleting everything."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import select

from app.account import passwords
from app.config import Settings
from app.db import Database
from app.main import create_app
from app.models import players
from tests.app.html import Html
from tests.app.support import (
    LEGAL,
    THIRD_LEGAL,
    Client,
    Clients,
    Clock,
    count,
    good,
    refused,
    refused_page,
    rows,
    services_of,
    start_sealed,
    unchanged,
)

NAME, PASSWORD, OTHER = "Klondike Kate", "one ace at a time", "two kings in a row"


def sign_up(client: Client, name: str = NAME, password: str = PASSWORD) -> httpx.Response:
    return client.post("/account/sign-up", {"name": name, "password": password})


def sign_in(
    client: Client, name: str = NAME, password: str = PASSWORD, **more: str
) -> httpx.Response:
    return client.post("/account/sign-in", {"name": name, "password": password, **more})


def entered(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/account?done=signed-in#main",
    ), answer.text


def test_a_guest_signs_up_and_plays_on_elsewhere(
    client: Client, other: Client, database: Database
) -> None:
    client.post("/settings", {"deck": "four"})
    game = client.move(client.start(), LEGAL)
    answer = sign_up(client)
    assert answer.headers["location"] == "/account?done=signed-up#main"
    assert f"as {NAME}" in Html(client.get("/account?done=signed-up").text).text
    entered(sign_in(other, "KLONDIKE  KATE"))
    game = other.move(game, THIRD_LEGAL)
    assert client.undo(game)["version"] == 3
    assert Html(other.get("/").text).one("html").attributes["data-deck"] == "four"
    assert count(database, "players") == 1


def stored_hash(database: Database) -> str:
    with database.read() as connection:
        return connection.scalar(select(players.c.password_hash)) or ""


@pytest.fixture
def strong(database: Database, clock: Clock) -> Iterator[Client]:
    """A player at a server that hashes passwords as it does by default."""
    url = database.url.render_as_string(hide_password=False)
    app = create_app(Settings(database_url=url), now=clock)
    client = Client(app)
    yield client
    client.close()
    services_of(app).database.close()


STRONG = "$argon2id$v=19$m=65536,t=3,p=4$"


def test_the_database_holds_argon2_hashes(strong: Client, database: Database) -> None:
    sign_up(strong)
    assert stored_hash(database).startswith(STRONG)
    assert PASSWORD not in str(rows(database))
    kept = stored_hash(database)
    entered(sign_in(strong))
    assert stored_hash(database) == kept


def test_an_older_hash_is_renewed_at_the_next_right_sign_in(
    client: Client, strong: Client, database: Database
) -> None:
    sign_up(client)
    old = stored_hash(database)
    assert old.startswith("$argon2id$v=19$m=32,")
    assert sign_in(strong, NAME, OTHER).status_code == 403
    assert stored_hash(database) == old
    entered(sign_in(strong))
    assert stored_hash(database).startswith(STRONG)
    entered(sign_in(strong))


@pytest.mark.parametrize(
    ("name", "password", "says"),
    [
        (NAME, "short", "8 to 200"),
        (NAME, "x" * 201, "8 to 200"),
        (NAME, "aaaaaaaaaaaa", "too easy"),
        (NAME, "klondikekate", "too easy"),
        ("K", PASSWORD, "2 to 24"),
        ("admin", PASSWORD, "another name"),
    ],
)
def test_what_cannot_be_signed_up(
    client: Client, database: Database, name: str, password: str, says: str
) -> None:
    with unchanged(database):
        html = Html(refused_page(sign_up(client, name, password), 422, says))
    assert html.one("input", id="up-name").attributes["value"] == name
    assert password not in html.source.replace(name, "")


def test_a_name_is_one_players(client: Client, other: Client, database: Database) -> None:
    sign_up(client)
    with unchanged(database):
        refused_page(sign_up(other, "Kl0ndike Kate"), 409, "Somebody has this name")
        refused_page(sign_up(client, "Another"), 422, "already")


def test_an_unknown_name_and_a_wrong_password_get_the_same_answer(
    client: Client, other: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(client)
    compared: list[str] = []
    verify = passwords._verify

    def counted(hasher: PasswordHasher, stored: str, password: str) -> bool:
        compared.append(stored.rsplit("$", 2)[0])
        return verify(hasher, stored, password)

    monkeypatch.setattr(passwords, "_verify", counted)
    wrong = sign_in(other, NAME, OTHER)
    unknown = sign_in(other, "Nemo", OTHER)
    assert wrong.status_code == unknown.status_code == 403
    assert wrong.text.replace(NAME, "?") == unknown.text.replace("Nemo", "?")
    assert len(compared) == 2
    assert len(set(compared)) == 1  # the same kind of hash with the same cost
    assert "player" not in other.http.cookies


def test_a_name_without_a_password_lets_nobody_in(client: Client, other: Client) -> None:
    client.post("/players/me", {"name": NAME})
    assert sign_in(other, NAME, "").status_code == 403
    assert sign_in(other, NAME, PASSWORD).status_code == 403


@pytest.mark.parametrize("name", [NAME, "Nobody"])
def test_attempts_are_limited_for_each_name(
    client: Client, other: Client, clock: Clock, name: str
) -> None:
    sign_up(client)
    for _ in range(10):
        assert sign_in(other, name, OTHER).status_code == 403
    late = sign_in(other, name, PASSWORD)
    assert late.status_code == 429
    assert late.headers["retry-after"] == "900"
    clock.pass_by(900)
    assert sign_in(other, name, PASSWORD).status_code == (303 if name == NAME else 403)


def test_attempts_are_limited_for_each_address(
    other: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.account.service._MOST_BY_ADDRESS", 3)
    for number in range(3):
        assert sign_in(other, f"Nobody {number}").status_code == 403
    assert sign_in(other, "Somebody").status_code == 429


def test_signing_in_brings_a_guests_games_or_leaves_them(
    client: Client, other: Client, clients: Clients, database: Database
) -> None:
    sign_up(client)
    third = clients.new()
    kept, left = other.move(other.start(), LEGAL), third.move(third.start(), LEGAL)
    assert len(Html(other.get("/account").text).all("input", name="games")) == 2
    entered(sign_in(other, games="bring"))
    entered(sign_in(third, games="leave"))
    assert client.undo(client.see(kept))["version"] == 2
    refused(third.write(left, "undo"), 403, "not-your-game")
    assert count(database, "players") == 2


def test_signing_in_as_another_leaves_the_first_as_they_were(
    client: Client, other: Client, database: Database
) -> None:
    game = client.move(client.start(), LEGAL)
    sign_up(client)
    sign_up(other, "Ben", OTHER)
    entered(sign_in(client, "Ben", OTHER, games="bring"))
    refused(client.write(game, "undo"), 403, "not-your-game")
    entered(sign_in(client))
    assert client.undo(game)["version"] == 2
    assert count(database, "players") == 2


def test_signing_out_here_and_everywhere(client: Client, other: Client) -> None:
    game = client.move(client.start(), LEGAL)
    sign_up(client)
    entered(sign_in(other))
    token = other.token
    assert "Sign out on all devices" in client.get("/account/sign-out").text
    assert other.post("/account/sign-out").status_code == 303
    assert "player" not in other.http.cookies
    other.http.cookies["player"] = token
    refused(other.write(game, "undo"), 403, "not-your-game")
    del other.http.cookies["player"]
    game = client.undo(game)
    entered(sign_in(other))
    other.post("/account/sign-out", {"where": "everywhere"})
    refused(client.write(game, "redo"), 403, "not-your-game")
    assert client.post("/account/sign-out", {"where": "nowhere"}).status_code == 422
    assert client.post("/account/sign-out").status_code == 303
    assert client.get("/account/sign-out").headers["location"] == "/account"


def test_another_password_signs_the_others_out(client: Client, other: Client) -> None:
    game = client.move(client.start(), LEGAL)
    sign_up(client)
    entered(sign_in(other))
    wrong = client.post("/account/password", {"old": OTHER, "new": OTHER})
    refused_page(wrong, 403, "not your password")
    short = client.post("/account/password", {"old": PASSWORD, "new": "short"})
    refused_page(short, 422, "8 to 200")
    done = client.post("/account/password", {"old": PASSWORD, "new": OTHER})
    assert done.headers["location"] == "/account?done=password#main"
    refused(other.write(game, "undo"), 403, "not-your-game")
    assert client.undo(game)["version"] == 2
    assert sign_in(other).status_code == 403
    entered(sign_in(other, NAME, OTHER))


def test_only_who_has_a_password_changes_it(client: Client) -> None:
    body = {"old": PASSWORD, "new": OTHER}
    refused_page(client.post("/account/password", body), 422)
    client.start()
    refused_page(client.post("/account/password", body), 422, "no password yet")


def _export(client: Client) -> Any:
    answer = client.get("/account/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="yukon-export.json"'
    return json.loads(answer.text)


def test_everything_is_exported(client: Client, other: Client) -> None:
    assert client.get("/account/export").headers["location"] == "/account"
    other.move(other.start(), LEGAL)
    client.post("/settings", {"deck": "four"})
    sign_up(client)
    game = client.end(client.undo(client.move(client.start(), LEGAL)))
    client.start()
    found = _export(client)
    assert (found["player"]["name"], found["player"]["has_password"]) == (NAME, True)
    assert len(found["player"]["devices"]) == 1
    assert found["settings"]["deck"] == "four"
    ended, fresh = sorted(found["games"], key=lambda each: each["status"])
    assert (ended["id"], ended["code"], ended["status"]) == (game["id"], game["code"], "ended")
    assert [event["kind"] for event in ended["events"]] == ["move", "undo", "end"]
    assert ended["events"][0]["move"] == LEGAL
    assert ended["result"]["won"] is False
    assert ended["record"] == client.get(f"/games/{game['id']}/record").text
    assert (fresh["result"], fresh["events"]) == (None, [])
    assert "argon2" not in str(found)


def test_an_export_hides_what_its_player_may_not_know(client: Client, database: Database) -> None:
    client.start()
    stored = start_sealed(database, client.token)
    found = _export(client)
    sealed = next(game for game in found["games"] if game["id"] == stored.id)
    assert sealed["code"] is None
    assert str(stored.code) not in json.dumps(found)


def _of_game(database: Database, game_id: str) -> list[tuple[Any, ...]]:
    return [row for each in rows(database).values() for row in each if game_id in row]


def test_everything_is_deleted_and_others_keep_theirs(
    client: Client, other: Client, database: Database
) -> None:
    game = client.end(client.move(client.start(), LEGAL))
    theirs = other.end(other.move(other.start(), LEGAL))
    kept = _of_game(database, theirs["id"])
    board = f"/api/v1/deals/{game['code']}/leaderboard"
    assert len(good(other.get(board))["rows"]) == 2
    with unchanged(database):
        page = client.get("/account/delete")
        assert "for ever" in page.text
        refused_page(client.post("/account/delete"), 422)
    answer = client.post("/account/delete", {"sure": "yes"})
    assert answer.headers["location"] == "/account?done=deleted#main"
    assert "player" not in client.http.cookies
    assert len(good(other.get(board))["rows"]) == 1
    assert client.get(f"/games/{game['id']}").status_code == 404
    assert {name: len(each) for name, each in rows(database).items() if each} == {
        **dict.fromkeys(("players", "devices", "games", "results"), 1),
        "events": 2,
    }
    assert _of_game(database, theirs["id"]) == kept


def test_deleting_takes_the_password(client: Client, database: Database) -> None:
    sign_up(client)
    wrong = client.post("/account/delete", {"sure": "yes", "password": OTHER})
    refused_page(wrong, 403, "not your password")
    assert count(database, "players") == 1
    client.post("/account/delete", {"sure": "yes", "password": PASSWORD})
    assert count(database, "players") == 0
    assert client.get("/account/delete").headers["location"] == "/account"
    again = client.post("/account/delete", {"sure": "yes"})
    assert again.headers["location"] == "/account"


def test_the_account_is_linked_to(client: Client) -> None:
    for path in ("/", "/settings", "/statistics"):
        assert Html(client.get(path).text).all("a", href="/account")
    assert "no account to play" in Html(client.get("/account").text).text
