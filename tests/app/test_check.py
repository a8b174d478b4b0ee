"""Every stored game is what its events make; whatever is tampered with is found."""

from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from app.db import Database
from app.games.check import differences
from app.games.service import GameService
from app.models import events, games
from engine.variants import VARIANTS, Variant
from tests.app.support import (
    LEGAL,
    START,
    THIRD_LEGAL,
    Client,
    Json,
    load,
    play,
    short_win,
    wander,
)


def _differences(database: Database, game_id: str) -> list[str]:
    with database.read() as connection:
        return differences(connection, game_id)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_random_play_is_stored_as_it_was_played(
    service: GameService, database: Database, variant: Variant
) -> None:
    random = Random(variant.key)
    code, win = short_win(variant.rule)
    started = service.start(None, "", str(code), "")
    play(service, started, win.moves[: random.randrange(40)])
    walked = service.see(started.stored.id, None)
    for stored in wander(service, type(started)(walked, started.token), random, 60):
        walked = stored
        if stored.version % 20 == 0:
            assert _differences(database, stored.id) == []
    assert load(database, walked.id) == walked
    assert _differences(database, walked.id) == []


def test_a_win_and_an_ended_game_are_whole(service: GameService, database: Database) -> None:
    code, win = short_win()
    started = service.start(None, "", str(code), "")
    stored = play(service, started, win.moves)
    again = service.restart(stored.id, started.token)
    ended = service.end(again.stored.id, started.token, None)
    assert _differences(database, stored.id) == []
    assert _differences(database, ended.id) == []


@pytest.fixture
def game(client: Client) -> Json:
    game = client.moves(client.start("YU1-P-AAAAAAB"), "s-w")
    moved = client.move(game, next(move for move in game["legal_moves"] if move != "s-w"))
    return client.undo(moved)


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("position", None, "position"),
        ("points", 700, "score"),
        ("ranked", 625, "score"),
        ("peaks", b"\x01" * 52, "score"),
        ("line", "s-w s-w", "line"),
        ("line", "", "line"),
        ("undone", "", "undone"),
        ("moves", 1, "moves"),
        ("undos", 0, "undos"),
        ("floor", 1, "floor"),
        ("status", "won", "status"),
        ("version", 4, "versions"),
        ("version", 2, "versions"),
        ("code", "YU1-P-AAAAAAC", "replay"),
    ],
)
def test_what_is_changed_in_a_game_is_found(
    database: Database, game: Json, column: str, value: Any, says: str
) -> None:
    assert _differences(database, game["id"]) == []
    if column == "position":
        value = _with_cards_swapped(database, game["id"])
    with database.write() as connection:
        connection.execute(update(games).where(games.c.id == game["id"]).values({column: value}))
    found = _differences(database, game["id"])
    assert [line for line in found if says in line], found


def _with_cards_swapped(database: Database, game_id: str) -> bytes:
    with database.read() as connection:
        (data,) = connection.scalars(games.select().with_only_columns(games.c.position)).all()
    assert load(database, game_id)
    return bytes((data[1], data[0])) + bytes(data[2:])


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_event_that_is_missing_is_found(database: Database, game: Json, version: int) -> None:
    with database.write() as connection:
        connection.execute(delete(events).where(events.c.version == version))
    found = _differences(database, game["id"])
    assert "the versions of its events do not count up to 3" in found


@pytest.mark.parametrize(
    ("version", "values", "says"),
    [
        (1, {"move": "t1-f"}, "its events do not replay"),
        (1, {"move": "nonsense"}, "its events do not replay"),
        (1, {"kind": "undo"}, "its events do not replay"),
        (1, {"kind": "redo"}, "its events do not replay"),
        (3, {"kind": "end"}, "line"),
        (2, {"move": "s-w"}, "undone"),
    ],
)
def test_an_event_that_is_changed_is_found(
    database: Database, game: Json, version: int, values: dict[str, str], says: str
) -> None:
    with database.write() as connection:
        connection.execute(update(events).where(events.c.version == version).values(values))
    assert [line for line in _differences(database, game["id"]) if says in line]


def test_an_event_that_is_added_is_found(database: Database, game: Json) -> None:
    with database.write() as connection:
        row = {"game_id": game["id"], "version": 4, "kind": "redo", "at": 0, "elapsed_ms": 0}
        connection.execute(insert(events), row)
    found = _differences(database, game["id"])
    assert "the versions of its events do not count up to 3" in found
    assert "its line is not what its events make" in found


def test_a_win_that_is_none_is_found(
    client: Client, database: Database, service: GameService
) -> None:
    code, win = short_win()
    started = service.start(None, "", str(code), "")
    stored = play(service, started, win.moves)
    with database.write() as connection:
        connection.execute(update(games).values(status="playing"))
    assert _differences(database, stored.id) == ["its status is playing, but it is won"]
    assert client.start(START)["version"] == 0


def test_a_game_that_is_not_there_is_told(database: Database) -> None:
    assert _differences(database, "nothing") == ["there is no such game"]


def test_an_answer_is_the_stored_game(client: Client, database: Database) -> None:
    game = client.moves(client.start(), f"{LEGAL} {THIRD_LEGAL}")
    assert [str(move) for move in load(database, game["id"]).game.line] == [LEGAL, THIRD_LEGAL]
    assert client.see(game) == game
