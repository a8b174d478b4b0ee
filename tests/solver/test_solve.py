"""What `solve` promises its callers."""

from __future__ import annotations

import random

import pytest

from engine.cards import FACE_DOWN
from engine.deals import deal, open_code
from engine.position import Position
from engine.rules import get_rules
from engine.solver import MEMORY, UNPROVEN, UNWINNABLE, WINNABLE, jit, solve, warm_up
from engine.solver.solve import replayed


def test_the_same_input_gives_the_same_answer() -> None:
    rules = get_rules("C")
    for number in (1, 2, 3, 28):
        position = deal(open_code("C", number))
        assert solve(rules, position, 20_000) == solve(rules, position, 20_000)


def test_the_budget_is_never_exceeded() -> None:
    rules = get_rules("F")
    position = deal(open_code("F", 70))
    for budget in (0, 1, 500, 10_000):
        found = solve(rules, position, budget)
        assert found.verdict == UNPROVEN
        assert found.limit == "budget"
        assert found.positions <= budget
        assert found.moves == ()


def test_it_stops_when_told_to() -> None:
    found = solve(get_rules("F"), deal(open_code("F", 70)), 10_000_000, lambda: True)
    assert (found.verdict, found.limit) == (UNPROVEN, "stopped")


@pytest.mark.parametrize(("rule", "number"), [("P", 69), ("F", 100)])
def test_without_memory_nothing_is_said(rule: str, number: int) -> None:
    """A search whose states do not fit is no proof; attempts begin anew in what they have."""
    rules, position = get_rules(rule), deal(open_code(rule, number))
    found = solve(rules, position, 60_000, memory=1)
    assert (found.verdict, found.limit) == (UNPROVEN, "memory" if rule == "P" else "budget")
    assert solve(rules, position, 200_000).verdict == UNWINNABLE


@pytest.mark.parametrize(
    ("rule", "number", "verdict"),
    [("F", 1, WINNABLE), ("F", 100, UNWINNABLE), ("C", 100, UNWINNABLE), ("D", 1, WINNABLE)],
)
def test_with_memory_to_spare_the_verdict_is_the_same(rule: str, number: int, verdict: str) -> None:
    """One more search takes part then."""
    found = solve(get_rules(rule), deal(open_code(rule, number)), 2_000_000, memory=MEMORY + 1)
    assert found.verdict == verdict


@pytest.mark.parametrize("rule", "FCRSAPD")
def test_positions_in_the_middle_of_a_game_are_decided(rule: str) -> None:
    rules = get_rules(rule)
    rng = random.Random(rule)
    verdicts = []
    for number in range(1, 7):
        position = deal(open_code(rule, number))
        for _ in range(rng.randrange(10, 60)):
            moves = rules.legal_moves(position)
            if moves:
                position = rules.apply_legal(position, rng.choice(moves))
        verdicts.append(solve(rules, position, 300_000).verdict)
    assert verdicts.count(UNPROVEN) <= 1


def test_a_won_position_needs_no_moves() -> None:
    rules = get_rules("S")
    suits = tuple(bytes(range(13 * s, 13 * s + 13)) for s in range(4))
    found = solve(rules, Position((b"",) * 7, suits), 10)
    assert (found.verdict, found.moves) == (WINNABLE, ())


def test_a_stuck_position_is_unwinnable() -> None:
    rules = get_rules("S")
    suits = (bytes(range(11)), *(bytes(range(13 * s, 13 * s + 13)) for s in (1, 2, 3)))
    assert solve(rules, Position((bytes([12, 11]), b""), suits), 100).verdict == WINNABLE
    assert solve(rules, Position((bytes([11, 12]),), suits), 100).verdict == UNWINNABLE


def test_the_limit_on_a_group_holds_in_every_line() -> None:
    for rule in "CR":
        rules = get_rules(rule)
        for number in range(1, 40):
            found = solve(rules, deal(open_code(rule, number)), 20_000)
            assert all(move[1] <= 20 for move in found.moves)


@pytest.mark.parametrize(
    ("tableau", "fault"),
    [
        ((bytes([11]),), "missing"),
        ((bytes([11, 12, 12]),), "too often"),
        ((bytes([11, 12 | FACE_DOWN]),), "face-down card lies on"),
        ((bytes([12 | FACE_DOWN]), bytes([11])), "top card"),
    ],
)
def test_what_is_no_position_is_refused(tableau: tuple[bytes, ...], fault: str) -> None:
    suits = (bytes(range(11)), *(bytes(range(13 * s, 13 * s + 13)) for s in (1, 2, 3)))
    with pytest.raises(ValueError, match=fault):
        solve(get_rules("F"), Position(tableau, suits), 100)


def test_a_line_that_does_not_replay_leaves_no_verdict() -> None:
    rules = get_rules("F")
    position = deal(open_code("F", 1))
    moves = list(solve(rules, position, 20_000).moves)
    assert replayed(rules, position, moves) == tuple(moves)
    with pytest.raises(RuntimeError, match="not legal"):
        replayed(rules, position, moves[1:])
    with pytest.raises(RuntimeError, match="does not win"):
        replayed(rules, position, moves[:-1])


def test_the_cache_is_keyed_by_every_source(monkeypatch: pytest.MonkeyPatch) -> None:
    assert jit.source_key() in str(jit.cache_directory())
    before = jit.source_key()
    monkeypatch.setattr("numpy.__version__", "0")
    assert jit.source_key() != before
    warm_up()
