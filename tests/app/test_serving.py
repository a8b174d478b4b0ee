"""Packing, keeping and finding what is served, and the application's own life."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import QueuePool
from starlette.types import Receive, Scope, Send

from app.config import ROOT, Settings
from app.errors import CrossSite
from app.main import create_app
from app.security import Gate
from tests.app.html import Html
from tests.app.support import Client, good, services_of


def test_compressed_answers_are_for_those_who_can_read_them(client: Client) -> None:
    plain = client.get("/")
    assert "content-encoding" not in plain.headers
    packed = client.get("/", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in packed.headers["vary"].lower()
    assert packed.text == plain.text


def test_static_files_are_kept_by_their_hash(client: Client) -> None:
    sheet = next(
        tag.attributes["href"] for tag in Html(client.get("/").text).all("link", rel="stylesheet")
    )
    assert "?v=" in sheet
    assert client.get(sheet).headers["cache-control"] == "public, max-age=31536000, immutable"
    assert client.get("/static/icon.svg").headers["cache-control"] == "no-cache"
    assert (
        client.get(sheet, headers={"if-none-match": client.get(sheet).headers["etag"]}).status_code
        == 304
    )


@pytest.mark.parametrize("name", ["css/table.css", "js/game.js", "icon.svg"])
@pytest.mark.parametrize("accepted", ["", "gzip, br", "br"])
def test_a_static_file_is_what_lies_on_the_disk(client: Client, name: str, accepted: str) -> None:
    address, headers = f"/static/{name}", {"accept-encoding": accepted}
    content = (ROOT / "static" / name).read_bytes()
    for _ in range(2):  # from the disk, from memory
        answer = client.get(address, headers=headers)
        assert answer.content == content
        packed = answer.headers.get("content-encoding")
        assert packed == ("gzip" if "gzip" in accepted else None)
        assert ("accept-encoding" in answer.headers.get("vary", "").lower()) or not packed
        known = {**headers, "if-none-match": answer.headers["etag"]}
        again = client.get(address, headers=known)
        assert (again.status_code, again.content) == (304, b"")
    part = client.get(address, headers={**headers, "range": "bytes=1-3"})
    assert (part.status_code, part.content) == (206, content[1:4])
    assert client.post(address).status_code == 405


def test_every_file_that_a_page_names_is_there(client: Client) -> None:
    game = client.start()
    for path in ("/", f"/games/{game['id']}", "/leaderboard", f"/d/{game['code']}"):
        for tag in Html(client.get(path).text).tags:
            address = tag.attributes.get("src") or (
                tag.attributes.get("href", "") if tag.name == "link" else ""
            )
            if address.startswith("/static/"):
                assert client.get(address).status_code == 200, address


def test_head_is_get_without_the_body(client: Client) -> None:
    game = client.start()
    pages = ("/", "/leaderboard", f"/d/{game['code']}", f"/games/{game['id']}")
    for path in (*pages, f"/api/v1/games/{game['id']}", "/healthz", "/static/icon.svg", "/none"):
        whole, head = client.get(path), client.request("HEAD", path)
        assert (head.status_code, head.content) == (whole.status_code, b""), path
        for name in ("content-type", "content-length", "cache-control"):
            assert head.headers.get(name) == whole.headers.get(name), path
    assert client.request("HEAD", f"/games/{game['id']}/clock").status_code == 405


def test_ready(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")
    good(client.get("/api/v1/leaderboard"))


def test_an_application_closes_its_database_at_its_end(settings: Settings) -> None:
    app = create_app(settings)
    database = services_of(app).database

    def kept() -> int:
        pool = database.engine.pool
        assert isinstance(pool, QueuePool)
        return pool.checkedin()

    async def live() -> None:
        async with app.router.lifespan_context(app):
            with database.read() as connection:
                assert connection.exec_driver_sql("SELECT 1").scalar() == 1
            assert kept() == 1

    asyncio.run(live())
    assert kept() == 0


def test_the_gate_passes_on_what_is_no_request_and_what_breaks_on_the_way() -> None:
    passed: list[Scope] = []

    async def inner(scope: Scope, _receive: Receive, send: Send) -> None:
        passed.append(scope)
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            raise CrossSite("too late to answer")

    async def nothing(*_: object) -> Any:
        return None

    gate = Gate(inner, 1024)
    lifespan: Scope = {"type": "lifespan"}
    request: Scope = {"type": "http", "method": "GET", "scheme": "http", "headers": []}
    asyncio.run(gate(lifespan, nothing, nothing))
    with pytest.raises(CrossSite):
        asyncio.run(gate(request, nothing, nothing))
    assert passed == [lifespan, request]
