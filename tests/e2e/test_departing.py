"""A group that is played sets out at once, and the answer says where it lies."""

from __future__ import annotations

from threading import Event

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.api import Json, Player
from tests.e2e.conftest import Browse
from tests.e2e.table import Table, parts
from tests.e2e.test_hurry import CODE, LINE, moving
from tests.e2e.watch import REFUSED, UNREACHABLE, Watch

UP = next(at for at, move in enumerate(LINE) if at and move.endswith("-f"))
ACROSS = next(at for at, move in enumerate(LINE) if at and "x" in move)
LONG = 24
"""A move from a short pile to one of 24 cards."""
APART = """(where) => {
    const [one, two] = [...document.querySelectorAll(`${where} .face`)].slice(-2);
    return two.getBoundingClientRect().top - one.getBoundingClientRect().top;
}"""
IN_THE_AIR = """() => {
    const faces = [...document.querySelectorAll('#air .face')];
    const { left: x, top: y } = faces[0]?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { count: faces.length, gone: document.querySelectorAll('.board .gone').length, x, y };
}"""


def held_back(page: Page) -> list[Route]:
    """The moves that the page has asked for; they are answered when a test lets them."""
    routes: list[Route] = []

    def keep(route: Route) -> None:
        routes.append(route)

    page.route("**/moves", keep)
    return routes


def answer(table: Table, player: Player, game: Json, routes: list[Route]) -> None:
    """Let the server answer the move; the table comes to rest as it is stored."""
    for _ in range(500):  # the request may still be on its way here
        if routes:
            break
        table.page.wait_for_timeout(20)
    routes[0].continue_()
    table.reaches(game["version"] + 1)
    table.rests()
    table.is_as_stored(player, game)


@pytest.mark.parametrize("at", [UP, ACROSS])
def test_before_the_answer(browse: Browse, player: Player, at: int) -> None:
    """The whole group is in the air at its target, gone from its pile; once answered it lies."""
    table, game = moving(browse, player, at)
    page, move = table.page, LINE[at]
    count = int(parts(move)[1])
    ground = table.grasp(move).ground
    routes = held_back(page)
    table.click(move)
    page.wait_for_function("() => document.querySelector('#air .face')")
    page.wait_for_timeout(300)
    seen = page.evaluate(IN_THE_AIR)
    assert (seen["count"], seen["gone"], table.version) == (count, count, at)
    assert seen["x"] == pytest.approx(ground["left"], abs=2)
    assert seen["y"] == pytest.approx(ground["top"], abs=ground["height"] * 0.5)
    answer(table, player, game, routes)


def test_what_has_left_is_not_where_it_lay(browse: Browse, player: Player) -> None:
    """A tap there means the card below it; nothing can be carried from there; a pause hides it."""
    table, game = moving(browse, player, UP)
    page, move = table.page, LINE[UP]
    below = table.shown()["places"][parts(move)[0]]["cards"][-2]
    spot, _ = table.grasp(move)
    routes = held_back(page)
    table.click(move)
    page.wait_for_timeout(500)
    page.mouse.move(spot["x"], spot["y"])
    page.mouse.down()
    page.mouse.move(spot["x"] + 60, spot["y"] + 30, steps=3)
    assert page.locator("#air .carry").count() == 0
    page.mouse.up()
    page.keyboard.press("Escape")
    page.mouse.click(spot["x"], spot["y"])
    assert page.locator(".board .card.lead").get_attribute("data-card") == below
    page.keyboard.press("p")
    expect(page.locator("#air .face")).to_be_hidden()
    page.keyboard.press("p")
    answer(table, player, game, routes)


