"""Requests that no page of ours would send: each gets its refusal, and nothing changes."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi.exceptions import RequestValidationError
from starlette.requests import Request

from app.db import Database
from app.forms import form_of
from app.games.routes import Played
from tests.app.support import (
    LEGAL,
    START,
    Client,
    Json,
    good,
    refused,
    rows,
    unchanged,
)

LIMIT = 64 * 1024
STRANGE = ["\0", "t4-t6\0", "\ud800", "\udfff-f", "\U000e0001", "\u202e", "𝄞" * 8, "\r\n", "♠"]
BROKEN_COOKIES = [
    "",
    "x",
    "A" * 43,
    "A" * 44,
    "A" * 42 + "!",
    "A" * 5000,
    '"' + "A" * 43 + '"',
    "A" * 42 + "é",
    "\x80" * 43,
    "%00" * 15,
    "; player=",
    "=;=;=",
]


@pytest.mark.parametrize("text", STRANGE)
def test_no_string_breaks_the_server(client: Client, database: Database, text: str) -> None:
    game = client.start()
    api = f"/api/v1/games/{game['id']}"
    bodies: list[tuple[str, str, Json]] = [
        ("POST", "/api/v1/games", {"game": text}),
        ("POST", "/api/v1/games", {"code": text}),
        ("POST", "/api/v1/games", {"game": "yukon", "from": text}),
        ("POST", "/api/v1/games", {"game": "yukon", text: 1}),
        ("POST", api + "/moves", {"move": text, "version": 0}),
        ("POST", api + "/moves", {"move": LEGAL, "version": text}),
        ("POST", api + "/undo", {text: 0}),
        ("POST", api + "/clock", {"state": text}),
        ("PUT", "/api/v1/players/me", {"name": text}),
    ]
    for method, path, body in bodies:
        with unchanged(database):
            content = json.dumps(body).encode()
            headers = {"content-type": "application/json"}
            answer = client.request(method, path, content=content, headers=headers)
            refused(answer, answer.status_code, answer.json()["code"])
        assert answer.status_code in (404, 422), (path, body)


@pytest.mark.parametrize("text", ["%00", "a%00b", "%ED%A0%80", "%FF%FE", "%E2%80%AE", "%0d%0ax:y"])
def test_no_address_breaks_the_server(client: Client, database: Database, text: str) -> None:
    with unchanged(database):
        for path, status in (
            (f"/api/v1/deals/{text}", 422),
            (f"/api/v1/deals/{text}/leaderboard", 422),
            (f"/api/v1/games/{text}", 404),
            (f"/api/v1/leaderboard?game={text}", 422),
            (f"/api/v1/leaderboard?period={text}", 422),
            (f"/api/{text}", 404),
            (f"/d/{text}", 404),
            (f"/games/{text}", 404),
            (f"/static/{text}", 404),
            (f"/leaderboard?game={text}&period={text}", 200),
            (f"/new?code={text}&game={text}&from={text}", 200),
            (f"/{text}", 404),
        ):
            answer = client.get(path)
            assert answer.status_code == status, path
            assert "x" not in answer.headers


@pytest.mark.parametrize("cookie", BROKEN_COOKIES)
def test_a_broken_cookie_is_no_player(client: Client, database: Database, cookie: str) -> None:
    game = client.start()
    client.http.cookies.clear()
    headers = {"cookie": b"player=" + cookie.encode("latin-1") + b"; prefs=" + b"%00&&=;\xff"}
    with unchanged(database):
        assert good(client.get(f"/api/v1/games/{game['id']}", headers=headers)) == game
        move = client.post(
            f"/api/v1/games/{game['id']}/moves", {"move": LEGAL, "version": 0}, headers=headers
        )
        refused(move, 403, "not-your-game")
        assert client.get("/", headers=headers).status_code == 200
    answer = client.post("/api/v1/games", {"game": "yukon"}, headers=headers)
    assert answer.status_code == 201
    assert "player=" in answer.headers["set-cookie"]
    assert len(rows(database)["players"]) == 2


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "application/json"),
        (b"{", "application/json"),
        (b'{"move": "t4-t6", "version": 0', "application/json"),
        (b"\xff\xfe{}", "application/json"),
        (b"[" * 20000, "application/json"),
        (b'{"a":' * 9000, "application/json"),
        (b'{"move": "t4-t6", "version": NaN}', "application/json"),
        (b'{"move": "t4-t6", "version": 1e999}', "application/json"),
        (b'{"move": "t4-t6", "version": ' + b"9" * 5000 + b"}", "application/json"),
        (b'{"move": "t4-t6", "version": 0}', "text/plain"),
        (b'{"move": "t4-t6", "version": 0}', "application/x-www-form-urlencoded"),
        (b"move=t4-t6&version=0", "application/x-www-form-urlencoded"),
        (b"move=t4-t6&version=0", "application/json"),
        (b"<move/>", "application/xml"),
        (b"\x00\x01", "application/octet-stream"),
    ],
)
def test_a_body_that_is_no_json_is_refused(
    client: Client, database: Database, content: bytes, kind: str
) -> None:
    game = client.start()
    path = f"/api/v1/games/{game['id']}/moves"
    with unchanged(database):
        answer = client.request("POST", path, content=content, headers={"content-type": kind})
        assert answer.json()["code"] in ("request-invalid", "bad-request")
        refused(answer, answer.status_code, answer.json()["code"])
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"move": LEGAL},
        {"version": 0},
        {"move": LEGAL, "version": -1},
        {"move": LEGAL, "version": 2**31},
        {"move": LEGAL, "version": 10**30},
        {"move": LEGAL, "version": 0.5},
        {"move": LEGAL, "version": None},
        {"move": LEGAL, "version": []},
        {"move": "", "version": 0},
        {"move": "t" * 17, "version": 0},
        {"move": 4, "version": 0},
        {"move": LEGAL, "version": 0, "player": "x"},
        [LEGAL, 0],
        LEGAL,
        7,
        None,
    ],
)
def test_a_move_of_the_wrong_form_is_refused(
    client: Client, database: Database, body: object
) -> None:
    game = client.start()
    with unchanged(database):
        answer = client.request("POST", f"/api/v1/games/{game['id']}/moves", json=body)
        assert refused(answer, 422, "request-invalid")["faults"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "application/x-www-form-urlencoded"),
        (b"move=t4-t6", "application/x-www-form-urlencoded"),
        (b"move=t4-t6&version=x", "application/x-www-form-urlencoded"),
        (b"move=t4-t6&version=-1", "application/x-www-form-urlencoded"),
        (b"move=t4-t6&version=99999999999999999999", "application/x-www-form-urlencoded"),
        (b"move=" + b"t" * 17 + b"&version=0", "application/x-www-form-urlencoded"),
        (b"&" * 3000, "application/x-www-form-urlencoded"),
        (b'{"move": "t4-t6", "version": 0}', "application/json"),
        (b"--x\r\nnonsense", "multipart/form-data; boundary=x"),
        (b"nonsense", "multipart/form-data"),
        (b"\xff\xfe", "text/plain"),
    ],
)
def test_a_form_of_the_wrong_form_is_refused(
    client: Client, database: Database, content: bytes, kind: str
) -> None:
    game = client.start()
    with unchanged(database):
        answer = client.request(
            "POST",
            f"/games/{game['id']}/moves",
            content=content,
            headers={"content-type": kind},
        )
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"].startswith("text/html")


FORM_KINDS = ("application/x-www-form-urlencoded; charset=utf-8", "multipart/form-data")


@pytest.mark.parametrize("kind", FORM_KINDS)
def test_a_move_comes_in_either_kind_of_form(client: Client, kind: str) -> None:
    game = client.start()
    fields = {"move": LEGAL, "version": "0"}
    if kind == FORM_KINDS[0]:
        sent: dict[str, Any] = {"content": urlencode(fields), "headers": {"content-type": kind}}
    else:
        sent = {"files": {name: (None, value) for name, value in fields.items()}}
    answer = client.request("POST", f"/games/{game['id']}/moves", **sent)
    assert answer.status_code == 303
    assert client.see(game)["version"] == 1


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (f"move={LEGAL}&version=", "body.version"),
        (f"move={LEGAL}&version=x", "body.version"),
        (f"move={LEGAL}&version={2**31}", "body.version"),
        (f"move={'t' * 17}&version=0", "body.move"),
        ("version=0", "body.move"),
        (f"move={LEGAL}&version=0" + "&x=1" * 20, "body: Too many fields"),
    ],
)
def test_a_form_of_a_move_names_its_fault(
    client: Client, database: Database, content: str, where: str
) -> None:
    """The fault is known by its field; people read a sentence in their language."""
    game = client.start()
    with unchanged(database):
        kind = {"content-type": FORM_KINDS[0]}
        address = f"/games/{game['id']}/moves"
        answer = client.request("POST", address, content=content, headers=kind)
    assert answer.status_code == 422
    assert "Something that was sent is missing, too long, or not of its kind." in answer.text
    assert where not in answer.text

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": content.encode(), "more_body": False}

    headers = [(b"content-type", FORM_KINDS[0].encode())]
    request = Request({"type": "http", "method": "POST", "headers": headers}, receive)
    with pytest.raises(RequestValidationError) as refusal:
        asyncio.run(form_of(request, Played))
    (fault, *_) = refusal.value.errors()
    assert f"{'.'.join(fault['loc'])}: {fault['msg']}".startswith(where)


def test_a_file_is_no_move(client: Client, database: Database) -> None:
    game = client.start()
    with unchanged(database):
        files = {"move": ("t4-t6", b"t4-t6"), "version": ("0", b"0")}
        answer = client.request("POST", f"/games/{game['id']}/moves", files=files)
    assert answer.status_code == 422


@pytest.mark.parametrize("path", ["/api/v1/games", "/games", "/nowhere", "/api/nowhere"])
@pytest.mark.parametrize("declared", [True, False])
def test_an_oversized_body_is_refused(
    client: Client, database: Database, path: str, declared: bool
) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"code": "'
        for _ in range(LIMIT // 1024):
            yield b"A" * 1024
        yield b'"}'

    kind = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
    content = b'{"code": "' + b"A" * LIMIT + b'"}' if declared else pieces()
    with unchanged(database):
        answer = client.request("POST", path, content=content, headers={"content-type": kind})
    if "nowhere" in path and not declared:
        assert answer.status_code == 404  # nobody reads the body
        return
    assert answer.status_code == 413
    assert "content-security-policy" in answer.headers
    if path.startswith("/api"):
        refused(answer, 413, "body-too-large")
    else:
        assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("length", ["-1", "x", "1e3", "9" * 5000, "\xb2", "", " "])
def test_a_length_that_is_none_is_refused(client: Client, database: Database, length: str) -> None:
    with unchanged(database):
        answer = client.request(
            "POST",
            "/api/v1/games",
            content=b"{}",
            headers={
                "content-type": "application/json",
                "content-length": length.encode("latin-1"),
            },
        )
        refused(answer, answer.status_code, answer.json()["code"])
    assert answer.status_code in (400, 413, 422)


def test_a_small_body_of_undeclared_length_is_read(client: Client) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"code": '
        yield f'"{START}"}}'.encode()

    headers = {"content-type": "application/json"}
    answer = client.request("POST", "/api/v1/games", content=pieces(), headers=headers)
    assert good(answer, 201)["code"] == START


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW"])
@pytest.mark.parametrize("path", ["/moves", "/undo", "/redo", "/end", "/clock"])
def test_an_address_takes_its_own_method_alone(
    client: Client, database: Database, method: str, path: str
) -> None:
    game = client.start()
    with unchanged(database):
        for prefix in ("/api/v1/games", "/games"):
            answer = client.request(method, f"{prefix}/{game['id']}{path}")
            if method in ("GET", "HEAD") and prefix == "/games" and path != "/clock":
                assert answer.headers["location"] == f"/games/{game['id']}"
                continue
            assert answer.status_code == 405
            assert answer.headers["allow"] == "POST"
            if prefix.startswith("/api") and method != "HEAD":
                refused(answer, 405, "method-not-allowed")


def test_what_is_not_there_is_not_found(client: Client) -> None:
    refused(client.get("/api/v1/nothing"), 404, "not-found")
    refused(client.get("/api/v2/games"), 404, "not-found")
    for path in ("/nothing", "/static/nothing.css", "/static/../app/main.py", "/docs", "/redoc"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("state", ["", "gone", "Shown", 1, None])
def test_the_clock_takes_its_four_reports_alone(
    client: Client, database: Database, state: object
) -> None:
    game = client.move(client.start(), LEGAL)
    with unchanged(database):
        answer = client.post(f"/api/v1/games/{game['id']}/clock", {"state": state})
        refused(answer, 422, "request-invalid")
        form = client.post(f"/games/{game['id']}/clock", {"state": str(state)})
        assert form.status_code == 422
