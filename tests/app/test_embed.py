"""A replay in a frame on another site, and the one page that allows it."""

import re

import pytest

from app.db import Database
from app.games import seals
from app.games.service import GameService
from app.security import SECURITY_HEADERS
from engine.deals import sealed_code
from tests.app.html import Html
from tests.app.support import (
    MORNING,
    Client,
    Clock,
    refused_page,
    start_sealed,
    win_game,
)


def test_only_an_embedded_replay_may_be_framed(client: Client, service: GameService) -> None:
    won = win_game(service)
    answer = client.get(f"/embed/{won.id}")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"].split("; ")
    assert "frame-ancestors *" in policy
    assert "form-action 'none'" in policy
    usual = SECURITY_HEADERS["content-security-policy"].split("; ")
    assert set(usual) - set(policy) == {"frame-ancestors 'none'", "form-action 'self'"}
    assert "x-frame-options" not in answer.headers
    assert "set-cookie" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    for path in ("/", f"/games/{won.id}", f"/games/{won.id}/replay", "/embed/nothing", "/embed"):
        other = client.get(path)
        assert "frame-ancestors 'none'" in other.headers["content-security-policy"], path
        assert other.headers["x-frame-options"] == "DENY", path


def test_it_is_the_replay_and_little_else(client: Client, service: GameService) -> None:
    won = win_game(service)
    html = Html(client.get(f"/embed/{won.id}?at=3").text)
    assert not html.all("form")
    assert "embedded" in html.one("main").attributes["class"].split()
    assert not html.all("dialog", id="menu")
    assert html.one("section", id="table").attributes["data-at"] == "3"
    links = {tag.attributes["href"].partition("?")[0]: tag.attributes for tag in html.all("a")}
    assert set(links) == {f"/embed/{won.id}", f"/games/{won.id}/replay"}
    assert links[f"/games/{won.id}/replay"]["target"] == "_blank"
    step = client.get(f"/embed/{won.id}?at=4", headers={"hx-request": "true"})
    assert 'data-at="4"' in step.text
    assert "<html" not in step.text
    assert "frame-ancestors *" in step.headers["content-security-policy"]


def test_the_code_to_embed_it(client: Client, service: GameService) -> None:
    won = win_game(service)
    html = Html(client.get(f"/games/{won.id}/replay").text)
    (button,) = [tag for tag in html.all("button") if "data-copy" in tag.attributes]
    frame = Html(button.attributes["data-copy"]).one("iframe").attributes
    assert frame["src"] == f"http://yukon.test/embed/{won.id}"
    assert frame["title"] == "Replay: Yukon, Guest"
    assert client.get(frame["src"]).status_code == 200


def test_a_game_under_way_is_not_embedded(client: Client) -> None:
    game = client.start()
    refused_page(client.get(f"/embed/{game['id']}"), 409)


@pytest.mark.parametrize("looks", ["owner", "another"])
def test_a_sealed_one_not_before_it_opens(
    client: Client, other: Client, database: Database, clock: Clock, looks: str
) -> None:
    code = sealed_code("C", 2**129)
    with database.write() as connection:
        seals.add(connection, code, MORNING + 3_600_000)
    client.start()
    game = client.see({"id": start_sealed(database, client.token).id})
    game = client.end(client.move(game, game["legal_moves"][0]))
    who = client if looks == "owner" else other
    refused_page(who.get(f"/embed/{game['id']}"), 403)
    assert not re.search("/embed/", client.get(f"/games/{game['id']}/replay").text)
    clock.pass_by(3600)
    assert who.get(f"/embed/{game['id']}").status_code == 200
    assert re.search("/embed/", client.get(f"/games/{game['id']}/replay").text)
