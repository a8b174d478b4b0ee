import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import FACE_DOWN, NAMES
from engine.errors import IllegalMoveError
from engine.moves import Move, Place, parse_move
from engine.position import Position
from engine.rules import DEAL_FROM_STOCK, Rules, get_rules
from engine.variants import BY_RULE, Build, Variant
from tests.engine.cases import FAMILY_VARIANTS, RULE_LETTERS, WORRYING_BACK
from tests.engine.support import CHOICES, all_moves, board, cards, positions, shuffled, walk

PLAYED = [
    *BY_RULE.values(),
    *(
        FAMILY_VARIANTS[key]
        for key in (
            *("moosehide", "roslin", "odessa", "brisbane", "queensland", "geoffrey", "raw-prawn"),
            *("outback-patience", "bim-bom", "double-russian-solitaire", "sanibel"),
        )
    ),
]
OUTBACK = Rules(FAMILY_VARIANTS["outback-patience"])


def listed(rules: Rules, position: Position) -> set[str]:
    return {str(move) for move in rules.legal_moves(position)}


def check_the_list(rules: Rules, position: Position) -> None:
    legal = rules.legal_moves(position)
    assert len(set(legal)) == len(legal)
    asked = all_moves(position)
    assert set(legal) <= set(asked)
    assert {move for move in asked if rules.is_legal(position, move)} == set(legal)
    assert rules.has_legal_move(position) is bool(legal)
    assert rules.is_stuck(position) is (not legal and not rules.is_won(position))


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=6)
@given(data=st.data())
def test_exactly_the_listed_moves_are_legal(rule: str, data: st.DataObject) -> None:
    check_the_list(get_rules(rule), data.draw(positions(rule)))


@pytest.mark.parametrize("variant", PLAYED, ids=lambda variant: variant.key)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32), choices=CHOICES)
def test_every_game_that_compiles_lists_exactly_its_legal_moves(
    variant: Variant, seed: int, choices: list[int]
) -> None:
    rules, position = Rules(variant), shuffled(variant, seed)
    check_the_list(rules, position)
    for _, after in walk(rules, position, choices):
        position = after
    check_the_list(rules, position)


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=6)
@given(data=st.data())
def test_every_other_move_is_refused_in_a_sentence(rule: str, data: st.DataObject) -> None:
    rules, position = get_rules(rule), data.draw(positions(rule))
    legal = set(rules.legal_moves(position))
    for move in all_moves(position):
        if move in legal:
            assert rules.apply(position, move) == rules.apply_legal(position, move)
        else:
            with pytest.raises(IllegalMoveError) as caught:
                rules.apply(position, move)
            assert caught.value.refusal == rules.refusal(position, move)
            assert "{" not in str(caught.value)


FITS = {  # what may be put on the eight of hearts
    "C": "7S 7C",
    "R": "7S 7H 7D 7C",
    "F": "7S 7C",
    "S": "7H",
    "A": "7H 9H",
    "P": "7H",
    "D": "7S 7C",
}


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_what_may_be_put_on_a_card(rule: str) -> None:
    rules = get_rules(rule)
    assert set(rules.accepts[cards("8H")[0]]) == set(cards(FITS[rule]))
    assert rules.accepts[cards("AS")[0]] == (cards("2S") if rule == "A" else b"")
    assert set(rules.on_empty) == set(cards("KS KH KD KC"))


def test_other_builds() -> None:
    eight, ace, king = cards("8H AS KS")
    different = Rules(FAMILY_VARIANTS["moosehide"])
    assert set(different.accepts[eight]) == set(cards("7S 7D 7C"))
    both_ways = Rules(FAMILY_VARIANTS["roslin"])
    assert set(both_ways.accepts[eight]) == set(cards("7S 7C 9S 9C"))
    assert Rules(FAMILY_VARIANTS["brisbane"]).on_empty == bytes(range(52))
    round_the_corner = Rules(
        Variant("x", "X", "X", (), (), build=Build(match="same-suit", wrap=True))
    )
    assert round_the_corner.accepts[ace] == cards("KS")
    assert round_the_corner.accepts[king] == cards("QS")


def test_moves_come_in_a_fixed_order() -> None:
    rules = get_rules("P")
    position = board(rules, "3S 2H", "3H", "4H", up="H1 D2", waste="3D", stock="KC")
    assert [str(move) for move in rules.legal_moves(position)] == [
        *("t1-f", "t1-t2", "t2-t3", "w-f", "fH-t1", "s-w"),
    ]
    rules = get_rules("C")
    position = board(rules, "3C 5H", "3S", "6C", up="S0 H2 D0 C2")
    assert [str(move) for move in rules.legal_moves(position)] == ["t1-t3", "fH-t2"]


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_a_group_moves_whole_and_the_uncovered_card_turns(rule: str) -> None:
    rules = get_rules(rule)
    position = board(rules, "<AS> <4C> 7H 2C KD", "8H" if rule in "SAP" else "8S")
    move = parse_move("t1x3-t2")
    outcome = rules.outcome(position, move)
    assert outcome.position.tableau[0] == cards("<AS> 4C")
    assert outcome.position.tableau[1][1:] == cards("7H 2C KD")
    assert [outcome.lead, outcome.turned] == list(cards("7H 4C"))
    assert outcome.raised is None


def test_nothing_turns_where_a_face_up_card_or_none_is_uncovered() -> None:
    rules = get_rules("F")
    position = board(rules, "4C 7H", "8S", "KD")
    assert rules.outcome(position, parse_move("t1-t2")).turned is None
    outcome = rules.outcome(position, parse_move("t3-t4"))
    assert outcome.turned is None
    assert outcome.position.tableau[2:4] == (b"", cards("KD"))


