"""Results: written once, ranked as the contract says, on the right boards."""

from collections.abc import Callable
from datetime import datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select

from app.db import Database
from app.games import results
from app.games.service import GameService
from app.leaderboard.service import ROWS, Board, board, of_deal, of_games
from app.leaderboard.store import COUNTED, Filters, Period
from app.models import games, players
from app.models import results as table
from engine.deals import DealCode, parse_code
from tests.app.support import (
    LEGAL,
    MORNING,
    START,
    THIRD_LEGAL,
    Client,
    Json,
    good,
    new_player,
    rows,
    short_win,
    win_game,
)

Result = dict[str, int | bool]


def deal_board(database: Database, code: DealCode, token: str | None, **asked: Any) -> Board:
    after = asked.pop("after", "")
    return board(database, of_deal(code, Filters(**asked)), token, MORNING, after)


def game_board(
    database: Database, key: str, period: Period, token: str | None, **asked: Any
) -> Board:
    after = asked.pop("after", "")
    filters = of_games(key, period, Filters(**asked), MORNING)
    return board(database, filters, token, MORNING, after)


def _ms(utc: str) -> int:
    return round(datetime.fromisoformat(utc + "+00:00").timestamp() * 1000)


def _as_the_contract_has_it(result: Result) -> tuple[int | bool, ...]:
    """Won above ended; ranked score (higher), moves (fewer), time (shorter), finished earlier."""
    return (
        not result["won"],
        -result["score"],
        result["moves"],
        result["time_ms"],
        result["finished_at"],
    )


RESULTS = st.fixed_dictionaries(
    {
        "won": st.booleans(),
        "score": st.sampled_from([0, 5, 10, 615, 620, 625, 1260]),
        "moves": st.sampled_from([1, 2, 99, 100, 131, 5000]),
        "time_ms": st.sampled_from([0, 1, 999, 60_000, 10**9]),
        "finished_at": st.sampled_from([MORNING, MORNING + 1, MORNING + 10**9]),
    }
)


@given(st.lists(RESULTS, min_size=2, max_size=30))
def test_the_order_is_that_of_the_contract(found: list[Result]) -> None:
    def as_stored(result: Result) -> tuple[int | bool, ...]:
        key = results.order_key(bool(result["won"]), int(result["score"]), int(result["moves"]))
        return key, result["time_ms"], result["finished_at"]

    assert sorted(found, key=as_stored) == sorted(found, key=_as_the_contract_has_it)


def _add(database: Database, code: str, found: list[Result]) -> list[str]:
    """Best results on a deal, each of a player of its own; the players' tokens."""
    tokens = []
    for number, result in enumerate(found):
        tokens.append(new_player(database, f"Player {number}"))
        with database.write() as connection:
            player_id = connection.scalars(select(players.c.id).order_by(players.c.id)).all()[-1]
            stored = {
                "id": f"game{number}x{player_id}",
                "player_id": player_id,
                "code": code,
                "rule": code[4],
                "first_try": True,
                "sealed": False,
                "status": "won" if result["won"] else "ended",
                "position": b"",
                "peaks": b"",
                "line": "",
                "undone": "",
                "watched": False,
                "paused": False,
                "elapsed_ms": result["time_ms"],
                "created_at": MORNING,
                "changed_at": result["finished_at"],
                **dict.fromkeys(("version", "points", "ranked", "moves", "undos"), 0),
                **dict.fromkeys(("hints", "floor"), 0),
            }
            connection.execute(insert(games), stored)
            at = int(result["finished_at"])
            row = {
                "game_id": stored["id"],
                "player_id": player_id,
                "code": code,
                "rule": code[4],
                "best": True,
                "undos": 0,
                "hints": 0,
                "first_try": True,
                "day": results.day_of(at),
                "week": results.week_of(at),
                "month": results.month_of(at),
                "clean_best": True,
                "listed": True,
                **result,
                "order_key": results.order_key(
                    bool(result["won"]), int(result["score"]), int(result["moves"])
                ),
            }
            connection.execute(insert(table), row)
    return tokens


