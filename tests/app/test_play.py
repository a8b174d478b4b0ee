"""Moves, undo, redo and the end, for programs."""

import pytest

from app.db import Database
from app.games.service import GameService
from tests.app.support import (
    ALSO_LEGAL,
    ILLEGAL,
    LEGAL,
    START,
    THIRD_LEGAL,
    Client,
    count,
    good,
    load,
    refused,
    rows,
    short_win,
    unchanged,
)


def test_a_move_makes_the_next_version(client: Client) -> None:
    start = client.start()
    game = client.move(start, LEGAL)
    assert (game["version"], game["moves"], game["can_undo"]) == (1, 1, True)
    assert game["tableau"][5][-2:] == ["5D", "4S"]
    assert client.see(game) == game
    assert game["tableau"][3] == start["tableau"][3][:-1]


@pytest.mark.parametrize("typed", ["T4-T6", " t4-t6 ", "t4x1-t6"])
def test_a_move_is_read_in_every_spelling(client: Client, database: Database, typed: str) -> None:
    game = client.move(client.start(), typed)
    assert game["version"] == 1
    assert rows(database)["events"][0][3] == "t4-t6"


def test_undo_and_redo_restore_everything_but_the_counters(client: Client) -> None:
    same = ("tableau", "foundations", "score", "legal_moves", "moves", "code", "status")
    start = client.start()
    moved = client.move(start, ALSO_LEGAL)
    undone = client.undo(moved)
    redone = client.redo(undone)
    assert [undone[name] for name in same if name != "moves"] == [
        start[name] for name in same if name != "moves"
    ]
    assert [redone[name] for name in same] == [moved[name] for name in same]
    assert (undone["moves"], undone["undos"], undone["version"]) == (1, 1, 2)
    assert (redone["moves"], redone["undos"], redone["version"]) == (1, 1, 3)
    assert (undone["can_undo"], undone["can_redo"]) == (False, True)
    assert (redone["can_undo"], redone["can_redo"]) == (True, False)


def test_a_new_move_closes_the_way_of_redo(client: Client, database: Database) -> None:
    game = client.move(client.undo(client.move(client.start(), LEGAL)), ALSO_LEGAL)
    assert game["can_redo"] is False
    with unchanged(database):
        problem = refused(client.write(game, "redo"), 422, "nothing-to-undo")
    assert problem["game"] == game


def test_only_the_last_hundred_moves_can_be_undone(
    client: Client, service: GameService, database: Database
) -> None:
    """In Yukon a card goes to and fro between two places for ever; here its way is repeated."""
    code, win = short_win("D")
    game = client.start(str(code))
    stored = load(database, game["id"])
    for move in win.moves[:130]:
        stored = service.move(stored.id, client.token, str(move), stored.version).stored
    for _ in range(100):
        stored = service.undo(stored.id, client.token, stored.version).stored
    seen = client.see(game)
    assert (seen["can_undo"], seen["can_redo"], seen["undos"]) == (False, True, 100)
    refused(client.write(seen, "undo"), 422, "nothing-to-undo")
    for _ in range(100):
        stored = service.redo(stored.id, client.token, stored.version).stored
    assert len(stored.game.line) == 130


def test_a_whole_game_over_http(client: Client, database: Database) -> None:
    code, win = short_win()
    game = client.start(str(code))
    for move in win.moves:
        assert str(move) in game["legal_moves"]
        game = client.move(game, str(move))
    assert (game["status"], game["score"], game["moves"]) == ("won", 625, len(win.moves))
    assert [len(pile) for pile in game["foundations"]] == [13] * 4
    assert (game["legal_moves"], game["can_undo"], game["can_redo"]) == ([], False, False)
    assert count(database, "results") == 1
    with unchanged(database):
        for what, body in (("moves", {"move": "t1-f"}), ("undo", {}), ("redo", {}), ("end", {})):
            problem = refused(client.write(game, what, **body), 422, "game-over")
            assert problem["game"]["status"] == "won"


@pytest.mark.parametrize("what", ["moves", "undo", "redo"])
def test_the_same_request_ten_times_is_answered_as_if_once(
    client: Client, database: Database, what: str
) -> None:
    game = client.move(client.start(), LEGAL)
    body = {"move": THIRD_LEGAL} if what == "moves" else {}
    if what == "redo":
        game = client.undo(game)
    before = count(database, "events")
    answers = [good(client.write(game, what, **body)) for _ in range(10)]
    assert answers == [answers[0]] * 10
    assert answers[0]["version"] == game["version"] + 1
    assert count(database, "events") == before + 1


def test_the_same_move_in_another_spelling_is_the_same_request(client: Client) -> None:
    start = client.start()
    assert good(client.write(start, "moves", move="T4x1-T6")) == client.move(start, "t4-t6")


