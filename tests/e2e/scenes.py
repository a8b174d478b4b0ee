"""Every page of the site, and the states of it that a player meets, for checks of them all."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import BrowserContext, Page

from tests.app.solver import wander
from tests.e2e.api import Json, Player
from tests.e2e.lines import winning_line

WON, ALSO, UNDER_WAY = "YU1-F-AAAAAAB", "YU1-F-AAAAACT", "YU1-C-AAAAABE"
STUCK, STUCK_SEED = "YU1-F-AAAAAAV", 21
NAME, PASSWORD = "Swiftwater Bill", "a long winter in Dawson"
_PATIENCE_S = 60


@dataclass(frozen=True)
class Scene:
    """A page: its address, and what is done there before it is looked at.

    Without an address it is a dialog that is opened on the page before.
    """

    name: str
    path: str = ""
    act: Callable[[Page], object] | None = None
    status: int = 200
    media: Literal["screen", "print"] = "screen"


def _press(*selectors: str) -> Callable[[Page], object]:
    """Close what is open, then press one thing after the other."""

    def act(page: Page) -> None:
        page.keyboard.press("Escape")
        for selector in selectors:
            page.locator(selector).first.click()

    return act


def _write(form: str, **fields: str) -> Callable[[Page], object]:
    """Send a form of the page as a browser without scripts would."""

    def act(page: Page) -> None:
        with page.expect_navigation():
            page.locator(form).evaluate(_WRITE, fields)

    return act


_WRITE = """(form, fields) => {
    for (const [name, value] of Object.entries(fields)) {
        const field = form.elements[name] ?? form.appendChild(document.createElement("input"));
        Object.assign(field, { name, value });
    }
    HTMLFormElement.prototype.submit.call(form);
}"""


def _sign_in(page: Page) -> None:
    page.context.clear_cookies()  # the first player keeps theirs
    _write("#sign-in form", name=NAME, password=PASSWORD)(page)
    page.goto("/account")


class Site:
    """What two players have done, so that every page has something to show."""

    def __init__(self, url: str) -> None:
        self.player, self.other, third = Player(url), Player(url), Player(url)
        self._all = (self.player, self.other, third)
        player, other = self.player, self.other
        line = winning_line(WON)
        other.start(WON, line)
        self.won = self._id(player.start(WON, line))
        stuck = wander("F", STUCK_SEED, STUCK_SEED, 40)
        self.stuck = self._id(player.start(STUCK, map(str, stuck.line)))
        ended = player.start(ALSO, winning_line(ALSO)[:9])
        self.ended = self._id(player.write(ended, "end"))
        self.theirs = self._id(other.start(ALSO, winning_line(ALSO)[:3]))
        self.paused = self._id(player.start(UNDER_WAY, winning_line(UNDER_WAY)[:2]))
        player.send_form(f"/games/{self.paused}/clock", state="paused")
        self.lobby, self.running, self.over = (self._race(step) for step in range(3))
        self.playing = self._id(player.start(UNDER_WAY, winning_line(UNDER_WAY)[:8]))
        third.start(ALSO)
        third.send_form("/account/sign-up", name=NAME, password=PASSWORD)
        player.send_form("/players/me", name="Belinda Mulrooney")
        player.ask("POST", "/account/friends", json={"link": self._friends_link(third)})
        self.friends_link = self._friends_link(other)

    def close(self) -> None:
        for each in self._all:
            each.close()

    @staticmethod
    def _id(made: Json) -> str:
        return str(made["id"])

    @staticmethod
    def _friends_link(player: Player) -> str:
        """The path of a player's link for friends."""
        url = str(player.ask("POST", "/account/friends/link")["url"])
        return "/friends/" + url.rpartition("/")[2]

    def _race(self, steps: int) -> str:
        """A race of the two: in its room, under way, or over."""
        race = self._id(self.other.ask("POST", "/races", json={"game": "yukon"}))
        self.player.ask("POST", f"/races/{race}/join")
        if steps:
            for each in (self.player, self.other):
                each.ask("POST", f"/races/{race}/ready", json={"ready": True})
            until = time.monotonic() + _PATIENCE_S
            while self.player.ask("GET", f"/races/{race}")["state"] != "running":
                assert time.monotonic() < until, "the race did not begin"
                time.sleep(0.2)
        if steps > 1:
            for each in (self.player, self.other):
                each.ask("POST", f"/races/{race}/give-up")
        return race

    def enter(self, context: BrowserContext) -> None:
        """Be the player whose site this is."""
        self.player.enter(context)

    def scenes(self) -> list[Scene]:
        """All of them, in an order in which each finds what the ones before have left."""
        game, race = f"/games/{self.playing}", f"/races/{self.lobby}"
        friend = self.player.ask("GET", "/account/friends")["friends"][0]["id"]
        raced = self.player.ask("GET", f"/races/{self.running}")["game_id"]
        return [
            Scene("home", "/"),
            Scene("menu", act=_press("[data-open=menu]")),
            Scene("new game", f"/new?from={self.playing}"),
            Scene("new game: code refused", "/d/nonsense", status=404),
            Scene("game", game),
            Scene("game: menu", act=_press(".tools .menu")),
            Scene("game: new", act=_press(".tools .menu", "#menu [data-open=new]")),
            Scene("game: keys", act=_press(".tools .menu", "#menu [data-open=keys]")),
            Scene("game: restart", act=_press(".tools .menu", "#menu [data-confirm=restart]")),
            Scene("game: which hint", act=_press(".tools .hint")),
            Scene("game: this deal", act=_press(".bar .code")),
            Scene("game: selected", f"{game}?pick=t4x2"),
            Scene("game: refused", game, _write("#move-form", move="t1x1-t2")),
            Scene("game: paused", f"/games/{self.paused}"),
            Scene("game: won", f"/games/{self.won}"),
            Scene("game: stuck", f"/games/{self.stuck}"),
            Scene("game: over", f"/games/{self.ended}"),
            Scene("game: another's", f"/games/{self.theirs}"),
            Scene("game: in a race", f"/games/{raced}"),
            Scene("restart?", f"{game}/restart"),
            Scene("replay", f"/games/{self.won}/replay?at=7"),
            Scene("embedded replay", f"/embed/{self.won}"),
            Scene("analysis", f"/games/{self.ended}/analysis"),
            Scene("deal", f"/d/{WON}"),
            Scene("deal, printed", f"/d/{WON}", media="print"),
            Scene("solution", f"/solutions/{WON}"),
            Scene("paste a board", "/import"),
            Scene("paste a board: faults", "/import", _write(".paste", text="7S\nKH <QD> 3X")),
            Scene("leaderboard", "/leaderboard"),
            Scene("leaderboard of the day", "/leaderboard?game=flexible&period=day&sort=time"),
            Scene("daily", "/daily"),
            Scene("daily: a month", "/daily?game=alaska&month=2026-02&day=2026-02-11"),
            Scene("statistics", "/statistics"),
            Scene("settings", "/settings"),
            Scene("rules", "/rules"),
            Scene("rules of a game", "/rules/double-yukon"),
            Scene("races", "/races"),
            Scene("races: no such room", "/races?letters=ZZZZZZ", status=404),
            Scene("race: room", race),
            Scene("race: finish", f"/races/{self.over}"),
            Scene("account", "/account"),
            Scene("account: link", "/account", _write("#along form")),
            Scene(
                "account: friends’ link", "/account", _write('#friends form[action$="#friends"]')
            ),
            Scene("friend: remove?", f"/account/friends/{friend}/remove"),
            Scene("friend: become one?", self.friends_link),
            Scene("leaderboard of friends", "/leaderboard?friends=1&sort=moves"),
            Scene("account: refused", "/account", _write("#sign-up form", name="x", password="y")),
            Scene("sign out?", "/account/sign-out"),
            Scene("delete?", "/account/delete"),
            Scene("take along: used up", "/take/nonsense", status=404),
            Scene("offline", "/offline"),
            Scene("no such page", "/nowhere", status=404),
            Scene("name refused", "/", _write("#menu #name", name="x")),
            Scene("account: signed in", "/account", _sign_in),
        ]
