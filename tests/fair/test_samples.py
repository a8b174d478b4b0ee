"""What the compiled functions make of a view: samples that are deals of it, plans that win."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import FACE_DOWN
from engine.fair import STRENGTHS
from engine.fair.compiled import plans, samples, trials
from engine.fair.decide import BUDGET, Thought
from engine.fair.play import hidden_cards
from engine.fair.seen import Seen, seen, shown
from engine.moves import STOCK, Move
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.solver import WINNABLE, solve
from engine.solver.board import BOARD_SIZE, load
from engine.solver.encode import encode, moves_of
from engine.solver.model import engine_card
from engine.view import board_view
from tests.fair.support import RULES, played_on, shuffled

EACH = pytest.mark.parametrize("rule", RULES)


def _sample(thought: Thought, number: int) -> Position:
    """A sample as a position: the view with the drawn cards in its hidden places."""
    table: Seen = thought.table
    samples.draw(table.row, table.slots, table.pool, thought.seed, number, thought.desk)
    in_slot = {int(thought.desk.slot_of[card]): int(card) for card in table.pool}
    drawn = iter([engine_card(in_slot[slot], table.width) for slot in range(len(in_slot))])
    base = shown(thought.view)
    tableau = tuple(
        bytes(next(drawn) | FACE_DOWN if card & FACE_DOWN else card for card in pile)
        for pile in base.tableau
    )
    return base._replace(tableau=tableau, stock=bytes(drawn)[::-1])


def _thought(rules: Rules, position: Position, seed: int) -> Thought:
    view = board_view(position)
    return Thought(rules, view, STRENGTHS["expert"], seed, BUDGET, lambda: False)


@EACH
def test_a_sample_is_a_deal_of_the_hidden_cards(rule: str) -> None:
    """It has the same view, and the row that the kernels solve says the same as the position."""
    rules = get_rules(rule)
    for number in range(5):
        position = played_on(rule, number, 5 * number)
        thought, orders = _thought(rules, position, number), set()
        for i in range(20):
            sample = _sample(thought, i)
            assert board_view(sample) == board_view(position)
            orders.add(sample)
            if rule != "D":  # two copies of a card have two ids
                assert (thought.desk.rows[i] == encode(rules, sample).row).all()
        assert len(orders) > 1 or len(thought.table.pool) < 3


def test_the_samples_are_uniform() -> None:
    """Every hidden card is as often in a place as another: chi-square far below 1 in a million."""
    rules, position = get_rules("F"), played_on("F", 1, 0)
    thought = _thought(rules, position, 1)
    hidden, draws = len(thought.table.pool), 4000
    index = {int(card): i for i, card in enumerate(thought.table.pool)}
    count = np.zeros((hidden, hidden))
    for i in range(draws):
        table = thought.table
        samples.draw(table.row, table.slots, table.pool, i // 250, i % 250, thought.desk)
        for card in table.pool:
            count[index[int(card)], thought.desk.slot_of[card]] += 1
    expected = draws / hidden
    chi = float(((count - expected) ** 2 / expected).sum())
    freedom = (hidden - 1) ** 2
    assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5


@EACH
def test_a_plan_that_is_said_to_win_a_sample_does(rule: str) -> None:
    """Every plan is legal on every sample; where it counts as won, the solver agrees."""
    rules, checked = get_rules(rule), 0
    for number in (1, 2, 3):
        thought = _thought(rules, played_on(rule, number, 0), number)
        thought.vote(0, 6)
        for j in range(thought.found):
            thought.judge(j, 6)
            pairs = iter(thought.plan(j))
            moves = moves_of(thought.table.start, zip(pairs, pairs, strict=True))
            won = thought.desk.won[j, :6].copy()
            for i in range(6):
                position = _sample(thought, i)
                for move in moves:
                    position = rules.apply(position, move)
                if won[i] == plans.WINS:
                    assert solve(rules, position, 50_000).verdict == WINNABLE
                    checked += 1
    assert checked


def _turns_at_its_end(rules: Rules, position: Position, moves: list[Move]) -> bool:
    """Whether these moves are legal and the last of them, none before, turns a card."""
    hidden = hidden_cards(board_view(position))
    for move in moves:
        if hidden_cards(board_view(position)) != hidden or move not in rules.legal_moves(position):
            return False
        position = rules.apply(position, move)
    return hidden_cards(board_view(position)) < hidden


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"P"}))  # it hides nothing but its stock
def test_a_plan_has_no_move_that_it_does_not_need(rule: str) -> None:
    """Without any one of them its card is not turned; deals from the stock turn theirs anyhow."""
    rules, checked = get_rules(rule), 0
    for number in range(1, 16):
        position = played_on(rule, number, 2 * (number % 8))
        thought = _thought(rules, position, number)
        thought.vote(0, 12)
        for j in range(thought.found):
            pairs = iter(thought.plan(j))
            moves = moves_of(thought.table.start, zip(pairs, pairs, strict=True))
            if moves[-1].source.zone == STOCK or not _turns_at_its_end(rules, position, moves):
                continue  # a deal, or a plan to the win
            for left_out in range(len(moves) - 1):
                rest = moves[:left_out] + moves[left_out + 1 :]
                assert not _turns_at_its_end(rules, position, rest)
            checked += 1
    assert checked


@EACH
def test_the_trial_player_sees_no_hidden_card(rule: str) -> None:
    """All that it knows of a board is the same when the hidden cards lie in another order."""
    rules = get_rules(rule)
    for number in range(6):
        position = played_on(rule, number, 6 * number)
        known = []
        for table in (position, shuffled(position, number)):
            start = encode(rules, table)
            board = np.zeros(BOARD_SIZE, np.uint8)
            load(start.game, start.row, board)
            row, slots = np.zeros(len(start.row), np.uint8), np.zeros((128, 2), np.int32)
            pool = np.zeros(128, np.uint8)
            hidden = trials.mask(start.game, board, row, slots, pool)
            visible = seen(rules, board_view(table))
            assert hidden == len(visible.pool)
            if rule != "D":
                assert (pool[:hidden] == visible.pool).all()
            under = slots[:hidden, 1]
            free = {int(card) for card in under if card >= 0}
            links = [int(to) for card, to in enumerate(row) if card not in free]
            known.append((slots[:hidden].tolist(), pool[:hidden].tolist(), links))
        if rule != "D":
            assert known[0] == known[1]
        else:
            assert len(known[0][0]) == len(known[1][0])
