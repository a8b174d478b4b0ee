from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import FACE_DOWN, NAMES, names
from engine.deals import deal, parse_code
from engine.position import Position
from engine.refusals import explain
from engine.rules import get_rules
from engine.view import BoardView, board_view
from tests.engine.cases import RULE_LETTERS
from tests.engine.support import all_moves, cards, positions


def hidden_cards(position: Position) -> list[int]:
    flagged = [card & ~FACE_DOWN for pile in position.tableau for card in pile if card & FACE_DOWN]
    return flagged + list(position.stock)


def with_hidden_permuted(position: Position, seed: int) -> Position:
    """The same to the player: the cards that lie face down, the stock's too, changed about."""
    hidden = hidden_cards(position)
    Random(seed).shuffle(hidden)
    tableau = tuple(
        bytes(hidden.pop() | FACE_DOWN if card & FACE_DOWN else card for card in pile)
        for pile in position.tableau
    )
    return position._replace(tableau=tableau, stock=bytes(hidden))


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=8)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_what_lies_face_down_changes_nothing_that_is_seen(
    rule: str, data: st.DataObject, seed: int
) -> None:
    position = data.draw(positions(rule))
    other = with_hidden_permuted(position, seed)
    assert board_view(other) == board_view(position)
    rules = get_rules(rule)
    assert rules.legal_moves(other) == rules.legal_moves(position)
    for move in all_moves(position)[seed % 7 :: 7]:
        assert explain(rules, other, move) == explain(rules, position, move)


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=8)
@given(data=st.data())
def test_no_name_of_a_hidden_card_is_in_a_view(rule: str, data: st.DataObject) -> None:
    position = data.draw(positions(rule))
    open_zones = (*position.tableau, *position.foundations, position.waste)
    seen = {NAMES[card] for zone in open_zones for card in zone if not card & FACE_DOWN}
    hidden = set(names(hidden_cards(position))) - seen
    text = repr(board_view(position))
    assert [name for name in hidden if name in text] == []
    assert all(f"'{name}'" in text for name in seen)


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=8)
@given(data=st.data())
def test_a_view_shows_every_other_card_in_its_place(rule: str, data: st.DataObject) -> None:
    position = data.draw(positions(rule))
    view = board_view(position)
    assert view.tableau == tuple(
        tuple(None if card & FACE_DOWN else NAMES[card] for card in pile)
        for pile in position.tableau
    )
    assert view.foundations == tuple(tuple(names(pile)) for pile in position.foundations)
    assert (view.stock, view.waste) == (len(position.stock), tuple(names(position.waste)))
    assert (view.cells, view.reserve) == ((), ())


def test_a_start_shows_31_cards() -> None:
    view = board_view(deal(parse_code("YU1-C-AAAAAAB")))
    assert sum(card is not None for pile in view.tableau for card in pile) == 31
    assert [pile.count(None) for pile in view.tableau] == [0, 1, 2, 3, 4, 5, 6]


def test_cells_and_a_reserve_are_seen() -> None:
    position = Position((cards("<5H> 6S"),), (), cells=(cards("7D"), b""), reserve=cards("8C 9C"))
    assert board_view(position) == BoardView(
        ((None, "6S"),), (), 0, (), (("7D",), ()), ("8C", "9C")
    )
