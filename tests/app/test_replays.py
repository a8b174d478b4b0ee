"""Replays: every step is what its player had, and nobody sees more than they may."""

from random import Random

import pytest
from sqlalchemy import update

from app.db import Database
from app.games import seals
from app.games.service import GameService
from app.games.store import Stored
from app.models import seals as seals_table
from app.replays.service import CHANGES, Mark, replay_of
from app.replays.words import mark as mark_words
from engine.cards import FACE_DOWN, NAMES
from engine.deals import parse_code, sealed_code
from engine.game import Game
from engine.moves import parse_move
from engine.variants import VARIANTS
from tests.app.html import Html
from tests.app.solver import Solving
from tests.app.support import (
    LEGAL,
    MORNING,
    START,
    THIRD_LEGAL,
    Client,
    Clock,
    good,
    load,
    new_player,
    refused,
    refused_page,
    start_sealed,
    wander,
    win_game,
)


def _by_the_engine(service: GameService, stored: Stored) -> list[Game]:
    """The game after each event, played by the engine itself."""
    game = Game.new(stored.game.rules, stored.game.start)
    games = [game]
    for event in service.log(stored.id):
        if event.kind == "move":
            game = game.play(parse_move(event.move))
        elif event.kind == "undo":
            game = game.undo()
        elif event.kind == "redo":
            game = game.redo()
        if event.kind in CHANGES:
            games.append(game)
    return games


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_each_step_is_what_the_player_had(
    service: GameService, database: Database, clock: Clock, variant: object
) -> None:
    rule = getattr(variant, "rule", "")
    started = service.start(new_player(database), "", f"YU1-{rule}-AAAAAAH", "")
    for _ in wander(service, started, Random(f"replay {rule}"), 60):
        clock.pass_by(1)
    ended = service.end(started.stored.id, started.token, None)
    replay = replay_of(ended, service.log(ended.id))
    games = _by_the_engine(service, ended)
    assert [step.stored.game for step in replay.steps] == games
    assert replay.steps[-1].stored.game == ended.game
    times = [step.stored.clock.elapsed_ms for step in replay.steps]
    assert times == sorted(times)
    undone = sum(mark.count for mark in replay.marks if mark.kind == "undo")
    assert undone == ended.game.undos
    for mark in replay.marks:
        if mark.kind == "undo":
            kinds = [step.kind for step in replay.steps[mark.step : mark.step + mark.count + 1]]
            assert kinds[: mark.count] == ["undo"] * mark.count
            assert kinds[mark.count :] != ["undo"]
    assert replay.marks[-1].kind == "ended"


def test_the_marks_of_a_win(service: GameService) -> None:
    won = win_game(service)
    replay = replay_of(won, service.log(won.id))
    marks = {mark.kind: mark.step for mark in replay.marks}
    ups = [len(b"".join(step.stored.game.position.foundations)) for step in replay.steps]
    assert ups[marks["first-up"]] == 1
    assert ups[marks["first-up"] - 1] == 0
    downs = [
        sum(1 for pile in step.stored.game.position.tableau for card in pile if card & FACE_DOWN)
        for step in replay.steps
    ]
    assert downs[marks["all-turned"]] == 0 < downs[marks["all-turned"] - 1]
    assert marks["won"] == len(won.game.line)


def test_a_replay_s_page(client: Client, other: Client) -> None:
    game = client.undo(client.moves(client.start(), f"{LEGAL} {THIRD_LEGAL}"))
    client.end(game)
    address = f"/games/{game['id']}/replay"
    html = Html(other.get(address).text)
    assert html.one("section", id="table").attributes["data-at"] == "0"
    assert "0 / 3 The deal" in html.text
    assert "1 move taken back" in html.text
    assert "Given up" in html.text
    assert html.one("a", id="r-next").attributes["href"] == f"{address}?at=1"
    assert html.one("a", id="r-back").attributes["aria-disabled"] == "true"
    second = Html(other.get(f"{address}?at=2").text)
    assert second.one("section", id="table").attributes["data-at"] == "2"
    assert f'value="{2}"' in second.source
    assert "2 / 3 Two of hearts" in second.text or "2 / 3" in second.text
    beyond = Html(other.get(f"{address}?at=999").text)
    assert beyond.one("section", id="table").attributes["data-at"] == "3"
    assert "3 / 3 Move taken back" in beyond.text
    part = other.get(f"{address}?at=1", headers={"hx-request": "true"})
    assert "<html" not in part.text
    assert Html(part.text).one("section", id="table").attributes["data-at"] == "1"
    row = Html(other.get(f"/d/{START}").text)
    assert row.one("a", href=address)


@pytest.mark.parametrize(
    ("ask", "body", "says"),
    [
        ("hint", {"kind": "proven"}, "Hint"),
        ("hint", {"kind": "fair"}, "Hint"),
        ("verdict", {}, "Asked whether it can still be won"),
    ],
)
def test_what_was_asked_of_the_solver_is_a_mark(
    client: Client, solving: Solving, ask: str, body: dict[str, str], says: str
) -> None:
    game = client.start("YU1-F-AAAAAAB")
    asked = f"/api/v1/games/{game['id']}/{ask}"
    good(client.post(asked, {"version": 0, **body}))
    assert solving.work()
    told = good(client.post(asked, {"version": 0, **body}))
    assert told["state"] in ("winnable", "fair")
    game = client.move(good(client.get(f"/api/v1/games/{game['id']}")), "t4x3-t3")
    client.end(game)
    assert says in Html(client.get(f"/games/{game['id']}/replay").text).text


