"""What routes share: the services of the running application, and the request's player."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from fastapi import Request

from app.account.passkeys import PasskeyService
from app.account.service import AccountService
from app.config import Settings
from app.daily.service import DailyService
from app.db import Database
from app.deals.service import ProofService
from app.friends.service import FriendService
from app.games.service import GameService
from app.hints.service import HintService
from app.jobs.service import JobService
from app.pages import Pages
from app.players.names import RefusedNames
from app.players.service import token_of
from app.races.ghosts import GhostService
from app.races.hub import Hub
from app.races.service import RaceService
from app.replays.analysis import AnalysisService


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one running application; `now` gives its time in ms since 1970, UTC."""

    settings: Settings
    database: Database
    games: GameService
    jobs: JobService
    hints: HintService
    daily: DailyService
    proofs: ProofService
    races: RaceService
    hub: Hub
    ghosts: GhostService
    analyses: AnalysisService
    refused_names: RefusedNames
    accounts: AccountService
    friends: FriendService
    passkeys: PasskeyService
    pages: Pages
    now: Callable[[], int]


def now_ms() -> int:
    """The server's time in ms since 1970, UTC."""
    return time.time_ns() // 1_000_000


async def know_player(request: Request) -> None:
    """Look up the request's player, for pages that show the name."""
    on = services(request)
    request.state.player = await on.database.run(on.games.player, token_of(request))


def services(request: Request) -> Services:
    """The running application's parts."""
    return cast(Services, request.app.state.services)
