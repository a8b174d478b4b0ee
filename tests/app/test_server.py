"""A real server: what it has answered is stored, whatever happens to it next."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from app.config import ROOT
from app.db import Database
from app.games.check import differences
from tests.app.support import (
    LEGAL,
    START,
    THIRD_LEGAL,
    Client,
    Json,
    good,
    load,
    refused,
    short_win,
)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Server:
    """`yukon serve` in a process of its own, without workers."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._said = ""
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "app.cli",
                "serve",
                *("--port", str(self.port), "--workers", "0", *arguments),
            ],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        deadline = time.monotonic() + 60
        while not self._ready():
            assert self._process.poll() is None, self.stop(signal.SIGKILL)
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def _ready(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
        except OSError:
            return False
        return httpx.get(f"{self.url}/healthz", timeout=30).text == "ok"

    def stop(self, how: signal.Signals) -> str:
        """Stop it; what it has said."""
        if self._process.poll() is None:
            self._process.send_signal(how)
            self._said, _ = self._process.communicate(timeout=30)
        return self._said


Serve = Callable[..., Server]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server, which ends with the test."""
    servers: list[Server] = []

    def start(*arguments: str, **environment: str) -> Server:
        servers.append(Server(*arguments, **environment))
        return servers[-1]

    yield start
    for server in servers:
        server.stop(signal.SIGKILL)


@pytest.fixture
def browser() -> Iterator[httpx.Client]:
    with httpx.Client() as browser:
        yield browser


def test_what_was_answered_survives_a_kill(
    serve: Serve, database: Database, browser: httpx.Client
) -> None:
    """Twice the server dies right after an answer; the game goes on to its win."""
    code, win = short_win()
    url = database.url.render_as_string(hide_password=False)
    moves = [str(move) for move in win.moves]
    random = Random(1)
    game: Json = {}
    for start in range(3):
        server = serve("--database", url)
        if start:
            again = good(browser.get(f"{server.url}/api/v1/games/{game['id']}"))
            unlike = {"elapsed_ms"}
            assert {k: v for k, v in again.items() if k not in unlike} == {
                k: v for k, v in game.items() if k not in unlike
            }
            assert game["elapsed_ms"] <= again["elapsed_ms"]
            home = browser.get(server.url).text
            assert f"/games/{game['id']}" in home
        else:
            game = good(browser.post(f"{server.url}/api/v1/games", json={"code": str(code)}), 201)
        until = len(moves) if start == 2 else game["version"] + random.randrange(5, 20)
        while game["version"] < until:
            body = {"move": moves[game["version"]], "version": game["version"]}
            game = good(browser.post(f"{server.url}/api/v1/games/{game['id']}/moves", json=body))
        server.stop(signal.SIGKILL)
        assert load(database, game["id"]).version == game["version"]
    assert game["status"] == "won"
    with database.read() as connection:
        assert differences(connection, game["id"]) == []


_HEAD = b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
_CLOSE = b"Connection: close\r\n\r\n"
_STARTED = f'{{"code": "{START}"}}'.encode()


def _chunked(*chunks: bytes) -> bytes:
    sent = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in (*chunks, b""))
    return _HEAD + b"Transfer-Encoding: chunked\r\n" + _CLOSE + sent


RAW = [
    (_HEAD + b"Content-Length: 99999999999\r\n" + _CLOSE, 413),
    (_HEAD + b"Content-Length: 65537\r\n" + _CLOSE + b"{}", 413),
    (_HEAD + b"Content-Length: -1\r\n" + _CLOSE + b"{}", 400),
    (_HEAD + _CLOSE, 422),
    (_chunked(b"x" * 0x8000, b"x" * 0x8001), 413),
    (_chunked(_STARTED), 201),
    (b"GET /games/%00%ff HTTP/1.1\r\nHost: x\r\n" + _CLOSE, 404),
    (b"GET /games/\xff HTTP/1.1\r\nHost: x\r\n" + _CLOSE, 400),
    (b"GET / HTTP/1.1\r\nHost: x\r\nCookie: player=\xff\xfe\r\n" + _CLOSE, 200),
    (b"\x16\x03\x01\x00\xa5\x01", 400),
]
"""Requests as bytes, some of which no client library would send, and the answer's status."""


def _ask(server: Server, request: bytes) -> str:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    return answer.decode("latin-1")


def test_a_server_answers_everything_and_says_where_its_database_is(
    serve: Serve, tmp_path: Path, browser: httpx.Client
) -> None:
    server = serve(YUKON_DATA_DIR=str(tmp_path / "data"))
    answer = browser.get(server.url)
    page = browser.get(f"{server.url}/leaderboard", headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    assert "server" not in answer.headers
    assert page.headers["content-encoding"] == "gzip"
    for request, status in RAW:
        found = re.match(r"HTTP/1.1 (\d+)", _ask(server, request))
        assert found, request[:200]
        assert int(found[1]) == status, request[:200]
    said = server.stop(signal.SIGTERM)
    told = [line for line in said.splitlines() if "Invalid HTTP request" not in line]
    assert told == [
        f"Database: sqlite:///{tmp_path / 'data' / 'yukon.db'}",
        f"Yukon Solitaire: {server.url}/",
    ]


def test_a_server_that_stops_ends_its_streams_so_that_pages_come_back(
    serve: Serve, tmp_path: Path, browser: httpx.Client
) -> None:
    server = serve(YUKON_DATA_DIR=str(tmp_path / "data"))
    race = browser.post(f"{server.url}/races", data={"game": "yukon"}).headers["location"]
    heard: list[str] = []
    with browser.stream("GET", f"{server.url}{race}/events") as stream:
        lines = stream.iter_lines()
        while not any("data:" in line for line in heard):
            heard.append(next(lines))
        said = server.stop(signal.SIGTERM)
        heard += lines
    assert not any("bye" in line for line in heard)
    assert "ERROR" not in said


def test_the_game_of_one_process_is_the_game_of_another(
    serve: Serve, database: Database, client: Client, browser: httpx.Client
) -> None:
    server = serve("--database", database.url.render_as_string(hide_password=False))
    game = client.start()
    path = f"{server.url}/api/v1/games/{game['id']}"
    browser.cookies["player"] = client.token
    there = good(browser.post(path + "/moves", json={"move": LEGAL, "version": 0}))
    assert client.see(game)["version"] == there["version"] == 1
    refused(client.write(game, "moves", move=THIRD_LEGAL), 409, "version-stale")
    game = client.move(there, THIRD_LEGAL)
    assert good(browser.get(path))["tableau"] == game["tableau"]
    refused(browser.post(path + "/undo", json={"version": 1}), 409, "version-stale")
