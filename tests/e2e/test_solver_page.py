"""What the solver does at the table and on a deal's page."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from engine.finish import finishing_line
from engine.moves import parse_move
from tests.app.solver import lost_game
from tests.e2e.api import Json, Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import game_after, winning_line
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.touch import PHONE, Phone
from tests.e2e.watch import Watch

CODE = "YU1-S-AAAAAAV"
LINE = winning_line(CODE)
COMPILING_S = 400

Open = Callable[..., Table]


@pytest.fixture(scope="module")
def server(solving_server: Server) -> Server:
    return solving_server


@pytest.fixture(scope="module", autouse=True)
def _compiled(server: Server) -> None:
    """The server's worker has compiled the solver."""
    until = time.monotonic() + COMPILING_S
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as http:
        while http.get(f"/api/v1/deals/{CODE}").json()["verdict"] is None:
            assert time.monotonic() < until, "the worker is not ready"
            time.sleep(0.2)


@pytest.fixture
def opened(browse: Browse, player: Player) -> Open:
    """Opens a game's page for its player."""

    def open_page(game: Json, kind: type[Table] = Table, **options: object) -> Table:
        context = browse(**options)
        player.enter(context)
        return kind.open(context, game)

    return open_page


def agree(page: Page, ask: str) -> None:
    """Say yes to the question before the first hint or verdict."""
    dialog = page.locator(f"#consent-{ask}")
    expect(dialog).to_contain_text("will count as assisted")
    dialog.locator(f"[data-consent='{ask}']").click()


def hinted(table: Table, version: int) -> str:
    """The hinted move, once the page shows it: one group in gold, one place in green."""
    expect(table.page.locator(f"#table.hinting[data-version='{version}']")).to_be_visible()
    assert table.page.locator(".board .lead").count() == 1
    assert table.page.locator(".board .target").count() == 1
    return table.section.get_attribute("data-hint") or ""


def test_hints_that_are_followed_win(opened: Open, player: Player) -> None:
    game = player.start(CODE, LINE[:-12])
    table = opened(game)
    page, version, hints = table.page, game["version"], 0
    while table.section.get_attribute("data-status") == "playing":
        page.locator(".tools .hint").click()
        if not hints:
            agree(page, "hint")
        hints += 1
        move = hinted(table, version + 1)
        assert move in player.see(game["id"])["legal_moves"]
        expect(page.locator("#say")).to_contain_text("Hint: ")
        page.locator(".board .target").click()
        table.reaches(version + 2)
        version += 2
    expect(page.locator("#win")).to_contain_text("Assisted")
    stored = table.is_as_stored(player, game)
    assert (stored["status"], stored["hints"]) == ("won", hints)
    par = page.request.get(f"/api/v1/deals/{CODE}").json()["par"]
    expect(page.locator("#win .facts")).to_contain_text(f"Par {par}", use_inner_text=True)
    (row,) = [row for row in player.board(CODE) if row["me"]]
    assert (row["hints"], row["clean"]) == (hints, False)


def test_what_a_hint_knows_is_said_before(opened: Open, player: Player) -> None:
    game = player.start(CODE)
    table = opened(game)
    page = table.page
    page.keyboard.press("h")
    dialog = page.locator("#consent-hint")
    expect(dialog).to_contain_text("Uses the hidden cards")
    expect(dialog).to_contain_text("Sees the face-up cards only")
    dialog.get_by_role("link", name="Close").click()
    expect(dialog).to_be_hidden()
    assert player.see(game["id"])["version"] == 0
    page.keyboard.press("h")
    agree(page, "hint")
    hinted(table, 1)
    page.keyboard.press("Escape")
    expect(page.locator(".board .lead, .board .target")).to_have_count(0)
    page.keyboard.press("h")
    page.keyboard.press("h")
    hinted(table, 1)
    table.rests()
    assert player.see(game["id"])["hints"] == 1
    expect(dialog).to_be_hidden()


def test_the_rings_breathe_once(opened: Open, player: Player) -> None:
    names = """() => {
        const target = document.querySelector('.board .target > .face, .board .slot.target');
        return [
            getComputedStyle(document.querySelector('.board .lead'), '::after').animationName,
            getComputedStyle(target).animationName,
        ];
    }"""
    for motion, expected in (("no-preference", ["breathe", "glow"]), ("reduce", ["none", "none"])):
        game = player.start(CODE)
        table = opened(game, reduced_motion=motion)
        table.page.keyboard.press("h")
        agree(table.page, "hint")
        hinted(table, 1)
        assert table.page.evaluate(names) == expected
        table.page.wait_for_function(
            "() => !document.querySelector('.board .target').getAnimations({subtree: true}).length"
        )
        hinted(table, 1)


