import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    KING,
    NAMES,
    SPADES,
    card_name,
    card_words,
    is_red,
    names,
    parse_card,
    rank_of,
    suit_of,
)
from engine.errors import CardError


def test_the_cards_are_numbered_by_suit_then_rank() -> None:
    assert [suit_of(card) for card in range(52)] == [
        suit for suit in (SPADES, HEARTS, DIAMONDS, CLUBS) for _ in range(13)
    ]
    assert [rank_of(card) for card in range(52)] == list(range(ACE, KING + 1)) * 4
    assert list(NAMES) == [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def test_hearts_and_diamonds_are_red() -> None:
    assert {NAMES[card][1] for card in range(52) if is_red(card)} == {"H", "D"}
    assert {NAMES[card][1] for card in range(52) if not is_red(card)} == {"S", "C"}


@pytest.mark.parametrize("card", range(52))
def test_a_name_reads_back_as_its_card_however_it_is_typed(card: int) -> None:
    name = card_name(card)
    rank, suit = name[0], name[1]
    sign = dict(zip("SHDC", "♠♥♦♣", strict=True))[suit]
    typed = [
        name,
        name.lower(),
        f" {name}\n",
        rank + sign,
        f"{rank}{sign}\ufe0e",
        rank + f"{sign}\ufe0f",
    ]
    if rank == "T":
        typed += ["10" + suit, "10" + suit.lower(), "10" + sign]
    assert {parse_card(text) for text in typed} == {card}


@pytest.mark.parametrize(
    "text", ["", "H", "7", "7X", "1H", "11H", "0H", "77H", "H7", "10", "7 H", "<7H>"]
)
def test_what_names_no_card_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert str(caught.value) == f"“{text}” is no card; cards are written like 7H, TS or KD"


@given(st.text(max_size=6) | st.text("A23456789TJQKSHDC10♠♥♦♣ <>\ufe0f", max_size=5))
def test_reading_a_card_raises_nothing_else(text: str) -> None:
    try:
        card = parse_card(text)
    except CardError as error:
        said = str(error)
    else:
        assert 0 <= card < 52
        return
    assert "is no card" in said


def test_cards_have_words_and_lists_have_names() -> None:
    assert card_words(parse_card("AS")) == "ace of spades"
    assert card_words(parse_card("TH")) == "ten of hearts"
    assert card_words(parse_card("QD")) == "queen of diamonds"
    assert card_words(parse_card("2C")) == "two of clubs"
    assert len({card_words(card) for card in range(52)}) == 52
    assert names(b"\x00\x16\x33") == ["AS", "TH", "KC"]
