from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import FACE_DOWN, NAMES
from engine.deals import deal, parse_code
from engine.position import Position, decode, encode, face_down_count, faults
from engine.rules import get_rules
from engine.variants import AUSTRALIAN, DOUBLE_YUKON, YUKON, Variant
from tests.engine.cases import RULE_LETTERS
from tests.engine.support import cards, positions

START = deal(parse_code("YU1-C-AAAAAAB"))


def found(position: Position, variant: Variant = YUKON) -> list[str]:
    return [fault.text for fault in faults(variant, position)]


def with_pile(index: int, pile: bytes, position: Position = START) -> Position:
    piles = position.tableau
    return position._replace(tableau=(*piles[:index], pile, *piles[index + 1 :]))


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=12)
@given(data=st.data())
def test_play_keeps_every_card_and_makes_no_fault(rule: str, data: st.DataObject) -> None:
    position = data.draw(positions(rule))
    variant = get_rules(rule).variant
    assert faults(variant, position) == []
    zones = (*position.tableau, *position.foundations, position.stock, position.waste)
    held = Counter(card & ~FACE_DOWN for zone in zones for card in zone)
    assert held == dict.fromkeys(range(52), variant.decks)


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=12)
@given(data=st.data())
def test_an_encoded_position_decodes_as_itself(rule: str, data: st.DataObject) -> None:
    position = data.draw(positions(rule))
    assert decode(encode(position)) == position
    assert hash(decode(encode(position))) == hash(position)
    assert len(encode(position)) < 140


def test_cells_and_a_reserve_are_encoded_too() -> None:
    position = Position((b"\x01", b""), (b"",) * 4, b"\x02", b"\x03", (b"\x04", b""), b"\x05\x06")
    assert decode(encode(position)) == position


@given(st.binary(max_size=40))
def test_other_bytes_decode_or_raise_value_error(data: bytes) -> None:
    if data.count(b"\xfe") == 5:
        decode(data)
    else:
        with pytest.raises(ValueError, match="unpack"):
            decode(data)


def test_face_down_cards_are_counted() -> None:
    assert [face_down_count(pile) for pile in START.tableau] == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("piles", [0, 6, 8])
def test_the_number_of_piles_is_checked(piles: int) -> None:
    tableau = (*START.tableau, b"")[:piles]
    assert f"Yukon has 7 piles, not {piles}" in found(START._replace(tableau=tableau))


@pytest.mark.parametrize("count", [0, 3, 5, 40])
def test_the_number_of_foundations_is_checked(count: int) -> None:
    position = START._replace(foundations=(b"",) * count)
    assert found(position) == [f"Yukon has 4 foundations, not {count}"]


def test_a_game_without_stock_has_no_stock_and_no_waste() -> None:
    pile = START.tableau[0]
    without = with_pile(0, b"")
    assert found(without._replace(stock=pile)) == ["Yukon has no stock and no waste"]
    assert found(without._replace(waste=pile)) == ["Yukon has no stock and no waste"]


def test_a_game_without_cells_has_no_cells_and_no_reserve() -> None:
    pile = START.tableau[0]
    assert found(with_pile(0, b"")._replace(reserve=pile)) == ["Yukon has no cells and no reserve"]
    assert found(with_pile(0, b"")._replace(cells=(pile,))) == ["Yukon has no cells and no reserve"]


def test_bytes_that_are_no_cards_are_named() -> None:
    position = with_pile(0, START.tableau[0] + b"\x34\x90")
    assert found(position) == ["Byte 52 is no card", "Byte 144 is no card"]
    start = deal(parse_code("YU1-P-AAAAAAB"))
    hidden = bytes((start.stock[0] | FACE_DOWN,))
    flagged = start._replace(stock=hidden + start.stock[1:])
    missing = NAMES[start.stock[0]]
    assert found(flagged, AUSTRALIAN) == [f"Byte {hidden[0]} is no card", f"{missing} is missing"]


def test_cards_too_many_and_missing_ones_are_named() -> None:
    (base,) = START.tableau[0]
    other = START.tableau[1][-1]
    assert found(with_pile(0, b"")) == [f"{NAMES[base]} is missing"]
    assert found(with_pile(0, bytes((base, base)))) == [f"{NAMES[base]} is there 2 times"]
    assert set(found(with_pile(0, bytes((other,))))) == {
        f"{NAMES[base]} is missing",
        f"{NAMES[other]} is there 2 times",
    }


def test_a_double_pack_holds_each_card_twice() -> None:
    start = deal(parse_code("YU1-D-AAAAAAB"))
    assert found(start, DOUBLE_YUKON) == []
    twice = Counter(start.tableau[0])
    lost = [f"{NAMES[card]} is missing {count} times" for card, count in sorted(twice.items())]
    assert found(with_pile(0, b"", start), DOUBLE_YUKON) == lost
    assert found(start, YUKON)[:2] == [
        "Yukon has 7 piles, not 10",
        "Yukon has 4 foundations, not 8",
    ]


def test_a_face_down_card_on_top_is_a_fault() -> None:
    (base,) = START.tableau[0]
    position = with_pile(0, bytes((base | FACE_DOWN,)))
    assert found(position) == ["The top card of pile 1 lies face down"]


def test_a_game_that_deals_all_cards_face_up_has_none_face_down() -> None:
    start = deal(parse_code("YU1-P-AAAAAAB"))
    pile = start.tableau[1]
    hidden = with_pile(1, bytes((pile[0] | FACE_DOWN,)) + pile[1:], start)
    assert found(hidden, AUSTRALIAN) == ["Australian Patience has no face-down cards"]


def test_a_face_down_card_on_a_face_up_one_is_a_fault() -> None:
    pile = START.tableau[6]
    turned = pile[:6] + bytes((pile[6], pile[7] | FACE_DOWN)) + pile[8:]
    assert found(with_pile(6, turned)) == ["Pile 7 has a face-down card on a face-up one"]


@pytest.mark.parametrize("pile", ["2S", "AS 3S", "AH", "AS <2S>", "<AS>"])
def test_a_foundation_goes_from_the_ace_upwards_in_suit(pile: str) -> None:
    up = cards(pile)
    texts = found(START._replace(foundations=(up, b"", b"", b"")))
    assert "The foundation of S does not go from the ace upwards in suit" in texts


def test_a_foundation_ends_with_its_king() -> None:
    whole_pack = START._replace(
        tableau=(b"",) * 7, foundations=(bytes(range(14)), b"", b"", bytes(range(14, 52)))
    )
    assert found(whole_pack) == [
        "The foundation of S does not go from the ace upwards in suit",
        "The foundation of C does not go from the ace upwards in suit",
    ]


def test_all_faults_are_found_at_once() -> None:
    base = START.tableau[0][0]
    position = Position(
        tableau=(
            bytes((base, START.tableau[1][0], 60)),
            *START.tableau[1:],
            bytes((5 | FACE_DOWN,)),
        ),
        foundations=(b"\x01", b"", b"", b"", b""),
        stock=b"\x07",
        reserve=b"\x08",
    )
    codes = {fault.code for fault in faults(YUKON, position)}
    assert codes == {
        *("piles", "foundations", "no-stock", "no-cells", "unknown-card", "too-many"),
        *("top-face-down", "face-down-above", "foundation-order"),
    }
    assert {fault.code for fault in faults(YUKON, position._replace(tableau=()))} >= {"missing"}
