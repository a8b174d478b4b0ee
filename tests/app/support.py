"""Players, programs and their answers, for the application's tests."""

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import httpx
from fastapi import FastAPI
from sqlalchemy import insert, select

from app.context import Services
from app.db import Database
from app.games import store
from app.games.service import GameService, Started
from app.games.store import Stored
from app.models import metadata
from app.players import service as players
from app.players import store as player_store
from engine.deals import DealCode, parse_code, sealed_code
from engine.game import Game
from engine.moves import OWN_FOUNDATION, Move
from tests.engine.cases import Win, wins

Json = dict[str, Any]

HOST = "http://yukon.test"
MORNING = 1_796_112_000_000
"""2026-12-01, 08:00 UTC: a Tuesday."""
START = "YU1-C-AAAAAAB"
LEGAL, ALSO_LEGAL, THIRD_LEGAL, ILLEGAL = "t4-t6", "t4x3-t3", "t2x2-t7", "t1-f"
"""Moves at the start of `START`."""


class Clock:
    """A time that stands still until it is moved."""

    def __init__(self, now: int = MORNING) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def reset(self) -> None:
        self.now = MORNING

    def pass_by(self, seconds: float) -> None:
        self.now += round(seconds * 1000)


class Client:
    """A browser or program with its own cookies, answered by the application in the process."""

    def __init__(self, app: FastAPI, base_url: str = HOST, *, may_break: bool = False) -> None:
        self.app = app
        self._runner = asyncio.Runner()
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, raise_app_exceptions=not may_break),
            base_url=base_url,
            headers={"accept-encoding": "identity"},
        )

    def request(self, method: str, path: str, **how: Any) -> httpx.Response:
        return self._runner.run(self.http.request(method, path, **how))

    def get(self, path: str, **how: Any) -> httpx.Response:
        return self.request("GET", path, **how)

    def post(self, path: str, body: Any = None, **how: Any) -> httpx.Response:
        """Send JSON to the API, a form elsewhere."""
        kind = "json" if path.startswith("/api/") else "data"
        return self.request("POST", path, **({kind: body} if body is not None else {}), **how)

    def htmx(self, path: str, form: Json | None = None) -> httpx.Response:
        return self.request("POST", path, data=form or {}, headers={"hx-request": "true"})

    @property
    def token(self) -> str:
        return self.http.cookies["player"]

    def start(self, code: str = START, **more: str) -> Json:
        return good(self.post("/api/v1/games", {"code": code, **more}), 201)

    def see(self, game: Json) -> Json:
        return good(self.get(f"/api/v1/games/{game['id']}"))

    def write(self, game: Json, what: str, **body: Any) -> httpx.Response:
        body = {"version": game["version"], **body}
        return self.post(f"/api/v1/games/{game['id']}/{what}", body)

    def move(self, game: Json, move: str) -> Json:
        return good(self.write(game, "moves", move=move))

    def moves(self, game: Json, line: str) -> Json:
        for move in line.split():
            game = self.move(game, move)
        return game

    def undo(self, game: Json) -> Json:
        return good(self.write(game, "undo"))

    def redo(self, game: Json) -> Json:
        return good(self.write(game, "redo"))

    def end(self, game: Json) -> Json:
        return good(self.write(game, "end"))

    def report(self, game: Json, state: str) -> None:
        answer = self.post(f"/api/v1/games/{game['id']}/clock", {"state": state})
        assert (answer.status_code, answer.content) == (204, b"")

    def close(self) -> None:
        self._runner.run(self.http.aclose())
        self._runner.close()


class Clients:
    """The clients of one test."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._all: list[Client] = []

    def new(self, base_url: str = HOST, *, may_break: bool = False) -> Client:
        self._all.append(Client(self._app, base_url, may_break=may_break))
        return self._all[-1]

    def close(self) -> None:
        for client in self._all:
            client.close()


def good(answer: httpx.Response, status: int = 200) -> Json:
    """The JSON of an answer with this status."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert isinstance(body, dict)
    return body


