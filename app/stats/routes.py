"""The statistics' page, its JSON and its CSV; everybody sees their own."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.context import know_player, services
from app.keys import key_or_all
from app.players.service import token_of
from app.responses import page
from app.stats.plots import HEIGHT, days_plot, moves_plot
from app.stats.service import Day, Result, Statistics, Summary, statistics
from engine.variants import BY_KEY

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1", tags=["statistics"])

Key = Annotated[str, Query(description="A game’s key, or all", max_length=40)]
_RECENT = 20
_COLUMNS = (
    *("game_id", "game", "code", "result", "score", "moves", "time_s"),
    *("undos", "hints", "first_try", "finished_at"),
)


_EXAMPLE: dict[str, Any] = {
    "played": 4,
    "won": 2,
    "abandoned": 1,
    "under_way": 1,
    "rate": 0.667,
    "streak": 1,
    "longest": 1,
    "best_moves": 98,
    "mean_moves": 110.5,
    "best_ms": 238000,
    "mean_ms": 301500,
}


class StatisticsOut(BaseModel):
    """Your own statistics: `summary` of what was asked for, `games` by key, `days`, `results`.

    A game counts from its first move, once; `rate` is won / finished.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "summary": _EXAMPLE,
                    "games": {"yukon": _EXAMPLE},
                    "days": [{"day": 20261130, "won": 2, "abandoned": 1}],
                    "results": [
                        {
                            "game_id": "kM3v9Qd1xT0aYw7cB2Zp",
                            "game": "yukon",
                            "code": "YU1-C-AAAAAAB",
                            "won": True,
                            "score": 625,
                            "moves": 98,
                            "time_ms": 238000,
                            "undos": 0,
                            "hints": 0,
                            "first_try": True,
                            "finished_at": 1796083200000,
                        }
                    ],
                }
            ]
        }
    )

    summary: Summary
    games: dict[str, Summary]
    days: list[Day]
    results: list[Result]


async def _own(request: Request, key: str) -> Statistics:
    on = services(request)
    return await on.database.run(statistics, on.database, token_of(request), key, on.now())


@router.get("/statistics")
async def statistics_page(request: Request, game: str = "all") -> Response:
    """The statistics of one's own; what is no game shows all."""
    key = game if game in BY_KEY else "all"
    found = await _own(request, key)
    await know_player(request)
    return page(
        request,
        "statistics.html",
        page="statistics",
        tab=key,
        found=found,
        recent=found.results[: -_RECENT - 1 : -1],
        days=days_plot(found.days, services(request).now()),
        moves=moves_plot(found.results),
        plot_height=HEIGHT,
        by_key=BY_KEY,
    )


@router.get("/statistics.csv")
async def statistics_csv(request: Request, game: str = "all") -> Response:
    """Every finished game of one's own, one a line."""
    found = await _own(request, game if game in BY_KEY else "all")
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(_COLUMNS)
    for result in found.results:
        at = datetime.fromtimestamp(result.finished_at / 1000, UTC)
        table.writerow(
            (
                *(result.game_id, result.game, result.code or "sealed"),
                *("won" if result.won else "ended", result.score, result.moves),
                f"{result.time_ms / 1000:.3f}",
                *(result.undos, result.hints, int(result.first_try)),
                at.isoformat(timespec="milliseconds"),
            )
        )
    return Response(
        text.getvalue(),
        media_type="text/csv; charset=utf-8",
        headers={
            "content-disposition": 'attachment; filename="yukon-statistics.csv"',
            "cache-control": "private, no-cache",
        },
    )


@api.get("/statistics", summary="Your statistics")
async def statistics_json(request: Request, game: Key = "all") -> StatisticsOut:
    """Your own figures, days and finished games; of one game or of all."""
    found = await _own(request, key_or_all(game))
    return StatisticsOut.model_validate(asdict(found))
