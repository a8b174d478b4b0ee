"""The leaderboard's page and its JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.context import know_player, services
from app.deals.codes import read_code
from app.keys import key_or_all
from app.leaderboard.service import PERIODS, SORTS, Board, BoardRow, board, of_deal, of_games
from app.leaderboard.store import COUNTED, Filters, Period, Sort
from app.players.service import token_of
from app.responses import page
from engine.variants import BY_KEY

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1", tags=["leaderboard"])

After = Annotated[str, Query(max_length=120, description="`next` of the page before")]
Clean = Annotated[bool, Query(description="Results without undo and hint alone")]
First = Annotated[bool, Query(description="First tries alone")]
OfFriends = Annotated[bool, Query(description="You and your friends alone")]
By = Annotated[
    Sort, Query(description="`score`: the ranking; `moves` and `time`: won games, fewest first")
]


class BoardOut(BaseModel):
    """A leaderboard: a page of rows in order, and your own row where it is not on the page.

    `next` is the `after` of the next page, null on the last. `under_review`: a result of yours came
    faster than hands can play; it is not shown until an operator has cleared it.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "rows": [
                        {
                            "place": 1,
                            "name": "Klondike Kate",
                            "score": 625,
                            "moves": 104,
                            "time_ms": 238000,
                            "undos": 0,
                            "hints": 0,
                            "clean": True,
                            "first_try": True,
                            "won": True,
                            "me": False,
                            "code": "YU1-C-AAAAAAB",
                            "game_id": "kM3v9Qd1xT0aYw7cB2Zp",
                            "game": "yukon",
                            "when": 1796083200000,
                        }
                    ],
                    "me": None,
                    "next": None,
                    "under_review": False,
                }
            ]
        }
    )

    rows: list[BoardRow]
    me: BoardRow | None
    next: str | None
    under_review: bool = False


def _out(found: Board) -> BoardOut:
    return BoardOut.model_validate(asdict(found))


def choices(address: str, given: dict[str, str], asked: Filters) -> dict[str, Any]:
    """What a board's page needs for its links: what is chosen, and the address of each choice."""
    kinds = {"clean": asked.clean, "first": asked.first, "friends": asked.friends}
    chosen = {
        **given,
        **({"sort": asked.sort} if asked.sort != "score" else {}),
        **{name: "1" for name, is_on in kinds.items() if is_on},
    }

    def to(**changed: str) -> str:
        query = {name: value for name, value in {**chosen, **changed}.items() if value}
        return f"{address}?{urlencode(query)}" if query else address

    return {"sort": asked.sort, **kinds, "to": to, "counted": COUNTED}


def read_choices(sort: str, clean: str, first: str, friends: str) -> Filters:
    """The filters that a page's address names; what is no choice is none."""
    order: Sort = next((each for each in SORTS if each == sort), "score")
    return Filters(sort=order, clean=clean == "1", first=first == "1", friends=friends == "1")


@router.get("/leaderboard")
async def leaderboard_page(
    request: Request,
    game: str = "all",
    period: str = "all",
    sort: str = "",
    clean: str = "",
    first: str = "",
    friends: str = "",
    after: After = "",
) -> Response:
    """The leaderboard; what is no choice shows all."""
    on = services(request)
    key = game if game in BY_KEY else "all"
    within: Period = next((each for each in PERIODS if each == period), "all")
    asked = read_choices(sort, clean, first, friends)
    await know_player(request)
    filters = of_games(key, within, asked, on.now())
    found = await on.database.run(board, on.database, filters, token_of(request), on.now(), after)
    given = {"game": key, "period": within}
    return page(
        request,
        "leaderboard.html",
        page="leaderboard",
        board=found,
        tab=given,
        chosen=choices("/leaderboard", given, asked),
    )


@api.get("/leaderboard", summary="The leaderboard")
async def leaderboard(
    request: Request,
    game: Annotated[str, Query(description="A game’s key, or all", max_length=40)] = "all",
    period: Period = "all",
    sort: By = "score",
    clean: Clean = False,
    first: First = False,
    friends: OfFriends = False,
    after: After = "",
) -> BoardOut:
    """The best results, each player’s best on each deal; days, weeks and months are UTC."""
    on = services(request)
    asked = Filters(sort=sort, clean=clean, first=first, friends=friends)
    filters = of_games(key_or_all(game), period, asked, on.now())
    return _out(
        await on.database.run(board, on.database, filters, token_of(request), on.now(), after)
    )


@api.get("/deals/{code}/leaderboard", summary="A deal’s leaderboard")
async def deal_leaderboard(
    request: Request,
    code: str,
    sort: By = "score",
    clean: Clean = False,
    first: First = False,
    friends: OfFriends = False,
    after: After = "",
) -> BoardOut:
    """The best results on a deal, one a player."""
    on = services(request)
    asked = Filters(sort=sort, clean=clean, first=first, friends=friends)
    filters = of_deal(read_code(code), asked)
    return _out(
        await on.database.run(board, on.database, filters, token_of(request), on.now(), after)
    )
