"""Games for people: pages, forms, and the board fragment that htmx swaps."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from app.context import services
from app.errors import GameUnderWay, NotYourGame, Problem, RequestInvalid
from app.forms import form_of
from app.games.clock import REPORTS
from app.games.service import Started
from app.games.steps import Change, is_owner
from app.games.store import Stored
from app.games.table import Against, Message, shown_code, status_of, table_of, told_deal
from app.i18n import gettext as _
from app.players.service import remember, token_of
from app.races import words as race_words
from app.responses import is_htmx, page, see_other, text_file
from engine.boardtext import board_text
from engine.deals import deal
from engine.notation import record_text

router = APIRouter(include_in_schema=False)

Text = Annotated[str, Form(max_length=2048)]
VersionField = Annotated[int, Form(ge=0, le=2**31 - 1)]


async def show_table(
    request: Request, stored: Stored, *, status: int = 200, whole: bool = False, **more: Any
) -> Response:
    """The answer that shows a game: the fragment for htmx, the page for others."""
    on, token = services(request), token_of(request)
    mine = is_owner(stored, token)
    standing = known = None
    if mine and stored.status == "won" and not stored.race_id:
        standing = await on.database.run(on.games.standing, stored.id)
        known = await on.database.run(on.proofs.known, stored.code)
    player = (
        await on.database.run(on.games.player, token) if mine and not is_htmx(request) else None
    )
    ghost = against = None
    if mine and stored.ghost_id and (stored.status != "playing" or not is_htmx(request)):
        ghost = await on.database.run(on.ghosts.beside, stored, on.now())
        if ghost and stored.status != "playing":
            against = Against(race_words.against(ghost), ghost.ghost.game_id)
    table = table_of(
        stored,
        on.now(),
        mine=mine,
        against=against,
        standing=standing,
        par=known.par if known else None,
        sets_par=known is not None and known.line == " ".join(map(str, stored.game.line)),
        ask_name=mine and stored.status == "won" and not (stored.player_name or stored.practice),
        **more,
    )
    race = None
    if stored.race_id and mine and not is_htmx(request):
        race = await on.database.run(on.races.see, stored.race_id, token)
    request.state.player = player
    if is_htmx(request) and not whole:
        return page(request, "_table.html", status, table=table, race=race, ghost=ghost)
    site = str(request.base_url).rstrip("/")
    canonical = f"{site}/d/{table.code}" if table.code else None
    return page(
        request, "game.html", status, table=table, race=race, ghost=ghost, canonical=canonical
    )


async def _changed(request: Request, work: Any, game_id: str, *args: Any) -> Response:
    """Answer a write: the fragment to htmx, 303 to a form; a refusal shows the table as it is."""
    on = services(request)
    try:
        change: Change = await on.database.run(work, game_id, token_of(request), *args)
    except Problem as problem:
        if not isinstance(problem.about, Stored):
            raise
        return await refused(request, problem, problem.about)
    if is_htmx(request):
        return await show_table(request, change.stored, change=change)
    return see_other(f"/games/{game_id}")


async def refused(request: Request, problem: Problem, stored: Stored) -> Response:
    """The answer to a refused write: the table as it stands, with the reason."""
    move = str(problem.extra.get("move", ""))
    kind = "healed" if problem.status == 409 else "refused"
    message = Message(kind, problem.detail, move.partition("-")[2] or None, move or None)
    return await show_table(request, stored, status=problem.status, message=message)


class OnVersion(BaseModel):
    """The form of a write: the version that the page shows."""

    version: int = Field(ge=0, le=2**31 - 1)


class Played(OnVersion):
    """The form of a move."""

    move: str = Field(max_length=16)


async def move(request: Request) -> Response:
    """Play a move."""
    form = await form_of(request, Played)
    work, game_id = services(request).games.move, request.path_params["game_id"]
    return await _changed(request, work, game_id, form.move, form.version)


async def undo(request: Request) -> Response:
    """Take the last move back."""
    form = await form_of(request, OnVersion)
    work, game_id = services(request).games.undo, request.path_params["game_id"]
    return await _changed(request, work, game_id, form.version)


async def redo(request: Request) -> Response:
    """Play an undone move again."""
    form = await form_of(request, OnVersion)
    work, game_id = services(request).games.redo, request.path_params["game_id"]
    return await _changed(request, work, game_id, form.version)


# plain routes, and the first to be tried: these answer every move, and read their forms themselves
router.add_route("/games/{game_id}/moves", move, methods=["POST"])
router.add_route("/games/{game_id}/undo", undo, methods=["POST"])
router.add_route("/games/{game_id}/redo", redo, methods=["POST"])


def _opened(request: Request, started: Started) -> Response:
    """303 to a new game (a full page load, also when htmx asks)."""
    address = f"/games/{started.stored.id}"
    response: Response
    if is_htmx(request):
        response = Response(status_code=204, headers={"hx-redirect": address})
    else:
        response = see_other(address)
    remember(response, request, started.token, services(request).settings.secure_cookies)
    return response


@router.post("/games")
async def start(
    request: Request,
    game: Text = "",
    code: Text = "",
    difficulty: Text = "",
    left: Annotated[str, Form(alias="from", max_length=40)] = "",
) -> Response:
    """Start a game; a code that cannot be read shows its form again with what is wrong.

    htmx gets the code's form alone, wherever it stands; others the page.
    """
    on = services(request)
    try:
        started = await on.database.run(
            on.games.start, token_of(request), game, code, left, difficulty
        )
    except Problem as problem:
        if problem.code not in ("code-unreadable", "difficulty-unknown"):
            raise
        if is_htmx(request) and code:
            known = {"error": problem.detail, "typed": code[:200], "from_game": left}
            return page(request, "_by_code.html", problem.status, **known)
        if left and not game:  # a code came from the table of a game: that one is chosen
            with contextlib.suppress(Problem):
                seen = await on.database.run(on.games.see, left, token_of(request))
                game = seen.game.rules.variant.key
        return page(
            request,
            "new.html",
            problem.status,
            page="play",
            error=problem.detail,
            typed=code[:200],
            left=left,
            game=game,
            difficulty=difficulty,
        )
    return _opened(request, started)


@router.get("/games/{game_id}")
async def see(
    request: Request, game_id: str, pick: Annotated[str, Query(max_length=8)] = ""
) -> Response:
    """A game's page; for htmx its table alone."""
    on = services(request)
    stored = await on.database.run(on.games.see, game_id, token_of(request))
    return await show_table(request, stored, picked=pick or None)