def refused(answer: httpx.Response, status: int, code: str) -> Json:
    """The problem document of an answer."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert (body["status"], body["code"]) == (status, code)
    assert body["type"] == f"/problems/{code}"
    assert body["title"]
    assert body["detail"]
    assert isinstance(body, dict)
    return body


def refused_page(answer: httpx.Response, status: int, says: str = "") -> str:
    """The HTML of a refusal."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert says in answer.text
    return answer.text


def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is stored."""
    with database.read() as connection:
        return {
            table.name: sorted(
                (tuple(row) for row in connection.execute(select(table))), key=lambda row: row[:2]
            )
            for table in metadata.sorted_tables
        }


def count(database: Database, table: str) -> int:
    return len(rows(database)[table])


@contextmanager
def unchanged(database: Database) -> Iterator[None]:
    """What happens in here changes nothing that is stored."""
    before = rows(database)
    yield
    assert rows(database) == before


def services_of(app: FastAPI) -> Services:
    services = app.state.services
    assert isinstance(services, Services)
    return services


def load(database: Database, game_id: str) -> Stored:
    with database.read() as connection:
        stored = store.load(connection, game_id)
    assert stored is not None
    return stored


def new_player(database: Database, name: str | None = None) -> str:
    """A player's token."""
    token = secrets.token_urlsafe(32)
    with database.write() as connection:
        players_table = metadata.tables["players"]
        made = connection.execute(insert(players_table).values(name=name, created_at=MORNING))
        assert made.inserted_primary_key
        player_store.add_device(
            connection, made.inserted_primary_key[0], players.token_hash(token), MORNING
        )
    return token


def start_sealed(database: Database, token: str, rule: str = "C", secret: int = 2**129) -> Stored:
    """A game on a sealed deal, as races and daily deals start it."""
    service = GameService(database, lambda: MORNING)
    with database.write() as connection:
        player, token = players.find_or_create(connection, token, MORNING)
        code = sealed_code(rule, secret)
        return service._create(connection, player, token, code, MORNING, sealed=True)


def short_win(rule: str = "C") -> tuple[DealCode, Win]:
    """The shortest known win of a game, and its deal."""
    known = [win for win in wins(rule) if win.name != "board"]
    win = min(known, key=lambda win: len(win.moves))
    return parse_code(win.name).under(rule), win


def play(service: GameService, started: Started, moves: tuple[Move, ...]) -> Stored:
    """Play these moves."""
    stored = started.stored
    for move in moves:
        stored = service.move(stored.id, started.token, str(move), stored.version).stored
    return stored


def win_game(service: GameService, token: str | None = None, rule: str = "C") -> Stored:
    """Play a whole winning line."""
    code, win = short_win(rule)
    stored = play(service, service.start(token, "", str(code), ""), win.moves)
    assert stored.status == "won"
    return stored


def wander(service: GameService, started: Started, random: Random, steps: int) -> Iterator[Stored]:
    """Random moves, undos and redos; every third move or so goes up where it can."""
    stored, token = started.stored, started.token
    for _ in range(steps):
        change = _step(service, stored, token, random)
        if change is None:
            return
        stored = change
        yield stored


def _step(service: GameService, stored: Stored, token: str, random: Random) -> Stored | None:
    game: Game = stored.game
    kinds = ["move"] * 6 * bool(game.legal_moves())
    kinds += ["undo"] * 2 * game.can_undo + ["redo"] * 2 * game.can_redo
    if not kinds or stored.status != "playing":
        return None
    kind = random.choice(kinds)
    if kind == "move":
        move = str(choose(game.legal_moves(), random))
        return service.move(stored.id, token, move, stored.version).stored
    if kind == "undo":
        return service.undo(stored.id, token, stored.version).stored
    return service.redo(stored.id, token, stored.version).stored


def choose(moves: list[Move], random: Random) -> Move:
    """A move; one to the foundations where the die falls so."""
    ups = [move for move in moves if move.target == OWN_FOUNDATION]
    return random.choice(ups if ups and random.random() < 0.4 else moves)
