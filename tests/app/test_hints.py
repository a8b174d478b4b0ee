"""Hints and verdicts: what they say, what they cost, and that following them wins."""

from collections.abc import Iterator
from random import Random

import pytest

from app.config import Settings
from app.db import Database
from app.games.check import differences
from app.games.service import GameService
from app.games.table import Advice, table_of
from app.hints import routes
from app.jobs import service as jobs
from app.jobs import tasks
from engine.game import UNDO_LIMIT, Game
from engine.position import Position
from engine.solver import UNPROVEN, UNWINNABLE, WINNABLE, Solution
from tests.app.html import Html
from tests.app.solver import Solving, brought_to, lost_game, there_and_back, verdict, wander
from tests.app.support import (
    LEGAL,
    START,
    Client,
    Clock,
    Json,
    good,
    load,
    play,
    refused,
    refused_page,
    rows,
    services_of,
    short_win,
    win_game,
)

HINTS = 200


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "WAIT_S", 0.0)
    monkeypatch.setattr(routes, "WAIT_WITHOUT_SCRIPTS_S", 0.0)


@pytest.fixture
def solving(settings: Settings) -> Iterator[Solving]:
    solving = Solving(settings)
    yield solving
    solving.close()


@pytest.fixture(scope="module")
def lost() -> tuple[str, Game]:
    return lost_game()


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


def test_a_lost_game_says_where_it_could_last_be_won(
    client: Client, solving: Solving, database: Database, lost: tuple[str, Game]
) -> None:
    code, played = lost
    game = brought_to(client, code, played)
    answer = solving.ask(client, game, "verdict")
    assert answer["state"] == "lost"
    back_to = answer["back_to"]
    assert 0 <= back_to < len(played.line)
    assert verdict(played, back_to) == WINNABLE
    assert verdict(played, back_to + 1) == UNWINNABLE
    assert answer["game"]["hints"] == 1
    game = good(client.write(answer["game"], "back", length=back_to))
    assert game["undos"] == len(played.line) - back_to
    assert len(load(database, game["id"]).game.line) == back_to
    assert solving.ask(client, game, "verdict")["state"] == "winnable"
    _is_whole(database, game)


def test_a_hint_in_a_lost_game_says_so(
    client: Client, solving: Solving, lost: tuple[str, Game]
) -> None:
    game = brought_to(client, *lost)
    answer = solving.ask(client, game, "hint")
    assert (answer["state"], answer["move"]) == ("lost", None)
    assert answer["back_to"] is not None
    assert good(client.write(game, "hint")) == answer


def test_the_page_of_a_lost_game_offers_the_way_back(
    client: Client, solving: Solving, lost: tuple[str, Game]
) -> None:
    game = brought_to(client, *lost)
    at, form = f"/games/{game['id']}", {"version": game["version"]}
    pending = Html(client.htmx(f"{at}/verdict", form).text)
    assert pending.table["data-asking"] == f"verdict {game['version']}"
    assert pending.table["data-version"] == str(game["version"])
    assert solving.work() == 1
    seeking = Html(client.htmx(f"{at}/verdict", form).text)
    assert "No: from here no line wins." in seeking.text
    assert seeking.table["data-asking"] == f"verdict {game['version']}"
    assert solving.work() == 1
    told = Html(client.htmx(f"{at}/verdict", form).text)
    assert told.table["data-asking"] == ""
    button = told.one("button", form="back-form").attributes
    assert f"Go back to move {button['value']}" in told.text
    form = {"version": told.table["data-version"], "length": button["value"]}
    after = Html(client.htmx(f"{at}/back", form).text)
    assert after.table["data-announce"] == f"Back after move {button['value']}"
    assert int(after.table["data-version"]) > int(form["version"])
    again = client.htmx(f"{at}/back", form)
    assert again.status_code == 200
    assert Html(again.text).table["data-version"] == after.table["data-version"]
    assert client.htmx(f"{at}/back", {**form, "version": 0}).status_code == 409


@pytest.mark.parametrize("length", [-1, 3, 4, 99])
def test_there_is_no_way_to_elsewhere(client: Client, length: int) -> None:
    game = brought_to(client, START, wander("C", 1, 3, 3))
    code = "request-invalid" if length < 0 else "nothing-to-undo"
    refused(client.write(game, "back", length=length), 422, code)


