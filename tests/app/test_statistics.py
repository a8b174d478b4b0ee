"""Statistics: each game once, from its first move, and the figures that everything else shows."""

import csv
import io
import re
from random import Random
from typing import Any

import pytest

from app.db import Database
from app.games import seals
from app.games.service import GameService
from app.stats.plots import days_plot, moves_plot
from app.stats.service import Day, Result
from engine.deals import sealed_code
from engine.notation import parse_record
from engine.variants import BY_RULE
from tests.app.html import Html
from tests.app.support import (
    LEGAL,
    MORNING,
    Client,
    Clock,
    Json,
    good,
    refused,
    short_win,
    start_sealed,
)

DAY_S = 86_400


def _of(client: Client, query: str = "") -> Json:
    return good(client.get(f"/api/v1/statistics{query}"))


def _win(client: Client, clock: Clock, seconds: float) -> Json:
    code, win = short_win()
    game = client.start(str(code))
    for move in win.moves:
        clock.pass_by(seconds / len(win.moves))
        game = client.move(game, str(move))
    assert game["status"] == "won"
    return game


def test_nobody_has_played_nothing(client: Client) -> None:
    found = _of(client)
    assert found["summary"]["played"] == 0
    assert found["summary"]["rate"] is None
    assert (found["games"], found["days"], found["results"]) == ({}, [], [])
    assert "Nothing played here yet" in client.get("/statistics").text
    assert client.get("/statistics.csv").text.count("\r\n") == 1
    assert "set-cookie" not in client.get("/statistics").headers


def test_a_game_counts_from_its_first_move_and_once(client: Client) -> None:
    untouched = client.start()
    assert _of(client)["summary"]["played"] == 0
    game = client.move(untouched, LEGAL)
    for _ in range(3):
        client.see(game)
        client.get(f"/games/{game['id']}")
    summary = _of(client)["summary"]
    assert (summary["played"], summary["under_way"], summary["rate"]) == (1, 1, None)
    client.end(game)
    client.end(client.see(game))
    summary = _of(client)["summary"]
    assert (summary["played"], summary["under_way"], summary["abandoned"]) == (1, 0, 1)
    client.end(client.start())
    assert _of(client)["summary"]["played"] == 1


def test_every_place_shows_the_same_figures(client: Client, clock: Clock) -> None:
    game = _win(client, clock, 200)
    result = _of(client)["results"][0]
    row = good(client.get(f"/api/v1/deals/{game['code']}/leaderboard"))["rows"][0]
    record = parse_record(client.get(f"/games/{game['id']}/record").text)
    dialog = Html(client.get(f"/games/{game['id']}").text)
    seen = client.see(game)
    for name in ("score", "moves", "undos", "hints"):
        assert result[name] == row[name] == seen[name]
    assert result["time_ms"] == row["time_ms"] == seen["elapsed_ms"]
    tags = dict(re.findall(r'\[(\w+) "(.*)"\]', client.get(f"/games/{game['id']}/record").text))
    assert tags["Moves"] == str(result["moves"])
    assert tags["Score"] == str(result["score"])
    assert float(tags["Time"]) == pytest.approx(result["time_ms"] / 1000, abs=0.06)
    assert record.replay().is_won
    assert dialog.one("bdi", data_count=str(result["score"]))
    assert f"Moves {result['moves']}" in dialog.text
    (line,) = list(csv.DictReader(io.StringIO(client.get("/statistics.csv").text)))
    assert line["moves"] == str(result["moves"])
    assert float(line["time_s"]) * 1000 == result["time_ms"]
    assert line["game_id"] == game["id"]


