"""A whole game by each way of playing, its end the same everywhere it is told (reports 10);
by keys alone, each move announced once (reports 26)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.api import Json, Player
from tests.e2e.conftest import Browse
from tests.e2e.keys import Keyboard
from tests.e2e.lines import winning_line
from tests.e2e.table import Table, parts
from tests.e2e.touch import PHONE, Phone


def is_told_the_same(table: Table, player: Player, game: Json, score: int = 625) -> None:
    """Panel, record, JSON and the deal's leaderboard have the same figures."""
    stored = table.is_as_stored(player, game)
    assert (stored["status"], stored["score"]) == ("won", score)
    table.has_won(score)
    panel = table.page.locator("#win .facts dd").all_inner_texts()
    record = table.page.request.get(f"/games/{game['id']}/record").text()
    (row,) = [row for row in player.board(game["code"]) if row["me"]]
    assert panel[0] == str(stored["moves"]) == str(row["moves"])
    assert (row["score"], row["won"], row["time_ms"]) == (score, True, stored["elapsed_ms"])
    assert f'[Moves "{stored["moves"]}"]' in record
    assert f'[Score "{score}"]' in record
    table.page.locator("#win a[href^='/d/']", has_text="Ranking").click()
    shown = table.page.locator("tr.me td:visible").all_inner_texts()
    assert shown[2] == str(stored["moves"])
    assert [text for text in shown if text.strip()][-1] == str(score)


@pytest.mark.parametrize(("how", "code"), [("drag", "YU1-S-AAAAAAB"), ("click", "YU1-C-AAAAABH")])
def test_by_mouse(browse: Browse, player: Player, how: str, code: str) -> None:
    game = player.start(code)
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    table.play(getattr(table, how), winning_line(code))
    expect(table.page.locator("#win")).to_be_focused()
    is_told_the_same(table, player, game)


def test_by_finger(browse: Browse, player: Player) -> None:
    """Taps where a tap does it, and every third move carried."""
    code = "YU1-F-AAAAAAN"
    game = player.start(code)
    context = browse(**PHONE)
    player.enter(context)
    table = Phone.open(context, game)

    def by_turns(text: str, at: int) -> None:
        (table.drag_by_finger if at % 3 == 0 else table.tap)(text, at)

    table.play(by_turns, winning_line(code))
    is_told_the_same(table, player, game)


def test_by_keys(browse: Browse, player: Player) -> None:
    """Reports 26: ten moves by arrows, the others by the cards' names; each is announced once."""
    code = "YU1-F-AAAAADA"
    line = winning_line(code)
    game = player.start(code)
    context = browse()
    player.enter(context)
    table = Keyboard.open(context, game)
    table.page.keyboard.press("Tab")
    for _ in range(20):
        if table.focus():
            break
        table.page.keyboard.press("Tab")
    table.listen()
    table.play(table.walk, line[:10])
    table.play(table.name_cards, line[10:])
    is_said_once(table.heard(), line)
    expect(table.page.locator("#win")).to_be_focused()
    is_told_the_same(table, player, game)


def is_said_once(heard: list[str], line: tuple[str, ...]) -> None:
    """One sentence a move in its order; beside them only that a card was picked."""
    moves = [text for text in heard if not text.endswith(" picked") and text]
    assert len(moves) == len(line)
    for text, move in zip(moves, line, strict=True):
        _, count, target = parts(move)
        assert ("to its foundation" if target == "f" else f"to pile {target[1:]}") in text
        assert (f"and {count - 1} more" in text) == (count > 1)
    assert moves[-1].endswith("; the game is won")
