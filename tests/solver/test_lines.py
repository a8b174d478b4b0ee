"""No state on a winning line is ever called dead, and every verdict known is reached."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.boardtext import parse_board
from engine.deals import deal, open_code, parse_code
from engine.moves import Move, parse_line
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.solver import board, gone, refute, search, slots, solve
from engine.solver.deadend import hopeless
from engine.solver.encode import encode, moves_of
from engine.solver.model import BACK, DOWN, FITS, FLOOR, MERGED
from tests.solver.outlines import choices, proves

DATA = Path(__file__).parents[1] / "data"
ROWS = [json.loads(line) for line in (DATA / "verdicts.jsonl").read_text().splitlines()]


def known(rule: str) -> Iterator[tuple[Position, dict[str, Any]]]:
    """The positions of verdicts.jsonl under a rule, with their rows."""
    for row in ROWS:
        if "code" in row:
            code = parse_code(row["code"])
            if code.rule == rule:
                yield deal(code), row


def positions(rules: Rules, start: Position, line: list[Move]) -> list[Position]:
    """All positions of a line, the first and the last included."""
    found = [start]
    for move in line:
        found.append(rules.apply_legal(found[-1], move))
    return found


def called_dead(rules: Rules, position: Position) -> str:
    """Which test calls the position dead; empty if none does."""
    start = encode(rules, position)
    b, work = np.zeros(1024, np.uint8), np.zeros((9, 512), np.uint8)
    start.game[BACK] = rules.variant.worrying_back
    board.load(start.game, start.row, b)
    board.measure(start.game, b)
    if hopeless(start.game, b, work):
        return "hopeless"
    if rules.variant.rule == "R":
        return "refuted" if proves(position, 0, 60) else ""
    for strict in (0, 1) if rules.variant.rule in "FC" else ():
        r = refute.new_refutation()
        refute.begin(start.game, start.row, int(rules.variant.worrying_back), strict, r)
        if refute.refute(r, 60) == refute.PROVED:
            return f"refuted, strict {strict}"
    return ""


def dead_in_slot_space(rules: Rules, line: list[Position]) -> str:
    """Whether a state of the line, as a state of the first position's slot space, is dead."""
    frame = np.zeros(slots.FRAME_SIZE, np.uint64)
    start = encode(rules, line[0])
    slots.frame_of(start.game, start.row, int(rules.variant.worrying_back), frame)
    tops, lacks = np.zeros(4, np.int64), np.zeros(14, np.int64)
    away, cleared = int(frame[slots.GONE]), int(frame[slots.CLEARED])
    for number, position in enumerate(line):
        row = encode(rules, position).row
        heights = sum(len(pile) << (4 * i) for i, pile in in_kernel_order(position))
        for card in range(52):
            bit = 1 << card
            if not away & bit and (row[card] & 127) != (start.row[card] & 127):
                away |= bit
                cleared |= int(frame[slots.UNDER + card])
            below = int(row[card] & 127)
            fits = below < FLOOR and start.game[FITS + 128 * card + below]
            if not away & bit and fits and row[below] < DOWN:  # it was left, turned, and came back
                away |= bit
                cleared |= 1 << below
        left, clear = np.uint64(away), np.uint64(cleared)
        if rules.variant.rule == "R":
            dead = gone.is_dead(frame, left, clear, tops, lacks)
        else:
            dead = slots.is_dead(frame, left, clear, np.uint64(heights))
        if dead:
            return f"state {number}"
    return ""


def in_kernel_order(position: Position) -> Iterator[tuple[int, bytes]]:
    """The foundations of one pack with the kernel's numbers of their suits."""
    return zip((2, 3, 1, 0), position.foundations, strict=True)


def unpruned_line(rules: Rules, position: Position, expansions: int) -> list[Move] | None:
    """A winning line found without any dead-end test, or None."""
    start = encode(rules, position)
    start.game[MERGED] = rules.variant.rule != "A"
    s = search.new_search(len(start.row))
    s.state[search.UNPRUNED] = 1
    s.state[search.WEIGHTS : search.WEIGHTS + 4] = 8, 2, 1, 1
    search.start(start.game, s, start.row, 1)
    status = search.FULL
    while status == search.FULL:
        s = search.enlarge(s)
        left = max(0, expansions - int(s.state[search.EXPANDED]))
        status = search.advance(start.game, s, left)
    if status != search.WON:
        return None
    path, line = np.zeros(4096, np.int32), np.zeros(8192, np.uint8)
    used = search.trace(start.game, s, start.row, int(s.state[search.GOAL]), path, line)
    return moves_of(start, [(int(card), int(to)) for card, to in line[:used].reshape(-1, 2)])


@pytest.mark.parametrize("rule", "FCSA")
def test_every_known_verdict_is_reached(rule: str) -> None:
    rules = get_rules(rule)
    for position, row in known(rule):
        found = solve(rules, position, 3_000_000)
        assert found.verdict == row["verdict"], row["code"]
        assert (found.verdict == "winnable") == bool(found.moves)


@pytest.mark.parametrize(("lines", "rule"), ["FF", "FC", "FR", "CC", "CR", "SS", "AA"])
def test_no_state_of_a_known_line_is_called_dead(lines: str, rule: str) -> None:
    rules = get_rules(rule)
    count = 0
    for start, row in known(lines):
        if "solution" not in row:
            continue
        line = positions(rules, start, parse_line(row["solution"]))
        assert rules.is_won(line[-1])
        for number, position in enumerate(line):
            assert called_dead(rules, position) == "", (row["code"], number)
        if rule in "FCR":
            assert dead_in_slot_space(rules, line) == "", row["code"]
        count += len(line)
    assert count > 400


@pytest.mark.parametrize(("rule", "deals"), [("D", 20), ("P", 60), ("R", 20), ("S", 60)])
def test_no_state_of_a_line_found_without_the_tests_is_called_dead(rule: str, deals: int) -> None:
    rules = get_rules(rule)
    count = 0
    for number in range(1, deals + 1):
        start = deal(open_code(rule, number))
        moves = unpruned_line(rules, start, 2000)
        if moves is None:
            continue
        line = positions(rules, start, moves)
        assert rules.is_won(line[-1])
        for at, position in enumerate(line):
            assert called_dead(rules, position) == "", (number, at)
        count += len(line)
    assert count > 300


def test_no_choice_of_lifted_piles_proves_what_is_won() -> None:
    rules = get_rules("R")
    count = 0
    for number in range(1, 21):
        start = deal(open_code("R", number))
        moves = unpruned_line(rules, start, 2000)
        for at, position in enumerate(positions(rules, start, moves or [])[:-1:15]):
            for lifted in choices(position):
                assert not proves(position, lifted, 200), (number, at, lifted)
                count += 1
    assert count > 4000


@pytest.mark.parametrize("row", [row for row in ROWS if "board" in row])
def test_a_board_that_another_solver_calls_lost_is_won(row: dict[str, Any]) -> None:
    rules = get_rules(row["rule"])
    position = parse_board("\n".join(row["board"]), rules.variant)
    assert solve(rules, position, 2_000_000).verdict == row["verdict"]


@pytest.mark.parametrize("number", [1660, 2438])
def test_a_merged_search_that_runs_empty_is_no_proof(number: int) -> None:
    rules = get_rules("F")
    assert solve(rules, deal(open_code("F", number)), 3_000_000).verdict == "winnable"
