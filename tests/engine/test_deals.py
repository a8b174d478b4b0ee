"""The two shuffles, and dealing."""

from dataclasses import replace
from importlib import import_module
from itertools import islice
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import deals
from engine.boardtext import board_text
from engine.cards import NAMES, names
from engine.deals import PSF_LAST, DealCode, deal, deal_pack, parse_code, shuffled_pack
from engine.position import Position
from engine.variants import ALASKA, AUSTRALIAN, Cells, DealStep, Foundations
from tests import reference
from tests.engine.cases import RULE_LETTERS
from tests.engine.support import cards, codes
from tests.reference import deals as reference_deals

pysol_random: Any = import_module("pysol_cards.random")
pysol_cards: Any = import_module("pysol_cards.cards")


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=15)
@given(data=st.data())
def test_both_shuffles_deal_what_the_reference_deals(rule: str, data: st.DataObject) -> None:
    code = data.draw(codes(rule))
    assert board_text(deal(code)) == reference.board_text(reference.deal(str(code)))


@pytest.mark.parametrize("number", [1, 31999, 32000, 32001, PSF_LAST])
@pytest.mark.parametrize("rule", "FD")
def test_the_ends_of_the_pysolfc_numbers_deal_what_the_reference_deals(
    rule: str, number: int
) -> None:
    code = f"PSF-{rule}-{number}"
    assert board_text(deal(parse_code(code))) == reference.board_text(reference.deal(code))


def packaged(number: int, decks: int) -> list[str]:
    """What the package pysol-cards shuffles."""
    pack = pysol_cards.createCards(decks)
    pack = pysol_random.shuffle(pack, number, pysol_random.RandomBase.DEALS_PYSOLFC)
    return ["0A23456789TJQK"[card.rank] + card.suit_s() for card in pack]


@pytest.mark.parametrize("rule", "FD")
@settings(max_examples=30)
@given(st.integers(1, 40000) | st.integers(1, PSF_LAST))
@example(1)
@example(31998)
@example(31999)
@example(32001)
@example(2**31)
@example(2**53 + 1)
@example(PSF_LAST)
def test_the_package_of_the_field_shuffles_the_same(rule: str, number: int) -> None:
    code = DealCode("PSF", rule, str(number))
    same = names(shuffled_pack(code)) == packaged(number, code.variant.decks)
    assert same is (number != 32000)


@pytest.mark.parametrize("rule", "FD")
def test_the_package_of_the_field_differs_at_32000_alone(rule: str) -> None:
    code = DealCode("PSF", rule, "32000")
    assert names(shuffled_pack(code)) != packaged(32000, code.variant.decks)


@settings(max_examples=25)
@given(st.data())
def test_a_shuffle_is_the_bodys_alone(data: st.DataObject) -> None:
    code = data.draw(codes("C"))
    packs = [shuffled_pack(code.under(rule)) for rule in "CRFSAP"]
    assert all(pack == packs[0] for pack in packs)
    assert sorted(packs[0]) == list(range(52))
    assert sorted(shuffled_pack(code.under("D"))) == sorted([*range(52)] * 2)
    assert all(deal(code.under(rule)) == deal(code) for rule in "RFSA")


def test_words_above_the_fair_bound_are_passed_over() -> None:
    """One deal in a million meets a word at or above the largest multiple of n below 2^32."""
    code = parse_code("YU1-D-AAAOD4K")
    word = next(islice(reference_deals.yu1_words(code.body), 104 - 50, None))
    assert word >= 2**32 // 50 * 50
    pack = [NAMES[card] for card in shuffled_pack(code)]
    assert pack == reference.shuffled_pack(code.scheme, code.body, 2)


def test_the_fair_bound_itself_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    code, bound, rest = parse_code("YU1-C-AAAAAAB"), 2**32 // 52 * 52, list(range(1000, 1060))

    def shuffled_by(*words: int) -> list[int]:
        monkeypatch.setattr(deals, "_words", lambda _: iter(words))
        return shuffled_pack(code)

    assert shuffled_by(bound, 2**32 - 1, *rest) == shuffled_by(*rest)
    assert shuffled_by(bound - 1, *rest)[51] == (bound - 1) % 52 == 51


def test_dealing_leaves_the_pack_as_it_is() -> None:
    pack = list(range(52))
    deal_pack(ALASKA, pack)
    assert pack == list(range(52))


def test_cards_come_from_the_end_step_by_step_in_either_direction() -> None:
    steps = (
        DealStep("down", "tableau", 3, 1),
        DealStep("up", "tableau", 1, 2, 2),
        DealStep("up", "foundations", 2, 2),
        DealStep("up", "waste", 1, 1, 2),
    )
    pack = list(cards("7S 8S 9S TS JS QS KS AH 2H 3H 4H 5H"))
    variant = replace(AUSTRALIAN, deal=steps, columns=((1, 2), (1, 2), (1, 0)))
    position = deal_pack(variant, pack)
    assert position == Position(
        tableau=(cards("<3H> 2H KS"), cards("<4H> AH QS"), cards("<5H>")),
        foundations=(b"", cards("JS"), b"", b""),
        stock=cards("7S 8S"),
        waste=cards("TS 9S"),
    )


def test_a_reserve_is_one_pile_and_cells_are_single_cards() -> None:
    pack = list(cards("AS 2S 3S"))
    one = replace(ALASKA, deal=(DealStep("up", "reserve", 1, 1, 2),), columns=(), reserve=2)
    assert deal_pack(one, pack) == Position((), (b"",) * 4, cards("AS"), reserve=cards("3S 2S"))
    filled = DealStep("up", "reserve", 1, 2)
    cells = replace(one, deal=(filled,), reserve=0, cells=Cells(3, 2), foundations=Foundations(0))
    assert deal_pack(cells, pack) == Position(
        (), (), cards("AS"), cells=(cards("3S"), cards("2S"), b"")
    )
