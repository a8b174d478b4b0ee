"""Refutations of Flexible: by all piles, and with some of them lifted."""

from __future__ import annotations

import pytest

from engine.deals import deal, open_code
from engine.rules import get_rules
from engine.solver import UNPROVEN, UNWINNABLE, solve, tasks
from engine.solver.encode import encode
from tests.solver.outlines import choices, proves

RULES = get_rules("R")


def outlines(number: int, memory: int = tasks.MEMORY) -> tasks.Outlines:
    return tasks.Outlines(encode(RULES, deal(open_code("R", number))), memory=memory)


def test_a_deal_that_is_won_is_given_up_at_once() -> None:
    task = outlines(1)
    assert task.run(1000) == tasks.OVER
    assert task.positions < 200


@pytest.mark.parametrize("number", [558, 1236, 2110, 5268, 6428, 7491, 9380])
def test_lost_deals_are_proved(number: int) -> None:
    task = outlines(number)
    while (ended := task.run(50_000)) == tasks.OPEN and task.positions < 4_000_000:
        pass
    assert ended == tasks.LOST


def test_some_piles_prove_what_all_of_them_cannot_in_so_many_states() -> None:
    position = deal(open_code("R", 2432))
    assert not proves(position, 0, 100_000)
    assert any(proves(position, lifted, 20_000) for lifted in choices(position))
    found = solve(RULES, position, 2_000_000)
    assert (found.verdict, found.moves) == (UNWINNABLE, ())


def test_without_memory_it_ends_without_a_proof() -> None:
    task = outlines(2909, memory=400_000)
    while (ended := task.run(100_000)) == tasks.OPEN:
        pass
    assert ended == tasks.OVER
    assert solve(RULES, deal(open_code("R", 2909)), 300_000).verdict == UNPROVEN