def test_an_answer_within_a_pause(browse: Browse, player: Player) -> None:
    """It neither shows the cards nor lets the clock run on, here or on the server."""
    table, game = moving(browse, player, ACROSS)
    page = table.page
    routes = held_back(page)
    table.click(LINE[ACROSS])
    page.wait_for_function("() => document.querySelector('#air .face')")
    page.keyboard.press("p")
    paused = page.get_by_role("heading", name="Paused")
    expect(paused).to_be_visible()
    with page.expect_request(lambda request: "paused" in (request.post_data or "")):
        routes[0].continue_()
        table.reaches(game["version"] + 1)
    expect(paused).to_be_visible()
    assert not page.locator(".board .card svg").first.is_visible()
    expect(page.locator("#air .face").first).to_be_hidden()
    stood = standing_clock(player, game)
    page.wait_for_timeout(600)
    assert player.see(game["id"])["elapsed_ms"] == stood
    page.get_by_role("button", name="Resume").click()
    expect(paused).to_be_hidden()
    table.rests()
    table.is_as_stored(player, game)


def standing_clock(player: Player, game: Json) -> int:
    """The game's time once the server's clock stands."""
    last = -1
    while (now := int(player.see(game["id"])["elapsed_ms"])) != last:
        last = now
    return now


def test_a_group_closes_up_on_its_way_to_a_long_pile(browse: Browse, player: Player) -> None:
    """Its cards come to lie as far apart as the pile's own do, before the answer moves them."""
    table, game = moving(browse, player, LONG)
    source, count, target = parts(LINE[LONG])
    apart = {
        place: table.page.evaluate(APART, f'[data-place="{place}"]') for place in (source, target)
    }
    assert apart[target] < 0.8 * apart[source]
    routes = held_back(table.page)
    table.click(LINE[LONG])
    table.page.wait_for_function("() => document.querySelector('#air .face')")
    table.page.wait_for_timeout(300)
    assert table.page.evaluate(IN_THE_AIR)["count"] == int(count) > 2
    assert table.page.evaluate(APART, "#air") == pytest.approx(apart[target], abs=0.5)
    answer(table, player, game, routes)


def test_a_window_of_another_size(browse: Browse, player: Player) -> None:
    """What is in the air then is seen where it lay, until the answer moves it."""
    table, game = moving(browse, player, ACROSS)
    routes = held_back(table.page)
    table.click(LINE[ACROSS])
    table.page.wait_for_function("() => document.querySelector('#air .face')")
    table.page.set_viewport_size({"width": 720, "height": 1000})
    table.page.wait_for_function("() => !document.querySelector('#air .face, .board .gone')")
    answer(table, player, game, routes)


def test_another_tab_was_faster(browse: Browse, player: Player, watch: Watch) -> None:
    """The group comes back to where the table says that it lies."""
    watch.allow(REFUSED)
    table, game = moving(browse, player, ACROSS)
    routes = held_back(table.page)
    table.click(LINE[ACROSS])
    table.page.wait_for_function("() => document.querySelector('#air .face')")
    other = next(move for move in game["legal_moves"] if move != LINE[ACROSS])
    player.play(game, [other])
    answer(table, player, game, routes)
    expect(table.toast).to_contain_text("The table had moved on")


def test_no_connection(browse: Browse, player: Player, watch: Watch) -> None:
    """It waits at its target until the server has been reached."""
    watch.allow(UNREACHABLE)
    table, game = moving(browse, player, ACROSS)
    page = table.page
    blocked = Event()

    def fail(route: Route) -> None:
        blocked.set()
        route.abort("internetdisconnected")

    page.route("**/moves", fail)
    table.click(LINE[ACROSS])
    expect(table.toast).to_contain_text("No connection")
    assert blocked.is_set()
    assert page.evaluate(IN_THE_AIR)["gone"] == int(parts(LINE[ACROSS])[1])
    page.unroute("**/moves")
    table.reaches(ACROSS + 1)
    table.rests()
    table.is_as_stored(player, game)


def test_less_movement(browse: Browse, player: Player) -> None:
    """Who asks for less movement sees nothing fly: the answered table shows the move."""
    game = player.start(CODE, LINE[:ACROSS])
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    routes = held_back(table.page)
    table.click(LINE[ACROSS])
    table.page.wait_for_timeout(200)
    assert table.page.evaluate(IN_THE_AIR) == {"count": 0, "gone": 0, "x": 0, "y": 0}
    answer(table, player, game, routes)
