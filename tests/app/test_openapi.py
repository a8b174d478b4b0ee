"""The description of the JSON says what the server does."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.account.schemas import (
    AccountOut,
    DeleteIn,
    ExportOut,
    LinkOut,
    OptionsOut,
    PasskeyIn,
    PasskeyOut,
    PasskeySignInIn,
    PasskeysOut,
    PasswordIn,
    SignInIn,
    SignOutIn,
    SignUpIn,
    TakeIn,
)
from app.boards.routes import BoardIn
from app.daily.routes import DailyIn, DailyOut
from app.friends.api import FriendIn, FriendOut, FriendsOut
from app.games.schemas import BackIn, ClockIn, GameOut, MoveIn, NewGame, ProblemOut, VersionIn
from app.hints.routes import AdviceOut
from app.leaderboard.routes import BoardOut
from app.players.routes import NameIn
from app.races.schemas import ComputerIn, GhostOut, NewRace, RaceOut, ReadyIn, SeatIn
from app.stats.routes import StatisticsOut
from tests.app.support import LEGAL, START, Client, Json, good

METHODS = ("get", "put", "post", "delete", "patch")


@pytest.fixture
def described(client: Client) -> Json:
    return good(client.get("/api/v1/openapi.json"))


def _operations(described: Json) -> Iterator[tuple[str, str, Json]]:
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert method in METHODS
            yield path, method, operation


def _named(described: Json, schema: Json) -> Json:
    """A schema, its reference followed."""
    name = schema["$ref"].removeprefix("#/components/schemas/") if "$ref" in schema else None
    found = described["components"]["schemas"][name] if name else schema
    assert isinstance(found, dict)
    return found


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def test_it_is_a_description_of_openapi(described: Json) -> None:
    assert described["openapi"].startswith("3.1")
    assert described["info"]["title"] == "Yukon Solitaire"
    ids = [operation["operationId"] for _, _, operation in _operations(described)]
    assert len(ids) == len(set(ids))
    for reference in _references(described):
        place: Any = described
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
    for path, _, operation in _operations(described):
        assert operation["summary"]
        assert operation["tags"]
        named = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
        assert named == {part[1:-1] for part in path.split("/") if part.startswith("{")}


def test_it_describes_the_programs_side_alone(described: Json) -> None:
    assert sorted((method, path) for path, method, _ in _operations(described)) == [
        ("delete", "/api/v1/account/friends/link"),
        ("delete", "/api/v1/account/friends/{friend_id}"),
        ("delete", "/api/v1/account/passkeys/{passkey_id}"),
        ("get", "/api/v1/account"),
        ("get", "/api/v1/account/export"),
        ("get", "/api/v1/account/friends"),
        ("get", "/api/v1/account/passkeys"),
        ("get", "/api/v1/daily"),
        ("get", "/api/v1/deals/{code}"),
        ("get", "/api/v1/deals/{code}/leaderboard"),
        ("get", "/api/v1/games/{game_id}"),
        ("get", "/api/v1/games/{game_id}/ghost"),
        ("get", "/api/v1/leaderboard"),
        ("get", "/api/v1/races/{race_id}"),
        ("get", "/api/v1/races/{race_id}/events"),
        ("get", "/api/v1/statistics"),
        *(
            ("post", f"/api/v1/account/{what}")
            for what in [
                "delete",
                "friends",
                "friends/link",
                "link",
                "passkeys",
                "passkeys/options",
            ]
        ),
        *(
            ("post", f"/api/v1/account/{what}")
            for what in ["passkeys/sign-in", "passkeys/sign-in/options", "password", "sign-in"]
        ),
        *(("post", f"/api/v1/account/{what}") for what in ["sign-out", "sign-up", "take"]),
        ("post", "/api/v1/boards"),
        ("post", "/api/v1/daily"),
        ("post", "/api/v1/games"),
        ("post", "/api/v1/games/{game_id}/back"),
        ("post", "/api/v1/games/{game_id}/clock"),
        ("post", "/api/v1/games/{game_id}/end"),
        ("post", "/api/v1/games/{game_id}/finish"),
        ("post", "/api/v1/games/{game_id}/hint"),
        ("post", "/api/v1/games/{game_id}/moves"),
        ("post", "/api/v1/games/{game_id}/race"),
        ("post", "/api/v1/games/{game_id}/redo"),
        ("post", "/api/v1/games/{game_id}/restart"),
        ("post", "/api/v1/games/{game_id}/undo"),
        ("post", "/api/v1/games/{game_id}/verdict"),
        ("post", "/api/v1/races"),
        *(
            ("post", f"/api/v1/races/{{race_id}}/{what}")
            for what in ["computers", "give-up", "join", "leave", "ready", "rematch", "remove"]
        ),
        ("put", "/api/v1/players/me"),
    ]


def test_every_schema_that_a_program_meets_has_an_example(described: Json) -> None:
    for path, method, operation in _operations(described):
        bodies = [operation["requestBody"]] if "requestBody" in operation else []
        for status, answer in operation["responses"].items():
            if status.startswith("2") and "content" in answer and not _is_stream(operation):
                bodies.append(answer)
        for body in bodies:
            schema = _named(described, body["content"]["application/json"]["schema"])
            assert schema.get("examples"), (path, method)


def _is_stream(operation: Json) -> bool:
    return "text/event-stream" in operation["responses"].get("200", {}).get("content", {})


def test_the_examples_are_of_their_schemas() -> None:
    requests = (NewGame, MoveIn, VersionIn, BackIn, ClockIn, NameIn, DailyIn, BoardIn)
    answers = (GameOut, AdviceOut, ProblemOut, BoardOut, DailyOut, StatisticsOut)
    races = (NewRace, ComputerIn, ReadyIn, SeatIn, RaceOut, GhostOut)
    account_in = (
        SignUpIn,
        SignInIn,
        PasswordIn,
        PasskeyIn,
        PasskeySignInIn,
        SignOutIn,
        DeleteIn,
        TakeIn,
    )
    account_out = (AccountOut, LinkOut, PasskeyOut, PasskeysOut, OptionsOut, ExportOut)
    friends = (FriendIn, FriendOut, FriendsOut)
    for model in (*requests, *answers, *races, *account_in, *account_out, *friends):
        for example in model.model_json_schema()["examples"]:
            model.model_validate(example)


def test_every_example_of_a_request_is_taken(client: Client, described: Json) -> None:
    game = client.move(client.start(), LEGAL)
    race = good(client.post("/api/v1/races", {"game": "yukon"}), 201)
    may_be = (
        *("version-stale", "game-over", "daily-not-ready", "race-not-over", "game-under-way"),
        *("game-not-found", "link-unknown", "friend-unknown", "friend-link-unknown"),
    )
    # after the room has been left; with a passkey that is none
    in_turn = ("race-closed", "not-in-race", "passkey-refused", "passkey-unknown")
    for path, method, operation in _operations(described):
        if _is_stream(operation):
            continue
        address = path.replace("{game_id}", game["id"]).replace("{code}", START)
        address = address.replace("{race_id}", race["id"]).replace("{passkey_id}", "1")
        address = address.replace("{friend_id}", "nosuch")
        if "requestBody" not in operation:
            answer = client.request(method.upper(), address)
            assert answer.is_success or answer.json()["code"] in (*may_be, *in_turn)
            continue
        content = operation["requestBody"]["content"]["application/json"]
        for example in _named(described, content["schema"])["examples"]:
            answer = client.request(method.upper(), address, json=example)
            assert answer.is_success or answer.json()["code"] in (*may_be, *in_turn)


def test_an_example_of_a_game_is_a_game_of_the_server(client: Client) -> None:
    (example,) = GameOut.model_json_schema()["examples"]
    game = client.start(example["code"])
    while game["version"] < example["version"]:
        game = client.move(game, "t4x3-t3")
    unlike = {"id", "elapsed_ms"}
    assert {k: v for k, v in game.items() if k not in unlike} == {
        k: v for k, v in example.items() if k not in unlike
    }


def test_an_example_of_a_deal_is_a_deal_of_the_server(client: Client, described: Json) -> None:
    (example,) = described["components"]["schemas"]["DealOut"]["examples"]
    deal = good(client.get(f"/api/v1/deals/{example['code']}"))
    unlike = {"players", "best", "verdict", "par", "bound"}
    assert {k: v for k, v in deal.items() if k not in unlike} == {
        k: v for k, v in example.items() if k not in unlike
    }


def test_every_refusal_is_described_as_a_problem(described: Json) -> None:
    for path, method, operation in _operations(described):
        for status, answer in operation["responses"].items():
            if status.startswith("4"):
                content = answer["content"]
                assert list(content) == ["application/problem+json"], (path, method, status)
                schema = content["application/problem+json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ProblemOut"}, (path, method)
    assert "HTTPValidationError" not in described["components"]["schemas"]


@pytest.mark.parametrize(
    ("method", "path", "statuses"),
    [
        ("post", "/api/v1/games", {"201", "403", "404", "409", "422"}),
        ("post", "/api/v1/boards", {"201", "403", "404", "409", "422"}),
        ("get", "/api/v1/games/{game_id}", {"200", "403", "404"}),
        ("post", "/api/v1/games/{game_id}/moves", {"200", "403", "404", "409", "422"}),
        ("post", "/api/v1/games/{game_id}/undo", {"200", "403", "404", "409", "422"}),
        ("post", "/api/v1/games/{game_id}/redo", {"200", "403", "404", "409", "422"}),
        ("post", "/api/v1/games/{game_id}/finish", {"200", "403", "404", "409", "422"}),
        ("post", "/api/v1/games/{game_id}/back", {"200", "403", "404", "409", "422"}),
        ("post", "/api/v1/games/{game_id}/hint", {"200", "403", "404", "409", "422", "503"}),
        ("post", "/api/v1/games/{game_id}/verdict", {"200", "403", "404", "409", "422", "503"}),
        ("post", "/api/v1/games/{game_id}/end", {"200", "403", "404", "409", "422"}),
        ("post", "/api/v1/games/{game_id}/restart", {"201", "403", "404", "409"}),
        ("post", "/api/v1/games/{game_id}/clock", {"204", "403", "404", "422"}),
        ("get", "/api/v1/deals/{code}", {"200", "422"}),
        ("get", "/api/v1/deals/{code}/leaderboard", {"200", "422"}),
        ("get", "/api/v1/leaderboard", {"200", "422"}),
        ("put", "/api/v1/players/me", {"200", "403", "422"}),
        ("post", "/api/v1/account/sign-in", {"200", "403", "422", "429"}),
        ("post", "/api/v1/account/passkeys/sign-in", {"200", "403", "404", "422", "429"}),
    ],
)
def test_every_status_that_is_answered_is_described(
    described: Json, method: str, path: str, statuses: set[str]
) -> None:
    assert statuses <= set(described["paths"][path][method]["responses"])