def test_a_lost_game_is_taken_back(opened: Open, player: Player) -> None:
    code, played = lost_game()
    game = player.start(code, map(str, played.line))
    table = opened(game, Phone, **PHONE)
    page = table.page
    page.locator(".tools .menu").tap()
    page.locator("#menu [data-ask=verdict]").tap()
    agree(page, "verdict")
    expect(page.locator(".notice")).to_contain_text("No: from here no line wins.")
    back = page.locator("[data-do=back]")
    expect(back).to_have_text("Go back to move " + (back.get_attribute("value") or ""))
    length = int(back.get_attribute("value") or -1)
    back.tap()
    expect(page.locator("#say")).to_contain_text(f"Back after move {length}")
    table.rests()
    stored = table.is_as_stored(player, game)
    assert (stored["undos"], stored["hints"]) == (len(played.line) - length, 1)
    expect(page.locator(".notice")).to_have_count(0)
    page.locator(".tools .menu").tap()
    page.locator("#menu [data-ask=verdict]").tap()
    expect(page.locator(".notice")).to_contain_text("Yes: there is a line that wins from here.")
    page.locator("[data-dismiss]").tap()
    expect(page.locator(".notice")).to_have_count(0)


def ready_to_finish(player: Player) -> Json:
    """A game in which Finish is offered, at the first move of its line that allows it."""
    game = game_after(CODE, ())
    for played, text in enumerate(LINE):
        if finishing_line(game.rules, game.position):
            return player.start(CODE, LINE[:played])
        game = game.play(parse_move(text))
    raise AssertionError("nothing to finish")


def test_a_game_is_finished_card_by_card(opened: Open, player: Player, watch: Watch) -> None:
    game = ready_to_finish(player)
    table = opened(game)
    page = table.page
    line = (page.locator(".finish").get_attribute("data-finish") or "").split()
    watch.requests.clear()
    page.get_by_role("button", name="Finish").click()
    expect(page.locator("#win .pts")).to_have_text("625")
    stored = table.is_as_stored(player, game)
    assert (stored["status"], stored["moves"]) == ("won", game["moves"] + len(line))
    moves = [each for each in watch.requests if each.endswith(f"/games/{game['id']}/moves")]
    assert len(moves) == len(line)


def test_any_key_stops_the_finishing(opened: Open, player: Player) -> None:
    game = ready_to_finish(player)
    table = opened(game)
    page = table.page
    page.get_by_role("button", name="Finish").click()
    table.page.wait_for_function(
        "old => Number(document.getElementById('table').dataset.version) > old", arg=game["version"]
    )
    page.keyboard.press("Shift")
    table.rests()
    stored = table.is_as_stored(player, game)
    if stored["status"] == "playing":  # the machine was quick enough to be stopped
        page.get_by_role("button", name="Finish").click()
        expect(page.locator("#win .pts")).to_have_text("625")


def test_a_deal_s_proof_appears(browse: Browse) -> None:
    page = browse().new_page()
    code = "YU1-F-AAADEFG"
    page.goto(f"/d/{code}")
    play = page.get_by_role("button", name="Play this deal")
    where = play.bounding_box()
    badge = page.locator(".badges .badge").first
    expect(badge).not_to_have_text("Being checked…")
    known = page.request.get(f"/api/v1/deals/{code}").json()
    said = {"winnable": "Winnable, proven", "unwinnable": "Proven lost", "unproven": "Not proven"}
    expect(badge).to_have_text(said[known["verdict"]])
    expect(page.locator(".kv dd").first).to_have_text(str(known["par"] or "–"))
    solution = page.locator("#solution")
    if known["verdict"] == "winnable":
        expect(solution).to_be_visible()
    else:
        expect(solution).to_be_hidden()
    assert play.bounding_box() == where


def test_a_fair_hint_says_how_often_it_wins(opened: Open, player: Player) -> None:
    game = player.start(CODE)
    table = opened(game)
    page = table.page
    page.keyboard.press("h")
    page.locator("#consent-hint [data-consent='fair']").click()
    expect(page.locator(".notice.advice")).to_contain_text("ways the hidden cards can lie")
    move = hinted(table, 1)
    page.locator(".board .target").click()
    table.rests()
    assert move in game["legal_moves"]
    assert player.see(game["id"])["moves"] == 1
    page.keyboard.press("h")  # the choice of this game is kept
    hinted(table, 3)
    assert player.see(game["id"])["hints"] == 2


def test_a_hint_without_scripts(browse: Browse, player: Player, watch: Watch) -> None:
    watch.allow(r"\.js.*: csp$")
    game = player.start(CODE)
    context = browse(java_script_enabled=False)
    player.enter(context)
    page = context.new_page()
    page.goto(f"/games/{game['id']}")
    page.locator(".tools .hint").click()
    expect(page.get_by_role("button", name="Fair hint")).to_be_visible()
    page.get_by_role("button", name="Show").click()
    target = page.locator(".board .target")
    while not target.count():
        page.get_by_role("button", name="Look again").click()
    assert page.locator(".board .lead").count() == 1
    assert player.see(game["id"])["hints"] == 1
    move = target.get_attribute("value")
    target.click()
    expect(page).to_have_url(f"{page.url.partition('/games/')[0]}/games/{game['id']}")
    assert player.see(game["id"])["moves"] == 1
    assert move in game["legal_moves"]
