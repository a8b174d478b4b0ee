"""Display names."""

from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config import Settings
from app.db import Database
from app.errors import NameInvalid
from app.main import create_app
from app.players.names import RefusedNames, clean_name, folded
from tests.app.html import Html
from tests.app.support import (
    LEGAL,
    Client,
    Json,
    count,
    good,
    refused,
    refused_page,
    rows,
    services_of,
    unchanged,
)

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
    ("Катя", "Катя"),
    ("ひかりＫ", "ひかりK"),
    ("한글 漢", "한글 漢"),
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
    "K\u0430te",  # a Cyrillic letter among Latin ones
    "Αnna",  # a Greek one
    "A١",
    "x\u0336\u0335\u0334\u0337y",
    "\u0336ab",
]


@pytest.mark.parametrize(("typed", "name"), GOOD)
def test_a_name_is_tidied(client: Client, database: Database, typed: str, name: str) -> None:
    answer = client.request("PUT", "/api/v1/players/me", json={"name": typed})
    assert good(answer) == {"name": name}
    assert [row[1] for row in rows(database)["players"]] == [name]
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
    assert rows(database)["players"][0][1] == "Klondike Kate"
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


SAME = [
    ("Kate", "KATE"),
    ("Kate", "kate"),
    ("Kate K", "KateK"),
    ("Paypal", "PaypaI"),
    ("Bob", "B0b"),
    ("coco", "\u0441\u043e\u0441\u043e"),
    ("Zoë", "Zoe\u0308"),
    ("Straße", "STRASSE"),
    ("fin", "ﬁn"),
]
OTHERS = [("Nina", "Viva"), ("Ann", "Anna"), ("Zoë", "Zoe"), ("Tom", "Torn"), ("北極星", "北極")]


def _name(client: Client, name: str) -> httpx.Response:
    return client.request("PUT", "/api/v1/players/me", json={"name": name})


@pytest.mark.parametrize(("first", "second"), SAME)
def test_two_players_have_no_names_that_look_the_same(
    client: Client, other: Client, database: Database, first: str, second: str
) -> None:
    assert folded(first) == folded(second)
    good(_name(client, first))
    with unchanged(database):
        refused(_name(other, second), 409, "name-taken")
        assert "Somebody has this name" in other.post("/players/me", {"name": second}).text
        answer = other.htmx("/players/me", {"name": second})
        assert answer.status_code == 409
        assert Html(answer.text).one("input", id="name-in").attributes["aria-invalid"] == "true"
    good(_name(client, second))  # one's own name may be spelled another way
    good(_name(client, "Somebody else"))
    good(_name(other, first))  # and is free when it is given up


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_names_that_look_different_are_both_free(
    client: Client, other: Client, first: str, second: str
) -> None:
    assert folded(first) != folded(second)
    good(_name(client, first))
    good(_name(other, second))


def test_the_same_name_taken_at_the_same_moment_is_one_player_s(
    client: Client, other: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    good(_name(client, "Kate"))
    monkeypatch.setattr("app.players.store.has_name", lambda *_: False)
    refused(_name(other, "kate"), 409, "name-taken")


@pytest.mark.parametrize(
    "name",
    [
        "Fuck",
        "f.u.c.k",
        "motherfucker",
        "SH1T",
        "n a z i",
        "Guest",
        "ADMIN",
        "b1tch",
        "Yukon Solitaire",
    ],
)
def test_insults_and_names_of_the_server_s_own_are_refused(
    client: Client, database: Database, name: str
) -> None:
    with unchanged(database):
        answer = refused(_name(client, name), 422, "name-invalid")
        assert answer["detail"] == "Choose another name, please"


@pytest.mark.parametrize("name", ["Scunthorpe", "Matsushita", "Guesthouse", "Dickens", "Yours"])
def test_names_that_only_contain_one_are_not(client: Client, name: str) -> None:
    good(_name(client, name))


def test_an_operator_s_list_adds_to_it(tmp_path: Path, database: Database) -> None:
    path = tmp_path / "names.txt"
    path.write_text("# ours\nwombat\n*quokka*  # anywhere\n\n", encoding="utf-8")
    names = RefusedNames(path)
    for name in ("Wombat", "w0mbat", "a wombat", "xquokkax", "Fuck"):
        with pytest.raises(NameInvalid):
            names.check(name)
    for name in ("Wombats", "Kate"):
        names.check(name)
    url = database.url.render_as_string(hide_password=False)
    app = create_app(Settings(database_url=url, refused_names=path))
    client = Client(app)
    refused(_name(client, "Wombat"), 422, "name-invalid")
    client.close()
    services_of(app).database.close()
    with pytest.raises(ValueError, match="refused_names"):
        Settings(refused_names=tmp_path / "none.txt")


def test_a_new_name_keeps_the_rows(client: Client, other: Client) -> None:
    client.end(client.move(client.start(), LEGAL))
    for name in ("Kate", "Klondike Kate"):
        good(_name(client, name))
        (row,) = good(other.get("/api/v1/leaderboard"))["rows"]
        assert (row["name"], row["moves"]) == (name, 1)
        assert name in other.get(f"/games/{row['game_id']}/replay").text


@given(st.text(min_size=2, max_size=24))
def test_folding_is_stable(text: str) -> None:
    try:
        name = clean_name(text)
    except NameInvalid:
        return
    assert clean_name(name) == name
    assert len(folded(name)) <= 96
    assert folded(folded(name)) == folded(name)
    assert folded(name.upper()) == folded(name) or not name.isascii()