def test_streaks_means_and_days(client: Client, clock: Clock) -> None:
    order = [True, True, False, True, True, True, False, True]
    seconds = [200, 150, 0, 300, 250, 100, 0, 400]
    for won, takes in zip(order, seconds, strict=True):
        if won:
            _win(client, clock, takes)
        else:
            client.end(client.move(client.start(), LEGAL))
        clock.pass_by(DAY_S / 2)
    summary = _of(client)["summary"]
    _, win = short_win()
    times = [takes for won, takes in zip(order, seconds, strict=True) if won]
    assert summary["played"] == 8
    assert summary["won"] == 6
    assert summary["abandoned"] == 2
    assert summary["rate"] == 6 / 8
    assert (summary["streak"], summary["longest"]) == (1, 3)
    assert summary["best_moves"] == summary["mean_moves"] == len(win.moves)
    step = 1 - 1 / len(win.moves)  # the clock starts with the first move
    assert summary["best_ms"] == pytest.approx(100_000 * step, abs=len(win.moves))
    mean = 1000 * sum(times) / len(times) * step
    assert summary["mean_ms"] == pytest.approx(mean, abs=len(win.moves))
    days = _of(client)["days"]
    assert sum(day["won"] + day["abandoned"] for day in days) == 8
    assert [day["day"] for day in days] == sorted({day["day"] for day in days})
    page = Html(client.get("/statistics").text)
    assert "75 %" in page.text
    assert len(page.all("rect", class_="won")) == sum(1 for day in days if day["won"])


def test_games_are_told_apart_and_players_too(client: Client, other: Client) -> None:
    client.end(client.move(client.start("YU1-C-AAAAAAB"), LEGAL))
    game = client.start("YU1-S-AAAAAAB")
    client.end(client.move(game, game["legal_moves"][0]))
    found = _of(client)
    assert {key: each["played"] for key, each in found["games"].items()} == {
        "yukon": 1,
        BY_RULE["S"].key: 1,
    }
    assert _of(client, "?game=yukon")["summary"]["played"] == 1
    assert [row["game"] for row in _of(client, "?game=yukon")["results"]] == ["yukon"]
    assert _of(client, "?game=alaska")["summary"]["played"] == 0
    refused(client.get("/api/v1/statistics?game=chess"), 422, "game-unknown")
    assert client.get("/statistics?game=chess").status_code == 200
    assert client.get("/statistics.csv?game=yukon").text.count("\r\n") == 2
    assert _of(other)["summary"]["played"] == 0


def test_a_sealed_deal_played_again_is_not_told(client: Client, database: Database) -> None:
    code = sealed_code("C", 2**129)
    with database.write() as connection:
        seals.add(connection, code, MORNING + 10**9)
    client.start()
    stored = start_sealed(database, client.token)
    game = client.see({"id": stored.id})
    client.end(client.move(game, game["legal_moves"][0]))
    assert str(code) in client.get("/statistics.csv").text
    client.post(f"/api/v1/games/{stored.id}/restart")
    for path in ("/statistics", "/statistics.csv", "/api/v1/statistics"):
        assert str(code) not in client.get(path).text


def test_won_is_never_more_than_played(client: Client, service: GameService, clock: Clock) -> None:
    random = Random("statistics")
    for _ in range(12):
        game = client.start()
        if random.random() < 0.7:
            client.move(game, LEGAL)
        if random.random() < 0.5:
            service.end(game["id"], client.token, None)
        if random.random() < 0.2:
            _win(client, clock, 10)
        summary = _of(client)["summary"]
        assert summary["won"] <= summary["played"]
        parts = ("won", "abandoned", "under_way")
        assert sum(summary[part] for part in parts) == summary["played"]


def _result(moves: int, won: bool = True) -> Result:
    more: dict[str, Any] = {"undos": 0, "hints": 0, "first_try": True, "finished_at": MORNING}
    return Result("g", "yukon", None, won, 625, moves, 1000, **more)


def test_the_plots_keep_within_their_frame() -> None:
    days = days_plot([Day(20261201, 3, 1), Day(20261130, 0, 2), Day(20200101, 9, 9)], MORNING)
    assert (len(days.bars), days.top) == (30, 4)
    last, before = days.bars[-1], days.bars[-2]
    assert (last.day, last.won_height, last.abandoned_height) == ("2026-12-01", 75, 25)
    assert (last.abandoned_y, last.won_y) == (0, 25)
    assert (before.won_height, before.abandoned_height, before.abandoned_y) == (0, 50, 50)
    moves = moves_plot([_result(100), _result(5, won=False), _result(150), _result(125)])
    assert moves is not None
    assert [dot.y for dot in moves.dots] == [100, 0, 50]
    assert (moves.bottom, moves.top) == (100, 150)
    assert moves_plot([_result(100)]) is None
    level = moves_plot([_result(100), _result(100)])
    assert level is not None
    assert {dot.y for dot in level.dots} == {0}
