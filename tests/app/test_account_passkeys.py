"""Passkeys: added, used to sign in, removed; and every answer that must not be believed."""

from copy import deepcopy
from typing import Any

import httpx
import pytest

from app.account.ceremonies import site_of
from app.db import Database
from tests.app.authenticator import PRESENT, Authenticator, Json, Key, bytes_of, text_of
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
    unchanged,
)

API = "/api/v1/account/passkeys"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
NAME, PASSWORD = "Klondike Kate", "one ace at a time"


def options(client: Client, what: str = "") -> Json:
    found = good(client.post(f"{API}{what}/options"))["publicKey"]
    assert isinstance(found, dict)
    return found


def send(client: Client, answer: Json, **how: Any) -> httpx.Response:
    return client.post(API, {"credential": answer}, **how)


def add(client: Client, device: Authenticator | None = None, agent: str = FIREFOX) -> Key:
    key, answer = (device or Authenticator()).make(options(client))
    good(send(client, answer, headers={"user-agent": agent}), 201)
    return key


def enter(client: Client, answer: Json, games: str = "leave") -> httpx.Response:
    return client.post(f"{API}/sign-in", {"credential": answer, "games": games})


def sign_in(
    client: Client, key: Key, device: Authenticator | None = None, games: str = "leave"
) -> httpx.Response:
    return enter(client, (device or Authenticator()).sign(key, options(client, "/sign-in")), games)


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


# --- answers that must not be believed ----------------------------------------------------


def test_a_challenge_is_answered_once(client: Client, other: Client) -> None:
    key = add(client, Authenticator(counts=False))
    device = Authenticator(counts=False)  # the count alone would give it away
    answer = device.sign(key, options(other, "/sign-in"))
    ceremony = other.http.cookies["ceremony"]
    good(enter(other, answer))
    other.post("/account/sign-out")
    assert "ceremony" not in other.http.cookies
    other.http.cookies.set("ceremony", ceremony)
    refused(enter(other, answer), 403, "passkey-refused")
    assert "player" not in other.http.cookies
    made, answer = device.make(options(client))
    ceremony = client.http.cookies["ceremony"]
    good(send(client, answer), 201)
    client.http.cookies.set("ceremony", ceremony)
    refused(
        send(client, device.make({**options(other), "challenge": "AAAA"})[1]),
        403,
        "passkey-refused",
    )
    assert made.id


def test_a_wrong_answer_uses_the_challenge_up(client: Client, other: Client) -> None:
    key = add(client)
    asked = options(other, "/sign-in")
    ceremony = other.http.cookies["ceremony"]
    refused(
        enter(other, Authenticator("https://evil.test").sign(key, asked)), 403, "passkey-refused"
    )
    other.http.cookies.set("ceremony", ceremony)
    refused(enter(other, Authenticator().sign(key, asked)), 403, "passkey-refused")


def test_a_challenge_lasts_five_minutes(client: Client, other: Client, clock: Clock) -> None:
    key = add(client)
    asked, wanted = options(other, "/sign-in"), options(client)
    clock.pass_by(300)
    refused(enter(other, Authenticator().sign(key, asked)), 403, "passkey-refused")
    refused(send(client, Authenticator().make(wanted)[1]), 403, "passkey-refused")


def test_a_challenge_is_one_browsers(client: Client, other: Client, clients: Clients) -> None:
    key = add(client)
    asked = options(other, "/sign-in")
    refused(enter(clients.new(), Authenticator().sign(key, asked)), 403, "passkey-refused")
    wanted = options(client)
    other.http.cookies.set("ceremony", client.http.cookies["ceremony"])
    refused(send(other, Authenticator().make(wanted)[1]), 403, "passkey-refused")


def test_a_challenge_is_for_making_or_for_signing_in(client: Client, database: Database) -> None:
    key = add(client)
    wanted = options(client)
    refused(enter(client, Authenticator().sign(key, wanted)), 403, "passkey-refused")
    asked = options(client, "/sign-in")
    answer = Authenticator().make({**wanted, "challenge": asked["challenge"]})[1]
    refused(send(client, answer), 403, "passkey-refused")
    assert count(database, "passkeys") == 1


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.test",
        "https://yukon.test.evil.test",
        "https://yukon.test:8443",
        "http://yukon.test",
        "null",
    ],
)
def test_a_wrong_origin_is_refused(
    client: Client, other: Client, database: Database, origin: str
) -> None:
    key = add(client)
    elsewhere = Authenticator(origin)
    refused(sign_in(other, key, elsewhere), 403, "passkey-refused")
    refused(send(client, elsewhere.make(options(client))[1]), 403, "passkey-refused")
    assert count(database, "passkeys") == 1
    assert "player" not in other.http.cookies


