"""Questions to the solver from the table: a proven hint, and whether the game can be won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.context import services
from app.errors import Problem
from app.games.routes import VersionField, look, refused, show_table
from app.games.schemas import GAME_EXAMPLE, GameOut, ProblemOut, Version, VersionIn, game_out
from app.games.store import Stored
from app.games.table import Advice
from app.hints.service import Ask, Question
from app.i18n import gettext as _
from app.i18n import later
from app.players.service import token_of
from app.responses import is_htmx, page

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1/games", tags=["hints"])

WAIT_S = 0.25
"""How long an answer is waited for before a page or program is told to ask again."""
WAIT_WITHOUT_SCRIPTS_S = 4.0
"""The same for a page that cannot ask by itself."""


async def _answer(request: Request, game_id: str, version: int, ask: Ask) -> Response:
    """The table with the answer, or with what asks again."""
    scripts = is_htmx(request)
    patience = WAIT_S if scripts else WAIT_WITHOUT_SCRIPTS_S
    question = Question(ask, game_id, token_of(request), version, patience, not scripts)
    try:
        answer = await services(request).hints.answer(question)
    except Problem as problem:
        if not isinstance(problem.about, Stored):
            raise
        return await refused(request, problem, problem.about)
    advice = Advice(
        ask,
        answer.state,
        version,
        str(answer.move) if answer.move else None,
        answer.back_to,
        answer.seeking,
        answer.hopeless,
        answer.shares,
    )
    return await show_table(request, answer.stored, advice=advice)


@dataclass(frozen=True)
class _Sure:
    """What a page without scripts asks before it asks the solver: the answer marks the result."""

    title: str
    text: str
    yes: str
    other: Ask | None = None
    """What can be asked instead."""


_SURE: dict[Ask, _Sure] = {
    "hint": _Sure(
        later("Show a hint?"),
        later(
            "This hint uses the hidden cards: it is the next move of a line that wins this "
            "very deal. The result will count as assisted."
        ),
        later("Show"),
        other="fair",
    ),
    "fair": _Sure(
        later("Show a fair hint?"),
        later(
            "This hint sees the face-up cards only: it deals the hidden ones at random many "
            "times and shows what wins most often. The result will count as assisted."
        ),
        later("Show"),
    ),
    "verdict": _Sure(
        later("Can this still be won?"),
        later(
            "The answer uses the hidden cards of this very deal. The result will count as assisted."
        ),
        later("Find out"),
    ),
}


async def _make_sure(request: Request, game_id: str, version: int, sure: _Sure) -> Response:
    """Ask first, as the page's scripts do."""
    on = services(request)
    await on.database.run(on.games.see, game_id, token_of(request))
    other = sure.other and {
        "action": f"/games/{game_id}/{sure.other}",
        "yes": _("Fair hint"),
        "text": _(
            "Sees the face-up cards only: it deals the hidden ones at random many times, "
            "and shows what wins most often, and how often."
        ),
    }
    return page(
        request,
        "confirm.html",
        action=request.url.path,
        fields={"version": version, "sure": "1"},
        game_id=game_id,
        title=_(sure.title),
        text=_(sure.text),
        yes=_(sure.yes),
        other=other,
    )


def _add_question(ask: Ask) -> None:
    async def asked(
        request: Request,
        game_id: str,
        version: VersionField,
        sure: Annotated[bool, Form()] = False,
    ) -> Response:
        if sure or is_htmx(request):
            return await _answer(request, game_id, version, ask)
        return await _make_sure(request, game_id, version, _SURE[ask])

    path = f"/games/{{game_id}}/{ask}"
    router.add_api_route(path, asked, methods=["POST"])
    router.add_api_route(path, look, methods=["GET"])


for question in _SURE:
    _add_question(question)


class HintIn(BaseModel):
    """Which hint is asked for, and the version of the game."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"version": 7, "kind": "fair"}]}
    )

    version: Version
    kind: Literal["proven", "fair"] = "proven"


class AdviceOut(BaseModel):
    """An answer of the solver’s.

    `state`: `pending` (ask again with the same version), `winnable`, `lost`, `unproven`, or
    `nobody` (no worker is there). `move` is the hinted move. Of a lost game `back_to` is the number
    of moves after which it could last be won (null while `seeking`: ask again with the same
    version; or when that is not known). A fair hint (`state` `fair`) sees the face-up cards only:
    `wins` of `samples` ways in which the hidden cards can lie are won after it, and about `chance`
    in ten such games. Everything else uses the hidden cards. The result counts as assisted.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "state": "winnable",
                    "move": "t2x2-t7",
                    "back_to": None,
                    "seeking": False,
                    "game": {**GAME_EXAMPLE, "hints": 1},
                }
            ]
        }
    )

    state: Literal["pending", "winnable", "fair", "lost", "unproven", "nobody"]
    move: str | None
    wins: int | None = None
    samples: int | None = None
    chance: int | None = None
    back_to: int | None
    seeking: bool
    game: GameOut


_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemOut, "description": text}
    for status, text in {
        403: "Another player’s game",
        404: "No such game",
        409: "Made on an older version",
        422: "The game is over",
        503: "The solver has more to do than it can",
    }.items()
}


async def _advice(request: Request, game_id: str, version: int, ask: Ask) -> AdviceOut:
    on = services(request)
    question = Question(ask, game_id, token_of(request), version, WAIT_S)
    try:
        answer = await on.hints.answer(question)
    except Problem as problem:
        if isinstance(problem.about, Stored):
            problem.extra["game"] = game_out(problem.about, on.now()).model_dump()
        raise
    return AdviceOut.model_validate(
        {
            "state": answer.state,
            "move": str(answer.move) if answer.move else None,
            "back_to": answer.back_to,
            "seeking": answer.seeking,
            "wins": answer.shares.wins if answer.shares else None,
            "samples": answer.shares.samples if answer.shares else None,
            "chance": answer.shares.chance if answer.shares else None,
            "game": game_out(answer.stored, on.now()),
        }
    )


@api.post("/{game_id}/hint", responses=_REFUSALS, summary="A hint, proven or fair")
async def hint_json(request: Request, game_id: str, made: HintIn) -> AdviceOut:
    """Proven: the next move of a line that wins this deal, which uses the hidden cards. Fair:
    what the face-up cards alone speak for.
    """
    ask: Ask = "fair" if made.kind == "fair" else "hint"
    return await _advice(request, game_id, made.version, ask)


@api.post("/{game_id}/verdict", responses=_REFUSALS, summary="Can this still be won?")
async def verdict_json(request: Request, game_id: str, made: VersionIn) -> AdviceOut:
    """Whether the game can still be won; uses the hidden cards."""
    return await _advice(request, game_id, made.version, "verdict")
