"""Display names."""

import pytest

from app.db import Database
from app.errors import NameInvalid
from app.players.service import clean_name
from tests.app.html import Html
from tests.app.support import Client, Json, count, good, refused, refused_page, rows, unchanged

GOOD = [
    ("Kate", "Kate"),
    ("  Klondike   Kate ", "Klondike Kate"),
    ("Zoë", "Zoë"),
    ("Zoe\u0308", "Zoë"),
    ("K\u00a0K", "K K"),
    ("ﬁn", "fin"),
    ("北極星", "北極星"),
    ("מרים", "מרים"),
    ("٣٤", "٣٤"),
    ("A1", "A1"),
    ("x" * 24, "x" * 24),
    ("<b>&'\"", "<b>&'\""),
    ("Kate ♠", "Kate ♠"),
    ("a\r\nb\tc", "a b c"),
]
BAD = [
    "",
    " ",
    "x",
    "x" * 25,
    "x" * 201,
    "♠♥",
    "..",
    "a\0b",
    "a\x1bb",
    "a\u200bb",
    "\u202eetaK",
    "a\ufeffb",
    "a\u00adb",
    "a\ue000b",
    "a\U000e0041b",
    "ﷺ" * 2,
]


@pytest.mark.parametrize(("typed", "name"), GOOD)
def test_a_name_is_tidied(client: Client, database: Database, typed: str, name: str) -> None:
    answer = client.request("PUT", "/api/v1/players/me", json={"name": typed})
    assert good(answer) == {"name": name}
    assert [row[2] for row in rows(database)["players"]] == [name]
    assert "httponly" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("typed", BAD)
def test_a_name_that_cannot_be_is_refused(client: Client, database: Database, typed: str) -> None:
    with unchanged(database):
        answer = client.request("PUT", "/api/v1/players/me", json={"name": typed})
        refused(answer, 422, "request-invalid" if len(typed) > 200 else "name-invalid")
        form = client.post("/players/me", {"name": typed})
        refused_page(form, 422, "" if len(typed) > 200 else "A name")
        assert "set-cookie" not in answer.headers
    with pytest.raises(NameInvalid):
        clean_name(typed)


@pytest.mark.parametrize("body", [{}, {"name": 7}, {"name": None}, {"name": "Kate", "id": 1}, []])
def test_a_name_of_the_wrong_form_is_refused(
    client: Client, database: Database, body: object
) -> None:
    with unchanged(database):
        answer = client.request("PUT", "/api/v1/players/me", json=body)
        refused(answer, 422, "request-invalid")


def test_a_player_is_renamed(client: Client, database: Database) -> None:
    game = client.start()
    for name in ("Kate", "Klondike Kate"):
        answer = client.request("PUT", "/api/v1/players/me", json={"name": name})
        assert "set-cookie" not in answer.headers
    assert count(database, "players") == 1
    assert rows(database)["players"][0][2] == "Klondike Kate"
    assert client.see(game)["status"] == "playing"


@pytest.mark.parametrize(
    ("goes_on", "address"),
    [
        ("/leaderboard", "/leaderboard"),
        ("/games/x?y=1#z", "/games/x?y=1#z"),
        ("", "/"),
        ("leaderboard", "/"),
        ("//evil.test", "/"),
        ("/\\evil.test", "/"),
        ("/\t/evil.test", "/%09/evil.test"),
        ("/\n/evil.test", "/%0A/evil.test"),
        ("\t//evil.test", "/"),
        ("https://evil.test", "/"),
        ("javascript:alert(1)", "/"),
        ("/x\r\nset-cookie: a=b", "/x%0D%0Aset-cookie:%20a=b"),
    ],
)
def test_a_form_goes_on_within_the_site_alone(client: Client, goes_on: str, address: str) -> None:
    answer = client.post("/players/me", {"name": "Kate", "next": goes_on})
    assert answer.status_code == 303
    assert answer.headers["location"] == address
    assert answer.headers.get_list("set-cookie")[1:] == []


def test_htmx_gets_the_fragment(client: Client, database: Database) -> None:
    taken = Html(client.htmx("/players/me", {"name": " Kate "}).text)
    assert "Kate" in taken.text
    assert not taken.all("html")
    with unchanged(database):
        answer = client.htmx("/players/me", {"name": "x" * 30})
    again = Html(refused_page(answer, 422, "2 to 24 characters"))
    assert again.one("input", name="name").attributes["value"] == "x" * 30
    assert again.one("input", name="name").attributes["aria-invalid"] == "true"
    assert not again.all("html")


def test_the_name_stands_on_the_leaderboards(client: Client, other: Client) -> None:
    def play(player: Client) -> Json:
        return player.end(player.moves(player.start(), "t4-t6"))

    play(client)
    play(other)
    good(client.request("PUT", "/api/v1/players/me", json={"name": "Kate"}))
    for path in ("/api/v1/leaderboard", "/api/v1/deals/YU1-C-AAAAAAB/leaderboard"):
        board = good(other.get(path))
        assert sorted((row["name"] or "", row["me"]) for row in board["rows"]) == [
            ("", True),
            ("Kate", False),
        ]
    page = Html(client.get("/leaderboard").text).text
    assert "Kate You" in page
    assert "Guest" in page
