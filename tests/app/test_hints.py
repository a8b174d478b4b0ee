"""Hints and verdicts: what they say, what they cost, and that following them wins."""

from random import Random

import pytest

from app.db import Database
from app.games.check import differences
from app.games.service import GameService
from app.games.table import Advice, table_of
from app.jobs import service as jobs
from app.jobs import tasks
from engine.position import Position
from engine.solver import UNPROVEN, UNWINNABLE, Solution
from tests.app.html import Html
from tests.app.solver import Solving
from tests.app.support import (
    LEGAL,
    START,
    Client,
    Clock,
    Json,
    good,
    load,
    refused,
    refused_page,
    rows,
    services_of,
    short_win,
    win_game,
)

HINTS = 200

pytestmark = pytest.mark.usefixtures("no_waiting")


def _unproven(*_: object, **__: object) -> Solution:
    return Solution(UNPROVEN, (), 7, "budget")


def _is_whole(database: Database, game: Json) -> None:
    with database.read() as connection:
        assert differences(connection, game["id"]) == []


def test_a_hint_is_a_move_of_a_line_that_wins(
    client: Client, solving: Solving, database: Database
) -> None:
    game = client.start()
    answer = good(client.write(game, "hint"))
    assert (answer["state"], answer["move"], answer["game"]["version"]) == ("pending", None, 0)
    assert solving.work() == 1
    answer = good(client.write(game, "hint"))
    assert answer["state"] == "winnable"
    assert answer["move"] in game["legal_moves"]
    assert (answer["game"]["hints"], answer["game"]["version"]) == (1, 1)
    assert answer["game"]["moves"] == 0
    after = client.move(answer["game"], answer["move"])
    stored = load(database, after["id"])
    assert solving.ask(client, after, "hint")["state"] == "winnable"
    assert stored.plan.split("|")[1].split()[0] == answer["move"]
    _is_whole(database, game)


def test_a_hint_is_counted_once(client: Client, solving: Solving, database: Database) -> None:
    game = client.start()
    first = solving.ask(client, game, "hint")
    assert good(client.write(game, "hint")) == first
    again = good(client.write(first["game"], "hint"))
    assert again == first
    assert first["game"]["hints"] == 1
    assert len(rows(database)["events"]) == 1
    other = solving.ask(client, first["game"], "verdict")
    assert other["state"] == "winnable"
    assert other["game"]["hints"] == 2
    refused(client.write(game, "hint"), 409, "version-stale")
    _is_whole(database, game)


def test_following_hints_asks_the_solver_once(client: Client, solving: Solving) -> None:
    game = client.start()
    solved = 0
    for _ in range(5):
        answer = good(client.write(game, "hint"))
        if answer["state"] == "pending":
            solved += solving.work()
            continue
        game = client.move(answer["game"], answer["move"])
    assert solved == 1


@pytest.mark.parametrize("code", [START, "YU1-F-AAAAAAN", "YU1-S-AAAAAAB", str(short_win("P")[0])])
def test_hints_that_are_followed_win(
    client: Client, solving: Solving, database: Database, code: str
) -> None:
    game, seen = client.start(code), set[Position]()
    assert solving.ask(client, game, "verdict")["state"] == "winnable"
    game = client.see(game)
    for _ in range(HINTS):
        answer = solving.ask(client, game, "hint")
        position = load(database, game["id"]).game.position
        assert position not in seen
        seen.add(position)
        game = client.move(answer["game"], answer["move"])
        if game["status"] == "won":
            break
    assert game["status"] == "won"
    (row,) = good(client.get(f"/api/v1/deals/{code}/leaderboard"))["rows"]
    assert row["hints"] == game["hints"] == game["moves"] + 1
    assert not row["clean"]
    _is_whole(database, game)


@pytest.mark.parametrize("seed", range(4))
def test_hints_lead_to_the_win_after_deviations_too(
    client: Client, solving: Solving, database: Database, seed: int
) -> None:
    """Now and then the player does something else; a lost game is taken back to where it was."""
    random = Random(seed)
    game = client.start(("YU1-C-AAAAAAB", "YU1-F-AAAAAAN", "YU1-C-AAAAABH", "YU1-S-AAAAAAB")[seed])
    deviations, seen = 6, set[Position]()
    for _ in range(HINTS):
        answer = solving.ask(client, game, "hint")
        game = answer["game"]
        if answer["state"] in ("lost", "unproven"):  # no line is known from here
            game = client.undo(game)
            continue
        if deviations and random.random() < 0.2:
            deviations -= 1
            seen.clear()
            others = [move for move in game["legal_moves"] if move != answer["move"]]
            if game["can_undo"] and random.random() < 0.3:
                game = client.undo(game)
            elif others:
                game = client.move(game, random.choice(others))
            continue
        position = load(database, game["id"]).game.position
        assert position not in seen
        seen.add(position)
        game = client.move(game, answer["move"])
        if game["status"] == "won":
            break
    assert game["status"] == "won"
    _is_whole(database, game)


@pytest.mark.parametrize(
    ("ask", "says"), [("hint", "none is ruled out"), ("verdict", "Not proven")]
)
def test_what_is_not_proven_is_not_claimed(
    client: Client, solving: Solving, monkeypatch: pytest.MonkeyPatch, ask: str, says: str
) -> None:
    monkeypatch.setattr(tasks, "solve", _unproven)
    game = client.start()
    answer = solving.ask(client, game, ask)
    assert (answer["state"], answer["move"], answer["back_to"]) == ("unproven", None, None)
    page = Html(client.htmx(f"/games/{game['id']}/{ask}", {"version": 0}).text)
    assert says in page.text
    assert says in page.table["data-announce"]


