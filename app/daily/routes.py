"""The daily deal's page, its start, and its JSON."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app import days
from app.context import know_player, services
from app.daily.service import Square, Today
from app.games.schemas import GameOut, ProblemOut, game_out
from app.keys import variant_of
from app.leaderboard.routes import After, choices, read_choices
from app.leaderboard.service import board
from app.leaderboard.store import Filters
from app.players.service import remember, token_of
from app.responses import is_htmx, page, see_other
from engine.variants import BY_KEY, VARIANTS, Variant

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1", tags=["daily"])

_FIRST_MONTH = 2000_01
MOST_LOOKS = 60
"""How often a page looks whether today's deal has been chosen."""


def _variant(key: str) -> Variant:
    return BY_KEY.get(key, VARIANTS[0])


def _month(text: str, today: int) -> int:
    """The month that an address names, yyyy-mm; the present one where it names none or a later."""
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return today // 100
    return max(_FIRST_MONTH, min(month.year * 100 + month.month, today // 100))


def _day(text: str, today: int) -> int:
    """The day that an address names, yyyy-mm-dd; today where it names none or a later."""
    try:
        return max(_FIRST_MONTH * 100 + 1, min(days.number_of(date.fromisoformat(text)), today))
    except ValueError:
        return today


def _iso(day: int) -> str:
    return days.as_date(day).isoformat()


def _weeks(squares: list[Square]) -> list[list[Square | None]]:
    """A month as weeks from Monday to Sunday; None before its first and after its last day."""
    before = days.as_date(squares[0].day).weekday()
    cells: list[Square | None] = [None] * before + list(squares)
    cells += [None] * (-len(cells) % 7)
    return [cells[at : at + 7] for at in range(0, len(cells), 7)]


@router.get("/daily")
async def daily_page(
    request: Request,
    game: str = "",
    month: str = "",
    day: str = "",
    sort: str = "",
    clean: str = "",
    friends: str = "",
    after: After = "",
) -> Response:
    """Today's deal, the calendar, and the leaderboard of a day; what is no choice is today's."""
    on, token = services(request), token_of(request)
    variant = _variant(game)
    today = await on.database.run(on.daily.today, variant.rule, token)
    shown = _month(month, today.day)
    squares = await on.database.run(on.daily.month, variant.rule, shown, token)
    chosen_day = _day(day, today.day)
    daily = await on.database.run(on.daily.board_of, variant.rule, chosen_day)
    asked = read_choices(sort, clean, "", friends)
    found = None
    if daily is not None:
        filters = Filters(
            code=str(daily.code),
            period="day",
            within=chosen_day,
            sort=asked.sort,
            clean=asked.clean,
            first=True,
            sealed=True,
            friends=asked.friends,
        )
        found = await on.database.run(board, on.database, filters, token, on.now(), after)
    await know_player(request)
    given = {
        "game": variant.key,
        **({"day": _iso(chosen_day)} if chosen_day != today.day else {}),
        **({"month": _spelled(shown)} if shown != today.day // 100 else {}),
    }
    return page(
        request,
        "daily.html",
        page="daily",
        daily=today,
        looks=0,
        squares=_weeks(squares),
        as_date=days.as_date,
        iso=_iso,
        month=days.as_date(shown * 100 + 1),
        earlier=_spelled(days.after(shown * 100 + 1, -1) // 100),
        later=_spelled(_next(shown)) if shown < today.day // 100 else None,
        board=found,
        board_day=chosen_day,
        board_square=next((each for each in squares if each.day == chosen_day), None),
        chosen=choices("/daily", given, asked),
    )


def _spelled(month: int) -> str:
    return f"{month // 100:04}-{month % 100:02}"


def _next(month: int) -> int:
    return month + 1 if month % 100 < 12 else month + 89


@router.get("/daily/today")
async def daily_today(
    request: Request,
    game: str = "",
    looks: Annotated[int, Query(ge=0, le=MOST_LOOKS)] = 0,
) -> Response:
    """Today's panel, for a page that waits for it; `looks` counts how often it has."""
    on = services(request)
    today = await on.database.run(on.daily.today, _variant(game).rule, token_of(request))
    return page(request, "_daily_today.html", daily=today, looks=looks, most_looks=MOST_LOOKS)


@router.post("/daily")
async def play_daily(request: Request, game: Annotated[str, Form(max_length=40)] = "") -> Response:
    """Play today's deal: the game under way on it, or a new one."""
    on = services(request)
    started = await on.database.run(on.daily.play, variant_of(game).rule, token_of(request))
    address = f"/games/{started.stored.id}"
    response: Response
    if is_htmx(request):
        response = Response(status_code=204, headers={"hx-redirect": address})
    else:
        response = see_other(address)
    remember(response, request, started.token, on.settings.secure_cookies)
    return response


class DailyIn(BaseModel):
    """Whose daily deal to play."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"game": "yukon"}]})

    game: str = Field(max_length=40, description="A game’s key")


class DailyOut(BaseModel):
    """Today’s deal of a game.

    `state`: `ready`, `pending` (being chosen: ask again) or `nobody` (no worker is there).
    `commitment` is the SHA-256 of the code, in hexadecimal; `code` is null until you have finished
    the deal, or the UTC day is over. `game_id` is your game under way on it, `first_try` whether
    your first try was won (null: not finished), `streak` the days in a row won at the first try.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "day": 20261130,
                    "game": "yukon",
                    "state": "ready",
                    "commitment": "0d6be69b264717f2" * 4,
                    "code": None,
                    "game_id": None,
                    "first_try": None,
                    "streak": 4,
                    "ends_at": 1796083200000,
                }
            ]
        }
    )

    day: int
    game: str
    state: Literal["ready", "pending", "nobody"]
    commitment: str | None
    code: str | None
    game_id: str | None
    first_try: bool | None
    streak: int
    ends_at: int


def _out(today: Today) -> DailyOut:
    return DailyOut(
        day=today.day,
        game=today.variant.key,
        state=today.state,
        commitment=today.commitment,
        code=today.code,
        game_id=today.game_id,
        first_try=today.first,
        streak=today.streak,
        ends_at=today.ends_at,
    )


_UNKNOWN: dict[int | str, dict[str, Any]] = {
    422: {"model": ProblemOut, "description": "No such game"}
}


@api.get("/daily", responses=_UNKNOWN, summary="Today’s deal")
async def daily_json(
    request: Request, game: Annotated[str, Query(max_length=40)] = VARIANTS[0].key
) -> DailyOut:
    """Today’s sealed deal of a game; it is chosen when it is first asked for."""
    on = services(request)
    return _out(await on.database.run(on.daily.today, variant_of(game).rule, token_of(request)))


@api.post(
    "/daily",
    status_code=201,
    responses={
        **_UNKNOWN,
        503: {"model": ProblemOut, "description": "Today’s deal is not chosen yet"},
    },
    summary="Play today’s deal",
)
async def play_daily_json(request: Request, response: Response, made: DailyIn) -> GameOut:
    """Your game under way on today’s deal, or a new one."""
    on = services(request)
    started = await on.database.run(on.daily.play, variant_of(made.game).rule, token_of(request))
    remember(response, request, started.token, on.settings.secure_cookies)
    response.headers["location"] = f"/api/v1/games/{started.stored.id}"
    return game_out(started.stored, on.now())
