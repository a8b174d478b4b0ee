"""A player by JSON: brings games to where a browser test begins, and looks them up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import httpx
from playwright.sync_api import BrowserContext

Json = dict[str, Any]


class Player:
    """One player; `enter` lets a browser profile be the same one."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._http = httpx.Client(base_url=url, timeout=60, trust_env=False)

    def close(self) -> None:
        self._http.close()

    def enter(self, context: BrowserContext) -> None:
        """Give a browser profile this player's cookie."""
        token = self._http.cookies["player"]
        context.add_cookies([{"name": "player", "value": token, "url": self.url}])

    def leave(self, context: BrowserContext) -> None:
        """Take over the player that a browser profile has become."""
        (token,) = [each["value"] for each in context.cookies() if each["name"] == "player"]
        self._http.cookies.set("player", token)

    def ask(self, method: str, path: str, **how: Any) -> Json:
        """What the JSON at a path of `/api/v1` answers."""
        answer = self._http.request(method, f"/api/v1{path}", **how)
        assert answer.is_success, answer.text
        body = answer.json()
        assert isinstance(body, dict)
        return body

    def send_form(self, path: str, **fields: str) -> None:
        """Send a page's form."""
        answer = self._http.post(path, data=fields)
        assert answer.status_code in (204, 303), answer.status_code

    def start(self, code: str, moves: Iterable[str] = ()) -> Json:
        """A game on a deal, after some moves."""
        return self.play(self.ask("POST", "/games", json={"code": code}), moves)

    def play(self, game: Json, moves: Iterable[str]) -> Json:
        for move in moves:
            body = {"move": move, "version": game["version"]}
            game = self.ask("POST", f"/games/{game['id']}/moves", json=body)
        return game

    def write(self, game: Json, what: str) -> Json:
        """Undo, redo or end."""
        return self.ask("POST", f"/games/{game['id']}/{what}", json={"version": game["version"]})

    def see(self, game_id: str) -> Json:
        return self.ask("GET", f"/games/{game_id}")

    def board(self, code: str) -> list[Json]:
        """A deal's leaderboard."""
        rows = self.ask("GET", f"/deals/{code}/leaderboard")["rows"]
        assert isinstance(rows, list)
        return rows