def test_a_deal_that_is_lost_from_the_start(
    client: Client, solving: Solving, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    monkeypatch.setattr(tasks, "solve", lambda *_: Solution(UNWINNABLE, (), 7, None))
    game = client.move(client.start(), LEGAL)
    assert solving.ask(client, game, "verdict")["back_to"] is None
    page = Html(client.htmx(f"/games/{game['id']}/verdict", {"version": 1}).text)
    assert "this deal cannot be won at all" in page.text
    (proof,) = rows(database)["deals"]
    assert proof[:3] == (START, "C", "unwinnable")


def test_a_server_without_workers_plays_on_and_says_so(client: Client, clock: Clock) -> None:
    game = client.start()
    assert good(client.write(game, "hint"))["state"] == "pending"
    clock.pass_by(jobs.PATIENCE_MS / 1000 + 1)
    answer = good(client.write(game, "hint"))
    assert (answer["state"], answer["game"]["hints"]) == ("nobody", 0)
    page = Html(client.htmx(f"/games/{game['id']}/hint", {"version": 0}).text)
    assert "Nobody is there to work it out now." in page.text
    assert page.table["data-asking"] == ""
    game = client.undo(client.move(game, LEGAL))
    assert game["version"] == 2
    assert client.get(f"/d/{START}").status_code == 200


def test_a_full_queue_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "QUEUE_LIMIT", 0)
    game = client.start()
    problem = refused(client.write(game, "hint"), 503, "busy")
    assert problem["game"]["version"] == 0
    page = client.htmx(f"/games/{game['id']}/verdict", {"version": 0})
    assert "more to do than it can" in refused_page(page, 503)
    assert Html(page.text).table["data-version"] == "0"
    assert "Not proven" in client.get(f"/d/{START}").text


def test_only_the_player_of_a_game_under_way_may_ask(
    client: Client, other: Client, service: GameService
) -> None:
    game = client.move(client.start(), LEGAL)
    for what in ("hint", "verdict"):
        refused(other.write(game, what), 403, "not-your-game")
        refused(client.write({**game, "version": 0}, what), 409, "version-stale")
        refused(client.write({**game, "id": "nosuch"}, what), 404, "game-not-found")
    won = win_game(service, client.token)
    refused(client.write({"id": won.id, "version": won.version}, "hint"), 422, "game-over")


def test_a_move_in_between_makes_a_hint_stale(
    client: Client, solving: Solving, service: GameService
) -> None:
    game = client.start()
    assert good(client.write(game, "hint"))["state"] == "pending"
    solving.work()
    game = client.move(game, LEGAL)
    refused(client.write({**game, "version": 0}, "hint"), 409, "version-stale")
    with pytest.raises(Exception, match="moved on"):
        service.note(game["id"], client.token, 0, "hint", None, None)
    assert client.see(game)["hints"] == 0


def test_the_page_shows_a_hint(client: Client, solving: Solving) -> None:
    game = client.start()
    move = solving.ask(client, game, "hint")["move"]
    page = Html(client.htmx(f"/games/{game['id']}/hint", {"version": 0}).text)
    assert "hinting" in page.table["class"].split()
    assert page.table["data-hint"] == move
    assert page.table["data-announce"].startswith("Hint: ")
    (target,) = [
        tag for tag in page.all("button", name="move") if "target" in tag.attributes["class"]
    ]
    assert target.attributes["value"] == move
    assert (
        len([tag for tag in page.all("button") if " lead" in tag.attributes.get("class", "")]) == 1
    )
    for ask in ("hint", "verdict"):  # without scripts it is asked first, as the page's dialogs do
        sure = Html(client.post(f"/games/{game['id']}/{ask}", {"version": 0}).text)
        assert "The result will count as assisted." in sure.text
        assert sure.all("input", name="sure")
        assert client.see(game)["hints"] == 1
        assert (
            client.get(f"/games/{game['id']}/{ask}").headers["location"] == f"/games/{game['id']}"
        )
    whole = client.post(f"/games/{game['id']}/hint", {"version": 0, "sure": "1"})
    assert whole.status_code == 200
    assert Html(whole.text).table["data-hint"] == move
    plain = Html(client.get(f"/games/{game['id']}").text)
    assert plain.table["data-hint"] == ""
    assert "hidden cards" in plain.text


def test_a_hint_can_be_a_deal_from_the_stock(client: Client) -> None:
    stored = load(services_of(client.app).database, client.start("YU1-P-AAAAAAB")["id"])
    table = table_of(stored, 0, advice=Advice("hint", "winnable", 0, "s-w"))
    assert table.stock is not None
    assert table.waste is not None
    assert (table.stock.selected, table.waste.target_move) == (True, "s-w")
    assert table.announce == "Hint: deal from the stock"


def test_a_hidden_card_is_in_no_answer(client: Client, solving: Solving) -> None:
    """A hint tells a move; of the cards that lie face down it says nothing."""
    game = client.start()
    answer = solving.ask(client, game, "hint")
    assert answer["game"]["tableau"] == game["tableau"]
    told = {"state", "move", "back_to", "seeking", "wins", "samples", "chance", "game"}
    assert set(answer) == told
