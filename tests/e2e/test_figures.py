"""Reports 10: counters drift after undo, and the win's panel shows other figures than the record.
Reports 22: Finish is offered though it cannot finish."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import there_and_back, winning_line
from tests.e2e.table import Table
from tests.reference import deals, moves
from tests.reference.table import Table as Slow

CODE = "YU1-C-AAAAABH"
LINE = winning_line(CODE)


def test_after_undos_every_figure_is_the_same_everywhere(browse: Browse, player: Player) -> None:
    """Panel, record, JSON, the deal's board and the statistics; an undo lowers no counter."""
    game = player.start(CODE, LINE[:-3])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    page = table.page
    played = len(LINE) - 3
    for key, undos in (("u", 1), ("u", 2), ("r", 2), ("r", 2), ("u", 3), ("r", 3)):
        version = table.version
        page.keyboard.press(key)
        table.reaches(version + 1)
        stored = table.is_as_stored(player, game)
        assert (stored["moves"], stored["undos"]) == (played, undos)
        assert table.shown()["moves"] == played
    away, back = there_and_back(CODE, LINE[:-3])
    table.play(table.drag, (away, back, *LINE[-3:]))
    table.has_won(625)
    stored = table.is_as_stored(player, game)
    assert (stored["moves"], stored["undos"]) == (len(LINE) + 2, 3)
    panel = dict(
        zip(
            page.locator("#win .facts dt").all_inner_texts(),
            page.locator("#win .facts dd").all_inner_texts(),
            strict=True,
        )
    )
    assert panel["Moves"] == str(stored["moves"])
    time = panel["Time"]
    record = page.request.get(f"/games/{game['id']}/record").text()
    tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', record))
    assert (tags["Moves"], tags["Undos"], tags["Score"], tags["Result"]) == (
        *(str(stored["moves"]), "3", "625", "won"),
    )
    assert float(tags["Time"]) == round(stored["elapsed_ms"] / 1000, 1)
    (row,) = [row for row in player.board(CODE) if row["me"]]
    assert (row["moves"], row["undos"], row["score"]) == (stored["moves"], 3, 625)
    assert row["time_ms"] == stored["elapsed_ms"]
    page.goto(f"/d/{CODE}")
    mine = page.locator("tr.me")
    expect(mine).to_contain_text(str(stored["moves"]))
    expect(mine).to_contain_text(time)
    page.goto("/statistics")
    last = page.locator("tr", has_text=CODE).first.locator("td").all_inner_texts()
    assert [text.strip() for text in last[2:5]] == [str(stored["moves"]), time, "625"]


TURNED = "YU1-F-AAAAAAL"
"""All its cards lie face up for a while before those for the foundations alone would win."""


def after(code: str, line: tuple[str, ...]) -> Slow:
    """A deal after a line, by the slow rules."""
    table = deals.deal(code)
    for move in line:
        table = moves.after(table, move)
    return table


def all_turned(table: Slow) -> bool:
    return all(is_up for pile in table.piles for _, is_up in pile)


def wins_by_foundations_alone(table: Slow) -> bool:
    """Whether cards that go up, one after the other, win: by the slow rules, tried out."""
    while not moves.is_won(table):
        ups = [move for move in moves.legal_moves(table) if move.endswith("-f")]
        if not ups:
            return False
        table = moves.after(table, ups[0])
    return True


def test_finish_is_offered_only_where_it_finishes(browse: Browse, player: Player) -> None:
    """Before each of the last moves of a win: the button is there if and only if it wins."""
    line = winning_line(TURNED)
    begun = next(n for n in range(len(line)) if all_turned(after(TURNED, line[:n]))) - 2
    game = player.start(TURNED, line[:begun])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    offered = []
    for count in range(begun, len(line)):
        now = after(TURNED, line[:count])
        offered.append(all_turned(now) and wins_by_foundations_alone(now))
        assert table.page.locator(".finish").count() == offered[-1], count
        if offered.count(True) == 2:
            break
        table.play(table.drag, line[count : count + 1])
    assert offered.count(False) > 10
    table.page.get_by_role("button", name="Finish").click()
    table.has_won(625)
