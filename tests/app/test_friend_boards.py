"""The boards of friends are what sorting all their results by hand gives, page after page."""

from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from app.db import Database
from app.friends.store import befriend
from app.games.results import day_of, month_of, order_key, week_of
from app.leaderboard import store
from app.leaderboard.service import SORTS
from app.leaderboard.store import ORDERS, Filters, Period
from app.models import friendships, games, players, results
from engine.variants import VARIANTS
from tests.app.support import LEGAL, MORNING, Client

RULES = tuple(variant.rule for variant in VARIANTS)
DAY_MS = 86_400_000
PLAYERS = 12
PERIODS: tuple[tuple[Period, int], ...] = (
    *(("all", 0), ("day", day_of(MORNING))),
    *(("week", week_of(MORNING)), ("month", month_of(MORNING))),
)


def fill(connection: Connection, game: dict[str, Any], chance: Random) -> list[int]:
    """Players with results, some with many, of which many are equal; the players' ids."""
    ids = []
    for _ in range(PLAYERS):
        made = connection.execute(insert(players).values(created_at=MORNING)).inserted_primary_key
        assert made is not None
        ids.append(made[0])
    for number, player_id in enumerate(ids):
        for at in range(chance.choice([0, 1, 3, 25])):
            game_id = f"g{number}-{at}"
            connection.execute(
                insert(games).values({**game, "id": game_id, "player_id": player_id})
            )
            won, first_try = chance.random() < 0.6, chance.random() < 0.5
            score, moves = 625 if won else chance.choice([5, 10]), chance.choice([90, 91])
            undos, finished_at = chance.randrange(2), MORNING - chance.randrange(40) * DAY_MS
            best, clean = chance.random() < 0.7, undos == 0 and chance.random() < 0.7
            connection.execute(
                insert(results).values(
                    game_id=game_id,
                    player_id=player_id,
                    code="YU1-C-AAAAAAB",
                    rule=chance.choice("CCR"),
                    won=won,
                    best=best,
                    clean_best=clean,
                    listed=best or clean or first_try,
                    score=score,
                    moves=moves,
                    time_ms=chance.choice([1000, 2000]),
                    undos=undos,
                    hints=0,
                    first_try=first_try,
                    order_key=order_key(won, score, moves),
                    day=day_of(finished_at),
                    week=week_of(finished_at),
                    month=month_of(finished_at),
                    finished_at=finished_at,
                )
            )
    return ids


def by_hand(found: list[Any], asked: Filters, friends: set[int]) -> list[int]:
    """The ids of a board's rows, in order."""

    def fits(row: Any) -> bool:
        kind = row.clean_best if asked.clean else row.best
        if asked.first:
            kind = row.first_try and not (asked.clean and (row.undos or row.hints))
        return (
            row.player_id in friends
            and row.listed
            and kind
            and (asked.sort == "score" or row.won)
            and (row.rule in asked.rules if asked.code is None else row.code == asked.code)
            and (asked.period == "all" or getattr(row, asked.period) == asked.within)
        )

    order = ORDERS[asked.sort]
    chosen = sorted(filter(fits, found), key=lambda row: [getattr(row, name) for name in order])
    return [row.id for row in chosen]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("period", "within"), PERIODS)
def test_they_are_the_sorted_results(
    client: Client, database: Database, period: Period, within: int, seed: int
) -> None:
    client.move(client.start(), LEGAL)
    chance = Random(seed)
    with database.write() as connection:
        game = dict(connection.execute(select(games)).one()._mapping)
        ids = fill(connection, game, chance)
        for friend in ids[1 : 1 + chance.choice([0, 2, PLAYERS - 2])]:
            befriend(connection, ids[0], friend, MORNING)
        found = list(connection.execute(select(results)))
        mine = select(friendships.c.friend_id).where(friendships.c.player_id == ids[0])
        friends = set(connection.scalars(mine))
    with database.read() as connection:
        for sort in SORTS:
            for code, rules in ((None, RULES), (None, ("R",)), ("YU1-C-AAAAAAB", ())):
                for clean, first in ((0, 0), (1, 0), (0, 1), (1, 1)):
                    asked = Filters(
                        code,
                        rules,
                        period if code is None else "all",
                        within,
                        sort,
                        bool(clean),
                        bool(first),
                        friends=True,
                        me=ids[0],
                    )
                    expected = by_hand(found, asked, friends | {ids[0]})
                    assert _pages(connection, asked) == expected


def _pages(connection: Connection, asked: Filters) -> list[int]:
    """A board's rows, four at a time; the places of the first ones are counted as well."""
    whole: list[int] = []
    after = None
    while True:
        page = store.rows(connection, asked, after, 4)
        for place, row in enumerate(page, len(whole) + 1):
            assert store.place_of(connection, asked, row) == place
        whole += [row.id for row in page]
        if len(page) < 4:
            return whole
        after = tuple(getattr(page[-1], name) for name in ORDERS[asked.sort])
