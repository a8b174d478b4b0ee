"""The application: `create_app`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from app.account import api as account_api
from app.account import routes as account
from app.account.passkeys import PasskeyService
from app.account.service import AccountService
from app.boards import routes as boards
from app.bus import Bus
from app.catalogue.store import pick_for as pick
from app.config import ROOT, Settings
from app.context import Services, now_ms
from app.daily import routes as daily
from app.daily.service import DailyService
from app.db import Database
from app.deals import routes as deals
from app.deals.service import ProofService
from app.errors import BodyTooLarge, Problem, RequestInvalid, ServerError
from app.friends import api as friends_api
from app.friends import routes as friends
from app.friends.service import FriendService
from app.games import api as games_api
from app.games import routes as games
from app.games.service import GameService
from app.hints import routes as hints
from app.hints.service import HintService
from app.home import routes as home
from app.i18n import gettext as _
from app.i18n import later
from app.jobs.pool import WorkerPool
from app.jobs.service import JobService
from app.leaderboard import routes as leaderboard
from app.openapi import Application
from app.pages import Pages
from app.players import routes as players
from app.players import settings as players_settings
from app.players.names import RefusedNames
from app.races import api as races_api
from app.races import routes as races_routes
from app.races.ghosts import GhostService
from app.races.hub import Hub
from app.races.keeper import Keeper
from app.races.opponents import Opponents
from app.races.service import RaceService
from app.replays import routes as replays
from app.replays.analysis import AnalysisService
from app.responses import problem_response, wants_json
from app.rules_pages import routes as rules_pages
from app.security import SECURITY_HEADERS, Gate
from app.static_files import Files
from app.stats import routes as stats

_GZIP_LEVEL = 3  # half the time of the next, and a table's fragment is 8 % larger


def create_app(
    settings: Settings | None = None, now: Callable[[], int] = now_ms, workers: int = 0
) -> FastAPI:
    """The application over its database, whose schema must be up to date.

    `now` gives the time in ms since 1970; tests hand in their own. `workers` solver processes
    are started with it; without any it plays on, and says that nobody solves.
    """
    settings = settings or Settings()
    database = Database(settings)
    games_service = GameService(database, now, pick, settings.fastest_move_ms)
    jobs = JobService(database, now, workers)
    refused_names = RefusedNames(*([settings.refused_names] if settings.refused_names else []))
    accounts = AccountService(
        database, games_service, refused_names, now, settings.password_memory_kib
    )
    bus, races = Bus(database), RaceService(database, games_service, jobs)
    hub = Hub(database, races, bus)
    keeper = Keeper(database, races, Opponents(database, games_service, jobs, workers))
    parts = Services(
        settings,
        database,
        games_service,
        jobs,
        HintService(database, games_service, jobs),
        DailyService(database, games_service, jobs),
        ProofService(database, jobs),
        races,
        hub,
        GhostService(database, games_service),
        AnalysisService(database, jobs),
        refused_names,
        accounts,
        FriendService(database, now),
        PasskeyService(database, accounts),
        Pages(),
        now,
    )
    pool = WorkerPool(settings, database, workers)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        bus.start()
        pool.start()
        keeper.start()
        hub.start()
        yield
        await hub.stop()
        await keeper.stop()
        await bus.stop()
        await pool.stop()
        database.close()

    app = Application(
        title="Yukon Solitaire",
        version="1",
        description="Play Yukon and its family: start a game, move, undo, read leaderboards.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = parts
    app.state.pages = parts.pages
    # moves come most often, and routes are tried in turn
    for router in (
        *(games.router, games_api.router, hints.router, hints.api),
        *(replays.router, home.router, rules_pages.router, deals.router, deals.api),
        *(leaderboard.router, leaderboard.api, players.router, players.api),
        *(players_settings.router, stats.router, stats.api, daily.router, daily.api),
        *(account.router, boards.router, boards.api),
        *(races_routes.router, races_api.api, races_api.ghosts, account_api.api),
        *(friends.router, friends_api.api),
    ):
        app.include_router(router)
    app.mount("/static", Files(ROOT / "static"), name="static")
    _render_problems(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=_GZIP_LEVEL)
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=settings.max_body_bytes)
    app.add_middleware(Gate, max_body_bytes=settings.max_body_bytes)
    return app


class _HttpProblem(Problem):
    """A refusal of the framework's own, such as 404 and 405."""

    title = "This cannot be answered"

    def __init__(self, error: HTTPException) -> None:
        code, title, detail = _HTTP.get(
            error.status_code, ("http-error", str(error.detail), str(error.detail))
        )
        super().__init__(_(detail))
        self.status, self.code, self.title = error.status_code, code, title


_HTTP = {
    400: (
        "bad-request",
        later("This request cannot be read"),
        later("The request’s body cannot be read."),
    ),
    404: ("not-found", later("There is no such page"), later("There is nothing at this address.")),
    413: ("body-too-large", BodyTooLarge.title, later("A request may not have so many bytes.")),
    405: (
        "method-not-allowed",
        later("This cannot be done here"),
        later("This address takes another method."),
    ),
}


def _render_problems(app: FastAPI) -> None:
    """One place that turns refusals into answers."""

    async def problem(request: Request, error: Any) -> Response:
        return problem_response(request, error)

    async def http_error(request: Request, error: Any) -> Response:
        response = problem_response(request, _HttpProblem(error))
        response.headers.update(error.headers or {})
        return response

    async def invalid(request: Request, error: Any) -> Response:
        faults = [
            {"at": ".".join(str(part) for part in fault["loc"]), "what": fault["msg"]}
            for fault in error.errors()
        ]
        kind = request.headers.get("content-type", "")
        if not wants_json(request):  # whoever reads pages has no use for a field's name
            detail = _("Something that was sent is missing, too long, or not of its kind.")
        elif "json" not in kind and any(fault["at"] == "body" for fault in faults):
            detail = _("Send JSON, with “content-type: application/json”")
        else:
            detail = "; ".join(f"{fault['at']}: {fault['what']}" for fault in faults)
        return problem_response(request, RequestInvalid(detail, faults=faults))

    async def fault(request: Request, _error: Any) -> Response:
        """The log has the error itself; this is answered outside the gate."""
        response = problem_response(request, ServerError(_("It has been noted; try again later")))
        response.headers.update(SECURITY_HEADERS)
        return response

    app.add_exception_handler(Exception, fault)
    app.add_exception_handler(Problem, problem)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(RequestValidationError, invalid)
