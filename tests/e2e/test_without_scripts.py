"""The game without scripts: pick and put by buttons of forms, each with a page for an answer."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.app.html import Html
from tests.e2e.api import Json, Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.table import parts, shown_of
from tests.e2e.watch import REFUSED, Watch

CODE = "YU1-S-AAAAAAV"
LINE = winning_line(CODE)


class Plain:
    """A game's page in a browser without scripts."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def version(self) -> str | None:
        return self.page.locator("#table").get_attribute("data-version")

    def lead(self, place: str, size: int) -> Locator:
        return self.page.locator(f"[data-place='{place}'] button.card[data-card]").nth(-size)

    def press(self, button: Locator) -> None:
        """Press a button where it is seen: a covered card by the left end of its strip."""
        with self.page.expect_navigation(wait_until="domcontentloaded"):
            button.click(position={"x": 8, "y": 6})

    def pick(self, text: str) -> None:
        move = parts(text)
        self.press(self.lead(move.source, move.size))

    def put(self, text: str) -> None:
        """Press the lit target of a move."""
        self.press(self.page.locator(f".board button.target[value='{text}']"))

    def play(self, text: str) -> None:
        self.pick(text)
        self.put(text)


@pytest.fixture
def plain(browse: Browse, player: Player, watch: Watch) -> tuple[Plain, Player]:
    watch.allow(r"\.js.*: csp$")
    context = browse(java_script_enabled=False, viewport={"width": 800, "height": 600})
    page = context.new_page()
    page.goto("/new")
    page.get_by_label("Or a deal by its code").fill(CODE.lower())
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page).to_have_url(re.compile("/games/"))
    player.leave(context)
    return Plain(page), player


def stored_of(plain: Plain, player: Player) -> Json:
    return player.see(re.split(r"[/?]", plain.page.url.partition("/games/")[2])[0])


def test_pick_put_undo_redo_and_restart(plain: tuple[Plain, Player]) -> None:
    table, player = plain
    page = table.page
    table.pick(LINE[0])
    move = parts(LINE[0])
    expect(table.lead(move.source, move.size)).to_have_attribute("aria-pressed", "true")
    assert page.locator(".board .sel").count() == move.size
    table.put(LINE[0])
    after = stored_of(table, player)
    assert (after["version"], after["moves"], table.version) == (1, 1, "1")
    table.press(page.get_by_role("button", name="Undo"))
    assert (stored_of(table, player)["moves"], table.version) == (1, "2")
    table.press(page.get_by_role("button", name="Redo"))
    assert shown_of(stored_of(table, player))["places"] == shown_of(after)["places"]

    first = page.url
    page.goto(f"{first}/restart")
    page.get_by_role("link", name="Keep playing").click()
    expect(page).to_have_url(first)
    page.goto(f"{first}/restart")
    expect(page.get_by_role("heading", name="Restart this deal?")).to_be_visible()
    page.get_by_role("button", name="Restart", exact=True).click()
    expect(page).not_to_have_url(re.compile(re.escape(first)))
    again = stored_of(table, player)
    assert (again["code"], again["moves"], again["version"]) == (CODE, 0, 0)
    assert player.see(first.rpartition("/")[2])["status"] == "ended"


def test_cards_that_can_go_nowhere(plain: tuple[Plain, Player]) -> None:
    table, player = plain
    game = stored_of(table, player)
    movable = {move.partition("-")[0] for move in game["legal_moves"]}
    fixed = next(f"t{n}" for n in range(1, 8) if f"t{n}" not in movable)
    table.press(table.lead(fixed, 1))
    expect(table.page.locator(".toast")).to_contain_text("These cards can go nowhere now.")
    expect(table.page.locator(".board .target")).to_have_count(0)
    assert stored_of(table, player) == game


def test_a_move_on_an_old_page(plain: tuple[Plain, Player], watch: Watch) -> None:
    """The table had moved on: the page shows it as it is, and says so."""
    watch.allow(REFUSED)
    table, player = plain
    game = stored_of(table, player)
    table.pick(next(move for move in game["legal_moves"] if move != LINE[0]))
    player.play(game, LINE[:2])
    table.press(table.page.locator(".board button.target").first)
    expect(table.page.locator(".toast")).to_contain_text("The table had moved on")
    assert table.version == "2"
    assert stored_of(table, player)["moves"] == 2


def play_as_read(page: Page, text: str) -> None:
    """Play a move by the forms that stand in the page's HTML, as any browser would send them."""
    address = page.url.partition("?")[0]
    pick = text.partition("-")[0]
    picked = Html(page.request.get(address, params={"pick": pick}).text())
    assert picked.one("button", form="pick-form", value=pick).attributes["aria-pressed"] == "true"
    assert len(picked.all("button", form="move-form", value=text)) == 1
    action = picked.one("form", id="move-form").attributes["action"]
    form: dict[str, str | float | bool] = {"move": text, "version": picked.table["data-version"]}
    answer = page.request.post(action, form=form, max_redirects=0)
    assert (answer.status, answer.headers["location"]) == (303, urlsplit(address).path)


def test_a_whole_game(plain: tuple[Plain, Player]) -> None:
    """The first moves as their forms are written, the last thirty pages by the browser's hand."""
    table, player = plain
    for text in LINE[:-15]:
        play_as_read(table.page, text)
    table.page.reload(wait_until="domcontentloaded")
    for text in LINE[-15:]:
        table.play(text)
    expect(table.page.locator("#win .pts")).to_have_text("625")
    stored = stored_of(table, player)
    assert (stored["status"], stored["score"], stored["moves"]) == ("won", 625, len(LINE))
    table.page.get_by_label("Your name").fill("Plain Jane")
    table.press(table.page.get_by_role("button", name="Save"))
    (row,) = [row for row in player.board(CODE) if row["me"]]
    assert (row["name"], row["moves"], row["won"]) == ("Plain Jane", len(LINE), True)
