"""A player's passkeys by the JSON API: adding one, and signing in with it."""

from typing import Any

import httpx

from tests.app.authenticator import Authenticator, Json, Key
from tests.app.support import (
    Client,
    good,
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
