import pytest

from engine.perft import perft, perft_split
from engine.rules import get_rules
from tests.engine.support import board


def test_no_moves_is_one_sequence_and_one_move_is_counted() -> None:
    rules = get_rules("F")
    position = board(rules, "KS 7H", "8S", "8C")
    assert perft(rules, position, 0) == 1
    assert perft(rules, position, 1) == len(rules.legal_moves(position))


def test_a_split_adds_up_and_keeps_the_order() -> None:
    rules = get_rules("F")
    position = board(rules, "KS 7H", "8S", "8C")
    split = perft_split(rules, position, 3)
    assert list(split) == [str(move) for move in rules.legal_moves(position)]
    assert sum(split.values()) == perft(rules, position, 3)
    assert set(perft_split(rules, position, 1).values()) == {1}


@pytest.mark.parametrize("depth", [1, 2])
def test_a_position_without_moves_has_no_sequences(depth: int) -> None:
    rules = get_rules("F")
    assert perft(rules, board(rules, "2S", "4S"), depth) == 0
    assert perft_split(rules, board(rules, "2S", "4S"), depth) == {}
