"""Starting games, and what a game in JSON looks like."""

import pytest

from app.db import Database
from app.games.schemas import NewGame
from engine.deals import deal, parse_code
from engine.rules import get_rules
from engine.variants import VARIANTS, Variant
from engine.view import board_view
from tests.app.html import Html
from tests.app.support import LEGAL, START, Client, Clock, count, good, refused, unchanged

FIELDS = [
    *("id", "game", "rule", "code", "version", "status", "score", "moves", "undos", "hints"),
    *("elapsed_ms", "tableau", "foundations", "stock", "waste", "cells", "reserve"),
    *("can_undo", "can_redo", "legal_moves"),
]


def test_a_game_in_json_has_the_fields_of_the_contract(client: Client) -> None:
    game = client.start()
    assert list(game) == FIELDS
    assert (game["game"], game["rule"], game["code"]) == ("yukon", "C", START)
    assert (game["version"], game["status"], game["score"], game["moves"]) == (0, "playing", 0, 0)
    assert (game["undos"], game["hints"], game["elapsed_ms"]) == (0, 0, 0)
    assert (game["can_undo"], game["can_redo"]) == (False, False)
    assert game["legal_moves"] == ["t4x3-t3", "t4-t6", "t2x2-t7"]
    assert game["tableau"][1] == ["??", "6D", "6C", "9S", "9H", "7D"]
    assert (game["foundations"], game["stock"], game["waste"]) == ([[], [], [], []], 0, [])
    assert (game["cells"], game["reserve"]) == ([], [])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_every_kind_of_game_starts_on_a_fresh_open_deal(client: Client, variant: Variant) -> None:
    game = good(client.post("/api/v1/games", {"game": variant.key}), 201)
    code = parse_code(game["code"])
    view = board_view(deal(code))
    assert (game["game"], game["rule"]) == (variant.key, variant.rule)
    assert code.rule == variant.rule
    assert not code.sealed
    assert game["tableau"] == [[name or "??" for name in pile] for pile in view.tableau]
    assert (game["stock"], game["waste"]) == (view.stock, list(view.waste))
    assert game["legal_moves"] == [str(m) for m in get_rules(variant.rule).legal_moves(deal(code))]


@pytest.mark.parametrize(
    "typed",
    [
        START,
        "yu1-c-aaaaaab",
        " YU1 C AAAAAAB ",
        "YU1CAAAAAAB",
        "yui-c-aaaaaa8",
        "https://yukon.example/d/YU1-C-AAAAAAB",
        "https://yukon.example/d/yu1-c-aaaaaab?from=mail#x",
    ],
)
def test_a_code_is_read_as_people_type_it(client: Client, typed: str) -> None:
    assert client.start(typed)["code"] == START
    answer = client.post("/games", {"code": typed})
    assert answer.status_code == 303
    assert good(client.get("/api/v1" + answer.headers["location"]))["code"] == START


@pytest.mark.parametrize("number", ["24", "31999", "32000", "12345678901234567890", str(10**20)])
def test_a_large_number_keeps_every_digit(client: Client, database: Database, number: str) -> None:
    code = f"PSF-F-{number}"
    game = client.start(code)
    assert client.see(game)["code"] == code
    assert good(client.get(f"/api/v1/deals/{code}"))["code"] == code
    assert f'[Deal "{code}"]' in client.get(f"/games/{game['id']}/record").text
    link = client.get(f"/d/{code.lower()}?shared=1")
    assert (link.status_code, link.headers["location"]) == (303, f"/d/{code}")
    assert client.start(f"http://yukon.test{link.headers['location']}")["code"] == code
    assert client.start(code.replace("-", " "))["tableau"] == game["tableau"]
    assert count(database, "games") == 3


def test_the_answer_says_where_the_game_is_and_who_plays_it(client: Client) -> None:
    answer = client.post("/api/v1/games", {"game": "yukon"})
    game = good(answer, 201)
    assert answer.headers["location"] == f"/api/v1/games/{game['id']}"
    assert good(client.get(answer.headers["location"])) == game
    again = client.post("/api/v1/games", {"game": "yukon"})
    assert "set-cookie" not in again.headers


def test_two_players_get_two_cookies(client: Client, other: Client, database: Database) -> None:
    client.start()
    other.start()
    assert client.token != other.token
    assert count(database, "players") == 2


def test_reading_makes_no_player(client: Client, database: Database) -> None:
    client.get("/d/" + START)  # asks for the deal's proof
    with unchanged(database):
        for path in ("/api/v1/deals/" + START, "/api/v1/leaderboard", "/healthz"):
            answer = client.get(path)
            assert answer.status_code == 200
            assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "yukon", "code": START},
        {"game": None},
        {"code": 7},
        {"game": "yukon", "rule": "C"},
        {"game": ["yukon"]},
        {"code": "A" * 3000},
        {"game": "yukon", "from": "x" * 41},
        [],
        "yukon",
        None,
    ],
)
def test_a_start_of_the_wrong_form_is_refused(
    client: Client, database: Database, body: object
) -> None:
    with unchanged(database):
        answer = client.request("POST", "/api/v1/games", json=body)
        problem = refused(answer, 422, "request-invalid")
    assert problem["faults"]


