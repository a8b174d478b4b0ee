"""Ghosts: a finished game beside the table of who plays its deal now, by that table's clock."""

import re
from typing import NamedTuple

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.db import Database
from app.games import seals
from app.models import entries
from engine.deals import deal, sealed_code
from engine.game import Game
from engine.rules import get_rules
from tests.app.html import Html
from tests.app.races import GO_S, game_of
from tests.app.support import (
    LEGAL,
    MORNING,
    Client,
    Clock,
    Json,
    good,
    load,
    refused,
    refused_page,
    services_of,
    short_win,
    start_sealed,
    unchanged,
)

CODE, WIN = short_win()
EVERY_S = 2
FAR = 60


class Row(NamedTuple):
    """A player of the standing: `state` as its class has it."""

    seat: str
    state: str
    place: str
    cards: int
    moves: int


def play_on(client: Client, clock: Clock, game: Json, moves: int, every_s: float) -> Json:
    """So many moves of the winning line."""
    for number, move in enumerate(WIN.moves[:moves]):
        clock.pass_by(every_s if number else 0)
        game = client.move(game, str(move))
    return game


def won(client: Client, clock: Clock, every_s: float = EVERY_S) -> Json:
    return play_on(client, clock, client.start(str(CODE)), len(WIN.moves), every_s)


def given_up(client: Client, clock: Clock, moves: int) -> Json:
    return client.end(play_on(client, clock, client.start(str(CODE)), moves, EVERY_S))


def raced(client: Client, ghost: Json) -> Json:
    answer = client.post(f"/games/{ghost['id']}/race")
    assert answer.status_code == 303, answer.text
    return client.see({"id": answer.headers["location"].rpartition("/")[2]})


def standing(client: Client, game: Json, part: str = "/ghost") -> list[Row]:
    """How the two stand, as the page or the fragment shows it."""
    answer = client.get(f"/games/{game['id']}{part}")
    assert answer.status_code == 200, answer.text
    return [
        Row(
            item[1],
            item[0].split()[1],
            (re.search(r'class="place">\s*(\d*)', item[2]) or [""])[1],
            int((re.search(r'value="(\d+)"', item[2]) or [""])[1]),
            int((re.search(r"(\d+) move", item[2]) or [""])[1]),
        )
        for item in re.findall(
            r'<li class="([^"]*)" data-seat="(\d)">(.*?)</li>', answer.text, re.DOTALL
        )
    ]


def cards_after(moves: int) -> int:
    """Cards on the foundations after so many moves of the line, by the engine."""
    game = Game.new(get_rules(CODE.rule), deal(CODE))
    for move in WIN.moves[:moves]:
        game = game.play(move)
    return sum(map(len, game.position.foundations))


def test_it_is_where_it_was_at_that_time(client: Client, other: Client, clock: Clock) -> None:
    game = raced(other, won(client, clock))
    assert game["code"] == str(CODE)
    assert standing(other, game) == [Row("1", "racing", "", 0, 0), Row("2", "racing", "", 0, 0)]
    clock.pass_by(1000)  # before the first move no time passes
    assert {row.moves for row in standing(other, game)} == {0}
    game = other.move(game, LEGAL if LEGAL in game["legal_moves"] else game["legal_moves"][0])
    ghost = next(row for row in standing(other, game) if row.seat == "2")
    assert (ghost.moves, ghost.cards) == (1, cards_after(1))
    clock.pass_by(FAR - 0.5)
    for part in ("/ghost", ""):
        ghost = next(row for row in standing(other, game, part) if row.seat == "2")
        moves = int((FAR - 0.5) / EVERY_S) + 1
        assert (ghost.state, ghost.moves, ghost.cards) == ("racing", moves, cards_after(moves))


def test_an_own_pause_stops_it(client: Client, other: Client, clock: Clock) -> None:
    game = raced(other, won(client, clock))
    game = other.move(game, str(WIN.moves[0]))
    other.report(game, "shown")
    clock.pass_by(10)
    other.report(game, "paused")
    before = standing(other, game)
    clock.pass_by(FAR)
    assert standing(other, game) == before
    assert {row.moves for row in before} == {1, 6}


def test_it_finishes_first(client: Client, other: Client, clock: Clock) -> None:
    ghost = won(client, clock)
    game = raced(other, ghost)
    game = play_on(other, clock, game, len(WIN.moves) - 1, EVERY_S + 0.5)
    first, second = standing(other, game)
    assert (first.seat, first.state, first.place, first.cards) == ("2", "won", "1", 52)
    assert second.state == "racing"
    page = other.get(f"/games/{game['id']}").text
    assert f"/games/{ghost['id']}/replay" not in page
    clock.pass_by(1)
    answer = other.htmx(
        f"/games/{game['id']}/moves", {"move": str(WIN.moves[-1]), "version": game["version"]}
    )
    late = (len(WIN.moves) - 2) * 0.5 + 1 - EVERY_S
    said = f"Guest: faster than you by {int(late) // 60}:{int(late) % 60:02}"
    assert said in answer.text
    assert f"/games/{ghost['id']}/replay" in answer.text
    first, second = standing(other, game)
    assert (first.seat, first.place, second.seat, second.place) == ("2", "1", "1", "2")


