"""The fair hint in a game: what it says, what it costs, that it never circles; and graded deals."""

from dataclasses import replace

import pytest

from app.catalogue import store as catalogue
from app.catalogue.load import load as load_catalogue
from app.db import Database
from app.games.check import differences
from app.games.table import Shares
from app.hints.plans import fair_plan, fairly_planned
from engine.position import Position
from tests.app.html import Html
from tests.app.solver import Solving
from tests.app.support import Client, Json, count, good, load, refused

pytestmark = pytest.mark.usefixtures("no_waiting")


def _hint(client: Client, solving: Solving, game: Json) -> Json:
    def ask() -> Json:
        return good(client.write(game, "hint", kind="fair"))

    answer = ask()
    while answer["state"] == "pending":
        assert solving.work()
        answer = ask()
    return answer


@pytest.mark.parametrize("rule", ["C", "P", "S"])
def test_fair_hints_never_come_back_to_a_position(
    client: Client, solving: Solving, database: Database, rule: str
) -> None:
    game, seen = client.start(f"YU1-{rule}-AAAAAAB"), set[Position]()
    for _ in range(200):
        answer = _hint(client, solving, game)
        if answer["move"] is None:
            assert answer["state"] in ("fair", "lost")
            break
        assert answer["state"] == "fair"
        assert answer["move"] in game["legal_moves"]
        assert 0 <= answer["wins"] <= answer["samples"]
        position = load(database, game["id"]).game.position
        assert position not in seen
        seen.add(position)
        game = client.move(answer["game"], answer["move"])
        assert game["hints"] == len(seen)
        if game["status"] != "playing":
            break
    assert len(seen) > 5
    with database.read() as connection:
        assert differences(connection, game["id"]) == []


def test_a_fair_hint_is_counted_once_and_kept_to(client: Client, solving: Solving) -> None:
    game = client.start("YU1-C-AAAAAAB")
    first = _hint(client, solving, game)
    again = good(client.write(game, "hint", kind="fair"))
    assert (again["move"], again["wins"], again["game"]["hints"]) == (
        first["move"],
        first["wins"],
        1,
    )
    at = f"/games/{game['id']}"
    page = Html(client.htmx(f"{at}/fair", {"version": 0}).text)
    assert page.table["data-hint"] == first["move"]
    assert f"Wins in {first['wins']} of {first['samples']} ways" in page.text
    sure = Html(client.post(f"{at}/fair", {"version": 1}).text)
    assert "face-up cards only" in sure.text
    whole = Html(client.post(f"{at}/fair", {"version": 1, "sure": "1"}).text)
    assert whole.table["data-hint"] == first["move"]


def test_a_plan_is_kept_to_until_the_player_leaves_it(client: Client, database: Database) -> None:
    game = client.start("YU1-C-AAAAAAB")
    stored = load(database, game["id"])
    moves = list(stored.game.legal_moves())
    shares = Shares(3, 4, None)
    planned = replace(stored, plan=fair_plan(stored, moves[:1], shares))
    assert fairly_planned(planned) == (moves[:1], shares)
    left = replace(planned, game=planned.game.play(moves[1]))
    assert fairly_planned(left)[0] == []
    assert fairly_planned(stored) == ([], Shares())


def test_new_games_by_difficulty(client: Client, database: Database) -> None:
    assert load_catalogue(database) > 0
    had = set()
    for _ in range(5):
        game = good(client.post("/api/v1/games", {"game": "yukon", "difficulty": "hard"}), 201)
        with database.read() as connection:
            assert catalogue.level_of(connection, game["code"]) == "hard"
        had.add(game["code"])
    assert len(had) == 5
    page = client.post("/games", {"game": "alaska", "difficulty": "easy"})
    assert page.status_code == 303
    shown = Html(client.get(f"/d/{game['code']}").text)
    assert "Hard" in shown.text
    assert "Winnable, proven" in shown.text
    refused(
        client.post("/api/v1/games", {"game": "yukon", "difficulty": "mild"}),
        422,
        "request-invalid",
    )
    refused(
        client.post("/api/v1/games", {"code": "YU1-C-AAAAAAB", "difficulty": "easy"}),
        422,
        "request-invalid",
    )
    wrong = client.post("/games", {"game": "yukon", "difficulty": "mild"})
    assert wrong.status_code == 422
    assert "is no difficulty" in Html(wrong.text).text


def test_without_a_catalogue_difficulty_is_refused(client: Client, database: Database) -> None:
    refused(
        client.post("/api/v1/games", {"game": "yukon", "difficulty": "easy"}),
        422,
        "difficulty-unknown",
    )
    assert count(database, "games") == 0


def test_how_the_fair_player_fares(client: Client, solving: Solving) -> None:
    waiting = Html(client.get("/fares/YU1-C-AAAAAAB?looks=1").text)
    assert "tries" not in waiting.text
    assert solving.work()
    told = Html(client.get("/fares/YU1-C-AAAAAAB?looks=2").text)
    assert "of 16 tries" in told.text
    assert client.get("/fares/nonsense").status_code == 422