def test_a_wrong_site_is_refused(client: Client, other: Client, database: Database) -> None:
    key = add(client)
    refused(
        send(client, Authenticator().make(options(client), "evil.test")[1]), 403, "passkey-refused"
    )
    key.rp_id = "evil.test"
    refused(sign_in(other, key), 403, "passkey-refused")
    assert count(database, "passkeys") == 1


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("http://localhost:8441", "http://localhost:8441"),
        ("http://yukon.test", "https://yukon.test"),  # a proxy ends TLS
        ("https://yukon.test:8443", "https://yukon.test:8443"),
    ],
)
def test_the_site_is_the_requests_host(clients: Clients, host: str, origin: str) -> None:
    here, there = clients.new(host), clients.new(host)
    device = Authenticator(origin)
    key = add(here, device)
    assert key.rp_id == httpx.URL(host).host
    good(sign_in(there, key, device))


def test_sites() -> None:
    assert site_of("yukon.test").origins == ("https://yukon.test",)
    assert site_of("[::1]:8000").rp_id == "::1"
    assert site_of("deep.localhost:1").origins[1] == "http://deep.localhost:1"


def test_a_foreign_passkey_is_refused(client: Client, other: Client, database: Database) -> None:
    key = add(client)
    stranger = Key("yukon.test", key.handle)
    refused(sign_in(other, stranger), 404, "passkey-unknown")
    forged = Key("yukon.test", key.handle, id=key.id)  # the id is known, the private key is not
    refused(sign_in(other, forged), 403, "passkey-refused")
    someone = Key(key.rp_id, add(clients_player(other)).handle, key.id, key.private, key.count)
    refused(sign_in(other, someone), 403, "passkey-refused")
    assert count(database, "players") == 2


def clients_player(client: Client) -> Client:
    client.start()
    return client


def test_a_count_that_goes_back_is_refused(client: Client, other: Client) -> None:
    key = add(client)
    good(sign_in(other, key))
    copy = Key(key.rp_id, key.handle, key.id, key.private, key.count - 1)
    other.post("/account/sign-out")
    refused(sign_in(other, copy), 403, "passkey-refused")
    good(sign_in(other, key))


def test_a_passkey_that_does_not_count_is_taken(client: Client, other: Client) -> None:
    device = Authenticator(counts=False)
    key = add(client, device)
    for _ in range(2):
        good(sign_in(other, key, device))
        other.post("/account/sign-out")


def test_a_person_must_be_there_but_need_not_be_verified(client: Client, other: Client) -> None:
    key = add(client)
    good(sign_in(other, key, Authenticator(flags=PRESENT)))
    refused(sign_in(other, key, Authenticator(flags=0)), 403, "passkey-refused")


def test_a_passkey_is_kept_once(client: Client, other: Client, database: Database) -> None:
    device = Authenticator()
    key = add(client, device)
    wanted = options(other)
    again, answer = device.make(wanted)
    raw = bytes_of(answer["response"]["attestationObject"]).replace(again.id, key.id)
    answer = deepcopy(answer)
    answer["response"]["attestationObject"] = text_of(raw)
    answer["id"] = answer["rawId"] = text_of(key.id)
    refused(send(other, answer), 403, "passkey-refused")
    assert count(database, "passkeys") == 1
    assert count(database, "players") == 1


def test_there_is_room_for_twenty(client: Client) -> None:
    for _ in range(20):
        add(client)
    refused(client.post(f"{API}/options"), 422, "request-invalid")


NONSENSE: list[Json] = [
    {},
    {"id": "AAAA"},
    {"id": 7, "rawId": [], "type": "public-key", "response": {}},
    {"id": "!", "rawId": "!", "type": "public-key", "response": {"clientDataJSON": "AAAA"}},
    {"id": "é", "response": None},
]


@pytest.mark.parametrize("answer", NONSENSE)
def test_nonsense_is_refused(
    client: Client, other: Client, database: Database, answer: Json
) -> None:
    key = add(client)
    options(client)
    refused(send(client, answer), 403, "passkey-refused")
    options(other, "/sign-in")
    assert refused_code(enter(other, answer)) in ("passkey-refused", "passkey-unknown")
    good_answer = Authenticator().sign(key, options(other, "/sign-in"))
    for name in good_answer["response"]:
        broken = deepcopy(good_answer)
        broken["response"][name] = "AA"
        good_answer["response"]["clientDataJSON"] = "AA"
        assert refused_code(enter(other, broken)) == "passkey-refused"
    assert count(database, "players") == 1


def refused_code(answer: httpx.Response) -> str:
    assert answer.status_code in (403, 404), answer.text
    code = answer.json()["code"]
    assert isinstance(code, str)
    return code


def test_attempts_are_limited_for_each_address(
    client: Client, other: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = add(client)
    monkeypatch.setattr("app.account.service._MOST_BY_ADDRESS", 2)
    for _ in range(2):
        refused(sign_in(other, Key("yukon.test", b"")), 404, "passkey-unknown")
    late = sign_in(other, key)
    refused(late, 429, "too-many-attempts")
    assert late.headers["retry-after"] == "900"


def test_another_site_asks_for_nothing(client: Client, database: Database) -> None:
    with unchanged(database):
        for path in ("/options", "/sign-in/options"):
            answer = client.post(API + path, headers={"sec-fetch-site": "cross-site"})
            refused(answer, 403, "cross-site")


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
    assert client.post(path).headers["location"] == "/account?done=passkey-removed"
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
