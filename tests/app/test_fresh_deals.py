"""New games are new: no deal twice, not even after a start of the server."""

import pytest

from app.config import Settings
from app.context import now_ms
from app.db import Database
from app.games.service import GameService
from app.main import create_app
from engine.variants import VARIANTS
from tests.app.support import rows, services_of


def test_a_thousand_games_over_twenty_starts_are_a_thousand_deals(settings: Settings) -> None:
    token = None
    codes = set()
    for _ in range(20):
        app = create_app(settings)
        service = services_of(app).games
        for number in range(50):
            started = service.start(token, VARIANTS[number % 7].key, "", "")
            token = started.token
            codes.add(started.stored.code.body)
        services_of(app).database.close()
    assert len(codes) == 1000


def test_a_deal_that_the_player_has_had_is_not_dealt_again(
    service: GameService, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = iter([5, 5, 5, 6, 5])
    monkeypatch.setattr("app.games.starting.secrets.randbelow", lambda _: next(numbers))
    first = service.start(None, "yukon", "", "")
    second = service.start(first.token, "yukon", "", "")
    other = service.start(None, "yukon", "", "")
    assert [started.stored.code.body for started in (first, second, other)] == [
        "AAAAAAF",
        "AAAAAAG",
        "AAAAAAF",
    ]
    assert len(rows(database)["games"]) == 3


def test_the_server_s_own_time_is_in_milliseconds() -> None:
    first = now_ms()
    assert 1_700_000_000_000 < first <= now_ms()
