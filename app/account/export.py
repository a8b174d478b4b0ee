"""All that is kept of a player, as one JSON document."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, select

from app.account import keyring
from app.friends import store as friends
from app.games import store as game_store
from app.games.table import shown_code, status_of, told_deal
from app.models import devices, events, games, players, results
from app.prefs import Prefs
from engine.notation import record_text

FORMAT = "yukon-export-1"
_RESULT = (
    *("won", "score", "moves", "time_ms", "undos", "hints", "first_try", "best", "clean_best"),
    *("listed", "finished_at"),
)


def exported(connection: Connection, player_id: int) -> dict[str, Any]:
    """The player, their settings, and their games with records, events and results.

    Times are ms since 1970 where they are numbers. No card that lies face down is in it, and no
    code of a sealed deal that is still being played.
    """
    player = connection.execute(select(players).where(players.c.id == player_id)).one()
    devices_of = (
        select(devices.c.created_at)
        .where(devices.c.player_id == player_id)
        .order_by(devices.c.created_at)
    )
    found = {
        row.game_id: {name: getattr(row, name) for name in _RESULT}
        for row in connection.execute(select(results).where(results.c.player_id == player_id))
    }
    logs: dict[str, list[dict[str, Any]]] = {}
    for event in connection.execute(
        select(events)
        .join(games, games.c.id == events.c.game_id)
        .where(games.c.player_id == player_id)
        .order_by(events.c.game_id, events.c.version)
    ):
        logs.setdefault(event.game_id, []).append(
            {
                "version": event.version,
                "kind": event.kind,
                "move": event.move,
                "at": _time(event.at),
                "elapsed_ms": event.elapsed_ms,
            }
        )
    ids = connection.scalars(
        select(games.c.id)
        .where(games.c.player_id == player_id)
        .order_by(games.c.created_at, games.c.id)
    ).all()
    return {
        "format": FORMAT,
        "player": {
            "name": player.name,
            "created_at": _time(player.created_at),
            "has_password": player.password_hash is not None,
            "devices": [_time(at) for at in connection.scalars(devices_of)],
            "passkeys": [
                {
                    "device": each.device,
                    "created_at": _time(each.created_at),
                    "used_at": each.used_at and _time(each.used_at),
                }
                for each in keyring.of_player(connection, player_id)
            ],
        },
        "friends": [
            {"name": each.name, "since": _time(each.since)}
            for each in friends.of_player(connection, player_id)
        ],
        "settings": dict(Prefs.read(player.prefs).items()),
        "games": [
            {
                **_game(connection, id_),
                "result": _result(found.get(id_)),
                "events": logs.get(id_, []),
            }
            for id_ in ids
        ],
    }


def _time(at: int) -> str:
    """A time as ISO 8601, in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


def _result(row: dict[str, Any] | None) -> dict[str, Any] | None:
    return row and {**row, "finished_at": _time(row["finished_at"])}


def _game(connection: Connection, game_id: str) -> dict[str, Any]:
    stored = game_store.load(connection, game_id)
    assert stored is not None
    game = stored.game
    status = status_of(stored, game.legal_moves())
    return {
        "id": stored.id,
        "game": stored.code.variant.key,
        "code": shown_code(stored),
        "sealed": stored.sealed,
        "status": stored.status,
        "first_try": stored.first_try,
        "score": game.score.points,
        "moves": game.moves,
        "undos": game.undos,
        "hints": stored.hints,
        "created_at": _time(stored.created_at),
        "changed_at": _time(stored.changed_at),
        "elapsed_ms": stored.clock.elapsed_ms,
        "record": record_text(game, told_deal(stored), status, stored.clock.elapsed_ms),
    }