def test_an_unknown_kind_of_game_is_refused(client: Client, database: Database) -> None:
    with unchanged(database):
        problem = refused(client.post("/api/v1/games", {"game": "klondike"}), 422, "game-unknown")
        answer = client.post("/games", {"game": "klondike"})
    assert "“klondike”" in problem["detail"]
    assert "double-yukon" in problem["detail"]
    assert answer.status_code == 422


@pytest.mark.parametrize("code", ["nonsense", "YU1-X-AAAAAAB", "YU1-C-AAAAAA9", "PSF-F-0", "!"])
def test_a_code_that_cannot_be_read_shows_a_right_one(
    client: Client, database: Database, code: str
) -> None:
    with unchanged(database):
        problem = refused(client.post("/api/v1/games", {"code": code}), 422, "code-unreadable")
        deal_problem = refused(client.get(f"/api/v1/deals/{code}"), 422, "code-unreadable")
    assert "-AAAAAAB" in problem["detail"] or "PSF-F-24" in problem["detail"]
    assert deal_problem["detail"] == problem["detail"]
    assert problem["typed"] == code


def test_a_blank_code_is_no_code(client: Client) -> None:
    for blank in ("", "  "):
        problem = refused(client.post("/api/v1/games", {"code": blank}), 422, "code-unreadable")
        assert "There is no deal code here" in problem["detail"]


def test_a_game_that_is_left_ends(client: Client, database: Database) -> None:
    left = client.move(client.start(), LEGAL)
    untouched = good(client.post("/api/v1/games", {"game": "alaska", "from": left["id"]}), 201)
    good(client.post("/api/v1/games", {"game": "yukon", "from": untouched["id"]}), 201)
    assert client.see(left)["status"] == "ended"
    assert client.see(untouched)["status"] == "ended"
    assert count(database, "results") == 1
    client.start(**{"from": left["id"]})
    assert count(database, "results") == 1


def test_only_a_game_of_ones_own_can_be_left(
    client: Client, other: Client, database: Database
) -> None:
    game = client.move(client.start(), LEGAL)
    with unchanged(database):
        foreign = other.post("/api/v1/games", {"game": "yukon", "from": game["id"]})
        refused(foreign, 403, "not-your-game")
        unknown = other.post("/api/v1/games", {"game": "yukon", "from": "nothing"})
        refused(unknown, 404, "game-not-found")
        assert other.post("/games", {"game": "yukon", "from": game["id"]}).status_code == 403


def test_a_restart_deals_the_same_cards_for_ever(client: Client, database: Database) -> None:
    first = client.start("PSF-C-24")
    game = client.move(first, first["legal_moves"][0])
    for _ in range(50):
        again = good(client.post(f"/api/v1/games/{game['id']}/restart"), 201)
        assert again["id"] != game["id"]
        for name in ("code", "tableau", "legal_moves", "version", "moves", "elapsed_ms"):
            assert again[name] == first[name]
        assert client.see(game)["status"] == "ended"
        game = again
    assert count(database, "results") == 1


def test_restart_answers_with_the_address_of_the_new_game(client: Client) -> None:
    game = client.start()
    answer = client.post(f"/api/v1/games/{game['id']}/restart")
    assert answer.headers["location"] == f"/api/v1/games/{good(answer, 201)['id']}"


def test_an_ended_game_can_be_restarted(client: Client, clock: Clock) -> None:
    game = client.end(client.move(client.start(), LEGAL))
    clock.pass_by(60)
    again = good(client.post(f"/api/v1/games/{game['id']}/restart"), 201)
    assert again["status"] == "playing"
    assert client.see(game)["version"] == game["version"]


def test_the_field_is_called_from() -> None:
    assert NewGame.model_validate({"game": "yukon", "from": "x"}).left == "x"


def test_a_mistyped_code_keeps_the_game_that_was_played_chosen(
    client: Client, other: Client
) -> None:
    game = client.start("YU1-D-AAAAAAB")
    for player, chosen in ((client, "double-yukon"), (other, "double-yukon")):
        answer = player.post("/games", {"code": "nonsense", "from": game["id"]})
        assert answer.status_code == 422
        boxes = [box.attributes for box in Html(answer.text).all("input", name="game")]
        assert [box["value"] for box in boxes if "checked" in box] == [chosen]
    answer = client.post("/games", {"code": "nonsense", "from": "no-such-game"})
    boxes = [box.attributes for box in Html(answer.text).all("input", name="game")]
    assert [box["value"] for box in boxes if "checked" in box] == ["yukon"]


def test_a_script_gets_the_refused_code_s_form_alone(client: Client, database: Database) -> None:
    game = client.start()
    form = {"code": "YU1-C-AAAAAA<b>", "from": game["id"]}
    with unchanged(database):
        answer = client.htmx("/games", form)
    html = Html(answer.text)
    assert answer.status_code == 422
    assert html.tags[0].name == "form"
    assert html.all("html") == html.all("input", type="radio") == []
    field = html.one("input", name="code").attributes
    assert (field["value"], field["aria-invalid"]) == (form["code"], "true")
    assert html.one("p", id=field["aria-describedby"]).attributes["role"] == "alert"
    assert html.one("input", name="from").attributes["value"] == game["id"]
    whole = Html(client.post("/games", form).text)
    assert whole.one("input", name="code").attributes["value"] == form["code"]
    assert whole.all("input", type="radio")
    opened = client.htmx("/games", {"code": "YU1-C-AAAAAAB", "from": game["id"]})
    assert opened.status_code == 204
    assert opened.headers["hx-redirect"].startswith("/games/")
