"""Faster than the table can answer: reports 6 and 7; and nothing moves by itself: report 8."""

from __future__ import annotations

import math

import pytest

from engine.moves import FOUNDATION
from tests.e2e.api import Json, Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import game_after, winning_line
from tests.e2e.table import Table, parts
from tests.e2e.watch import REFUSED, Watch

CODE = "YU1-C-AAAAABH"
LINE = winning_line(CODE)
RANKS = "A23456789TJQK"

TYPE = """async (keys) => {
    const begun = performance.now();
    for (const key of keys) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await new Promise((done) => setTimeout(done, 12));
    }
    return performance.now() - begun;
}"""
CLICK = """async (points) => {
    for (const [clientX, clientY] of points) {
        const common = { clientX, clientY, bubbles: true, cancelable: true, button: 0, detail: 1 };
        const at = document.elementFromPoint(clientX, clientY) ?? document.body;
        const pointer = { ...common, pointerId: 1, pointerType: 'mouse', isPrimary: true };
        at.dispatchEvent(new PointerEvent('pointerdown', pointer));
        at.dispatchEvent(new PointerEvent('pointerup', pointer));
        at.dispatchEvent(new MouseEvent('click', common));
        await new Promise((done) => setTimeout(done, 28));
    }
}"""


def moving(browse: Browse, player: Player, moves: int) -> tuple[Table, Json]:
    """A table with animations, some moves into the game."""
    game = player.start(CODE, LINE[:moves])
    context = browse(reduced_motion="no-preference")
    player.enter(context)
    return Table.open(context, game), game


def test_thirty_undos_and_thirty_redos_within_a_second(browse: Browse, player: Player) -> None:
    table, game = moving(browse, player, 34)
    before = table.shown()
    table.page.evaluate(TYPE, "u" * 30 + "r" * 30)
    table.reaches(34 + 60)
    table.rests()
    stored = table.is_as_stored(player, game)
    assert stored["undos"] == 30
    assert {**table.shown(), "version": 34} == before


def test_undos_and_redos_in_disorder(browse: Browse, player: Player) -> None:
    table, game = moving(browse, player, 10)
    table.page.evaluate(TYPE, "uurururuuurrurruuuuuuuuuuuurrrur")
    table.rests()
    table.is_as_stored(player, game)
    table.page.evaluate(TYPE, "r" * 12)
    table.rests()
    stored = table.is_as_stored(player, game)
    assert stored["moves"] == 10
    assert not stored["can_redo"]


@pytest.mark.parametrize("pattern", ["one card", "ten cards", "card and target"])
def test_ten_clicks_in_a_moment(browse: Browse, player: Player, watch: Watch, pattern: str) -> None:
    """Within 300 ms, and by a real mouse as fast as it goes: 52 cards, each once, each movable."""
    watch.allow(REFUSED)
    table, game = moving(browse, player, 6)
    points = spots(table, pattern)
    table.page.evaluate(CLICK, points)
    is_whole(table, player, game)
    for x, y in points:
        table.page.mouse.click(x, y)
    stored = is_whole(table, player, game)
    table.page.keyboard.press("Escape")
    table.play(table.drag, stored["legal_moves"][:1])
    is_whole(table, player, game)


def test_a_tap_elsewhere_on_the_pile_just_played_to_picks(browse: Browse, player: Player) -> None:
    """And one on the same spot does nothing: it is the other half of a double click."""
    table, game = moving(browse, player, 6)
    target = parts(LINE[6])[2]
    up = len(table.shown()["places"][target]["cards"])
    assert up > 1
    first = table.hold(target, up)
    spot, ground = table.grasp(LINE[6])
    on_target = [ground["x"], ground["y"]]
    assert math.dist(on_target, (first["x"], first["y"])) > 24
    lead = table.page.locator(".board .card.lead")
    for point, picked in [(on_target, 0), ([first["x"], first["y"]], 1)]:
        version = table.version
        table.page.evaluate(CLICK, [[spot["x"], spot["y"]], on_target, point])
        table.rests()
        assert lead.count() == picked
        assert table.is_as_stored(player, game)["version"] == version + 1
        table.page.keyboard.press("Escape")
        table.page.keyboard.press("u")
        table.rests()


def spots(table: Table, pattern: str) -> list[list[float]]:
    """Ten points to click on."""
    if pattern == "one card":
        found = [table.hold(table.shown()["legal"][0].partition("-")[0].partition("x")[0])] * 10
    elif pattern == "card and target":
        found = [*table.grasp(LINE[6])] * 5
    else:
        found = [table.hold(f"t{n}") for n in range(1, 8)]
        found += [table.hold(f"t{n}", 2) for n in (1, 3, 4)]
    return [[spot["x"], spot["y"]] for spot in found]


def is_whole(table: Table, player: Player, game: Json) -> Json:
    """Once it rests, the table is as stored, with all its cards."""
    table.rests()
    assert all_cards_once(table.shown())
    return table.is_as_stored(player, game)


def all_cards_once(shown: Json) -> bool:
    """52 cards: the face-up ones all different, each foundation as high as its top card."""
    piles = {key: place for key, place in shown["places"].items() if key[0] == "t"}
    tops = [place["cards"] for key, place in shown["places"].items() if key[0] == "f"]
    up = [name for place in piles.values() for name in place["cards"]]
    raised = [
        RANKS[rank] + top[0][1] for top in tops if top for rank in range(RANKS.index(top[0][0]) + 1)
    ]
    down = sum(int(place["down"]) for place in piles.values())
    return len({*up, *raised}) == len(up) + len(raised) == 52 - down


def test_nothing_moves_by_itself(browse: Browse, player: Player, watch: Watch) -> None:
    """Reports 8: neither a card taken back from a foundation nor an undone one goes up again."""
    moves, back = worrying_back()
    game = player.start(CODE, moves)
    context = browse(reduced_motion="no-preference")
    player.enter(context)
    table = Table.open(context, game, clock=True)
    table.play(table.drag, (back,))
    table.page.clock.fast_forward("02:00")
    table.rests()
    assert player.see(game["id"])["version"] == game["version"] + 1
    table.page.keyboard.press("u")
    table.reaches(game["version"] + 2)
    table.page.keyboard.press("u")
    table.reaches(game["version"] + 3)
    table.page.clock.fast_forward("02:00")
    table.rests()
    stored = table.is_as_stored(player, game)
    assert stored["version"] == game["version"] + 3
    writes = [each for each in watch.requests if "POST" in each and "/clock" not in each]
    assert [each.rpartition("/")[2] for each in writes] == ["moves", "undo", "undo"]


def worrying_back() -> tuple[tuple[str, ...], str]:
    """A moment of the line when a foundation's card can be taken back, and that move."""
    for count in range(1, len(LINE)):
        game = game_after(CODE, LINE[:count])
        for move in game.legal_moves():
            if move.source.zone == FOUNDATION:
                return LINE[:count], str(move)
    raise AssertionError("no card can be taken back")
