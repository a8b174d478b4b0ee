"""The known boards, counts and lines."""

from typing import Any

import pytest

from engine.boardtext import pile_lines
from engine.cards import names
from engine.deals import deal, parse_code
from engine.errors import ReplayError
from engine.game import replay
from engine.perft import perft, perft_split
from engine.rules import get_rules
from tests import reference
from tests.engine.cases import CLEAN_WINS, DATA, RULE_LETTERS, WINS, Win, read_cases, wins

BOARDS = read_cases(DATA / "deals.jsonl")
COUNTS = read_cases(DATA / "perft.jsonl")


@pytest.mark.parametrize("case", BOARDS, ids=lambda case: case["code"])
def test_a_code_deals_the_known_board(case: dict[str, Any]) -> None:
    position = deal(parse_code(case["code"]))
    assert pile_lines(position) == case["board"]
    assert names(position.waste) == case.get("waste", [])
    assert names(position.stock) == case.get("stock", [])


def split_difference(code: str, depth: int) -> str:
    """The first moves whose counts differ from the slow engine's, for a failing count."""
    parsed = parse_code(code)
    ours = perft_split(get_rules(parsed.rule), deal(parsed), depth)
    theirs = reference.split_perft(reference.deal(code), min(depth, 3))
    if depth > 3:
        return f"split: {ours}"
    both = {move: (ours.get(move), theirs.get(move)) for move in {*ours, *theirs}}
    return f"differs at: { ({move: pair for move, pair in both.items() if pair[0] != pair[1]}) }"


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["code"])
def test_the_counts_of_move_sequences(case: dict[str, Any], depth: int) -> None:
    code = parse_code(case["code"])
    count = perft(get_rules(code.rule), deal(code), depth)
    assert count == case[str(depth)], split_difference(case["code"], depth)


@pytest.mark.parametrize("win", WINS, ids=lambda win: win.name)
def test_a_known_line_wins_with_its_score(win: Win) -> None:
    game = replay(win.rules, win.start, win.moves)
    assert game.is_won
    assert not game.is_stuck
    assert game.score.points == win.score
    assert game.score.ranked == CLEAN_WINS[win.rules.variant.rule]


@pytest.mark.parametrize("win", wins("F"), ids=lambda win: win.name)
@pytest.mark.parametrize("rule", "CR")
def test_a_line_for_fixed_foundations_wins_up_to_the_group_limit(win: Win, rule: str) -> None:
    rules = get_rules(rule)
    too_large = [number for number, move in enumerate(win.moves, 1) if move.size > 20]
    if not too_large:
        game = replay(rules, win.start, win.moves)
        assert game.is_won
        assert game.score.ranked == 625
        return
    with pytest.raises(ReplayError, match="At most 20 cards move together") as caught:
        replay(rules, win.start, win.moves)
    assert caught.value.number == too_large[0]
    before = replay(rules, win.start, win.moves[: too_large[0] - 1])
    refusal = rules.refusal(before.position, win.moves[too_large[0] - 1])
    assert refusal is not None
    assert refusal.code == "group-limit"


@pytest.mark.parametrize("rule", "CRF")
def test_the_same_body_is_the_same_board_under_every_rule_of_a_pack(rule: str) -> None:
    for win in wins("F"):
        if win.name != "board":
            code = parse_code(win.name).under(rule)
            assert str(code) == f"YU1-{rule}-{code.body}"
            assert deal(code) == win.start


def test_every_game_has_a_known_win() -> None:
    assert [rule for rule in RULE_LETTERS if wins(rule)] == list(RULE_LETTERS)
