"""The tables. Times are milliseconds since 1970, UTC.

The truth of a game is its deal and its events; what `games` holds of the position, score and
line is a cache that a replay of the events must reproduce (`yukon check` compares).
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_Id = BigInteger().with_variant(Integer, "sqlite")

players = Table(
    "players",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("name", String(24)),
    Column("prefs", String(400)),
    Column("created_at", BigInteger, nullable=False),
    Column("name_key", String(96), unique=True),
    Column("password_hash", String(200)),
)

devices = Table(
    "devices",
    metadata,
    Column("token_hash", LargeBinary(32), primary_key=True),
    Column("player_id", _Id, ForeignKey("players.id"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "player_id"),
)


def _links(name: str) -> Table:
    """A table of links that players hand over: at most one of each."""
    return Table(
        name,
        metadata,
        Column("token_hash", LargeBinary(32), primary_key=True),
        Column("player_id", _Id, ForeignKey("players.id"), nullable=False, unique=True),
        Column("ends_at", BigInteger, nullable=False),
    )


links = _links("links")

attempts = Table(
    "attempts",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("count", Integer, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
)

friendships = Table(
    "friendships",
    metadata,
    Column("player_id", _Id, ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("friend_id", _Id, ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("key", String(16), nullable=False),
    Column("since", BigInteger, nullable=False),
    Index(None, "friend_id"),
)

friend_links = _links("friend_links")

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("player_id", _Id, ForeignKey("players.id"), nullable=False),
    Column("credential_id", LargeBinary(1023), nullable=False, unique=True),
    Column("public_key", LargeBinary(2048), nullable=False),
    Column("handle", LargeBinary(32), nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("device", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
    Index(None, "player_id"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("token_hash", LargeBinary(32), primary_key=True),
    Column("challenge", LargeBinary(64), nullable=False),
    Column("handle", LargeBinary(32)),
    Column("ends_at", BigInteger, nullable=False),
    Index(None, "ends_at"),
)

games = Table(
    "games",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("player_id", _Id, ForeignKey("players.id"), nullable=False),
    Column("code", String(240), nullable=False),
    Column("rule", String(2), nullable=False),
    Column("sealed", Boolean, nullable=False),
    Column("first_try", Boolean, nullable=False),
    Column("practice", Boolean, nullable=False, server_default=false()),
    Column("status", String(8), nullable=False),
    Column("version", Integer, nullable=False),
    Column("position", LargeBinary, nullable=False),
    Column("points", Integer, nullable=False),
    Column("ranked", Integer, nullable=False),
    Column("peaks", LargeBinary(52), nullable=False),
    Column("line", Text, nullable=False),
    Column("undone", Text, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("undos", Integer, nullable=False),
    Column("hints", Integer, nullable=False),
    Column("plan", Text, nullable=False, server_default=""),
    Column("floor", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("elapsed_ms", BigInteger, nullable=False),
    Column("counted_to", BigInteger),
    Column("stopped_at", BigInteger),
    Column("watched", Boolean, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("race_id", String(24)),
    Column("unlisted", Boolean, nullable=False, server_default=false()),
    Column("ghost_id", String(24)),
    Index(None, "player_id", "status"),
    Index(None, "player_id", "code"),
)

events = Table(
    "events",
    metadata,
    Column("game_id", String(24), ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("move", String(12)),
    Column("at", BigInteger, nullable=False),
    Column("elapsed_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,  # one page written a move, not two
)

results = Table(
    "results",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("game_id", String(24), ForeignKey("games.id"), nullable=False, unique=True),
    Column("player_id", _Id, ForeignKey("players.id"), nullable=False),
    Column("code", String(40), nullable=False),
    Column("rule", String(2), nullable=False),
    Column("won", Boolean, nullable=False),
    Column("best", Boolean, nullable=False),
    Column("score", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("time_ms", BigInteger, nullable=False),
    Column("undos", Integer, nullable=False),
    Column("hints", Integer, nullable=False),
    Column("first_try", Boolean, nullable=False),
    Column("order_key", BigInteger, nullable=False),
    Column("day", Integer, nullable=False),
    Column("week", Integer, nullable=False),
    Column("finished_at", BigInteger, nullable=False),
    Column("month", Integer, nullable=False),
    Column("clean_best", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("review", String(7)),
    Column("pace_ms", Integer),
)

# As it is asked for on SQLite: there a partial index must match by word.
_LISTED, _LISTED_ON_SQLITE = text("listed"), text("listed = 1")
_WON, _WON_ON_SQLITE = text("listed AND won"), text("listed = 1 AND won = 1")
_BY_SCORE = ("order_key", "time_ms", "finished_at", "id")
_BY_MOVES = ("moves", "time_ms", "finished_at", "id")
_BY_TIME = ("time_ms", "moves", "finished_at", "id")
_KINDS = ("best", "clean_best", "first_try")
_CLEAN = ("undos", "hints")
# All that is asked of a row is in them: a place is counted without a look at the table. Days and
# weeks, which have few rows, are sorted by moves and time as well.
for _columns in (("code",), ("rule",), ("rule", "day"), ("rule", "week"), ("rule", "month")):
    Index(
        f"ix_results_board_{'_'.join(_columns)}",
        *(results.c[name] for name in (*_columns, *_BY_SCORE, *_KINDS, *_CLEAN)),
        *(results.c[name] for name in ("moves", "won", "listed")),
        sqlite_where=_LISTED_ON_SQLITE,
        postgresql_where=_LISTED,
    )
for _columns in (("code",), ("rule",), ("rule", "month")):
    for _sort, _order in (("moves", _BY_MOVES), ("time", _BY_TIME)):
        Index(
            f"ix_results_board_{'_'.join(_columns)}_{_sort}",
            *(results.c[name] for name in (*_columns, *_order, *_KINDS, *_CLEAN)),
            *(results.c[name] for name in ("won", "listed")),
            sqlite_where=_WON_ON_SQLITE,
            postgresql_where=_WON,
        )
# Of some players: a period's rows by the day, all of them by the order; all that is asked is there.
_OF_PLAYERS: dict[str, tuple[str, ...]] = {
    "day": ("day", "rule", "order_key", "time_ms", "moves", "finished_at", "id", "won"),
    "score": (*_BY_SCORE, "rule"),
    "moves": (*_BY_MOVES, "rule", "won"),
    "time": (*_BY_TIME, "rule", "won"),
}
for _sort, _names in _OF_PLAYERS.items():
    _is_won = _sort in ("moves", "time")
    Index(
        f"ix_results_board_player_{_sort}",
        *(results.c[name] for name in ("player_id", *_names, "listed", *_KINDS, *_CLEAN)),
        sqlite_where=_WON_ON_SQLITE if _is_won else _LISTED_ON_SQLITE,
        postgresql_where=_WON if _is_won else _LISTED,
    )
Index("ix_results_player_code", results.c.player_id, results.c.code)

jobs = Table(
    "jobs",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("kind", String(12), nullable=False),
    Column("subject", String(80), nullable=False),
    Column("payload", Text, nullable=False),
    Column("state", String(8), nullable=False),
    Column("priority", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("worker", String(80)),
    Column("taken_until", BigInteger),
    Column("done_at", BigInteger),
    Column("result", Text),
)
_LIVE = text("state IN ('queued', 'running')")
Index(
    "uq_jobs_live",
    jobs.c.kind,
    jobs.c.subject,
    unique=True,
    sqlite_where=_LIVE,
    postgresql_where=_LIVE,
)
Index("ix_jobs_queue", jobs.c.state, jobs.c.priority, jobs.c.id)
Index("ix_jobs_subject", jobs.c.kind, jobs.c.subject)

verdicts = Table(
    "verdicts",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("rule", String(2), nullable=False),
    Column("verdict", String(10), nullable=False),
    Column("line", Text, nullable=False),
    Column("positions", BigInteger, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

deals = Table(
    "deals",
    metadata,
    Column("code", String(40), primary_key=True),
    Column("rule", String(2), nullable=False),
    Column("verdict", String(10), nullable=False),
    Column("line", Text, nullable=False),
    Column("par", Integer),
    Column("bound", Integer),
    Column("made_by", String(8), nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

seals = Table(
    "seals",
    metadata,
    Column("code", String(40), primary_key=True),
    Column("commitment", String(64), nullable=False),
    Column("opens_at", BigInteger),
)

dailies = Table(
    "dailies",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("rule", String(2), primary_key=True),
    Column("code", String(40), ForeignKey("seals.code"), nullable=False, unique=True),
    Column("effort", BigInteger, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

races = Table(
    "races",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("letters", String(6), nullable=False, unique=True),
    Column("code", String(40), ForeignKey("seals.code"), nullable=False),
    Column("rule", String(2), nullable=False),
    Column("duel", Boolean, nullable=False),
    Column("state", String(9), nullable=False),
    Column("host", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("starts_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("next_id", String(24)),
    Index(None, "state", "starts_at"),
)

entries = Table(
    "entries",
    metadata,
    Column("race_id", String(24), ForeignKey("races.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", _Id, ForeignKey("players.id"), nullable=False),
    Column("ready", Boolean, nullable=False),
    Column("joined_at", BigInteger, nullable=False),
    Column("game_id", String(24), ForeignKey("games.id")),
    Column("strength", String(8)),
    Column("pace", String(9)),
    Column("next_at", BigInteger),
    Column("plan", Text, nullable=False, server_default=""),
    Column("browser", LargeBinary(32)),
    UniqueConstraint("race_id", "player_id"),
    Index(None, "player_id"),
    Index(None, "next_at"),
)

spectators = Table(
    "spectators",
    metadata,
    Column("race_id", String(24), primary_key=True),
    Column("who", LargeBinary(32), primary_key=True),
    Column("server", String(16), primary_key=True),
    Column("ends_at", BigInteger, nullable=False),
    Index(None, "server"),
    Index(None, "ends_at"),
)

catalogue = Table(
    "catalogue",
    metadata,
    Column("code", String(40), primary_key=True),
    Column("rule", String(2), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("level", String(6), nullable=False),
    Column("mark", Integer, nullable=False),
    Column("lot", Integer, nullable=False),
    Column("par", Integer, nullable=False),
    Column("line", LargeBinary, nullable=False),
    Index(None, "rule", "level", "lot"),
    Index(None, "rule", "number"),
)

catalogue_files = Table(
    "catalogue_files",
    metadata,
    Column("rule", String(2), primary_key=True),
    Column("digest", String(64), nullable=False),
)

catalogue_batches = Table(
    "catalogue_batches",
    metadata,
    Column("rule", String(2), primary_key=True),
    Column("batch", BigInteger, primary_key=True, autoincrement=False),
    Column("worker", String(80), nullable=False),
    Column("taken_until", BigInteger, nullable=False),
    Column("done_at", BigInteger),
)
