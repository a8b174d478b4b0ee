"""Short lines: never below the bound, never above what is given, shortest when called so.

`YUKON_SWEEP=20` makes the sweeps 20 times as long (thousands of packs a game).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from engine.deals import deal, open_code, parse_code
from engine.moves import Move, parse_line
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.solver import WINNABLE, lower_bound, prove, shorten, solve
from engine.solver.encode import encode, moves_of, pairs_of
from tests.solver.oracle import fewest_moves
from tests.solver.packs import small_pack
from tests.solver.test_lines import known, positions

SWEEP = int(os.environ.get("YUKON_SWEEP", "1"))
PACKS = {"F": 120, "C": 80, "R": 80, "S": 120, "A": 80, "P": 80, "D": 60}
LIMIT = 20_000


def winnable(rule: str) -> Iterator[tuple[Position, int]]:
    """Small packs that can be won, with the moves of a shortest win."""
    rules = get_rules(rule)
    for number in range(PACKS[rule] * SWEEP):
        position = small_pack(rule, number)
        fewest = fewest_moves(rules, position, LIMIT)
        if fewest is not None:
            yield position, fewest


def plays(rules: Rules, position: Position, moves: tuple[Move, ...]) -> bool:
    """Whether the engine accepts the moves and the win."""
    for move in moves:
        position = rules.apply(position, move)
    return rules.is_won(position)


@pytest.mark.parametrize("rule", "FCRSAPD")
def test_small_packs_are_won_as_fast_as_exhaustive_search_wins_them(rule: str) -> None:
    rules, packs, tight = get_rules(rule), 0, 0
    for position, fewest in winnable(rule):
        given = solve(rules, position, 100_000).moves
        bound = lower_bound(rules, position)
        assert bound <= fewest
        short = shorten(rules, position, given, 3_000)
        assert short.bound <= fewest <= len(short.moves) <= len(given)
        assert plays(rules, position, short.moves)
        proved = prove(rules, position, short.moves, 500_000, bound=short.bound)
        assert (len(proved.moves), proved.bound) == (fewest, fewest)
        assert plays(rules, position, proved.moves)
        assert proved.shortest
        packs, tight = packs + 1, tight + (bound == fewest)
    assert packs >= PACKS[rule] * SWEEP // 6
    assert tight


@pytest.mark.parametrize("rule", "FCRSAPD")
def test_no_known_line_goes_below_the_bound(rule: str) -> None:
    rules = get_rules(rule)
    for position, row in known(rule):
        if row.get("solution"):
            line = parse_line(row["solution"])
            for played, reached in list(enumerate(positions(rules, position, line)))[
                :: 40 // SWEEP
            ]:
                assert lower_bound(rules, reached) <= len(line) - played


@pytest.mark.parametrize("rule", "FCRSAPD")
def test_lines_get_shorter_within_the_budget(rule: str) -> None:
    rules, before, after = get_rules(rule), 0, 0
    for number in range(1, 7 if rule != "S" else 60):
        position = deal(open_code(rule, number))
        found = solve(rules, position, 20_000)
        if found.verdict == WINNABLE:
            par = shorten(rules, position, found.moves, 20_000)
            assert plays(rules, position, par.moves)
            assert lower_bound(rules, position) <= par.bound <= len(par.moves) <= len(found.moves)
            assert par.positions <= 20_000
            before, after = before + len(found.moves), after + len(par.moves)
    assert after < 0.95 * before


def test_the_same_input_gives_the_same_line() -> None:
    rules, position = get_rules("F"), deal(open_code("F", 1))
    moves = solve(rules, position, 20_000).moves
    one, other = (shorten(rules, position, moves, 30_000) for _ in range(2))
    assert one == other
    assert len(shorten(rules, position, one.moves, 5_000).moves) <= len(one.moves)


def test_it_stops_when_told_to_and_without_a_budget() -> None:
    rules, position = get_rules("F"), deal(open_code("F", 1))
    moves = solve(rules, position, 20_000).moves
    for given in (
        shorten(rules, position, moves, 10**9, lambda: True),
        shorten(rules, position, moves, 0),
        prove(rules, position, moves, 10**9, lambda: True),
        prove(rules, position, moves, 0),
    ):
        assert given.positions == 0
        assert len(given.moves) <= len(moves)
        assert given.bound == lower_bound(rules, position)
        assert not given.shortest


def test_a_line_that_does_not_win_is_refused() -> None:
    rules, position = get_rules("F"), deal(open_code("F", 1))
    moves = solve(rules, position, 20_000).moves
    with pytest.raises(RuntimeError, match="does not win"):
        shorten(rules, position, moves[:-1], 100)
    with pytest.raises(RuntimeError, match="not legal"):
        prove(rules, position, moves[1:], 100)


def test_russian_deals_are_solved_in_the_fewest_moves() -> None:
    rules = get_rules("S")
    for number in (1, 21, 32, 33):
        position = deal(open_code("S", number))
        proved = prove(rules, position, solve(rules, position, 100_000).moves, 200_000)
        assert proved.shortest
        assert plays(rules, position, proved.moves)


def test_a_line_that_takes_cards_back_gets_no_longer() -> None:
    rules, code = get_rules("C"), parse_code("YU1-C-AAAAAEI")
    position = deal(code)
    moves = solve(rules, position, 3_000_000).moves
    assert any(move.source.zone == "f" for move in moves)
    par = shorten(rules, position, moves, 20_000)
    assert plays(rules, position, par.moves)
    assert len(par.moves) <= len(moves)


@pytest.mark.parametrize("rule", "FCRSAPD")
def test_pairs_and_moves_say_the_same(rule: str) -> None:
    rules = get_rules(rule)
    for position, row in known(rule):
        if row.get("solution"):
            line, start = parse_line(row["solution"]), encode(rules, position)
            pairs = pairs_of(start, line)
            assert pairs_of(start, moves_of(start, pairs)) == pairs
            assert plays(rules, position, tuple(moves_of(start, pairs)))
