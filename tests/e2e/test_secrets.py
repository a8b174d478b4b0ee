"""Reports 4: what lies face down is in nothing that the browser gets."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Response

from engine.cards import FACE_DOWN, NAMES, card_words
from engine.game import Game
from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import game_after, winning_line
from tests.e2e.table import Table

_SPRITE = re.compile(r"<symbol id=.*?</symbol>", re.DOTALL)


def hidden_in(game: Game) -> list[int]:
    """The cards that lie face down."""
    piles = game.position.tableau
    down = [card & ~FACE_DOWN for pile in piles for card in pile if card & FACE_DOWN]
    return down + [card & ~FACE_DOWN for card in game.position.stock]


def traces(html: str, cards: list[int]) -> list[str]:
    """Where a text tells of a card: its name, its words, its picture."""
    html = _SPRITE.sub("", html)
    found = []
    for card in cards:
        name = NAMES[card]
        picture = f"#card-{name[0]}{name[1].lower()}"
        found += [
            text
            for text in (f'"{name}"', f" {name} ", f">{name}<", picture, card_words(card))
            if text in html
        ]
    return found


@pytest.mark.parametrize("code", ["YU1-C-AAAAABH", "YU1-P-AAAAAAD"])
def test_pages_fragments_and_the_dom(browse: Browse, player: Player, code: str) -> None:
    line = winning_line(code)[:8]
    game = player.start(code)
    context = browse()
    player.enter(context)
    page = context.new_page()
    start = hidden_in(game_after(code, ()))
    seen = [NAMES.index(pile[-1]) for pile in game["tableau"]]
    for address in ("/", f"/d/{code}", f"/games/{game['id']}"):
        answer = page.goto(address)
        assert answer is not None
        assert traces(answer.text(), start) == []
        assert traces(page.content(), start) == []
    texts = (f"/games/{game['id']}/record", f"/api/v1/games/{game['id']}", f"/api/v1/deals/{code}")
    for address in texts:
        assert traces(page.request.get(address).text(), start) == []

    table = Table.open(context, game)
    assert len(traces(table.page.content(), seen)) >= 3 * len(seen)
    answers: list[Response] = []
    table.page.on("response", lambda answer: answers.append(answer))
    for count, move in enumerate(line, 1):
        table.play(table.click if move == "s-w" else table.drag, (move,))
        now = hidden_in(game_after(code, line[:count]))
        assert traces(table.page.content(), now) == []
        assert traces(answers[-1].text(), now) == []
    assert len([each for each in answers if each.url.endswith("/moves")]) == len(line)
