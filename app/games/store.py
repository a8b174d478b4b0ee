"""Games and their events in the database."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import Connection, LargeBinary, Row, and_, bindparam, exists, insert, select, update

from app.bus import race_topic, tell
from app.db import Prepared
from app.games.clock import Clock
from app.models import devices, events, games, players
from engine.deals import DealCode, deal, kept_code
from engine.game import Game
from engine.moves import Move, move_text, parse_line
from engine.position import decode, encode
from engine.rules import get_rules
from engine.scoring import Score


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as the database has it: the engine's `game` and what stands around it.

    `plan` is the line that the last hint came from (see `app.hints`). `status` is `playing`,
    `won` or `ended`; `player_name` is the owner's, and `token_hash` that of the owner's device
    which asks for the game (None where somebody else asks, or nobody). `also_playing`: the owner
    has another game under way on this sealed deal (false for open deals, where it does not matter).
    `race_id`: the race that the game is played in; `unlisted`: its result is on no leaderboard.
    `practice`: a game begun in the middle of another or on a board without a code (`code` then
    stands for the board); it counts nowhere. `ghost_id`: the finished game that this one is raced
    against.
    """

    id: str
    player_id: int
    token_hash: bytes | None = field(compare=False)
    player_name: str | None
    code: DealCode
    sealed: bool
    first_try: bool
    status: Literal["playing", "won", "ended"]
    version: int
    game: Game
    hints: int
    plan: str
    created_at: int
    changed_at: int
    clock: Clock
    also_playing: bool = False
    race_id: str | None = None
    unlisted: bool = False
    practice: bool = False
    ghost_id: str | None = None


_OTHERS = games.alias("others")
_ALSO_PLAYING = and_(
    games.c.sealed,
    exists().where(
        _OTHERS.c.player_id == games.c.player_id,
        _OTHERS.c.code == games.c.code,
        _OTHERS.c.status == "playing",
        _OTHERS.c.id != games.c.id,
    ),
).label("also_playing")
_GAME = (
    select(games, devices.c.token_hash, players.c.name, _ALSO_PLAYING)
    .join(players, players.c.id == games.c.player_id)
    .outerjoin(
        devices,
        and_(
            devices.c.player_id == games.c.player_id,
            devices.c.token_hash == bindparam("asks", type_=LargeBinary),
        ),
    )
)
_BY_ID = _GAME.where(games.c.id == bindparam("game_id"))
_UNDER_WAY = (
    _GAME.where(
        games.c.player_id == bindparam("player_id"),
        games.c.status == "playing",
    )
    .order_by(games.c.changed_at.desc())
    .limit(bindparam("most"))
)
_BEGUN = (
    select(games.c.id)
    .where(
        games.c.player_id == bindparam("player_id"),
        games.c.code == bindparam("its_code"),
        games.c.moves > 0,
        games.c.id != bindparam("but"),
    )
    .limit(1)
)
_SAVE = (
    update(games)
    .where(games.c.id == bindparam("game_id"), games.c.version == bindparam("old_version"))
    .values(
        {
            name: bindparam(f"new_{name}")
            for name in (
                *("first_try", "status", "version", "position", "points", "ranked", "peaks"),
                *("line", "undone"),
                *("moves", "undos", "hints", "plan", "floor", "changed_at", "elapsed_ms"),
                *("counted_to", "stopped_at", "watched", "paused"),
            )
        }
    )
)
_ID = re.compile(r"[A-Za-z0-9_-]{1,24}")
_CLOCK_COLUMNS = tuple(field.name for field in fields(Clock))
_OWNER = select(devices.c.player_id).where(devices.c.token_hash == bindparam("owner"))
_SAVE_OVER = _SAVE.where(
    games.c.player_id == _OWNER.scalar_subquery(),
    games.c.first_try == bindparam("new_first_try"),
    *(games.c[name].is_not_distinct_from(bindparam(f"old_{name}")) for name in _CLOCK_COLUMNS),
)


_stored_code = lru_cache(maxsize=4096)(kept_code)


_SAVING, _SAVING_OVER, _LOGGING = Prepared(_SAVE), Prepared(_SAVE_OVER), Prepared(insert(events))


def _text(moves: tuple[Move, ...]) -> str:
    return " ".join(map(move_text, moves))


def _stored(row: Row[Any]) -> Stored:
    rules = get_rules(row.rule)
    code = _stored_code(row.code)
    game = Game(
        rules,
        deal(code),
        decode(row.position),
        Score(row.points, row.ranked, row.peaks),
        tuple(parse_line(row.line)),
        tuple(parse_line(row.undone)),
        row.moves,
        row.undos,
        row.floor,
    )
    clock = Clock(row.elapsed_ms, row.counted_to, row.stopped_at, row.watched, row.paused)
    return Stored(
        row.id,
        row.player_id,
        row.token_hash,
        row.name,
        code,
        row.sealed,
        row.first_try,
        row.status,
        row.version,
        game,
        row.hints,
        row.plan,
        row.created_at,
        row.changed_at,
        clock,
        bool(row.also_playing),
        row.race_id,
        row.unlisted,
        row.practice,
        row.ghost_id,
    )


def load(connection: Connection, game_id: str, token_hash: bytes | None = None) -> Stored | None:
    """The game with this id, as the device with this token asks for it.

    None for what is no id (PostgreSQL takes no NUL in a text).
    """
    if not _ID.fullmatch(game_id):
        return None
    row = connection.execute(_BY_ID, {"game_id": game_id, "asks": token_hash}).first()
    return _stored(row) if row else None