def test_a_raised_card_is_told_and_turns_what_it_uncovers() -> None:
    rules = get_rules("F")
    outcome = rules.outcome(board(rules, "<5H> AS"), parse_move("t1-f"))
    assert [outcome.lead, outcome.raised, outcome.turned] == list(cards("AS AS 5H"))
    assert outcome.position.foundations[0] == cards("AS")


def test_the_stock_deals_its_last_card_to_the_waste() -> None:
    rules = get_rules("P")
    position = board(rules, "2S", waste="9H", stock="5H 4C")
    outcome = rules.outcome(position, DEAL_FROM_STOCK)
    assert (outcome.lead, outcome.raised, outcome.turned) == (None, None, None)
    assert (outcome.position.stock, outcome.position.waste) == (cards("5H"), cards("9H 4C"))
    assert str(DEAL_FROM_STOCK) == "s-w"


def test_the_wastes_top_card_plays() -> None:
    rules = get_rules("P")
    position = board(rules, "3S", "KH", waste="9H 2S", up="S1 H0 D0 C0")
    for text in ("w-t1", "w-f"):
        outcome = rules.outcome(position, parse_move(text))
        assert outcome.lead == cards("2S")[0]
        assert outcome.position.waste == cards("9H")
    assert rules.apply(position, parse_move("w-t1")).tableau[0] == cards("3S 2S")
    kings = board(rules, "", "3S", waste="KD")
    assert rules.apply(kings, parse_move("w-t1")).tableau[0] == cards("KD")


@pytest.mark.parametrize("rule", WORRYING_BACK)
def test_worrying_back_takes_a_foundations_top_card(rule: str) -> None:
    rules = get_rules(rule)
    position = board(rules, "4H" if rule == "P" else "4S", up="S0 H3 D0 C0")
    outcome = rules.outcome(position, parse_move("fH-t1"))
    assert (outcome.lead, outcome.raised, outcome.turned) == (cards("3H")[0], None, None)
    assert outcome.position.foundations[1] == cards("AH 2H")
    assert outcome.position.tableau[0][1:] == cards("3H")
    kings = board(rules, up="S13 H0 D0 C0")
    assert listed(rules, kings) == {f"fS-t{number}" for number in range(1, 8)}


def test_the_first_of_two_foundations_takes_the_card() -> None:
    rules = get_rules("D")
    position = board(rules, "AS", "AS", "2S")
    position = rules.apply(position, parse_move("t2-f"))
    assert position.foundations[:2] == (cards("AS"), b"")
    position = rules.apply(position, parse_move("t1-f"))
    assert position.foundations[:2] == (cards("AS"), cards("AS"))
    position = rules.apply(position, parse_move("t3-f"))
    assert position.foundations[:2] == (cards("AS 2S"), cards("AS"))


def test_both_foundations_of_a_double_pack_give_their_card_back() -> None:
    position = board(OUTBACK, "4H", "3H", up="H3 H2")
    assert listed(OUTBACK, position) == {"t1-f", "t2-f", "t2-t1", "fH-t1", "fH2-t2"}
    after = OUTBACK.apply(position, parse_move("fH2-t2"))
    assert after.foundations[2:4] == (cards("AH 2H 3H"), cards("AH"))
    assert after.tableau[1] == cards("3H 2H")
    assert OUTBACK.foundation_index(Place("f", 3)) == 3
    assert get_rules("C").foundation_index(Place("f", 2)) == 1


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_a_group_may_have_twenty_cards_or_any_number(rule: str) -> None:
    rules = get_rules(rule)
    limited = rule in "CR"
    position = board(rules, "2H KS" + " 9C" * 19)
    assert "t1x20-t2" in listed(rules, position)
    position = board(rules, "2H KS" + " 9C" * 20)
    assert ("t1x21-t2" in listed(rules, position)) is not limited


def test_a_whole_pile_may_move_to_an_empty_one() -> None:
    rules = get_rules("F")
    assert listed(rules, board(rules, "KS 4H")) == {f"t1x2-t{pile}" for pile in range(2, 8)}


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_won_is_every_card_on_the_foundations(rule: str) -> None:
    rules = get_rules(rule)
    full = board(rules, up=" ".join(f"{suit}13" for suit in "SHDC" * rules.variant.decks))
    assert rules.is_won(full)
    assert not rules.is_stuck(full)
    assert rules.has_legal_move(full) is (rule in WORRYING_BACK)
    short = full._replace(foundations=(*full.foundations[:-1], full.foundations[-1][:-1]))
    assert not rules.is_won(short)


def test_a_move_by_hand_to_a_place_that_is_none_is_refused() -> None:
    rules, position = get_rules("C"), board(get_rules("C"), "7H", "8S")
    for source, size, target in [
        (Place("t", -1), 1, Place("t", 1)),
        (Place("t", 0), 0, Place("t", 1)),
        (Place("t", 0), -1, Place("t", 1)),
        (Place("t", 0), 1, Place("t", -6)),
        (Place("f", -1), 1, Place("t", 1)),
        (Place("x", 0), 1, Place("t", 1)),
    ]:
        assert not rules.is_legal(position, Move(source, size, target))


def test_rules_are_compiled_once() -> None:
    assert get_rules("C") is get_rules("C")
    with pytest.raises(KeyError):
        get_rules("X")


def test_a_turned_card_carries_no_flag() -> None:
    rules = get_rules("F")
    for card in range(52):
        position = board(rules, f"<{NAMES[card]}> AS")
        assert rules.outcome(position, parse_move("t1-f")).turned == card
        assert not rules.apply(position, parse_move("t1-f")).tableau[0][0] & FACE_DOWN
