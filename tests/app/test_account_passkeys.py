"""Passkeys: added, used to sign in, removed."""

import pytest

from app.db import Database
from tests.app.authenticator import Authenticator, bytes_of, text_of
from tests.app.html import Html
from tests.app.passkeys import API, FIREFOX, NAME, PASSWORD, add, options, send, sign_in
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
    unchanged,
)


def test_a_guests_games_come_along_by_a_passkey(
    client: Client, other: Client, database: Database
) -> None:
    client.post("/settings", {"deck": "four"})
    game = client.move(client.start(), LEGAL)
    key = add(client)
    account = good(sign_in(other, key))
    assert (account["name"], account["has_password"], account["devices"]) == (None, False, 2)
    assert other.token != client.token
    game = other.move(game, THIRD_LEGAL)
    assert client.undo(game)["version"] == 3
    assert Html(other.get("/").text).one("html").attributes["data-deck"] == "four"
    assert count(database, "players") == 1
    assert count(database, "challenges") == 0


def test_a_device_where_nobody_has_played_gets_a_player(
    client: Client, other: Client, database: Database
) -> None:
    wanted = options(client)
    assert count(database, "players") == 0
    key, answer = Authenticator().make(wanted)
    good(send(client, answer), 201)
    good(sign_in(other, key))
    assert count(database, "players") == 1


def test_what_a_browser_is_asked_for(client: Client) -> None:
    wanted = options(client)
    assert wanted["rp"] == {"id": "yukon.test", "name": "Yukon Solitaire"}
    assert wanted["user"]["name"] == "Guest"
    assert wanted["authenticatorSelection"]["userVerification"] == "preferred"
    assert wanted["attestation"] == "none"
    assert wanted["timeout"] == 300_000
    assert len(bytes_of(wanted["challenge"])) >= 16
    asked = options(client, "/sign-in")
    assert (asked["rpId"], asked["userVerification"]) == ("yukon.test", "preferred")
    assert not asked.get("allowCredentials")  # the player need not say who they are


def test_several_passkeys_are_named_by_device_and_day(client: Client, clock: Clock) -> None:
    client.post("/account/sign-up", {"name": NAME, "password": PASSWORD})
    first = add(client)
    clock.pass_by(3 * 24 * 3600)
    wanted = options(client)
    assert wanted["user"] == {"id": text_of(first.handle), "name": NAME, "displayName": NAME}
    assert [each["id"] for each in wanted["excludeCredentials"]] == [text_of(first.id)]
    add(client, agent="curl/8.0")
    html = Html(client.get("/account").text)
    shown = html.text.replace("\u2066", "").replace("\u2069", "")
    at = [
        shown.index(text)
        for text in ("Firefox · Linux", "Added on 2026-12-01", "A device", "Added on 2026-12-04")
    ]
    assert at == sorted(at)


def test_a_guests_games_are_brought_or_left_as_with_a_password(
    client: Client, other: Client, clients: Clients, database: Database
) -> None:
    third = clients.new()
    key = add(client)
    kept, left = other.move(other.start(), LEGAL), third.move(third.start(), LEGAL)
    good(sign_in(other, key, games="bring"))
    good(sign_in(third, key, games="leave"))
    assert client.undo(client.see(kept))["version"] == 2
    refused(third.write(left, "undo"), 403, "not-your-game")
    assert count(database, "players") == 2


def test_who_has_a_passkey_is_never_merged_away(
    client: Client, other: Client, database: Database
) -> None:
    game = client.move(client.start(), LEGAL)
    mine, theirs = add(client), add(other)
    good(sign_in(client, theirs, games="bring"))
    refused(client.write(game, "undo"), 403, "not-your-game")
    good(sign_in(client, mine))
    assert client.undo(game)["version"] == 2
    assert count(database, "players") == 2


def test_signing_in_where_one_is_in_already_changes_no_cookie(client: Client) -> None:
    key = add(client)
    token = client.token
    assert good(sign_in(client, key))["devices"] == 1
    assert client.token == token


def test_signing_out_and_back_in(client: Client) -> None:
    game = client.move(client.start(), LEGAL)
    key = add(client)
    assert "with your passkey" in client.get("/account/sign-out").text
    assert "Sign out" in Html(client.get("/account").text).text
    client.post("/account/sign-out", {"where": "everywhere"})
    assert "player" not in client.http.cookies
    good(sign_in(client, key))
    assert client.undo(game)["version"] == 2


def test_a_link_asks_who_has_a_passkey(client: Client, other: Client) -> None:
    add(client)
    link = good(other.post("/api/v1/account/link"), 201)["url"].removeprefix("http://yukon.test")
    assert "sign in with your passkey" in client.get(link).text


# --- removing -----------------------------------------------------------------------------


def test_a_removed_passkey_lets_nobody_in(
    client: Client, other: Client, database: Database
) -> None:
    key = add(client)
    (kept,) = good(client.get(API))["passkeys"]
    path = f"/account/passkeys/{kept['id']}/remove"
    with unchanged(database):
        assert "only way to sign in" in client.get(path).text
        assert other.get(path).headers["location"] == "/account"
        refused_page(other.post(path), 404, "no such passkey")
    assert client.post(path).headers["location"] == "/account?done=passkey-removed#main"
    refused(sign_in(other, key), 404, "passkey-unknown")
    assert good(client.get(API)) == {"passkeys": []}


def test_one_of_two_is_removed_and_the_other_stays(client: Client, other: Client) -> None:
    first, second = add(client), add(client)
    kept = good(client.get(API))["passkeys"]
    assert "nobody in any more" in client.get(f"/account/passkeys/{kept[0]['id']}/remove").text
    for path in ("0", str(2**70), "x"):
        assert client.request("DELETE", f"{API}/{path}").status_code == 422
    assert client.request("DELETE", f"{API}/{kept[0]['id']}").status_code == 204
    refused(client.request("DELETE", f"{API}/{kept[0]['id']}"), 404, "passkey-unknown")
    refused(sign_in(other, first), 404, "passkey-unknown")
    good(sign_in(other, second))


def test_everything_is_exported_and_deleted(
    client: Client, other: Client, database: Database
) -> None:
    key = add(client)
    good(sign_in(other, key))
    (exported,) = client.get("/account/export").json()["player"]["passkeys"]
    assert exported == {
        "device": "Firefox · Linux",
        "created_at": "2026-12-01T08:00:00.000+00:00",
        "used_at": "2026-12-01T08:00:00.000+00:00",
    }
    client.post("/account/delete", {"sure": "yes"})
    assert count(database, "players") == count(database, "passkeys") == 0
    other.post("/account/sign-out")
    refused(sign_in(other, key), 404, "passkey-unknown")


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox · Linux"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
            "Safari · iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
            "Edge · Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Mobile Safari/537.36",
            "Chrome · Android",
        ),
        ("curl/8.0", ""),
    ],
)
def test_devices_are_called_what_they_say(client: Client, agent: str, name: str) -> None:
    add(client, agent=agent)
    assert good(client.get(API))["passkeys"][0]["device"] == name