def under_way(connection: Connection, player_id: int, most: int) -> list[Stored]:
    """The player's games under way, at most so many, the one that changed last first."""
    given = {"player_id": player_id, "asks": None, "most": most}
    return [_stored(row) for row in connection.execute(_UNDER_WAY, given)]


def playing_sealed(connection: Connection, player_id: int, code: DealCode) -> Stored | None:
    """The player's sealed game under way on this deal."""
    row = connection.execute(
        _GAME.where(
            games.c.player_id == player_id,
            games.c.code == str(code),
            games.c.status == "playing",
            games.c.sealed,
        ).limit(1),
        {"asks": None},
    ).first()
    return _stored(row) if row else None


def has_played(connection: Connection, player_id: int, code: DealCode) -> bool:
    """Whether the player has had a game on this deal."""
    row = connection.execute(
        select(games.c.id).where(games.c.player_id == player_id, games.c.code == str(code)).limit(1)
    ).first()
    return row is not None


def has_begun(connection: Connection, stored: Stored) -> bool:
    """Whether the player has made a move in another game on this game's deal."""
    given = {
        "player_id": stored.player_id,
        "its_code": str(stored.code),
        "but": stored.id,
    }
    return connection.execute(_BEGUN, given).first() is not None


def _columns(stored: Stored) -> dict[str, Any]:
    game, clock = stored.game, stored.clock
    return {
        "first_try": stored.first_try,
        "status": stored.status,
        "version": stored.version,
        "position": encode(game.position),
        "points": game.score.points,
        "ranked": game.score.ranked,
        "peaks": game.score.peaks,
        "line": _text(game.line),
        "undone": _text(game.undone),
        "moves": game.moves,
        "undos": game.undos,
        "hints": stored.hints,
        "plan": stored.plan,
        "floor": game.floor,
        "changed_at": stored.changed_at,
        **{name: getattr(clock, name) for name in _CLOCK_COLUMNS},
    }


def create(connection: Connection, stored: Stored) -> None:
    """Store a new game."""
    connection.execute(
        insert(games),
        {
            "id": stored.id,
            "player_id": stored.player_id,
            "code": str(stored.code),
            "rule": stored.code.rule,
            "sealed": stored.sealed,
            "practice": stored.practice,
            "created_at": stored.created_at,
            "race_id": stored.race_id,
            "unlisted": stored.unlisted,
            "ghost_id": stored.ghost_id,
            **_columns(stored),
        },
    )


def save(
    connection: Connection,
    stored: Stored,
    kind: str,
    move: str | None,
    over: Stored | None = None,
) -> bool:
    """Compare-and-set: store the game as version `stored.version` over the one before it.

    Also logs the event. False when another write came first; nothing has changed then. `over` is
    the version before when it was not read in this transaction: then its owner, its clock and
    whether it is a first try, which change without a new version, are compared too.
    """
    values = {f"new_{name}": value for name, value in _columns(stored).items()}
    values |= {"game_id": stored.id, "old_version": stored.version - 1}
    if over is not None:
        values |= {f"old_{name}": getattr(over.clock, name) for name in _CLOCK_COLUMNS}
        values["owner"] = over.token_hash
    saving = _SAVING if over is None else _SAVING_OVER
    if saving.execute(connection, values) != 1:
        return False
    if stored.race_id:
        tell(connection, race_topic(stored.race_id))
    _LOGGING.execute(
        connection,
        {
            "game_id": stored.id,
            "version": stored.version,
            "kind": kind,
            "move": move,
            "at": stored.changed_at,
            "elapsed_ms": stored.clock.elapsed_ms,
        },
    )
    return True


def log_line(connection: Connection, stored: Stored) -> None:
    """Log the line of a game that is stored with it already, as if it had been played at once.

    An ended game's last event is its end.
    """
    made: list[tuple[str, str | None]] = [("move", str(move)) for move in stored.game.line]
    made += [("end", None)] * (stored.status == "ended")
    known = {"game_id": stored.id, "at": stored.changed_at, "elapsed_ms": stored.clock.elapsed_ms}
    rows = [
        {"version": version, "kind": kind, "move": move, **known}
        for version, (kind, move) in enumerate(made, 1)
    ]
    if rows:
        connection.execute(insert(events), rows)


def save_clock(connection: Connection, stored: Stored, clock: Clock) -> None:
    """Store a page's report, unless a move came in between (its clock is the newer one)."""
    connection.execute(
        update(games)
        .where(games.c.id == stored.id, games.c.version == stored.version)
        .values({name: getattr(clock, name) for name in _CLOCK_COLUMNS})
    )


def event(connection: Connection, game_id: str, version: int) -> tuple[str, str | None] | None:
    """The kind and move of the event that made this version."""
    row = connection.execute(
        select(events.c.kind, events.c.move).where(
            events.c.game_id == game_id, events.c.version == version
        )
    ).first()
    return (row.kind, row.move) if row else None


def log(connection: Connection, game_id: str) -> list[Row[Any]]:
    """Every event of a game, oldest first: version, kind, move, at, elapsed_ms."""
    return list(
        connection.execute(
            select(events).where(events.c.game_id == game_id).order_by(events.c.version)
        )
    )


def all_ids(connection: Connection) -> list[str]:
    """The ids of every game."""
    return list(connection.scalars(select(games.c.id).order_by(games.c.id)))
