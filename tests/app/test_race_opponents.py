"""Computer players: fair, at a pace, by the same rules and log; on no leaderboard."""

from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.db import Database
from app.games import check
from app.jobs import proofs
from app.models import jobs
from app.races.keeper import Keeper
from app.races.machine import PACES
from app.races.opponents import Opponents
from engine.deals import commitment
from engine.fair import Decision, choose
from engine.view import BoardView
from tests.app.races import GO_S, code_of, do, game_of, gather, go, open_room, places, see, states
from tests.app.solver import Solving
from tests.app.support import Client, Clock, Json, count, good, load, services_of

PATIENCE_S = 9


@pytest.fixture
def keeper(app: FastAPI, database: Database) -> Keeper:
    on = services_of(app)
    return Keeper(database, on.races, Opponents(database, on.games, on.jobs))


def duel(client: Client, clock: Clock, strength: str = "greedy", pace: str = "quick") -> Json:
    against = {"strength": strength, "pace": pace}
    race = good(client.post("/api/v1/races", {"game": "yukon", "against": against}), 201)
    assert race["state"] == "countdown"
    clock.pass_by(GO_S)
    return see(client, race)


def computer(race: Json) -> Json:
    (found,) = [each for each in race["players"] if each["strength"]]
    assert isinstance(found, dict)
    return found


def test_a_game_against_the_computer_to_its_end(
    client: Client, clock: Clock, keeper: Keeper, solving: Solving, database: Database
) -> None:
    race = duel(client, clock)
    assert (race["against_computer"], race["state"]) == (True, "running")
    before, least = clock.now, PACES["quick"] / 2000
    counts = [0]
    while computer(see(client, race))["state"] == "racing":
        clock.pass_by(least)
        keeper.keep()
        solving.work()
        counts.append(computer(see(client, race))["moves"])
        assert counts[-1] - counts[-2] <= 1
        assert len(counts) < 3000
    assert counts[-1] > 3
    assert (clock.now - before) / 1000 >= counts[-1] * least
    mine = game_of(client, race)
    assert mine["moves"] == 0
    client.move(mine, mine["legal_moves"][0])
    race = do(client, race, "give-up")
    assert race["state"] == "over"
    theirs = computer(race)["game_id"]
    assert client.get(f"/games/{theirs}/replay").status_code == 200
    stored = load(database, theirs)
    assert stored.unlisted
    with database.read() as connection:
        assert check.differences(connection, theirs) == []
    assert good(client.get(f"/api/v1/deals/{race['code']}/leaderboard"))["rows"] == []
    assert good(client.get("/api/v1/leaderboard?game=yukon"))["rows"] == []
    assert len(good(client.get("/api/v1/statistics"))["results"]) == 1
    again = do(client, race, "rematch")
    assert (again["against_computer"], again["state"]) == (True, "countdown")
    assert computer(again)["strength"] == "greedy"


def test_it_sees_only_face_up_cards(
    client: Client, clock: Clock, keeper: Keeper, solving: Solving, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[BoardView] = []
    chosen = choose

    def spy(rules: Any, view: BoardView, *more: Any, **named: Any) -> Decision:
        seen.append(view)
        return chosen(rules, view, *more, **named)

    monkeypatch.setattr("app.jobs.tasks.choose", spy)
    duel(client, clock)
    clock.pass_by(2)
    keeper.keep()
    solving.work()
    (view,) = seen
    assert sum(name is None for pile in view.tableau for name in pile) == 21


def test_it_gives_up_when_nobody_thinks_for_it(
    client: Client, clock: Clock, keeper: Keeper
) -> None:
    race = duel(client, clock)
    for _ in range(4):
        clock.pass_by(2)
        keeper.keep()
        assert computer(see(client, race))["state"] == "racing"
    clock.pass_by(PATIENCE_S)
    keeper.keep()
    assert computer(see(client, race))["state"] == "ended"
    assert see(client, race)["state"] == "running"


def test_nobody_else_joins_it(client: Client, other: Client, clock: Clock) -> None:
    race = duel(client, clock)
    assert other.post(f"/api/v1/races/{race['id']}/join").status_code == 409
    assert see(other, race)["me"] is None


def test_computers_race_with_people(
    client: Client, other: Client, clock: Clock, keeper: Keeper, solving: Solving
) -> None:
    race = open_room(client)
    race = do(client, race, "computers", strength="greedy", pace="steady")
    assert states(race) == {1: "waiting", 2: "ready"}
    refusal = other.post(f"/api/v1/races/{race['id']}/computers", {"strength": "expert"})
    assert refusal.status_code == 403
    do(other, race, "join")
    for player in (client, other):
        race = do(player, race, "ready", ready=True)
    clock.pass_by(GO_S)
    keeper.keep()
    clock.pass_by(3)
    keeper.keep()
    solving.work()
    clock.pass_by(1)
    keeper.keep()
    assert computer(see(client, race))["moves"] == 1
    game = game_of(client, race)
    client.move(game, game["legal_moves"][0])
    do(client, race, "give-up")
    race = do(other, race, "give-up")
    assert race["state"] == "running"  # the computer plays on


def test_a_deal_that_can_be_won_is_found_while_players_gather(
    client: Client, other: Client, clock: Clock, solving: Solving, database: Database
) -> None:
    race = gather(client, other)
    first = code_of(database, race)
    assert solving.work() == 1
    code = code_of(database, race)
    assert code != first
    for player in (client, other):
        do(player, race, "ready", ready=True)
    clock.pass_by(GO_S)
    race = see(client, race)
    assert race["commitment"] == commitment(code)
    with database.read() as connection:
        proof = proofs.deal_proof(connection, str(code))
        assert proof is not None
        kept = connection.execute(select(jobs.c.subject, jobs.c.payload, jobs.c.result)).all()
    assert not any(code.body in str(row) for row in kept)
    client.moves(game_of(client, race), proof.line)
    race = see(client, race)
    assert states(race)[1] == "won"
    assert places(race) == {1: 1, 2: None}
    assert race["code"] == str(code)
    race = do(other, race, "give-up")
    assert (race["state"], places(race)) == ("over", {1: 1, 2: 2})


def test_a_deal_that_comes_after_go_is_not_taken(
    client: Client, other: Client, clock: Clock, solving: Solving, database: Database
) -> None:
    race = go(clock, client, other)
    code = code_of(database, race)
    assert solving.work() == 1
    assert code_of(database, race) == code
    assert count(database, "seals") == 1