def _random(random: Random, number: int) -> list[Result]:
    return [
        {
            "won": random.random() < 0.7,
            "score": random.choice([0, 5, 620, 625]),
            "moves": random.choice([99, 100, 131]),
            "time_ms": random.choice([1000, 60_000]),
            "finished_at": MORNING + random.randrange(10**6),
        }
        for _ in range(number)
    ]


def test_a_deal_s_board_is_in_order_and_shows_the_own_row_beyond_it(database: Database) -> None:
    found = _random(Random(1), ROWS + 20)
    tokens = _add(database, START, found)
    order = sorted(range(len(found)), key=lambda n: _as_the_contract_has_it(found[n]))
    code = parse_code(START)
    nobody = deal_board(database, code, None)
    assert nobody.me is None
    assert [row.name for row in nobody.rows] == [f"Player {n}" for n in order[:ROWS]]
    assert [row.place for row in nobody.rows] == list(range(1, ROWS + 1))
    for place, number in enumerate(order, 1):
        board = deal_board(database, code, tokens[number])
        if place <= ROWS:
            assert board.me is None
            assert [row.place for row in board.rows if row.me] == [place]
        else:
            assert board.me is not None
            assert (board.me.place, board.me.name) == (place, f"Player {number}")
            assert not any(row.me for row in board.rows)


def test_where_a_result_stands(database: Database) -> None:
    found = _random(Random(2), 30)
    _add(database, START, found)
    order = sorted(range(len(found)), key=lambda n: _as_the_contract_has_it(found[n]))
    with database.read() as connection:
        ids = connection.scalars(select(table.c.game_id).order_by(table.c.id)).all()
        for place, number in enumerate(order, 1):
            where = results.standing(connection, ids[number])
            assert where == results.Standing(place, len(found), True)
        assert results.standing(connection, "nothing") is None


def test_the_boards_of_games_and_periods(database: Database) -> None:
    times = {
        "today": _ms("2026-12-01T00:00:00"),
        "tonight": _ms("2026-12-01T23:59:59.999"),
        "yesterday": _ms("2026-11-30T23:59:59.999"),
        "monday": _ms("2026-11-30T00:00:00"),
        "sunday": _ms("2026-11-29T23:59:59.999"),
    }
    for name, finished in times.items():
        for code in (START, "YU1-S-AAAAAAB"):
            result: Result = {"won": True, "score": 625, "moves": 100, "time_ms": 1}
            (token,) = _add(database, code, [{**result, "finished_at": finished}])
            with database.write() as connection:
                player_id = connection.scalars(select(players.c.id).order_by(players.c.id)).all()
                connection.execute(
                    players.update()
                    .where(players.c.id == player_id[-1])
                    .values(name=f"{name} {code[4]}")
                )
            assert token

    def shown(key: str, period: Period) -> set[str | None]:
        return {row.name for row in game_board(database, key, period, None).rows}

    day, week = {"today", "tonight"}, {"today", "tonight", "yesterday", "monday"}
    for key, rules in (("yukon", "C"), ("russian", "S"), ("all", "CS"), ("alaska", "")):
        assert shown(key, "day") == {f"{name} {rule}" for name in day for rule in rules}
        assert shown(key, "week") == {f"{name} {rule}" for name in week for rule in rules}
        assert shown(key, "month") == {f"{name} {rule}" for name in day for rule in rules}
        assert shown(key, "all") == {f"{name} {rule}" for name in times for rule in rules}


@pytest.mark.parametrize(
    ("at", "day", "week"),
    [
        ("2026-12-31T23:59:59.999", 20261231, 202653),
        ("2027-01-01T00:00:00.000", 20270101, 202653),
        ("2027-01-03T23:59:59.999", 20270103, 202653),
        ("2027-01-04T00:00:00.000", 20270104, 202701),
        ("2024-12-30T00:00:00.000", 20241230, 202501),
        ("2024-02-29T12:00:00.000", 20240229, 202409),
    ],
)
def test_days_and_weeks_are_those_of_utc(at: str, day: int, week: int) -> None:
    assert (results.day_of(_ms(at)), results.week_of(_ms(at))) == (day, week)