def test_who_was_faster(client: Client, other: Client, clock: Clock) -> None:
    slow = won(client, clock)
    game = play_on(other, clock, raced(other, slow), len(WIN.moves), EVERY_S - 1)
    assert game["status"] == "won"
    html = Html(other.get(f"/games/{game['id']}").text)
    ahead = len(WIN.moves) - 1
    assert f"Guest: you were faster by {ahead // 60}:{ahead % 60:02}" in html.text
    assert [row.seat for row in standing(other, game)] == ["1", "2"]
    again = play_on(other, clock, raced(other, game), len(WIN.moves), EVERY_S - 1)
    assert "Your earlier game: just as fast" in other.get(f"/games/{again['id']}").text


def test_one_that_did_not_finish(client: Client, other: Client, clock: Clock) -> None:
    ghost = given_up(client, clock, 30)
    game = raced(other, ghost)
    game = play_on(other, clock, game, 40, EVERY_S)
    rows = {row.seat: row for row in standing(other, game)}
    assert rows["2"] == Row("2", "ended", "", cards_after(30), 30)
    done = play_on(client, clock, raced(client, ghost), len(WIN.moves), EVERY_S)
    assert "Your earlier game: not finished. You did!" in client.get(f"/games/{done['id']}").text
    game = other.end(game)
    cards = cards_after(30)
    said = f"Guest: {cards} card{'' if cards == 1 else 's'} home"
    assert said in other.get(f"/games/{game['id']}").text
    lost = other.end(other.move(raced(other, done), str(WIN.moves[0])))
    assert "Guest: finished in " in other.get(f"/games/{lost['id']}").text


