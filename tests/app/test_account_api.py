"""The account for programs does what the pages do."""

import pytest

from app.db import Database
from tests.app.support import (
    LEGAL,
    THIRD_LEGAL,
    Client,
    Json,
    count,
    good,
    refused,
    unchanged,
)

API = "/api/v1/account"
NAME, PASSWORD, OTHER = "Klondike Kate", "one ace at a time", "two kings in a row"
NOBODY: Json = {"name": None, "has_password": False, "devices": 0, "games": 0, "passkeys": []}


def sign_up(client: Client) -> Json:
    return good(client.post(f"{API}/sign-up", {"name": NAME, "password": PASSWORD}))


def sign_in(client: Client, password: str = PASSWORD, **more: str) -> Json:
    return good(client.post(f"{API}/sign-in", {"name": NAME, "password": password, **more}))


def test_looking_makes_nobody(client: Client, database: Database) -> None:
    with unchanged(database):
        assert good(client.get(API)) == NOBODY
        refused(client.get(f"{API}/export"), 422, "request-invalid")
        refused(client.post(f"{API}/delete", {"sure": True}), 422, "request-invalid")
        assert client.post(f"{API}/sign-out", {}).status_code == 204
    assert "player" not in client.http.cookies


def test_a_name_and_a_password_on_two_devices(client: Client, other: Client) -> None:
    game = client.move(client.start(), LEGAL)
    assert sign_up(client) == {
        **NOBODY,
        "name": NAME,
        "has_password": True,
        "devices": 1,
        "games": 1,
    }
    mine = other.move(other.start(), LEGAL)
    found = sign_in(other, games="bring")
    assert (found["devices"], found["games"]) == (2, 2)
    other.move(game, THIRD_LEGAL)
    assert client.undo(client.see(mine))["version"] == 2
    assert client.get(API).headers["cache-control"] == "no-store"


def test_a_link_is_taken_by_a_second_device(client: Client, other: Client) -> None:
    game = client.move(client.start(), LEGAL)
    answer = client.post(f"{API}/link")
    link = good(answer, 201)
    assert answer.headers["cache-control"] == "no-store"
    assert link["ends_at"] == "2026-12-01T08:10:00.000+00:00"
    path = link["url"].removeprefix("http://yukon.test")
    assert other.post(path).status_code == 303
    assert other.undo(game)["version"] == 2


@pytest.mark.parametrize("as_said", ["link", "secret"])
def test_a_program_takes_the_games_along(client: Client, other: Client, as_said: str) -> None:
    game = client.move(client.start(), LEGAL)
    other.move(other.start(), LEGAL)
    url = good(client.post(f"{API}/link"), 201)["url"]
    link = url if as_said == "link" else url.rpartition("/")[2]
    answer = other.post(f"{API}/take", {"link": link, "games": "bring"})
    assert (good(answer)["devices"], good(answer)["games"]) == (2, 2)
    assert answer.headers["cache-control"] == "no-store"
    assert other.undo(game)["version"] == 2
    refused(other.post(f"{API}/take", {"link": link}), 404, "link-unknown")


def test_a_link_that_is_none_changes_nothing(client: Client, database: Database) -> None:
    client.start()
    with unchanged(database):
        refused(client.post(f"{API}/take", {"link": "A" * 43}), 404, "link-unknown")
        refused(client.post(f"{API}/take", {"link": "A" * 1001}), 422, "request-invalid")
        body = {"link": "A" * 43, "games": "burn"}
        refused(client.post(f"{API}/take", body), 422, "request-invalid")


def test_refusals_are_the_pages(client: Client, other: Client, database: Database) -> None:
    sign_up(client)
    other.start()
    with unchanged(database):
        taken = {"name": "Kl0ndike Kate", "password": OTHER}
        refused(other.post(f"{API}/sign-up", taken), 409, "name-taken")
        short = {"name": "Somebody", "password": "short"}
        refused(other.post(f"{API}/sign-up", short), 422, "password-invalid")
        bad = {"name": NAME, "password": PASSWORD, "games": "burn"}
        refused(other.post(f"{API}/sign-in", bad), 422, "request-invalid")
        refused(other.post(f"{API}/sign-out", {"where": "nowhere"}), 422, "request-invalid")
        refused(other.post(f"{API}/delete", {"sure": False}), 422, "request-invalid")
    wrong = {"name": NAME, "password": OTHER}
    refused(other.post(f"{API}/sign-in", wrong), 403, "sign-in-refused")
    refused(client.post(f"{API}/delete", {"sure": True, "password": OTHER}), 403, "sign-in-refused")
    assert count(database, "players") == 2


def test_attempts_count_with_those_on_the_pages(client: Client, other: Client) -> None:
    sign_up(client)
    wrong = {"name": NAME, "password": OTHER}
    for _ in range(5):
        assert other.post("/account/sign-in", wrong).status_code == 403
        refused(other.post(f"{API}/sign-in", wrong), 403, "sign-in-refused")
    late = other.post(f"{API}/sign-in", wrong)
    refused(late, 429, "too-many-attempts")
    assert late.headers["retry-after"] == "900"


def test_another_password_signs_the_others_out(client: Client, other: Client) -> None:
    sign_up(client)
    sign_in(other)
    body = {"old": PASSWORD, "new": OTHER}
    assert client.post(f"{API}/password", body).status_code == 204
    refused(client.post(f"{API}/password", body), 403, "sign-in-refused")
    assert good(other.get(API)) == NOBODY
    sign_in(other, OTHER)


@pytest.mark.parametrize("where", ["here", "everywhere"])
def test_signing_out(client: Client, other: Client, where: str) -> None:
    sign_up(client)
    sign_in(other)
    assert other.post(f"{API}/sign-out", {"where": where}).status_code == 204
    assert "player" not in other.http.cookies
    left = good(client.get(API))
    assert left == NOBODY if where == "everywhere" else left["devices"] == 1


def test_everything_is_exported_and_deleted(client: Client, database: Database) -> None:
    client.move(client.start(), LEGAL)
    sign_up(client)
    assert good(client.get(f"{API}/export")) == client.get("/account/export").json()
    answer = client.post(f"{API}/delete", {"sure": True, "password": PASSWORD})
    assert answer.status_code == 204
    assert "player" not in client.http.cookies
    assert count(database, "players") == count(database, "games") == 0