def test_a_board_has_its_first_rows_alone(database: Database) -> None:
    _add(database, START, _random(Random(3), ROWS + 5))
    assert len(game_board(database, "all", "all", None).rows) == ROWS


def test_only_a_player_s_best_result_on_a_deal_counts(client: Client, database: Database) -> None:
    def play(moves: str) -> Json:
        return client.end(client.moves(client.start(), moves))

    play(f"{LEGAL} {THIRD_LEGAL}")
    play(LEGAL)
    play(f"{THIRD_LEGAL} {LEGAL}")
    found = rows(database)["results"]
    assert [row[6] for row in found] == [False, True, False]
    assert [row[8] for row in found] == [2, 1, 2]
    assert [row[12] for row in found] == [True, False, False]
    (row,) = good(client.get(f"/api/v1/deals/{START}/leaderboard"))["rows"]
    assert (row["moves"], row["first_try"], row["won"], row["me"]) == (1, False, False, True)


def test_a_result_says_whether_it_was_clean(client: Client, other: Client) -> None:
    client.end(client.moves(client.start(), LEGAL))
    other.end(other.move(other.undo(other.move(other.start(), LEGAL)), LEGAL))
    board = good(client.get("/api/v1/leaderboard?game=yukon&period=day"))["rows"]
    assert [(row["clean"], row["undos"], row["me"]) for row in board] == [
        (True, 0, True),
        (False, 1, False),
    ]


def test_a_win_has_the_same_figures_everywhere(
    client: Client, service: GameService, database: Database
) -> None:
    stored = win_game(service)
    code, win = short_win()
    (row,) = good(client.get(f"/api/v1/deals/{code}/leaderboard"))["rows"]
    game = client.see({"id": stored.id})
    deal = good(client.get(f"/api/v1/deals/{code}"))
    assert (row["score"], row["moves"], row["won"], row["clean"]) == (
        625,
        len(win.moves),
        True,
        True,
    )
    assert (game["score"], game["moves"], game["status"]) == (625, len(win.moves), "won")
    assert (deal["players"], deal["best"]) == (1, len(win.moves))
    record = client.get(f"/games/{stored.id}/record").text
    assert '[Result "won"]\n[Score "625"]' in record
    assert len(rows(database)["results"]) == 1


def test_worrying_back_gains_nothing_on_a_board(client: Client, database: Database) -> None:
    """The player's own score counts a card's way up again; the ranked one does not."""
    code, win = short_win()
    game = client.start(str(code))
    moves = [str(move) for move in win.moves]
    while not (backs := [move for move in game["legal_moves"] if move.startswith("f")]):
        game = client.move(game, moves[game["version"]])
    rest, before = moves[game["version"] :], game["score"]
    game = client.move(game, backs[0])
    assert game["score"] == before
    game = client.move(game, f"{backs[0].split('-')[1]}-f")
    assert game["score"] == before + 10
    game = client.moves(game, " ".join(rest))
    assert (game["status"], game["score"]) == ("won", 635)
    (result,) = rows(database)["results"]
    assert result[7] == 625


@pytest.mark.parametrize(
    "query",
    [
        *("game=klondike", "period=year", "game=" + "x" * 41, "sort=undos", "clean=perhaps"),
        *("after=1-2-3", "after=x", "after=1-2-3-4-5-6", "after=-1-2-3-4", "after=" + "9" * 130),
    ],
)
def test_an_unknown_board_is_refused(client: Client, query: str) -> None:
    answer = client.get(f"/api/v1/leaderboard?{query}")
    assert answer.status_code == 422
    assert answer.json()["code"] in ("game-unknown", "request-invalid")


ORDERS: dict[str, Callable[[Result], tuple[int | bool, ...]]] = {
    "score": _as_the_contract_has_it,
    "moves": lambda one: (one["moves"], one["time_ms"], one["finished_at"]),
    "time": lambda one: (one["time_ms"], one["moves"], one["finished_at"]),
}