def test_a_way_back_beyond_the_last_hundred_moves_is_not_offered(
    service: GameService,
) -> None:
    game, there, back = there_and_back("C", 1)
    started = service.start(None, "", START, "")
    stored = play(service, started, game.line)
    lost = Advice("verdict", "lost", 1, back_to=0)
    for turn in range(UNDO_LIMIT + 2 - len(game.line)):
        move = str((there, back)[turn % 2])
        stored = service.move(stored.id, started.token, move, stored.version).stored
        reaches = len(stored.game.line) <= UNDO_LIMIT
        assert table_of(stored, 0, advice=lost).can_go_back == reaches
    assert not reaches


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
    whole = client.post(f"/games/{game['id']}/hint", {"version": 0})
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


# --- endings ------------------------------------------------------------------------------


def _nearly_won(client: Client) -> Iterator[Json]:
    """A game after each move of a line that wins."""
    code, win = short_win("F")
    game = client.start(str(code))
    for move in win.moves:
        game = client.move(game, str(move))
        yield game


def test_a_game_is_finished_at_once(client: Client, database: Database) -> None:
    for game in _nearly_won(client):
        page = Html(client.get(f"/games/{game['id']}").text)
        buttons = page.all("button", form="finish-form")
        if buttons:
            break
        refused(client.write(game, "finish"), 422, "move-illegal")
    line = buttons[0].attributes["data-finish"].split()
    won = good(client.write(game, "finish"))
    assert (won["status"], won["version"]) == ("won", game["version"] + len(line))
    assert [event[3] for event in rows(database)["events"]][-len(line) :] == line
    assert good(client.write(game, "finish")) == won
    assert len(rows(database)["results"]) == 1
    refused(client.write({**game, "version": 0}, "finish"), 409, "version-stale")
    refused(client.write(won, "finish"), 422, "game-over")
    refused(client.write(won, "back", length=0), 422, "game-over")
    _is_whole(database, game)


def test_a_form_finishes_and_goes_back(client: Client) -> None:
    for game in _nearly_won(client):
        at, form = f"/games/{game['id']}", {"version": game["version"]}
        answer = client.post(f"{at}/finish", form)
        if answer.status_code == 303:
            break
        refused_page(answer, 422, "cannot be finished")
    assert client.see(game)["status"] == "won"
    other = brought_to(client, START, wander("C", 1, 3, 2))
    answer = client.post(f"/games/{other['id']}/back", {"version": 2, "length": 0})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{other['id']}")
    assert client.see(other)["undos"] == 2


def test_the_win_panel_tells_par_and_help(client: Client, solving: Solving) -> None:
    code, win = short_win("F")
    game = client.start(str(code))
    client.get(f"/d/{code}")
    solving.work()
    game = solving.ask(client, game, "hint")["game"]
    for move in win.moves:
        game = client.move(game, str(move))
    page = Html(client.get(f"/games/{game['id']}").text)
    par = good(client.get(f"/api/v1/deals/{code}"))["par"]
    assert f"Par {par}" in page.text
    assert "Solved Assisted" in page.text


def test_stuck_is_told_apart(client: Client) -> None:
    stuck = wander("F", 21, 21, 40)
    assert stuck.is_stuck
    game = brought_to(client, "YU1-F-AAAAAAV", stuck)
    page = Html(client.get(f"/games/{game['id']}").text)
    assert "No move is left." in page.text
    assert len(page.all("button", form="verdict-form")) == 2  # in the notice and in the menu
    back = wander("C", 1, 1, 22)
    game = brought_to(client, START, back)
    page = Html(client.get(f"/games/{game['id']}").text)
    assert "Only moves that lead back are left." in page.text
    assert "Can this still be won?" in page.text


def test_a_stuck_game_has_a_way_back(client: Client, solving: Solving) -> None:
    stuck = wander("F", 21, 21, 40)
    game = brought_to(client, "YU1-F-AAAAAAV", stuck)
    answer = solving.ask(client, game, "verdict")
    assert answer["state"] == "lost"
    if answer["back_to"] is not None:
        assert verdict(stuck, answer["back_to"]) == WINNABLE


def test_a_hidden_card_is_in_no_answer(client: Client, solving: Solving) -> None:
    """A hint tells a move; of the cards that lie face down it says nothing."""
    game = client.start()
    answer = solving.ask(client, game, "hint")
    assert answer["game"]["tableau"] == game["tableau"]
    assert set(answer) == {"state", "move", "back_to", "seeking", "game"}