@router.post("/games/{game_id}/finish")
async def finish(request: Request, game_id: str, version: VersionField) -> Response:
    """Play the game out."""
    return await _changed(request, services(request).games.finish, game_id, version)


@router.post("/games/{game_id}/back")
async def back(
    request: Request,
    game_id: str,
    version: VersionField,
    length: Annotated[int, Form(ge=0, le=10_000)],
) -> Response:
    """Undo until so many moves are left."""
    return await _changed(request, services(request).games.back, game_id, version, length)


@router.post("/games/{game_id}/end")
async def end(request: Request, game_id: str) -> Response:
    """Give the game up."""
    on = services(request)
    await on.database.run(on.games.end, game_id, token_of(request), None)
    return see_other(f"/games/{game_id}")


@router.get("/games/{game_id}/restart")
async def ask_restart(request: Request, game_id: str) -> Response:
    """Ask before starting the deal again (without scripts)."""
    on, token = services(request), token_of(request)
    stored = await on.database.run(on.games.see, game_id, token)
    if not is_owner(stored, token):
        raise NotYourGame(_("Only its own player can change this game"))
    return page(
        request,
        "confirm.html",
        action=f"/games/{game_id}/restart",
        title=_("Restart this deal?"),
        text=_("The game under way ends, and the same cards are dealt again."),
        yes=_("Restart"),
        game_id=game_id,
    )


@router.post("/games/{game_id}/restart")
async def restart(request: Request, game_id: str) -> Response:
    """The same deal from its start, as a new game."""
    on = services(request)
    return _opened(request, await on.database.run(on.games.restart, game_id, token_of(request)))


@router.post("/games/{game_id}/race")
async def race(request: Request, game_id: str) -> Response:
    """A new game on a finished one's deal, with that one as a ghost beside it."""
    on = services(request)
    return _opened(request, await on.database.run(on.games.race, game_id, token_of(request)))


@router.get("/games/{game_id}/ghost")
async def ghost(request: Request, game_id: str) -> Response:
    """How one's game and its ghost stand now: the fragment of it."""
    on = services(request)
    found = await on.database.run(on.ghosts.of, game_id, token_of(request), on.now())
    return page(request, "_standing.html", race=found, me=found.me)


@router.post("/games/{game_id}/clock")
async def clock(
    request: Request, game_id: str, state: Annotated[str, Form(max_length=10)]
) -> Response:
    """A page's report: hidden, shown, paused or tick."""
    if state not in REPORTS:
        raise RequestInvalid(f"“state” is one of {', '.join(REPORTS)}")
    on = services(request)
    await on.database.run(on.games.report, game_id, token_of(request), state)
    return Response(status_code=204)


@router.get("/games/{game_id}/record")
async def record(request: Request, game_id: str) -> Response:
    """The game's record, as text."""
    on = services(request)
    stored = await on.database.run(on.games.see, game_id, token_of(request))
    game = stored.game
    told = told_deal(stored)
    result = status_of(stored, game.legal_moves())
    text = record_text(game, told, result, stored.clock.at(on.now()))
    return text_file(text, f"{shown_code(stored) or ('board' if told else 'sealed')}.txt")


@router.get("/games/{game_id}/board")
async def board(request: Request, game_id: str) -> Response:
    """The board text of what a finished game started from."""
    on = services(request)
    stored = await on.database.run(on.games.see, game_id, token_of(request))
    told = told_deal(stored)
    if stored.status == "playing" or told is None:
        raise GameUnderWay(_("Its board can be read once it is won or given up"))
    return text_file(board_text(deal(told)), f"{shown_code(stored) or 'own'}-board.txt")


async def look(game_id: str) -> Response:
    """A write's address, opened again without scripts: the table as it stands."""
    return see_other(f"/games/{game_id}")


for write in ("moves", "undo", "redo", "finish", "back", "end", "race"):
    router.add_api_route(f"/games/{{game_id}}/{write}", look, methods=["GET"])