@pytest.mark.parametrize("sort", ORDERS)
@pytest.mark.parametrize("period", ["day", "week", "month", "all"])
def test_pages_follow_one_another_in_every_order(
    database: Database, sort: str, period: Period
) -> None:
    found = _random(Random(f"{sort} {period}"), 2 * ROWS + 7)
    for each in found:
        each["time_ms"] = int(each["time_ms"]) + int(each["finished_at"]) % 977
    half = len(found) // 2
    tokens = _add(database, START, found[:half]) + _add(database, "YU1-S-AAAAAAB", found[half:])
    counted = [n for n, one in enumerate(found) if sort == "score" or one["won"]]
    order = sorted(counted, key=lambda n: ORDERS[sort](found[n]))
    shown: list[tuple[int | None, int]] = []
    after: str | None = ""
    while after is not None:
        page = game_board(database, "all", period, None, sort=sort, after=after)
        assert len(page.rows) <= ROWS
        shown += [(row.place, row.when) for row in page.rows]
        after = page.next
    assert shown == [(at, found[n]["finished_at"]) for at, n in enumerate(order, 1)]
    for place, number in list(enumerate(order, 1))[:: ROWS // 3]:
        page = game_board(database, "all", period, tokens[number], sort=sort)
        mine = [row for row in (*page.rows, page.me) if row and row.me]
        assert [row.place for row in mine] == [place]


def test_a_board_s_filters(client: Client, other: Client) -> None:
    """A first try, a clean result and the best one may be three games."""
    first = client.end(client.undo(client.moves(client.start(), f"{LEGAL} {THIRD_LEGAL}")))
    clean = client.end(client.moves(client.start(), f"{THIRD_LEGAL} {LEGAL}"))
    best = client.undo(client.move(client.start(), LEGAL))
    best = client.end(best)
    other.end(other.undo(other.move(other.start(), LEGAL)))

    def mine(query: str) -> list[str]:
        for path in (f"/api/v1/deals/{START}/leaderboard", "/api/v1/leaderboard"):
            found = good(client.get(f"{path}?{query}"))["rows"]
            games = [row["game_id"] for row in found if row["me"]]
            assert len(games) <= 1
        return games

    assert mine("") == [best["id"]]
    assert mine("clean=true") == [clean["id"]]
    assert mine("first=true") == [first["id"]]
    assert mine("first=true&clean=true") == []
    assert mine("sort=moves") == []  # won games alone
    assert len(good(client.get("/api/v1/leaderboard?first=true"))["rows"]) == 2
    assert good(other.get("/api/v1/leaderboard?clean=true"))["rows"][0]["me"] is False
    page = client.get("/leaderboard?game=yukon&first=1&sort=time").text
    assert "No such result yet" in page


def test_what_is_listed_is_what_stands_on_a_board(client: Client, database: Database) -> None:
    random = Random("listed")
    for _ in range(25):
        game = client.moves(client.start(), LEGAL)
        for _ in range(random.randrange(3)):
            game = client.move(game, random.choice(game["legal_moves"]))
        if random.random() < 0.4:
            game = client.undo(game)
        client.end(game)
        with database.read() as connection:
            found = connection.execute(select(table)).all()
        clean = [row for row in found if row.undos == row.hints == 0]
        for flag, among in (("best", found), ("clean_best", clean)):
            holders = [row.id for row in found if getattr(row, flag)]
            ranked = sorted(among, key=lambda row: (row.order_key, row.time_ms, row.id))
            assert holders == [row.id for row in ranked[:1]]
        assert [row.listed for row in found] == [
            row.best or row.clean_best or row.first_try for row in found
        ]


def test_places_beyond_what_is_counted_are_left_open(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = _add(database, START, _random(Random(9), ROWS + 20))
    monkeypatch.setattr("app.leaderboard.store.COUNTED", 40)
    open_ = [game_board(database, "all", "all", token).me for token in tokens]
    assert {row.place for row in open_ if row} == {None}
    assert COUNTED > ROWS
