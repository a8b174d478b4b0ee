"""Home, deals, leaderboards and the start of a game, as people see them."""

from urllib.parse import urlsplit

import pytest

from app.db import Database
from tests.app.html import Html
from tests.app.support import (
    LEGAL,
    START,
    THIRD_LEGAL,
    Client,
    Clock,
    count,
    refused_page,
    unchanged,
)


def test_a_form_starts_a_game(client: Client, database: Database) -> None:
    answer = client.post("/games", {"game": "russian"})
    assert answer.status_code == 303
    assert answer.text == ""
    html = Html(client.get(answer.headers["location"]).text)
    assert html.table["data-version"] == "0"
    assert "Russian Solitaire" in html.text
    assert count(database, "players") == 1


def test_htmx_is_sent_to_the_new_game(client: Client) -> None:
    answer = client.htmx("/games", {"code": START})
    assert (answer.status_code, answer.text) == (204, "")
    assert "set-cookie" in answer.headers
    html = Html(client.get(answer.headers["hx-redirect"]).text)
    assert html.one("a", href=f"/d/{START}", data_copy=START)


def test_a_code_that_cannot_be_read_shows_the_form_again(
    client: Client, database: Database
) -> None:
    with unchanged(database):
        answer = client.post("/games", {"code": "YU1-C-AAA9", "from": "x"})
        html = Html(refused_page(answer, 422, "YU1-C-AAAAAAB"))
        assert html.one("input", name="code").attributes["value"] == "YU1-C-AAA9"
        assert html.one("input", name="code").attributes["aria-invalid"] == "true"
        assert html.all("input", name="from", value="x")
        link = Html(refused_page(client.get("/d/YU1-C-AAA9"), 404, "7 letters"))
        assert link.one("input", name="code").attributes["value"] == "YU1-C-AAA9"


def test_home_offers_the_game_under_way(client: Client, clock: Clock) -> None:
    assert "Resume" not in Html(client.get("/").text).text
    first = client.move(client.start(), LEGAL)
    clock.pass_by(3725)
    client.start("YU1-S-AAAAAAB")
    clock.pass_by(1)
    client.move(first, THIRD_LEGAL)
    html = Html(client.get("/").text)
    assert html.one("a", href=f"/games/{first['id']}")
    assert "2 moves · 1:02:06" in html.text
    client.end(client.see(first))
    assert f"/games/{first['id']}" not in client.get("/").text


def test_home_leads_to_every_game_that_was_begun(
    client: Client, other: Client, clock: Clock
) -> None:
    begun = []
    for code in ("YU1-S-AAAAAAB", "YU1-C-AAAAAAC", "YU1-C-AAAAAAD"):
        game = client.start(code)
        begun.append(client.move(game, game["legal_moves"][0]))
        clock.pass_by(1)
    untouched = client.start("YU1-C-AAAAAAE")
    clock.pass_by(1)
    newest = client.start("YU1-C-AAAAAAF")
    clock.pass_by(1)
    other.move(other.start(), LEGAL)
    html = Html(client.get("/").text)
    links = [tag.attributes["href"] for tag in html.all("a")]
    shown = [link for link in links if link and link.startswith("/games/")]
    assert shown == [f"/games/{game['id']}" for game in (newest, *reversed(begun))]
    assert f"/games/{untouched['id']}" not in links
    assert all(code in html.text for code in ("AAAAAAB", "AAAAAAC", "AAAAAAD"))
    client.end(begun[1])
    assert f"/games/{begun[1]['id']}" not in client.get("/").text


def test_a_deal_s_page(client: Client, other: Client) -> None:
    other.end(other.move(other.start(), LEGAL))
    html = Html(client.get(f"/d/{START}").text)
    assert html.one("input", type="hidden", name="code", value=START)
    assert html.one("link", rel="canonical", href=f"http://yukon.test/d/{START}")
    assert "1 player" in html.text
    assert "Not finished" in html.text
    mine = Html(other.get(f"/d/{START}").text)
    assert "You" in mine.text


def test_the_new_page_takes_what_it_is_given(client: Client) -> None:
    game = client.start()
    html = Html(client.get(f"/new?game=alaska&code={START}&from={game['id']}").text)
    assert (
        html.one("input", type="radio", name="game", value="alaska").attributes.get("checked")
        is not None
    )
    assert html.one("input", id="code-in").attributes["value"] == START
    assert {tag.attributes["value"] for tag in html.all("input", name="from")} == {game["id"]}


def test_the_leaderboard_s_tabs(client: Client) -> None:
    for query, game, period in (
        ("", "all", "all"),
        ("?game=russian&period=day", "russian", "day"),
        ("?game=nothing&period=never", "all", "all"),
    ):
        html = Html(client.get(f"/leaderboard{query}").text)
        chosen = [
            urlsplit(tag.attributes["href"]).query
            for tag in html.all("a", aria_current="page")
            if "game=" in tag.attributes["href"]
        ]
        assert chosen == [f"game={game}&period={period}"] * 2


@pytest.mark.parametrize(
    ("cookie", "shown"),
    [
        ("table=dark&deck=four&back=spruce", ("dark", "four", "spruce")),
        ("table=light", ("light", "two", "aurora")),
        ("table=nonsense&deck=&back=<script>", ("", "two", "aurora")),
        ("", ("", "two", "aurora")),
        ("%", ("", "two", "aurora")),
    ],
)
def test_the_table_looks_as_the_player_likes(
    client: Client, cookie: str, shown: tuple[str, str, str]
) -> None:
    html = Html(client.get("/", headers={"cookie": f"prefs={cookie}"}).text).one("html")
    found = tuple(html.attributes.get(f"data-{name}", "") for name in ("table", "deck", "back"))
    assert found == shown


@pytest.mark.parametrize("address", ["/d", "/d/"])
def test_a_deal_s_address_without_a_code_leads_to_where_one_is_typed(
    client: Client, address: str
) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["location"]) == (303, "/new#code-in")
    assert Html(client.get("/new").text).one("input", id="code-in")


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("/games", "/new"),
        ("/players/me", "/"),
        ("/account/sign-in", "/account"),
        ("/account/link", "/account"),
        ("/races/abc/ready", "/races/abc"),
    ],
)
def test_the_address_of_a_refused_form_leads_to_its_page(
    client: Client, written: str, form: str
) -> None:
    answer = client.get(written)
    assert (answer.status_code, answer.headers["location"]) == (303, form)


def test_what_search_engines_and_old_browsers_ask_for(client: Client) -> None:
    assert client.get("/favicon.ico").content.startswith(b"\x89PNG")
    robots = client.get("/robots.txt").text
    assert robots.startswith("User-agent: *\nDisallow: /account\n")
