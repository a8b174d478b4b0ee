"""Every address of the application, asked about a game whose deal is sealed."""

import re
from collections.abc import Iterator

import httpx

from engine.deals import DealCode
from tests.app.support import Client, Json

ENDINGS = ("/end", "/restart", "/give-up", "/account/sign-out", "/account/delete")
"""Writes after which the game, or its player, is another one; asked by the tests themselves."""


def _requests(
    client: Client, game: Json, race_id: str
) -> Iterator[tuple[str, str, httpx.Response]]:
    """Every address of the application, asked about this game in every way it knows."""
    ids = {"game_id": game["id"], "code": game["id"], "path": "x", "letters": "ABCDEF"}
    ids["game"] = "yukon"
    ids["race_id"] = race_id
    for route in client.app.routes:
        for each in getattr(getattr(route, "original_router", None), "routes", [route]):
            path = re.sub(
                r"\{(\w+)(:\w+)?\}", lambda found: ids.get(found[1], "1"), getattr(each, "path", "")
            )
            methods = getattr(each, "methods", None) or set()
            for method in sorted(methods & {"GET", "POST", "PUT"}):
                if path.endswith(ENDINGS) and method == "POST":
                    continue
                if path.endswith("/events"):
                    continue  # a stream has no end
                if method == "GET":
                    yield method, path, client.get(path)
                    yield method, path, client.get(path, headers={"hx-request": "true"})
                    continue
                version = client.get(f"/api/v1/games/{game['id']}").json().get("version", 0)
                body = {"version": version, "game": "yukon", "name": "Kate", "state": "shown"}
                body |= {"move": game["legal_moves"][0], "length": 0, "next": "/", "from": ""}
                body |= {"ready": "1", "seat": 1, "strength": "strong"}
                if path.startswith("/api/"):
                    for part in ({"version": version}, {"game": "yukon"}, {"name": "Kate"}):
                        yield method, path, client.request(method, path, json=part)
                else:
                    yield method, path, client.request(method, path, data=body)
                    yield method, path, client.htmx(path, body)
    for query in ("?game=yukon&period=day&first=1", "?sort=moves", "?period=month&clean=1"):
        yield "GET", query, client.get(f"/leaderboard{query}")
    yield "GET", "/daily?month=2026-12", client.get("/daily?month=2026-12&day=2026-12-01")


def tells_nothing(client: Client, game: Json, code: DealCode, race_id: str = "none") -> set[str]:
    """Ask everything; no answer may have the code. Which addresses were asked."""
    asked = set()
    for method, path, answer in _requests(client, game, race_id):
        sent = answer.text + str(answer.headers)
        assert str(code) not in sent, (method, path)
        assert code.body not in sent, (method, path)
        asked.add(path)
    return asked
