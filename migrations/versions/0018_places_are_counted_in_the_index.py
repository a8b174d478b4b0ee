"""Boards' indexes hold all that is asked of a row; months have boards by moves and by time"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_KINDS = ("best", "clean_best", "first_try")
_CLEAN = ("undos", "hints")
_BY_SCORE = ("order_key", "time_ms", "finished_at", "id")
_SORTS = {
    "moves": ("moves", "time_ms", "finished_at", "id"),
    "time": ("time_ms", "moves", "finished_at", "id"),
}
_SCORED = (("code",), ("rule",), ("rule", "day"), ("rule", "week"), ("rule", "month"))
_SORTED = (("code",), ("rule",))


def _create(name: str, columns: tuple[str, ...], *, won: bool) -> None:
    op.create_index(
        f"ix_results_board_{name}",
        "results",
        list(columns),
        sqlite_where=sa.text("listed = 1 AND won = 1" if won else "listed = 1"),
        postgresql_where=sa.text("listed AND won" if won else "listed"),
    )


def _drop(columns: tuple[tuple[str, ...], ...], sorts: tuple[str, ...] = ("",)) -> None:
    for each in columns:
        for sort in sorts:
            op.drop_index(f"ix_results_board_{'_'.join((*each, *filter(None, [sort])))}", "results")


def upgrade() -> None:
    _drop(_SCORED)
    _drop(_SORTED, tuple(_SORTS))
    for scope in _SCORED:
        asked = (*scope, *_BY_SCORE, *_KINDS, *_CLEAN, "moves", "won", "listed")
        _create("_".join(scope), asked, won=False)
    for scope in (*_SORTED, ("rule", "month")):
        for sort, order in _SORTS.items():
            asked = (*scope, *order, *_KINDS, *_CLEAN, "won", "listed")
            _create(f"{'_'.join(scope)}_{sort}", asked, won=True)


def downgrade() -> None:
    _drop(_SCORED)
    _drop((*_SORTED, ("rule", "month")), tuple(_SORTS))
    for scope in _SCORED:
        more = ("moves", "won", "listed") if scope[-1] in ("day", "week") else ()
        _create("_".join(scope), (*scope, *_BY_SCORE, *_KINDS, *more), won=False)
    for scope in _SORTED:
        for sort, order in _SORTS.items():
            _create(f"{scope[0]}_{sort}", (*scope, *order, *_KINDS, "week", "month"), won=True)
