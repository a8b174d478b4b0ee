"""The solver agrees with plain exhaustive search on small packs, stage by stage.

`YUKON_SWEEP=20` makes the sweeps 20 times as long (tens of thousands of packs).
"""

from __future__ import annotations

import os

import pytest

from engine.position import Position
from engine.rules import Rules, get_rules
from engine.solver import refute, solve, tasks
from engine.solver.encode import encode
from tests.solver.oracle import oracle
from tests.solver.outlines import choices, proves
from tests.solver.packs import exhaust, small_pack

SWEEP = int(os.environ.get("YUKON_SWEEP", "1"))
PACKS = {"F": 700, "C": 200, "R": 150, "S": 1000, "A": 600, "P": 250, "D": 300}
"""How many packs a rule's sweep tries."""
LIMIT = 20_000
_BUDGET = 100_000


def decided(rule: str, number: int) -> tuple[Position, bool] | None:
    """A small pack and whether it can be won, if plain search can tell."""
    position = small_pack(rule, number)
    verdict = oracle(get_rules(rule), position, LIMIT)
    return None if verdict is None else (position, verdict)


def refutes(rules: Rules, position: Position, *, strict: bool) -> bool:
    """Whether one form of the refutation alone proves the position lost."""
    start = encode(rules, position)
    r = refute.new_refutation()
    back = rules.variant.worrying_back
    refute.begin(start.game, start.row, int(back), int(strict), r)
    while True:
        status = refute.refute(r, _BUDGET)
        if status != refute.FULL:
            return status == refute.PROVED
        r = refute.enlarge_refutation(r)


@pytest.mark.parametrize("rule", "FCSAPD")
def test_the_compiled_oracle_is_the_plain_search_over_the_engine(rule: str) -> None:
    rules = get_rules(rule)
    for number in range(40):
        position = small_pack(rule, number)
        slow = exhaust(rules, position, 400)
        fast = oracle(rules, position, LIMIT)
        assert slow is None or fast is None or slow == fast, number


@pytest.mark.parametrize("rule", "FCRSAPD")
def test_verdicts_agree_with_plain_search(rule: str) -> None:
    rules = get_rules(rule)
    seen = {True: 0, False: 0}
    for number in range(PACKS[rule] * SWEEP):
        found = decided(rule, number)
        if found is None:
            continue
        position, winnable = found
        verdict = solve(rules, position, _BUDGET).verdict
        assert verdict == ("winnable" if winnable else "unwinnable"), number
        seen[winnable] += 1
    assert seen[True] >= 3
    assert seen[False] >= 3


def test_each_outline_proves_only_what_is_lost() -> None:
    lost = proved = 0
    for number in range(PACKS["R"] * SWEEP):
        found = decided("R", number)
        if found is None:
            continue
        position, winnable = found
        proofs = [proves(position, lifted) for lifted in choices(position)]
        assert not (winnable and any(proofs)), number
        assert proofs[0] or not any(proofs), number
        lost += not winnable
        proved += proofs[0]
    assert proved >= 0.25 * lost > 0


@pytest.mark.parametrize("rule", "FC")
def test_each_refutation_proves_only_what_is_lost(rule: str) -> None:
    rules = get_rules(rule)
    proved = {False: 0, True: 0}
    lost = 0
    for number in range(PACKS[rule] * SWEEP):
        found = decided(rule, number)
        if found is None:
            continue
        position, winnable = found
        lost += not winnable
        for strict in (False, True):
            proof = refutes(rules, position, strict=strict)
            assert not (proof and winnable), (number, strict)
            proved[strict] += proof
    assert proved[False] > 0
    assert proved[True] >= proved[False]
    assert proved[True] >= 0.9 * lost


@pytest.mark.parametrize("rule", "FCRD")
def test_plain_states_decide_exactly(rule: str) -> None:
    rules = get_rules(rule)
    for number in range(PACKS[rule] * SWEEP // 2):
        found = decided(rule, number)
        if found is None:
            continue
        position, winnable = found
        start, back = encode(rules, position), rules.variant.worrying_back
        task = tasks.Win(start, 7, (tasks.PLAIN_STATES,), back=back)
        ended = task.run(_BUDGET)
        assert ended in (tasks.OPEN, tasks.WON if winnable else tasks.LOST), number
