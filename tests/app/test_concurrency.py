"""Several writes at once: one wins, the others are told, the log has no gaps."""

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest
from fastapi import FastAPI
from sqlalchemy import Connection, update

from app.config import Settings
from app.db import Database
from app.errors import NotYourGame, StaleVersion
from app.games import store
from app.games.check import differences
from app.games.service import GameService
from app.games.store import Stored
from app.main import create_app
from app.models import devices
from app.players.service import token_hash
from tests.app.support import (
    ALSO_LEGAL,
    LEGAL,
    MORNING,
    START,
    THIRD_LEGAL,
    Client,
    Clients,
    Json,
    good,
    load,
    play,
    refused,
    rows,
    services_of,
    short_win,
)

T = TypeVar("T")
THREADS = 16
MOVES = (LEGAL, ALSO_LEGAL, THIRD_LEGAL)


def at_once(jobs: list[Callable[[], T]]) -> list[T | Exception]:
    """The results of all jobs, begun together."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], T]) -> T | Exception:
        barrier.wait()
        try:
            return job()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def _service(database: Database) -> GameService:
    return GameService(database, lambda: MORNING)


def _log_is_whole(database: Database, game_id: str) -> None:
    with database.read() as connection:
        assert differences(connection, game_id) == []
        versions = [event.version for event in store.log(connection, game_id)]
    assert versions == list(range(1, len(versions) + 1))


def test_one_of_sixteen_moves_on_one_version_wins(app: FastAPI, database: Database) -> None:
    first = Client(app)
    game = first.start()
    token = first.token
    first.close()

    def job(move: str) -> Callable[[], tuple[str, int, Json]]:
        def run() -> tuple[str, int, Json]:
            client = Client(app)
            client.http.cookies["player"] = token
            answer = client.write(game, "moves", move=move)
            client.close()
            return move, answer.status_code, answer.json()

        return run

    answers = at_once([job(MOVES[n % 3]) for n in range(THREADS)])
    stored = load(database, game["id"])
    (won,) = map(str, stored.game.line)
    for answer in answers:
        assert not isinstance(answer, Exception)
        move, status, body = answer
        assert status == (200 if move == won else 409)
        assert (body if status == 200 else body["game"])["version"] == 1
    assert stored.version == 1
    _log_is_whole(database, game["id"])


def test_many_writes_of_every_kind_leave_a_log_without_gaps(database: Database) -> None:
    service = _service(database)
    started = service.start(None, "", START, "")
    game_id, token = started.stored.id, started.token

    def job(number: int) -> Callable[[], int]:
        def run() -> int:
            made = 0
            for turn in range(12):
                stored = load(database, game_id)
                legal = stored.game.legal_moves()
                try:
                    if (turn + number) % 3 == 0 and stored.game.can_undo:
                        service.undo(game_id, token, stored.version)
                    else:
                        move = legal[(turn * 7 + number) % len(legal)]
                        service.move(game_id, token, str(move), stored.version)
                    made += 1
                except StaleVersion:
                    pass
            return made

        return run

    made = at_once([job(number) for number in range(THREADS)])
    assert not [error for error in made if isinstance(error, Exception)]
    assert load(database, game_id).version <= sum(n for n in made if isinstance(n, int))
    _log_is_whole(database, game_id)


def test_the_same_request_from_many_threads_is_one_event(database: Database) -> None:
    service = _service(database)
    started = service.start(None, "", START, "")

    def run() -> int:
        return service.move(started.stored.id, started.token, LEGAL, 0).stored.version

    assert at_once([run] * THREADS) == [1] * THREADS
    assert len(rows(database)["events"]) == 1


def test_two_players_never_write_to_one_game(database: Database) -> None:
    service = _service(database)
    mine = service.start(None, "", START, "")
    other = service.start(None, "", START, "")

    def run(token: str) -> Callable[[], int]:
        return lambda: service.move(mine.stored.id, token, LEGAL, 0).stored.version

    answers = at_once([run(mine.token), run(other.token)] * 4)
    assert answers[0::2] == [1] * 4
    assert all(isinstance(answer, NotYourGame) for answer in answers[1::2])


def test_two_applications_on_one_database(
    clients: Clients, settings: Settings, database: Database
) -> None:
    app = create_app(settings)
    here, there = clients.new(), Client(app)
    game = here.start()
    there.http.cookies["player"] = here.token
    game = there.move(game, LEGAL)
    refused(here.write({**game, "version": 0}, "moves", move=THIRD_LEGAL), 409, "version-stale")
    game = here.move(game, THIRD_LEGAL)
    assert there.see(game)["version"] == 2
    there.close()
    services_of(app).database.close()
    _log_is_whole(database, game["id"])


def test_two_engines_write_to_one_database_at_once(settings: Settings, database: Database) -> None:
    engines = [Database(settings) for _ in range(4)]
    started = _service(database).start(None, "", START, "")

    def job(engine: Database) -> Callable[[], list[str]]:
        def run() -> list[str]:
            made = []
            for move in MOVES:
                try:
                    version = _service(engine).see(started.stored.id, started.token).version
                    _service(engine).move(started.stored.id, started.token, move, version)
                    made.append(move)
                except StaleVersion:
                    made.append("stale")
                except Exception as error:
                    made.append(type(error).__name__)
            return made

        return run

    answers = at_once([job(engine) for engine in engines])
    for engine in engines:
        engine.close()
    kinds = {kind for made in answers if isinstance(made, list) for kind in made}
    assert kinds <= {*MOVES, "stale", "MoveIllegal"}, answers
    _log_is_whole(database, started.stored.id)


@pytest.mark.parametrize("losses", [1, 2])
def test_a_write_that_loses_the_race_is_tried_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, losses: int
) -> None:
    game = client.move(client.start(), LEGAL)
    save, calls = store.save, []

    def losing(
        connection: Connection,
        stored: Stored,
        kind: str,
        move: str | None,
        over: Stored | None = None,
    ) -> bool:
        calls.append(kind)
        return len(calls) > losses and save(connection, stored, kind, move, over)

    monkeypatch.setattr(store, "save", losing)
    assert client.undo(game)["version"] == 2
    assert calls == ["undo"] * (losses + 1)
    calls.clear()
    assert good(client.write({**game, "version": 2}, "end"))["status"] == "ended"


def test_a_write_that_always_loses_is_refused(
    client: Client, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = client.move(client.start(), LEGAL)
    before = rows(database)
    monkeypatch.setattr(store, "save", lambda *_, **__: False)
    for what, body in (("moves", {"move": THIRD_LEGAL}), ("undo", {}), ("end", {})):
        problem = refused(client.write(game, what, **body), 409, "version-stale")
        assert problem["game"]["version"] == 1
    restart = client.post(f"/api/v1/games/{game['id']}/restart")
    refused(restart, 409, "version-stale")
    left = client.post("/api/v1/games", {"game": "yukon", "from": game["id"]})
    refused(left, 409, "version-stale")
    assert rows(database) == before


@pytest.mark.parametrize("what", ["move", "undo", "clock", "end"])
def test_a_game_kept_by_one_server_gives_way_to_what_another_wrote(
    database: Database, settings: Settings, what: str
) -> None:
    second = Database(settings)
    here, there = _service(database), GameService(second, lambda: MORNING + 5_000)
    started = here.start(None, "", START, "")
    game_id, token = started.stored.id, started.token
    here.move(game_id, token, LEGAL, 0)
    if what == "move":
        there.move(game_id, token, THIRD_LEGAL, 1)
    elif what == "undo":
        there.undo(game_id, token, 1)
    elif what == "end":
        there.end(game_id, token, 1)
    else:
        there.report(game_id, token, "hidden")
    there_says = load(database, game_id)
    if what == "clock":
        after = here.move(game_id, token, THIRD_LEGAL, 1).stored
        assert after.clock == there_says.clock.moved(MORNING)
        assert after.version == 2
    else:
        with pytest.raises(StaleVersion):
            here.move(game_id, token, ALSO_LEGAL, 1)
        assert load(database, game_id) == there_says
    second.close()
    _log_is_whole(database, game_id)


def test_a_kept_game_follows_its_players_cookie(database: Database) -> None:
    service = _service(database)
    started = service.start(None, "", START, "")
    game_id = started.stored.id
    service.move(game_id, started.token, LEGAL, 0)
    token = secrets.token_urlsafe(32)
    with database.write() as connection:
        connection.execute(
            update(devices)
            .where(devices.c.player_id == started.stored.player_id)
            .values(token_hash=token_hash(token))
        )
    with pytest.raises(NotYourGame):
        service.move(game_id, started.token, THIRD_LEGAL, 1)
    assert service.move(game_id, token, THIRD_LEGAL, 1).stored.version == 2
    _log_is_whole(database, game_id)


def test_the_compare_and_set_loses_against_a_newer_version(database: Database) -> None:
    service = _service(database)
    started = service.start(None, "", START, "")
    old = load(database, started.stored.id)
    new = service.move(old.id, started.token, LEGAL, 0).stored
    with database.write() as connection:
        assert not store.save(connection, new, "move", LEGAL)
        store.save_clock(connection, old, new.clock.stopped(MORNING + 5))
    assert load(database, old.id).clock == new.clock
    _log_is_whole(database, old.id)


@pytest.mark.parametrize("turn", range(3))
def test_two_wins_at_once_leave_one_best_result(database: Database, turn: int) -> None:
    service = _service(database)
    code, win = short_win("S")
    first = service.start(None, "", str(code), "")
    second = service.start(first.token, "", str(code), "")
    last = len(win.moves) - 1
    for started in (first, second):
        play(service, started, win.moves[:last])

    def finish(game_id: str) -> Callable[[], str]:
        return lambda: service.move(game_id, first.token, str(win.moves[-1]), last).stored.status

    assert turn < 3
    answers = at_once([finish(first.stored.id), finish(second.stored.id)])
    assert answers == ["won", "won"]
    assert sorted(row[6] for row in rows(database)["results"]) == [False, True]


def test_one_of_several_games_begun_at_once_is_the_first_try(database: Database) -> None:
    service = _service(database)
    token = service.start(None, "yukon", "", "").token
    begun = [service.start(token, "", START, "").stored.id for _ in range(8)]

    def run(game_id: str) -> Callable[[], bool]:
        return lambda: service.move(game_id, token, LEGAL, 0).stored.first_try

    tries = at_once([run(game_id) for game_id in begun])
    assert sorted(map(bool, tries)) == [False] * 7 + [True]


def test_a_game_left_untouched_takes_no_first_try(database: Database) -> None:
    service = _service(database)
    left = service.start(None, "", START, "")
    again = service.restart(left.stored.id, left.token)
    assert service.move(again.stored.id, left.token, LEGAL, 0).stored.first_try
    third = service.restart(again.stored.id, left.token)
    assert not service.move(third.stored.id, left.token, LEGAL, 0).stored.first_try
