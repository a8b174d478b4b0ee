"""Undo, redo, restart, new game, codes: from the bar, the menu and its sheets. Reports 13."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import Table
from tests.e2e.touch import PHONE
from tests.e2e.watch import REFUSED, Watch

CODE = "YU1-C-AAAAABE"
LINE = winning_line(CODE)


@pytest.fixture
def table(browse: Browse, player: Player) -> Table:
    """Six moves into a game."""
    game = player.start(CODE, LINE[:6])
    context = browse(permissions=["clipboard-read", "clipboard-write"])
    player.enter(context)
    return Table.open(context, game)


def id_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def menu(page: Page, row: str) -> None:
    page.get_by_role("link", name="Menu").click()
    page.locator("#menu").get_by_role("link", name=row).click()


def test_undo_and_redo_by_the_bar(table: Table, player: Player) -> None:
    page, start = table.page, table.shown()
    game = player.see(id_of(page))
    for count in range(1, 4):
        page.get_by_role("button", name="Undo").click()
        table.reaches(6 + count)
    table.is_as_stored(player, game)
    for count in range(1, 4):
        page.get_by_role("button", name="Redo").click()
        table.reaches(9 + count)
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    assert {**table.shown(), "version": 6} == start
    assert table.is_as_stored(player, game)["undos"] == 3


def test_restart_asks_first(table: Table, player: Player) -> None:
    page, old = table.page, id_of(table.page)
    menu(page, "Restart this deal")
    expect(page.get_by_role("alertdialog", name="Restart this deal?")).to_be_visible()
    page.get_by_role("button", name="Keep playing").click()
    assert player.see(old)["status"] == "playing"
    menu(page, "Restart this deal")
    with page.expect_navigation():
        page.locator("#sure-yes").click()
    table.wait()
    assert id_of(page) != old
    game = player.see(id_of(page))
    assert (game["code"], game["moves"]) == (CODE, 0)
    assert game["tableau"] == player.start(CODE)["tableau"]
    table.is_as_stored(player, game)
    assert player.see(old)["status"] == "ended"


def test_a_new_game_asks_first(table: Table, player: Player) -> None:
    page, old = table.page, id_of(table.page)
    page.keyboard.press("n")
    page.locator("#new").get_by_label("Alaska").check()
    page.locator("#new").get_by_role("button", name="Deal the cards").click()
    expect(page.get_by_role("alertdialog", name="Leave this game")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    assert player.see(old)["status"] == "playing"
    page.keyboard.press("n")
    page.locator("#new").get_by_role("button", name="Deal the cards").click()
    with page.expect_navigation():
        page.locator("#sure-yes").click()
    table.wait()
    game = player.see(id_of(page))
    assert (game["game"], game["moves"]) == ("alaska", 0)
    assert player.see(old)["status"] == "ended"


def test_an_untouched_game_is_left_without_a_question(browse: Browse, player: Player) -> None:
    context = browse()
    game = player.start(CODE)
    player.enter(context)
    table = Table.open(context, game)
    menu(table.page, "New game")
    with table.page.expect_navigation():
        table.page.locator("#new").get_by_role("button", name="Deal the cards").click()
    table.wait()
    assert player.see(id_of(table.page))["moves"] == 0


def test_a_typed_code(browse: Browse, watch: Watch, player: Player) -> None:
    """What is wrong with a code is said beside it, and it can be mended there."""
    watch.allow(REFUSED)
    page = browse().new_page()
    page.goto("/")
    field = page.locator("main").get_by_label("Or a deal by its code")
    field.fill("YU1-C-AAAAAA")
    page.locator("main").get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator("#code-err")).to_be_visible()
    assert len(page.locator("#code-err").inner_text()) > 15
    expect(field).to_have_value("YU1-C-AAAAAA")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill(CODE.lower())
    field.press("Enter")
    expect(page).to_have_url(re.compile("/games/"))
    assert player.see(id_of(page))["code"] == CODE


def test_a_code_that_cannot_be_read_stays_in_its_dialog(table: Table, watch: Watch) -> None:
    """The game is not left: the dialog says what is wrong, with all that was chosen and typed."""
    watch.allow(REFUSED)
    page, address = table.page, table.page.url
    page.keyboard.press("n")
    sheet = page.locator("#new")
    sheet.get_by_label("Alaska").check()
    sheet.get_by_label("Hard").check()
    field = sheet.get_by_label("Or a deal by its code")
    for typed in ("YU1-C-AAAAAA", "nonsense"):  # again in the form that came back
        field.fill(typed)
        field.press("Enter")
        expect(sheet.get_by_role("alert")).to_contain_text(typed)
        expect(field).to_be_focused()
        expect(field).to_have_value(typed)
        expect(sheet.get_by_label("Alaska")).to_be_checked()
        expect(sheet.get_by_label("Hard")).to_be_checked()
        assert page.url == address
    field.fill("YU1-R-AAAAAAB")
    field.press("Enter")
    page.locator("#sure-yes").click()
    expect(page.locator("h1")).to_have_text("Yukon Flexible")


def test_a_code_that_is_refused_on_home_is_seen(table: Table, watch: Watch) -> None:
    """No game would be left, so nothing is asked; the game goes on."""
    watch.allow(REFUSED)
    page = table.page
    page.goto("/")
    field = page.locator("#code-in")
    for typed in ("nonsense", "YU1-C-AAAAAA"):
        field.fill(typed)
        field.press("Enter")
        expect(page.locator("#code-err")).to_contain_text(typed)
        expect(page.locator("#sure")).to_be_hidden()
        expect(field).to_be_focused()
    expect(page.get_by_role("link", name="Resume")).to_be_visible()


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_text_that_is_no_code_at_all(browse: Browse, watch: Watch, by_hand: bool) -> None:
    """What is pasted is cut, and refused in its form; what is sent uncut gets a page of its own."""
    watch.allow(REFUSED)
    page = browse(locale="de").new_page()
    page.goto("/")
    form = page.locator("form", has=page.locator("#code-in"))
    field = form.locator("#code-in")
    field.focus()
    if not by_hand:
        field.evaluate("field => field.removeAttribute('maxlength')")
    page.keyboard.insert_text("Q" * 3000)
    field.press("Enter")
    if by_hand:
        expect(form.get_by_role("alert")).to_contain_text("beginnt mit YU1 oder PSF")
        expect(field).to_have_value("Q" * 200)
    else:
        expect(page.locator("#error-title")).to_be_visible()
        expect(page.get_by_text("Etwas von dem, was gesendet wurde")).to_be_visible()
    expect(page.locator("header")).to_have_count(1)


def test_a_code_is_sent_again_when_the_server_is_in_trouble(
    browse: Browse, watch: Watch, player: Player
) -> None:
    watch.allow("status of 503")
    page = browse().new_page()

    def stumble(route: Route) -> None:
        if route.request.headers.get("hx-request"):
            route.fulfill(status=503, body="busy")
        else:
            route.continue_()

    page.goto("/")
    page.route("**/games", stumble)
    page.locator("main").get_by_label("Or a deal by its code").fill(CODE)
    page.locator("main").get_by_role("button", name="Deal", exact=True).click()
    expect(page).to_have_url(re.compile("/games/."))
    assert player.see(id_of(page))["code"] == CODE


def test_a_half_typed_card_is_dropped_when_a_dialog_opens(table: Table) -> None:
    page = table.page
    card = page.locator(".board button.card[data-card]").first
    name = (card.get_attribute("data-card") or "").lower()

    def picked() -> int:
        return page.locator(".board .sel").count()

    page.keyboard.press(name[0])
    page.get_by_role("link", name="Menu").click()
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    page.keyboard.press(name[1])
    assert picked() == 0
    page.keyboard.press("Escape")
    page.keyboard.type(name)
    assert picked() > 0


def test_the_code_is_copied(table: Table) -> None:
    page = table.page
    page.get_by_role("link", name=f"Deal {CODE}").first.click()
    expect(table.toast).to_contain_text("Code copied")
    assert page.evaluate("navigator.clipboard.readText()") == CODE
    page.evaluate("navigator.clipboard.writeText('')")
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_role("link", name=f"Deal {CODE}").first.click()
    page.locator("#deal").get_by_role("button", name="Copy code").click()
    expect(page.locator("#deal")).to_be_hidden()
    assert page.evaluate("navigator.clipboard.readText()") == CODE


@pytest.mark.parametrize("screen", ["desk", "phone"])
def test_nothing_that_leaves_the_game_lies_open(
    browse: Browse, player: Player, screen: str
) -> None:
    """Reports 13: restart and new game are in sheets only, never beside undo."""
    game = player.start(CODE, LINE[:2])
    context = browse(**PHONE) if screen == "phone" else browse()
    player.enter(context)
    table = Table.open(context, game)
    leaving = table.page.locator(
        "[form=restart-form], [data-confirm], [data-open=new], #sure-yes, [action='/games'] button"
    )
    assert leaving.count() >= 4
    assert [each for each in leaving.all() if each.is_visible()] == []
    names = table.page.locator(".tools > :visible").all_inner_texts()
    assert not any(re.search("restart|new", name, re.IGNORECASE) for name in names)


def test_the_result_can_be_closed_and_shown_again(browse: Browse, player: Player) -> None:
    code = "YU1-S-AAAAAAV"
    game = player.start(code, winning_line(code))
    context = browse()
    player.enter(context)
    page = context.new_page()
    page.goto(f"/games/{game['id']}")
    result = page.get_by_role("dialog", name="Solved")
    again = page.get_by_role("button", name="Show the result")
    expect(result).to_be_visible()
    expect(again).to_be_hidden()
    result.get_by_role("button", name="Close").click()
    expect(result).to_be_hidden()
    expect(again).to_be_focused()
    page.get_by_role("link", name="Menu").click()  # the table can be reached
    page.keyboard.press("Escape")
    again.click()
    expect(result).to_be_visible()
    expect(again).to_be_hidden()


def test_a_pause_before_the_first_move_says_why_not(browse: Browse, player: Player) -> None:
    game = player.start(CODE)
    context = browse()
    player.enter(context)
    table = Table.open(context, game)
    table.page.keyboard.press("p")
    expect(table.page.get_by_text("The clock starts with the first move.").first).to_be_visible()


@pytest.mark.parametrize("where", ["game", "settings"])
def test_another_language_is_the_page_s_at_once(table: Table, where: str) -> None:
    page = table.page
    if where == "settings":
        page.goto("/settings?lang=fr")  # an address that names a language gives way
    for language, direction in (("de", "ltr"), ("ar", "rtl"), ("en", "ltr")):
        if where == "game":
            page.locator(".tools .menu").click()
        field = page.locator("select[name=lang]:visible")
        with page.expect_navigation():
            field.select_option(language)
        root = page.locator("html")
        expect(root).to_have_attribute("lang", language)
        expect(root).to_have_attribute("dir", direction)
