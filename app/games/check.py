"""The check that the stored games are what their events say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row

from app.games import store
from app.games.store import Stored
from engine.deals import deal
from engine.game import Game
from engine.moves import parse_move
from engine.rules import get_rules


def replayed(stored: Stored, log: Iterable[Row[Any]]) -> Game:
    """The game that the events make from its deal.

    Raises the engine's errors at an event that cannot be.
    """
    game = Game.new(get_rules(stored.code.rule), deal(stored.code))
    for event in log:
        if event.kind == "move":
            game = game.play(parse_move(event.move))
        elif event.kind == "undo":
            game = game.undo()
        elif event.kind == "redo":
            game = game.redo()
    return game


def differences(connection: Connection, game_id: str) -> list[str]:
    """What of a stored game a replay of its events does not reproduce; empty when all is well."""
    stored = store.load(connection, game_id)
    if stored is None:
        return ["there is no such game"]
    log = store.log(connection, game_id)
    found = []
    if [event.version for event in log] != list(range(1, stored.version + 1)):
        found.append(f"the versions of its events do not count up to {stored.version}")
    try:
        game = replayed(stored, log)
    except Exception as error:  # whatever stops a replay is what the operator must read
        return [*found, f"its events do not replay: {error}"]
    for name in ("position", "score", "line", "undone", "moves", "undos", "floor"):
        if getattr(game, name) != getattr(stored.game, name):
            found.append(f"its {name} is not what its events make")
    won = replace(stored, game=game).game.is_won
    if won != (stored.status == "won"):
        found.append(f"its status is {stored.status}, but it is {'' if won else 'not '}won")
    return found