def test_every_kind_of_mark_has_words(service: GameService) -> None:
    won = win_game(service)
    replay = replay_of(won, service.log(won.id))
    kinds = ("first-up", "all-turned", "back-down", "hint", "fair", "verdict", "won", "ended")
    for kind in kinds:
        assert mark_words(Mark(0, kind), replay)
    assert {mark.kind for mark in replay.marks} <= set(kinds)


@pytest.mark.parametrize("at", ["-1", "x", "1000001", "1.5"])
def test_a_step_that_cannot_be_is_refused(client: Client, at: str) -> None:
    game = client.end(client.move(client.start(), LEGAL))
    refused_page(client.get(f"/games/{game['id']}/replay?at={at}"), 422)


def test_a_game_under_way_has_no_replay(client: Client) -> None:
    game = client.move(client.start(), LEGAL)
    refused_page(client.get(f"/games/{game['id']}/replay"), 409, "won or given up")
    refused_page(client.get("/games/nothing/replay"), 404)


def test_a_replay_shows_no_card_before_its_time(client: Client, service: GameService) -> None:
    won = win_game(service)
    for number, game in enumerate(_by_the_engine(service, won)):
        if number % 9:
            continue
        down = [card for pile in game.position.tableau for card in pile if card & FACE_DOWN]
        hidden = [NAMES[card & ~FACE_DOWN] for card in (*down, *game.position.stock)]
        answer = client.get(f"/games/{won.id}/replay?at={number}", headers={"hx-request": "true"})
        shown = {
            tag.attributes["data-card"]
            for tag in Html(answer.text).all("button")
            if "data-card" in tag.attributes
        }
        assert not shown & set(hidden)
        for name in hidden:
            assert f"#card-{name[0]}{name[1].lower()}" not in answer.text


class TestSealed:
    """A sealed deal that opens to all in an hour, and what others may see of games on it."""

    CODE = sealed_code("C", 2**129)

    @pytest.fixture(autouse=True)
    def _sealed(self, database: Database) -> None:
        with database.write() as connection:
            seals.add(connection, self.CODE, MORNING + 3_600_000)

    def _ended(self, client: Client, database: Database) -> str:
        client.start()
        stored = start_sealed(database, client.token)
        game = client.see({"id": stored.id})
        game = client.move(game, game["legal_moves"][0])
        return str(client.end(game)["id"])

    def test_others_see_it_when_they_have_finished_it(
        self, client: Client, other: Client, database: Database
    ) -> None:
        theirs = self._ended(client, database)
        for path in (f"/games/{theirs}", f"/games/{theirs}/replay", f"/games/{theirs}/record"):
            assert str(self.CODE) not in refused_page(other.get(path), 403)
        refused(other.get(f"/api/v1/games/{theirs}"), 403, "not-your-game")
        self._ended(other, database)
        assert other.get(f"/games/{theirs}/replay").status_code == 200
        assert str(self.CODE) in other.get(f"/games/{theirs}/record").text

    def test_all_see_it_when_it_has_opened(
        self, client: Client, other: Client, database: Database, clock: Clock
    ) -> None:
        theirs = self._ended(client, database)
        clock.pass_by(3599)
        refused_page(other.get(f"/games/{theirs}/replay"), 403)
        clock.pass_by(1)
        assert other.get(f"/games/{theirs}/replay").status_code == 200

    def test_one_that_never_opens_stays_shut(
        self, client: Client, other: Client, database: Database, clock: Clock
    ) -> None:
        with database.write() as connection:
            connection.execute(update(seals_table).values(opens_at=None))
        theirs = self._ended(client, database)
        clock.pass_by(10**6)
        refused_page(other.get(f"/games/{theirs}/replay"), 403)

    def test_whoever_plays_it_again_sees_no_more_than_the_table(
        self, client: Client, other: Client, database: Database
    ) -> None:
        theirs = self._ended(client, database)
        mine = self._ended(other, database)
        assert load(database, mine).also_playing is False
        again = other.post(f"/api/v1/games/{mine}/restart").json()
        refused_page(other.get(f"/games/{theirs}/replay"), 403)
        assert other.get(f"/api/v1/games/{mine}").json()["code"] is None
        assert str(self.CODE) not in other.get(f"/games/{mine}/record").text
        assert str(self.CODE) not in other.get(f"/games/{mine}/replay").text
        other.end(again)  # without a move: nothing has been finished, and nothing is known
        assert other.get(f"/api/v1/games/{again['id']}").json()["code"] is None
        assert other.get(f"/api/v1/games/{mine}").json()["code"] == str(self.CODE)

    def test_leaving_it_untouched_tells_nothing(self, client: Client, database: Database) -> None:
        client.start()
        stored = start_sealed(database, client.token)
        ended = client.end(client.see({"id": stored.id}))
        assert ended["code"] is None
        for path in ("", "/record", "/replay"):
            assert str(self.CODE) not in client.get(f"/games/{stored.id}{path}").text

    def test_a_leaderboard_tells_no_sealed_code(
        self, client: Client, other: Client, database: Database, clock: Clock
    ) -> None:
        theirs = self._ended(client, database)
        for path in ("/leaderboard", "/api/v1/leaderboard", "/"):
            sent = other.get(path).text
            assert str(self.CODE) not in sent
            assert theirs not in sent
        (row,) = client.get("/api/v1/leaderboard").json()["rows"]
        assert (row["code"], row["game_id"]) == (str(self.CODE), theirs)
        clock.pass_by(3600)
        assert str(self.CODE) in other.get("/leaderboard").text


def test_a_sealed_code_that_somebody_types_is_no_secret(client: Client, other: Client) -> None:
    code = str(sealed_code("C", 7))
    game = client.start(code)
    assert game["code"] == code
    assert other.get(f"/games/{game['id']}").status_code == 200
    assert parse_code(code).sealed