def test_a_repetition_is_answered_after_the_winning_move(
    client: Client, service: GameService, database: Database
) -> None:
    code, win = short_win()
    game = client.start(str(code))
    stored = load(database, game["id"])
    for move in win.moves:
        stored = service.move(stored.id, client.token, str(move), stored.version).stored
    last = {"move": str(win.moves[-1]), "version": stored.version - 1}
    with unchanged(database):
        answer = client.post(f"/api/v1/games/{game['id']}/moves", last)
        assert good(answer)["status"] == "won"


@pytest.mark.parametrize(
    ("what", "body"),
    [("moves", {"move": ALSO_LEGAL}), ("undo", {}), ("redo", {}), ("end", {})],
)
def test_a_write_on_an_older_version_gets_the_current_game(
    client: Client, database: Database, what: str, body: dict[str, str]
) -> None:
    old = client.start()
    current = client.move(old, LEGAL)
    with unchanged(database):
        problem = refused(client.write(old, what, **body), 409, "version-stale")
        future = refused(client.write(current, what, **body, version=9), 409, "version-stale")
    assert problem["game"] == current
    assert future["game"] == current


def test_a_repetition_of_an_older_write_is_no_repetition_of_another_kind(client: Client) -> None:
    game = client.move(client.start(), LEGAL)
    client.undo(game)
    refused(client.write(game, "redo"), 409, "version-stale")
    refused(client.write(game, "moves", move=THIRD_LEGAL), 409, "version-stale")


def test_a_move_that_the_rules_refuse_names_the_rule(client: Client, database: Database) -> None:
    game = client.start()
    with unchanged(database):
        problem = refused(client.write(game, "moves", move=ILLEGAL), 422, "move-illegal")
    assert problem["move"] == ILLEGAL
    assert problem["rule"]
    assert problem["detail"].endswith(".")
    assert "six of hearts" in problem["detail"]
    assert problem["game"] == game


@pytest.mark.parametrize("move", ["t2x6-t7", "t7x8-t1", "t3x7-f", "t9-t1", "t1x3-t2", "s-w", "w-f"])
def test_cards_that_lie_face_down_or_nowhere_are_refused(
    client: Client, database: Database, move: str
) -> None:
    game = client.start()
    with unchanged(database):
        refused(client.write(game, "moves", move=move), 422, "move-illegal")


@pytest.mark.parametrize("text", ["nonsense", "t0-t1", "t1", "t1-", "t1x0-t2", "t1xx2-t3", "♠"])
def test_a_text_that_is_no_move_is_refused(client: Client, database: Database, text: str) -> None:
    game = client.start()
    with unchanged(database):
        problem = refused(client.write(game, "moves", move=text), 422, "move-unreadable")
    assert problem["game"] == game


@pytest.mark.parametrize("what", ["undo", "redo"])
def test_there_may_be_nothing_to_take_back(client: Client, database: Database, what: str) -> None:
    game = client.start()
    with unchanged(database):
        assert refused(client.write(game, what), 422, "nothing-to-undo")["game"] == game


def test_giving_up_ends_the_game_once(client: Client, database: Database) -> None:
    game = client.move(client.start(), LEGAL)
    ended = client.end(game)
    assert (ended["status"], ended["version"], ended["legal_moves"]) == ("ended", 2, [])
    assert (ended["can_undo"], ended["can_redo"]) == (False, False)
    with unchanged(database):
        assert client.end(game) == ended
        assert client.end(ended) == ended
        for what, body in (("moves", {"move": ALSO_LEGAL}), ("undo", {}), ("redo", {})):
            refused(client.write(ended, what, **body), 422, "game-over")
    assert [row[2] for row in rows(database)["events"]] == ["move", "end"]


def test_an_untouched_game_ends_without_a_result(client: Client, database: Database) -> None:
    assert client.end(client.start())["status"] == "ended"
    assert count(database, "results") == 0


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("POST", "/moves", {"move": "t1-t2", "version": 0}),
        ("POST", "/undo", {"version": 0}),
        ("POST", "/redo", {"version": 0}),
        ("POST", "/end", {"version": 0}),
        ("POST", "/restart", None),
        ("POST", "/clock", {"state": "shown"}),
    ],
)
@pytest.mark.parametrize("game_id", ["nothing", "x" * 300, "%00", "%F0%9F%82%A1", "..", "0"])
def test_an_unknown_game_is_not_found(
    client: Client, database: Database, game_id: str, method: str, path: str, body: object
) -> None:
    client.start()
    if game_id == "..":
        game_id = "%2e%2e"
    with unchanged(database):
        how = {"json": body} if body else {}
        answer = client.request(method, f"/api/v1/games/{game_id}{path}", **how)
        assert refused(answer, 404, answer.json()["code"])["code"] in (
            "game-not-found",
            "not-found",
        )


def test_moves_of_every_kind_are_answered_with_the_same_game(client: Client) -> None:
    """The stock, the waste, and a card worried back."""
    game = client.start("YU1-P-AAAAAAB")
    game = client.move(game, "s-w")
    assert (game["stock"], len(game["waste"])) == (22, 2)
    assert client.see(client.undo(game))["stock"] == 23
    assert client.start(START)["waste"] == []
