"""A pasted board, record or code is played; or everything that is wrong with it is said."""

import pytest
from sqlalchemy import text as sql

from app.boards.service import MOST_MOVES
from app.db import Database
from app.games.check import differences
from engine.boardtext import board_text
from engine.deals import deal, parse_code
from engine.game import Game, replay
from engine.notation import parse_record, record_text
from engine.position import Position
from engine.rules import get_rules
from engine.variants import BY_RULE, VARIANTS, Variant
from tests.app.html import Html
from tests.app.solver import Solving, lost_game
from tests.app.support import (
    LEGAL,
    START,
    Client,
    Json,
    count,
    good,
    load,
    refused,
    short_win,
    start_sealed,
    unchanged,
)
from tests.app.test_hidden_cards import _html_tells_nothing, _json_tells_nothing
from tests.reference import boards as reference
from tests.reference import deals as reference_deals

BOARD = board_text(deal(parse_code(START)))
OWN = board_text(deal(parse_code("YU1-C-AAAAAAJ")))


def pasted(client: Client, text: str, game: str = "yukon", **more: str) -> Json:
    return good(client.post("/api/v1/boards", {"text": text, "game": game, **more}), 201)


def half_played(variant: Variant) -> Position:
    """A position in the middle of a win, with cards on the foundations."""
    _, win = short_win(variant.rule)
    return replay(win.rules, win.start, win.moves[: len(win.moves) * 2 // 3]).position


def test_a_board_is_played_from_as_it_is_pasted(client: Client, database: Database) -> None:
    answer = client.post("/import", {"text": OWN.replace("\n", "\r\n"), "game": "yukon"})
    assert answer.status_code == 303
    address = answer.headers["location"]
    game = good(client.get(f"/api/v1{address}"))
    stored = load(database, game["id"])
    assert stored.game.start == deal(parse_code("YU1-C-AAAAAAJ"))
    assert (game["code"], game["status"], game["game"]) == (None, "playing", "yukon")
    page = Html(client.get(address).text)
    assert "Own board" in page.text
    assert "Sealed deal" not in page.text
    assert page.all("button", form="hint-form")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_a_board_tells_nothing_of_its_face_down_cards(
    client: Client, other: Client, database: Database, variant: Variant
) -> None:
    code = parse_code(f"YU1-{variant.rule}-AAAAAAH")
    game = pasted(client, board_text(deal(code)), variant.key)
    for _turn in range(4):
        game = client.move(game, game["legal_moves"][0])
    _json_tells_nothing(database, game, variant.decks)
    address = f"/games/{game['id']}"
    for visitor in (client, other):
        _html_tells_nothing(database, game, visitor.get(address).text, variant.decks)
        record = visitor.get(f"{address}/record").text
        assert '[Deal "sealed"]' in record
        assert "[Board" not in record
        assert "BOARD-" not in visitor.get(address).text + record
        assert visitor.get(f"{address}/board").status_code == 409
    for path in ("/", "/statistics", "/account"):
        _html_tells_nothing(database, game, client.get(path).text, variant.decks)
        assert "BOARD-" not in client.get(path).text


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_what_is_exported_is_imported_again(
    client: Client, database: Database, variant: Variant
) -> None:
    """The start of a deal and a position in the middle of a game, by text and by record."""
    code = f"YU1-{variant.rule}-AAAAAAH"
    exported = client.get(f"/boards/{code}.txt")
    assert exported.status_code == 200
    assert exported.text == board_text(deal(parse_code(code)))
    for position in (deal(parse_code(code)), half_played(variant)):
        game = pasted(client, board_text(position), variant.key)
        assert load(database, game["id"]).game.start == position
        played = client.end(client.move(game, game["legal_moves"][0]))
        address = f"/games/{game['id']}"
        assert client.get(f"{address}/board").text == board_text(position)
        again = pasted(client, client.get(f"{address}/board").text, variant.key)
        assert load(database, again["id"]).game.start == position
        record = client.get(f"{address}/record").text
        assert parse_record(record).code == load(database, game["id"]).code
        shared = pasted(client, record)
        assert (shared["status"], shared["tableau"]) == ("ended", played["tableau"])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_an_export_is_what_another_program_writes(client: Client, variant: Variant) -> None:
    code = f"YU1-{variant.rule}-AAAAAAH"
    expected = reference.board_text(reference_deals.deal(code))
    assert client.get(f"/boards/{code}.txt").text == expected


def test_a_board_s_game_is_played_to_the_win_and_counts_nowhere(
    client: Client, database: Database
) -> None:
    _, win = short_win()
    game = pasted(client, board_text(win.start))
    game = client.redo(client.undo(client.move(game, str(win.moves[0]))))
    for move in win.moves[1:]:
        game = client.move(game, str(move))
    assert (game["status"], game["score"], game["code"]) == ("won", 625, None)
    assert count(database, "results") == count(database, "deals") == 0
    assert good(client.get("/api/v1/statistics"))["summary"]["played"] == 0
    assert good(client.get("/api/v1/leaderboard"))["rows"] == []
    page = client.get(f"/games/{game['id']}").text
    for gone in ("/d/None", "/fares/None", "Ranking", "Your name"):
        assert gone not in page
    assert f"/games/{game['id']}/replay" in page
    for part in ("replay", "analysis", "record", "board"):
        answer = client.get(f"/games/{game['id']}/{part}")
        assert answer.status_code == 200, part
        assert "BOARD-" not in answer.text
        assert "None" not in answer.text
    with database.read() as connection:
        assert differences(connection, game["id"]) == []


def test_a_board_is_restarted_and_played_from(client: Client, database: Database) -> None:
    game = client.move(pasted(client, BOARD), LEGAL)
    again = good(client.post(f"/api/v1/games/{game['id']}/restart"), 201)
    old, new = load(database, game["id"]), load(database, again["id"])
    assert (old.status, new.game.start, new.practice) == ("ended", old.game.start, True)
    assert count(database, "results") == 0
    answer = client.post(f"/games/{game['id']}/play-from", {"at": "1"})
    practice = load(database, answer.headers["location"].split("/")[-1])
    assert (practice.game.start, practice.game.moves) == (old.game.start, 1)


@pytest.mark.usefixtures("no_waiting")
def test_a_board_is_hinted_and_solved(client: Client, solving: Solving) -> None:
    game = pasted(client, board_text(half_played(BY_RULE["F"])), "yukon-fixed")
    answer = solving.ask(client, game, "verdict")
    assert answer["state"] == "winnable"
    answer = solving.ask(client, answer["game"], "hint")
    assert answer["move"] in game["legal_moves"]


def test_a_board_that_is_lost_is_said_to_be(
    client: Client, database: Database, solving: Solving
) -> None:
    _, lost = lost_game()
    game = pasted(client, board_text(lost.position), "yukon-fixed")
    answer = solving.ask(client, client.move(game, game["legal_moves"][0]), "verdict")
    assert (answer["state"], answer["back_to"]) == ("lost", None)
    assert count(database, "deals") == 0


def test_a_new_game_ends_the_one_that_it_is_begun_from(client: Client, other: Client) -> None:
    first = client.move(client.start(), LEGAL)
    with_from = {"from": first["id"]}
    refused(
        other.post("/api/v1/boards", {"text": BOARD, "game": "yukon", **with_from}),
        403,
        "not-your-game",
    )
    assert client.see(first)["status"] == "playing"
    pasted(client, BOARD, **with_from)
    assert client.see(first)["status"] == "ended"
    page = Html(client.get(f"/import?from={first['id']}&game=alaska").text)
    assert page.one("input", type="hidden", name="from").attributes["value"] == first["id"]
    chosen = [tag for tag in page.all("input", name="game") if "checked" in tag.attributes]
    assert [tag.attributes["value"] for tag in chosen] == ["alaska"]


# --- what is wrong ------------------------------------------------------------------------


def test_everything_that_is_wrong_is_said_with_its_lines(
    client: Client, database: Database
) -> None:
    text = BOARD.replace("6H\n", "6Z\n").replace("<QH>", "<KH>") + "AS <3D>\n"
    with unchanged(database):
        problem = refused(
            client.post("/api/v1/boards", {"text": text, "game": "yukon"}), 422, "board-unreadable"
        )
        answer = client.post("/import", {"text": text, "game": "yukon"})
    said = [(fault["code"], fault["lines"]) for fault in problem["faults"]]
    assert said == [
        ("no-card", [1]),
        ("piles", [8]),
        ("too-many", [6, 8]),
        ("too-many", [2, 5]),
        ("too-many", [3, 8]),
        ("top-face-down", [8]),
        ("face-down-above", [8]),
        ("missing", []),
    ]
    assert answer.status_code == 422
    page = Html(answer.text)
    for fault in problem["faults"]:
        assert fault["detail"] in page.text
    assert "Line 8 AS <3D>" in page.text
    assert text in answer.text.replace("&lt;", "<").replace("&gt;", ">")
    assert page.one("textarea").attributes["aria-invalid"] == "true"


def test_cards_that_are_missing_are_told_together(client: Client) -> None:
    problem = client.post("/api/v1/boards", {"text": "KS", "game": "yukon"}).json()
    (missing,) = problem["faults"]
    assert missing["detail"].startswith("These cards are missing: AS, 2S,")
    one = client.post("/api/v1/boards", {"text": BOARD.replace("6H\n", "-\n"), "game": "yukon"})
    assert [fault["detail"] for fault in one.json()["faults"]] == ["6H is missing"]


def test_a_board_of_another_game_is_said_to_be_one(client: Client) -> None:
    text = board_text(deal(parse_code("YU1-D-AAAAAAB")))
    page = Html(client.post("/import", {"text": text, "game": "yukon"}).text)
    assert "The text is a board of another game: Double Yukon" in page.text
    chosen = [tag for tag in page.all("input", name="game") if "checked" in tag.attributes]
    assert [tag.attributes["value"] for tag in chosen] == ["yukon"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (" ", "missing"),
        ("Foundations: S-K H-K D-K C-K", "won"),
        ("5H " * 2000, "too-long"),
        ('[Deal "YU1-C-AAAAAAB"', "record"),
        ('[Game "Yukon"]\n\nt4-t6', "record"),
        ('[Deal "YU1-C-AAAA"]', "code"),
        ('[Game "Yukon"]\n[Board "5X"]', "no-card"),
        (f'[Deal "{START}"]\n\n{LEGAL} t1-f', "move"),
        (f'[Deal "{START}"]\n\n{LEGAL} hello', "move"),
        (f'[Deal "{START}"]\n\n' + "t4-t6 " * (MOST_MOVES + 1), "too-long"),
        ("\0", "no-card"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_cannot_be_played_changes_nothing(
    client: Client, database: Database, text: str, code: str, language: str
) -> None:
    with unchanged(database):
        how = {"headers": {"accept-language": language}}
        problem = refused(
            client.post("/api/v1/boards", {"text": text, "game": "yukon"}, **how),
            422,
            "board-unreadable",
        )
        assert problem["faults"][0]["code"] == code
        answer = client.post("/import", {"text": text, "game": "yukon"}, **how)
    assert answer.status_code == 422
    assert problem["faults"][0]["detail"] in Html(answer.text).text


def test_a_bad_move_of_a_record_is_named_with_its_rule(client: Client) -> None:
    text = f'[Deal "{START}"]\n\n1. {LEGAL} t1-f'
    problem = client.post("/api/v1/boards", {"text": text, "game": "yukon"}).json()
    assert problem["detail"].startswith("Move 2 (t1-f): The foundation of hearts takes")


def test_a_board_needs_its_game(client: Client, database: Database) -> None:
    with unchanged(database):
        refused(client.post("/api/v1/boards", {"text": BOARD}), 422, "game-unknown")
        refused(client.post("/api/v1/boards", {"text": BOARD, "game": "x"}), 422, "game-unknown")
        refused(client.post("/api/v1/boards", {"text": ""}), 422, "request-invalid")
        refused(client.post("/api/v1/boards", {"text": "5H", "x": 1}), 422, "request-invalid")
        assert client.post("/import", {"text": BOARD, "game": "x"}).status_code == 422
        assert client.post("/import", {"text": "5H " * 25_000}).status_code == 413


# --- codes and records --------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed", [START, " yu1 c aaaaaab ", "https://x.y/d/YU1-C-AAAAAAB?z=1", "YUI-C-AAAAAAB\n"]
)
def test_a_code_may_be_pasted_too(client: Client, typed: str) -> None:
    assert pasted(client, typed, "alaska")["code"] == START


def test_a_code_that_cannot_be_read_is_kept_with_what_is_wrong(client: Client) -> None:
    refused(client.post("/api/v1/boards", {"text": "YU1-C-AAAA"}), 422, "code-unreadable")
    answer = client.post("/import", {"text": "YU1-C-AAAA", "game": "yukon"})
    assert answer.status_code == 422
    page = Html(answer.text)
    assert "this one has 4" in page.text
    assert ("textarea", "\nYU1-C-AAAA") in page.texts


def test_a_board_with_its_code_in_a_comment_is_that_deal(client: Client) -> None:
    assert pasted(client, f"# {START}\n{BOARD}")["code"] == START
    for comment in ("# mine", "# YU1-C-AAAAAAC", "# YU1-F-AAAAAAB"):
        assert pasted(client, f"{comment}\n{BOARD}")["code"] is None


def won_record(rule: str = "C") -> str:
    code, win = short_win(rule)
    game: Game = replay(get_rules(rule), win.start, win.moves)
    return record_text(game, code, "won", 100_000)


def test_a_record_is_replayed_or_its_deal_played(client: Client, database: Database) -> None:
    code, win = short_win()
    with unchanged(database):
        answer = client.post("/import", {"text": won_record(), "game": "yukon"})
    assert answer.status_code == 200
    page = Html(answer.text)
    assert f"{len(win.moves)} moves" in page.text
    assert [tag.attributes["value"] for tag in page.all("button", name="wish")] == [
        "watch",
        "deal",
    ]
    watched = client.post("/import", {"text": won_record(), "wish": "watch"})
    address = watched.headers["location"]
    assert address.endswith("/replay")
    last = client.get(f"{address}?at={len(win.moves)}")
    assert last.status_code == 200
    stored = load(database, address.split("/")[2])
    assert (stored.status, stored.practice, stored.game.line) == ("won", True, win.moves)
    assert count(database, "results") == 0
    with database.read() as connection:
        assert differences(connection, stored.id) == []
    played = client.post("/import", {"text": won_record(), "wish": "deal"})
    game = load(database, played.headers["location"].split("/")[-1])
    assert (str(game.code), game.practice, game.game.moves) == (str(code), False, 0)


def test_a_record_of_a_game_under_way_is_played_on(client: Client, database: Database) -> None:
    game = client.move(client.start(), LEGAL)
    record = client.get(f"/games/{game['id']}/record").text
    page = Html(client.post("/import", {"text": record, "game": "yukon"}).text)
    assert "on" in [tag.attributes["value"] for tag in page.all("button", name="wish")]
    answer = client.post("/import", {"text": record, "wish": "on", "from": game["id"]})
    mine = good(client.get(f"/api/v1{answer.headers['location']}"))
    assert (mine["moves"], mine["status"], mine["can_undo"]) == (1, "playing", True)
    assert client.undo(mine)["tableau"] == client.start()["tableau"]
    assert client.see(game)["status"] == "ended"
    assert load(database, mine["id"]).practice
    with database.read() as connection:
        assert differences(connection, mine["id"]) == []


def test_a_record_is_taken_up_by_programs(client: Client) -> None:
    assert pasted(client, won_record())["status"] == "won"
    half = f'[Deal "{START}"]\n\n{LEGAL}'
    game = pasted(client, half)
    assert (game["moves"], game["status"], game["code"]) == (1, "playing", START)
    ended = pasted(client, f'[Result "ended"]\n{half}')
    assert ended["status"] == "ended"


# --- sealed deals -------------------------------------------------------------------------


def test_a_sealed_deal_s_board_is_told_when_it_is_open(
    client: Client, other: Client, database: Database
) -> None:
    client.start()
    stored = start_sealed(database, client.token)
    with database.write() as connection:
        connection.execute(
            sql("INSERT INTO seals (code, commitment) VALUES (:code, 'x')"),
            {"code": str(stored.code)},
        )
    game = client.see({"id": stored.id})
    assert client.get(f"/games/{stored.id}/board").status_code == 409
    assert client.get(f"/boards/{stored.code}.txt").status_code == 403
    game = client.end(client.move(game, game["legal_moves"][0]))
    told = board_text(deal(stored.code))
    assert client.get(f"/games/{stored.id}/board").text == told
    assert client.get(f"/boards/{stored.code}.txt").text == told
    assert other.get(f"/boards/{stored.code}.txt").status_code == 403
    assert game["code"] == str(stored.code)


def test_a_board_that_no_code_can_have_is_refused(client: Client) -> None:
    assert client.get("/boards/YU1-C-AAAA.txt").status_code == 422
