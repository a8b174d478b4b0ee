"""Random walks beside the slow engine that was written from the rules' text alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.boardtext import board_text
from engine.deals import deal
from engine.game import Game, replay
from engine.rules import get_rules
from tests import reference
from tests.engine.cases import RULE_LETTERS
from tests.engine.support import CHOICES, chosen, codes, starts


def check_the_same(game: Game, table: reference.Table) -> None:
    position = game.position
    assert board_text(position) == reference.board_text(table)
    listed = [str(move) for move in game.rules.legal_moves(position)]
    assert sorted(listed) == sorted(reference.legal_moves(table))
    assert game.is_won == reference.is_won(table)
    assert game.is_stuck == reference.is_stuck(table)


def walk_beside(game: Game, table: reference.Table, choices: list[int]) -> None:
    start, points = table, 0
    for choice in choices:
        check_the_same(game, table)
        if not game.legal_moves():
            break
        move = chosen(game.legal_moves(), choice)
        game = game.play(move)
        step = reference.replay(table, [str(move)])
        table, points = step.table, points + step.score
        assert game.score.points == points
    check_the_same(game, table)
    line = [str(move) for move in game.line]
    for length in {len(line) // 2, len(line)}:
        again = replay(game.rules, game.start, line[:length])
        assert again.score.ranked == reference.ranked_score(start, line[:length])


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=7)
@given(data=st.data(), choices=CHOICES)
def test_both_engines_play_the_same_game_from_a_deal(
    rule: str, data: st.DataObject, choices: list[int]
) -> None:
    code = data.draw(codes(rule))
    game = Game.new(get_rules(rule), deal(code))
    walk_beside(game, reference.deal(str(code)), choices)


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=7)
@given(data=st.data(), choices=CHOICES)
def test_both_engines_play_the_same_game_from_a_late_position(
    rule: str, data: st.DataObject, choices: list[int]
) -> None:
    game = Game.new(get_rules(rule), data.draw(starts(rule)))
    text = board_text(game.position)
    table = reference.read_board(reference.load_rules(rule), text.splitlines())
    walk_beside(game, table, choices)
