"""Answers of passkeys that must not be believed."""

from copy import deepcopy

import httpx
import pytest

from app.account.ceremonies import site_of
from app.db import Database
from tests.app.authenticator import PRESENT, Authenticator, Json, Key, bytes_of, text_of
from tests.app.passkeys import API, add, enter, options, send, sign_in
from tests.app.support import (
    Client,
    Clients,
    Clock,
    count,
    good,
    refused,
    unchanged,
)


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