def test_the_game_counts_as_any_other(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    ghost = won(client, clock)
    game = play_on(other, clock, raced(other, ghost), len(WIN.moves), EVERY_S - 1)
    board = client.get(f"/api/v1/deals/{CODE}/leaderboard").json()["rows"]
    assert [row["game_id"] for row in board] == [game["id"], ghost["id"]]
    assert board[0]["first_try"]
    assert not load(database, raced(client, ghost)["id"]).sealed
    again = play_on(client, clock, raced(client, game), 1, 1)
    assert not load(database, again["id"]).first_try  # a deal that has been seen is no first try


def test_a_restart_is_against_the_same_ghost(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    ghost = won(client, clock)
    game = other.move(raced(other, ghost), str(WIN.moves[0]))
    answer = other.post(f"/games/{game['id']}/restart")
    again = answer.headers["location"].rpartition("/")[2]
    assert load(database, again).ghost_id == ghost["id"]


def test_a_computer_is_named(
    client: Client, clock: Clock, database: Database, app: FastAPI
) -> None:
    against = {"strength": "strong", "pace": "steady"}
    race = good(client.post("/api/v1/races", {"game": "yukon", "against": against}), 201)
    clock.pass_by(GO_S)
    mine = game_of(client, race)
    with database.read() as connection:
        found = select(entries.c.game_id).where(entries.c.strength.is_not(None))
        theirs = connection.scalar(found)
    games = services_of(app).games
    with database.write() as connection:
        games.play_computer(connection, str(theirs), mine["legal_moves"][0])
        games.end_within(connection, str(theirs))
    client.end(client.move(mine, mine["legal_moves"][0]))
    again = raced(client, {"id": theirs})
    page = client.get(f"/games/{again['id']}").text
    assert "Against a ghost" in page
    assert "Computer, Strong" in page


@pytest.mark.parametrize("state", ["playing", "unmoved", "practice"])
def test_not_every_game_is_a_ghost(
    client: Client, other: Client, clock: Clock, database: Database, state: str
) -> None:
    other.start()
    if state == "playing":
        game = play_on(client, clock, client.start(str(CODE)), 3, 1)
    elif state == "unmoved":
        game = client.end(client.start(str(CODE)))
    else:
        first = given_up(client, clock, 3)
        answer = client.post(f"/games/{first['id']}/play-from", {"at": 2})
        game = client.end(client.see({"id": answer.headers["location"].rpartition("/")[2]}))
    with unchanged(database):
        refused_page(other.post(f"/games/{game['id']}/race"), 409 if state == "playing" else 422)
        refused_page(other.post("/games/nothing/race"), 404)
    if state != "playing":
        assert "Race this game" not in client.get(f"/games/{game['id']}/replay").text


def test_others_do_not_see_the_standing(client: Client, other: Client, clock: Clock) -> None:
    game = raced(other, won(client, clock))
    refused_page(client.get(f"/games/{game['id']}/ghost"), 404)
    assert "data-ghost" not in client.get(f"/games/{game['id']}").text
    plain = client.start(str(CODE))
    refused_page(client.get(f"/games/{plain['id']}/ghost"), 404)


def test_a_ghost_whose_player_is_gone(client: Client, other: Client, clock: Clock) -> None:
    game = raced(other, won(client, clock))
    assert client.post("/account/delete", {"sure": "yes"}).status_code in (200, 303)
    page = other.get(f"/games/{game['id']}")
    assert page.status_code == 200
    assert "data-ghost" not in page.text


def test_it_is_offered_where_games_are_shown(client: Client, other: Client, clock: Clock) -> None:
    ghost = won(client, clock)
    action = f"/games/{ghost['id']}/race"
    for path in (f"/games/{ghost['id']}/replay", f"/d/{CODE}"):
        assert Html(other.get(path).text).all("form", action=action), path
    assert 'form="ghost-form"' in client.get(f"/games/{ghost['id']}").text
    assert client.get(action).status_code == 303


class TestSealed:
    """A sealed deal's ghost is for those who may know the deal."""

    SEALED = sealed_code("C", 2**129)

    @pytest.fixture(autouse=True)
    def _sealed(self, database: Database) -> None:
        with database.write() as connection:
            seals.add(connection, self.SEALED, MORNING + 3_600_000)

    def _ended(self, client: Client, database: Database) -> Json:
        client.start()
        game = client.see({"id": start_sealed(database, client.token).id})
        return client.end(client.move(game, game["legal_moves"][0]))

    def test_who_may_not_know_the_deal(
        self, client: Client, other: Client, clock: Clock, database: Database
    ) -> None:
        ghost = self._ended(client, database)
        refused_page(other.post(f"/games/{ghost['id']}/race"), 403)
        clock.pass_by(3600)
        game = raced(other, ghost)
        assert not load(database, game["id"]).sealed

    def test_who_has_finished_it_too(
        self, client: Client, other: Client, database: Database
    ) -> None:
        ghost = self._ended(client, database)
        self._ended(other, database)
        game = raced(other, ghost)
        page = other.get(f"/games/{game['id']}").text
        assert "data-ghost" in page
        # while it is played again, nobody's cards on it are seen
        refused_page(other.get(f"/games/{ghost['id']}/replay"), 403)

    def test_who_plays_it_again_knows_no_more(
        self, client: Client, other: Client, database: Database
    ) -> None:
        ghost = self._ended(client, database)
        mine = self._ended(other, database)
        other.post(f"/api/v1/games/{mine['id']}/restart")
        for game in (ghost, mine):
            refused_page(other.post(f"/games/{game['id']}/race"), 403)


def test_a_program_races_a_ghost(client: Client, other: Client, clock: Clock) -> None:
    ghost = won(client, clock)
    answer = other.post(f"/api/v1/games/{ghost['id']}/race")
    game = good(answer, 201)
    assert answer.headers["location"] == f"/api/v1/games/{game['id']}"
    assert (game["code"], game["moves"]) == (str(CODE), 0)
    address = f"/api/v1/games/{game['id']}/ghost"
    found = good(other.get(address))
    assert (found["state"], found["mine"]["cards"], found["ghost"]["cards"]) == ("running", 0, 0)
    assert (found["ghost"]["game_id"], found["ghost"]["state"]) == (None, "racing")
    assert found["marks"][0] == {"at": 0, "cards": 0, "moves": 0}
    assert found["marks"][-1] == {"at": found["time_ms"], "cards": 52, "moves": len(WIN.moves)}
    game = play_on(other, clock, game, 3, 3 * EVERY_S)
    found = good(other.get(address))
    assert (found["mine"]["moves"], found["ghost"]["moves"]) == (3, 7)  # 12 s, and a move every 2
    other.end(game)
    found = good(other.get(address))
    assert (found["state"], found["ghost"]["state"]) == ("over", "won")
    assert found["ghost"]["game_id"] == ghost["id"]
    assert [found["mine"]["place"], found["ghost"]["place"]] == [2, 1]


def test_a_program_is_refused_as_the_page_is(
    client: Client, other: Client, clock: Clock, database: Database
) -> None:
    ghost = won(client, clock)
    under_way = client.start(str(CODE))
    with unchanged(database):
        refused(client.post(f"/api/v1/games/{under_way['id']}/race"), 409, "game-under-way")
        refused(client.post("/api/v1/games/nosuchgame/race"), 404, "game-not-found")
        refused(client.get(f"/api/v1/games/{ghost['id']}/ghost"), 404, "game-not-found")
    raced_by_me = raced(client, ghost)
    refused(other.get(f"/api/v1/games/{raced_by_me['id']}/ghost"), 404, "game-not-found")
