"""A game's page in a browser: what it shows, and playing on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.api import Json, Player

_SCRIPT = Path(__file__).with_name("table.js").read_text(encoding="utf-8")
_MOVE = re.compile(r"(t\d+|f[SHDC]2?|s|w)(?:x(\d+))?-(t\d+|f|w)")
_FIGURES = ("version", "status", "score", "moves")


class Parts(NamedTuple):
    """A move: so many cards of a place to another."""

    source: str
    size: int
    target: str


class Grasp(NamedTuple):
    """The card to hold and the place to put it, as table.js measures them."""

    spot: Json
    ground: Json


def parts(move: str) -> Parts:
    match = _MOVE.fullmatch(move)
    assert match is not None, move
    return Parts(match[1], int(match[2] or 1), match[3])


class Table:
    """The table of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.section = page.locator("#table")
        self.toast = page.locator(".toast")
        self._tapped = ""

    @classmethod
    def open(cls, context: BrowserContext, game: Json, *, clock: bool = False) -> Self:
        """A game's page in a new tab of a profile; with `clock` the page's time can be moved on."""
        page = context.new_page()
        if clock:
            page.clock.install()
        page.add_init_script(_SCRIPT)
        page.goto(f"/games/{game['id']}")
        table = cls(page)
        table.wait()
        return table

    @classmethod
    def start_from(cls, context: BrowserContext, link: str, button: str = "Play this deal") -> Self:
        """Play the deal that a link shows, as its page offers it by this button."""
        page = context.new_page()
        page.add_init_script(_SCRIPT)
        page.goto(link)
        page.get_by_role("button", name=button).click()
        page.wait_for_url("**/games/*")
        table = cls(page)
        table.wait()
        return table

    def wait(self) -> None:
        """Until the page's scripts have begun."""
        self.page.wait_for_function("() => document.documentElement.classList.contains('ready')")

    # --- what is shown --------------------------------------------------------------------

    def ask(self, call: str, *arguments: Any) -> Any:
        """A function of table.js."""
        return self.page.evaluate(f"given => tests.{call}(...given)", list(arguments))

    def shown(self) -> Json:
        shown = self.ask("shown")
        assert isinstance(shown, dict)
        return shown

    @property
    def version(self) -> int:
        return int(self.section.get_attribute("data-version") or -1)

    def reaches(self, version: int) -> None:
        """Wait for a version of the game."""
        self.page.wait_for_function(
            "version => document.getElementById('table').dataset.version === version",
            arg=str(version),
        )

    def rests(self) -> None:
        """Wait until nothing is on its way or in the air any more."""
        self.ask("rest")

    def is_as_stored(self, player: Player, game: Json) -> Json:
        """What is shown is what the server has; the game as it stands."""
        stored = player.see(game["id"])
        assert shown_of(stored) == _comparable(self.shown())
        return stored

    def has_won(self, score: int) -> None:
        """The win panel is there and shows a score."""
        expect(self.page.locator("#win .pts")).to_have_text(str(score))
        expect(self.page.locator("#win")).to_be_in_viewport()

    # --- playing --------------------------------------------------------------------------

    def hold(self, place: str, count: int = 1) -> Json:
        """Where to take hold of the card that leads `count` cards; it must be seen there."""
        spot = self.ask("hold", place, count)
        assert isinstance(spot, dict)
        assert spot["isHit"], f"the card {place}x{count} is covered: {spot}"
        return spot

    def grasp(self, text: str, at: int | None = None) -> Grasp:
        """Where to take hold for a move and where to put it, once the table is at version `at`."""
        source, count, target = parts(text)
        found = self.ask("grasp", at, source, count, target)
        assert found["spot"]["isHit"], f"{text}: its card is covered: {found}"
        return Grasp(found["spot"], found["ground"])

    def drag(
        self,
        text: str,
        at: int | None = None,
        *,
        grip: float = 0.5,
        aside: float = 0,
        steps: int = 2,
    ) -> None:
        """Carry a group by mouse, held `grip` of the card's width from the left.

        Its lead card is let go `aside` of its width to the right of where it is to lie.
        """
        spot, ground = self.grasp(text, at)
        x, y = spot["left"] + spot["width"] * grip, spot["y"]
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        right = ground["left"] - spot["left"] + aside * spot["width"]
        mouse.move(x + right, y + ground["top"] - spot["top"] + 4, steps=steps)
        mouse.up()

    def click(self, text: str, at: int | None = None) -> None:
        """Play by mouse clicks: a top card goes up by one; else pick and put."""
        spot, ground = self.grasp(text, at)
        source, _, target = parts(text)
        self._apart(source)
        self.page.mouse.click(spot["x"], spot["y"])
        if target not in ("f", "w"):
            self.page.mouse.click(ground["x"], ground["y"])
            self._tapped = target

    def _apart(self, place: str) -> None:
        """A second tap on a place must not be half of a double tap."""
        if place == self._tapped:
            self.page.wait_for_function("() => tests.isAlone()")
        self._tapped = place

    def play(self, how: Callable[[str, int], None], moves: Sequence[str]) -> None:
        """Play moves, each when the one before has been answered."""
        version = self.version
        for at, text in enumerate(moves, version):
            how(text, at)
        self.reaches(version + len(moves))


def shown_of(stored: Json) -> Json:
    """What a page must show of a game's JSON."""
    places: Json = {}
    for number, pile in enumerate(stored["tableau"], 1):
        up = [name for name in pile if name != "??"]
        places[f"t{number}"] = (len(pile) - len(up), up, 0)
    decks = len(stored["foundations"]) // 4
    for index, pile in enumerate(stored["foundations"]):
        suit, copy = divmod(index, decks)
        places[f"f{'SHDC'[suit]}{'2' if copy else ''}"] = (0, pile[-1:], 0)
    if stored["game"] == "australian":
        places["s"] = (0, [], stored["stock"])
        places["w"] = (0, stored["waste"][-1:], 0)
    return {
        **{key: stored[key] for key in _FIGURES},
        "places": places,
        "legal": sorted(stored["legal_moves"]),
        "undo": stored["can_undo"],
        "redo": stored["can_redo"],
        "gone": 0,
    }


def _comparable(shown: Json) -> Json:
    places = {}
    for key, place in shown["places"].items():
        names = [f"#card-{name[0]}{name[1].lower()}" for name in place["cards"]]
        assert place["faces"] == names, f"{key} is called {place['cards']}, drawn {place['faces']}"
        places[key] = (place["down"], place["cards"], place["count"])
    return {**shown, "places": places}
