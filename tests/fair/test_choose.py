"""The fair player does not peek, plays by the rules, repeats itself and never circles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from engine.deals import deal, open_code, parse_code
from engine.fair import STRENGTHS, Decision, choose
from engine.fair.decide import EXACT, NOTHING
from engine.fair.play import play
from engine.rules import get_rules
from engine.solver import UNWINNABLE, WINNABLE, solve
from engine.view import BoardView, board_view
from tests.fair.support import RULES, every_position, played_on, shuffled
from tests.solver.oracle import oracle
from tests.solver.packs import small_pack

EACH = pytest.mark.parametrize("rule", RULES)
EVERY_STRENGTH = pytest.mark.parametrize("name", STRENGTHS)
UNWINNABLE_DEALS = [
    row["code"]
    for row in map(
        json.loads,
        (Path(__file__).parents[1] / "data/verdicts.jsonl").read_text("utf-8").splitlines(),
    )
    if row.get("code") and row["verdict"] == UNWINNABLE
]


@EACH
@EVERY_STRENGTH
@examples(max_examples=4)
@given(number=st.integers(0, 10_000), moves=st.integers(0, 40), seed=st.integers(0, 2**31))
def test_it_does_not_peek(rule: str, name: str, number: int, moves: int, seed: int) -> None:
    """The hidden cards in another order, the same seed: the same decision."""
    rules, position = get_rules(rule), played_on(rule, number, moves)
    other = shuffled(position, seed)
    said = choose(rules, board_view(position), STRENGTHS[name], seed)
    assert choose(rules, board_view(other), STRENGTHS[name], seed) == said
    for table in (position, other):
        for move in said.moves:
            table = rules.apply(table, move)


@EACH
@EVERY_STRENGTH
def test_a_game_by_the_rules_never_comes_back_to_a_position(rule: str, name: str) -> None:
    """Over 200 decisions in a row (a whole game of the expert), each with a seed of its own."""
    rules, decisions, number = get_rules(rule), 0, 1
    while decisions < (200 if name != "expert" else 15):
        met, made = every_position(rules, deal(open_code(rule, number)), STRENGTHS[name], number)
        assert len(set(met)) == len(met)
        decisions += len(made)
        number += 1


@EACH
def test_a_new_seed_at_every_decision_does_not_circle(rule: str) -> None:
    rules, position, met = get_rules(rule), deal(open_code(rule, 7)), set()
    for seed in range(200):
        said = choose(rules, board_view(position), STRENGTHS["strong"], seed)
        for move in said.moves:
            met.add(position)
            position = rules.apply(position, move)
            assert position not in met
        if rules.is_won(position) or not said.moves:
            break


@EACH
def test_the_same_seed_gives_the_same_decision_whatever_came_before(rule: str) -> None:
    rules = get_rules(rule)
    one, two = (board_view(played_on(rule, number, 10)) for number in (3, 4))
    for strength in STRENGTHS.values():
        first = choose(rules, one, strength, 5)
        choose(rules, two, strength, 6)
        assert choose(rules, one, strength, 5) == first


def test_another_seed_draws_other_samples() -> None:
    rules, view = get_rules("F"), board_view(deal(open_code("F", 401)))
    said = {choose(rules, view, STRENGTHS["expert"], seed).wins for seed in range(6)}
    assert len(said) > 1


@EACH
def test_with_nothing_hidden_it_is_exact(rule: str) -> None:
    """Small packs, all face up: what it says agrees with exhaustive search."""
    rules, seen = get_rules(rule), set()
    for number in range(12):
        pack = small_pack(rule, number)
        bare = pack._replace(
            tableau=tuple(bytes(card & 63 for card in pile) for pile in pack.tableau),
            stock=b"",
            waste=pack.waste + pack.stock[::-1],
        )
        can_be_won = oracle(rules, bare, 20_000)
        if can_be_won is None:
            continue
        said = choose(rules, board_view(bare), STRENGTHS["expert"])
        assert (said.how == EXACT) == can_be_won
        assert said.lost == (not can_be_won)
        seen.add(said.how)
        if can_be_won:
            for move in said.moves:
                bare = rules.apply(bare, move)
            assert rules.is_won(bare)
    assert EXACT in seen


@pytest.mark.parametrize("code", UNWINNABLE_DEALS[:25])
def test_no_unwinnable_deal_is_won(code: str) -> None:
    parsed = parse_code(code)
    assert not play(get_rules(parsed.rule), deal(parsed), STRENGTHS["strong"]).won


def test_a_stronger_player_wins_more() -> None:
    rules = get_rules("F")
    starts = [deal(open_code("F", number)) for number in range(401, 419)]
    starts = [start for start in starts if solve(rules, start, 20_000).verdict == WINNABLE]
    won = {
        name: sum(play(rules, start, STRENGTHS[name]).won for start in starts)
        for name in ("greedy", "strong")
    }
    assert won["greedy"] < won["strong"]


def test_the_budget_and_the_stop_bound_a_decision() -> None:
    rules, view = get_rules("F"), board_view(deal(open_code("F", 401)))
    full = choose(rules, view, STRENGTHS["expert"])
    few = choose(rules, view, STRENGTHS["expert"], budget=2_000)
    assert few.positions < 2_000 + 16 * 100 < full.positions
    assert few.moves
    assert few == choose(rules, view, STRENGTHS["expert"], budget=2_000)
    calls = iter(range(1000))
    stopped = choose(rules, view, STRENGTHS["expert"], should_stop=lambda: next(calls) >= 1)
    assert stopped.moves
    assert stopped.positions < full.positions


def test_a_won_board_asks_for_nothing() -> None:
    names = tuple(tuple(rank + suit for rank in "A23456789TJQK") for suit in "SHDC")
    view = BoardView(((),) * 7, names, 0, (), (), ())
    assert choose(get_rules("F"), view, STRENGTHS["expert"]) == Decision((), NOTHING)


@pytest.mark.parametrize(
    ("tableau", "fault"),
    [
        ((("KS",), *((),) * 6), "missing"),
        ((("KS", "KS"), *((),) * 6), "too often"),
        ((("KS", None, "QH"), *((),) * 6), "on a face-up one"),
        (((None,), *((),) * 6), "lies face down"),
    ],
)
def test_what_is_no_board_is_refused(
    tableau: tuple[tuple[str | None, ...], ...], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        choose(get_rules("F"), BoardView(tableau, ((),) * 4, 0, (), (), ()), STRENGTHS["greedy"])


def test_a_share_is_wins_of_samples() -> None:
    assert Decision((), "plan", wins=3, samples=4).share == pytest.approx(0.75)
    assert Decision((), EXACT).share == 1.0
    assert Decision((), "visible").share is None
    assert Decision((), "visible").move is None
