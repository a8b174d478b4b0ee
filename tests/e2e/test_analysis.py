"""A lost game: its analysis finds the move that lost it, and it is played on from before that."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from engine.solver import UNWINNABLE
from tests.app.solver import lost_game, verdict
from tests.e2e.api import Player
from tests.e2e.conftest import PATIENCE_MS, Browse
from tests.e2e.server import Server
from tests.e2e.touch import PHONE

PATIENCE_FOR_A_SOLVER_MS = 5 * PATIENCE_MS  # the worker may be compiling


@pytest.fixture(scope="module")
def server(solving_server: Server) -> Server:
    return solving_server


def test_the_move_that_lost_is_found(browse: Browse, player: Player) -> None:
    code, played = lost_game()
    steps = len(played.line)
    lost_with = next(at for at in range(steps + 1) if verdict(played, at) == UNWINNABLE)
    game = player.start(code, map(str, played.line))
    player.write(game, "end")
    context = browse(**PHONE)
    player.enter(context)
    page = context.new_page()
    page.goto(f"/games/{game['id']}")
    page.locator(f"a[href='/games/{game['id']}/analysis']:visible").first.click()
    expect(page.locator("#analysis [role=status]")).to_contain_text(
        f"The game was lost with step {lost_with}:", timeout=PATIENCE_FOR_A_SOLVER_MS
    )
    expect(page.locator("#analysis:not([hx-get])")).to_be_visible(timeout=PATIENCE_FOR_A_SOLVER_MS)
    expect(page.locator("#analysis progress")).to_have_attribute("value", str(steps + 1))
    seen = page.locator(".verdicts rect").evaluate_all(
        "all => all.map((each) => each.getAttribute('class'))"
    )
    assert seen == ["winnable"] * lost_with + ["unwinnable"] * (steps + 1 - lost_with)

    page.get_by_role("link", name="See that move").click()
    expect(page.locator("#table")).to_have_attribute("data-at", str(lost_with))
    page.go_back()
    page.get_by_role("button", name="Play on from before it").click()
    page.wait_for_url(re.compile(f"/games/(?!{game['id']})[^/]+$"))
    practice = player.see(page.url.rpartition("/")[2])
    assert (practice["status"], practice["moves"]) == ("playing", lost_with - 1)
