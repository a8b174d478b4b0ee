import re
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.boardtext import board_text, parse_board, pile_lines
from engine.deals import deal, parse_code
from engine.errors import BoardError
from engine.game import replay
from engine.position import Position
from engine.rules import get_rules
from engine.variants import AUSTRALIAN, BY_RULE, DOUBLE_YUKON, YUKON, Variant
from tests.engine.cases import RULE_LETTERS, wins
from tests.engine.support import positions

pysol_deals: Any = import_module("pysol_cards.deal_game")
pysol_cards: Any = import_module("pysol_cards.cards")
START = deal(parse_code("YU1-C-AAAAAAB"))
LINES = pile_lines(START)
TEXT = board_text(START)


def wrong(text: str, variant: Variant = YUKON) -> list[str]:
    with pytest.raises(BoardError) as caught:
        parse_board(text, variant)
    return [
        f"{'+'.join(map(str, fault.lines))}: {fault.text}" if fault.lines else fault.text
        for fault in caught.value.faults
    ]


def half_played(rule: str) -> Position:
    """A position with cards on the foundations and an empty pile in front."""
    win = wins(rule)[0]
    for length in range(len(win.moves)):
        position = replay(win.rules, win.start, win.moves[:length]).position
        if not position.tableau[0] and any(position.foundations):
            return position
    raise AssertionError("the win never empties its first pile")


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=12)
@given(data=st.data())
def test_a_board_text_reads_back_as_its_position(rule: str, data: st.DataObject) -> None:
    position = data.draw(positions(rule))
    variant = BY_RULE[rule]
    text = board_text(position)
    assert parse_board(text, variant) == position
    assert parse_board(text.lower(), variant) == position
    assert parse_board(text.replace("T", "10").replace("S10ock", "Stock"), variant) == position
    assert parse_board(text.replace("\n", "\r\n"), variant) == position


def test_a_start_is_one_line_a_pile() -> None:
    assert TEXT.split("\n") == [*LINES, ""]
    assert LINES[1].startswith("<")
    assert [line.count("<") for line in LINES] == list(range(7))


def test_labelled_lines_stand_before_the_piles() -> None:
    position = deal(parse_code("YU1-P-AAAAAAB"))
    lines = board_text(position).splitlines()
    assert lines[0].startswith("Waste: ")
    assert lines[1].startswith("Stock: ")
    assert len(lines[1].split()) == 24
    assert len(lines) == 9
    assert board_text(half_played("F")).startswith("Foundations: S-")


def test_empty_piles_are_dashes_empty_lines_or_colons() -> None:
    position = half_played("F")
    text = board_text(position)
    assert "\n-\n" in text
    for empty in ("", " ", ":", ": -"):
        assert parse_board(text.replace("\n-\n", f"\n{empty}\n"), YUKON) == position


@pytest.mark.parametrize("piles", [(5, 6), (0, 6), (0, 1), (3, 0)])
def test_empty_lines_for_piles_keep_their_places(piles: tuple[int, int]) -> None:
    """Two empty piles anywhere, the first one included, their cards on the last full pile."""
    full = [pile.replace("<", "").replace(">", "") for pile in LINES]
    moved = " ".join(full[pile] for pile in piles)
    lines = ["" if pile in piles else full[pile] for pile in range(7)]
    lines[2] += f" {moved}"
    expected = parse_board("\n".join(line or "-" for line in lines), YUKON)
    assert [not pile for pile in expected.tableau] == [pile in piles for pile in range(7)]
    assert parse_board("\n".join(lines), YUKON) == expected
    assert parse_board("\n".join(lines) + "\n", YUKON) == expected


def test_empty_lines_around_a_board_are_passed_over() -> None:
    for text in (f"\n\n{TEXT}", f"{TEXT}\n\n", f"\n{TEXT}\n", f"# mine\n\n{TEXT}"):
        assert parse_board(text, YUKON) == START
    position = half_played("F")
    assert parse_board(f"\n\n{board_text(position)}\n", YUKON) == position


def test_empty_piles_at_the_end_may_be_missing() -> None:
    kings = "Foundations: S-K H-K D-K C-Q\nKC\n"
    for text in (kings, f"\n{kings}", f"\n\n{kings}\n"):
        assert parse_board(text, YUKON).tableau == (bytes((51,)), *[b""] * 6)
    second = kings.replace("\nKC", "\n\nKC")
    assert parse_board(second, YUKON).tableau == (b"", bytes((51,)), *[b""] * 5)


@pytest.mark.parametrize(
    "line", ["S-K H-K D-K C-Q", "S-13 H-13 D-K C-12", "♠-k hk ♦K c12", "C-Q D-K H-K S-K"]
)
def test_foundations_may_be_written_in_many_ways(line: str) -> None:
    position = parse_board(f" foundations : {line}\nKC", YUKON)
    assert [len(pile) for pile in position.foundations] == [13, 13, 13, 12]


@pytest.mark.parametrize("none", ["", " -", " S-0 H- D0 C", " S-0"])
def test_foundations_without_cards(none: str) -> None:
    assert parse_board(f"Foundations:{none}\n{TEXT}", YUKON) == START


@pytest.mark.parametrize(
    ("top", "height"), [("A", 1), ("1", 1), ("2", 2), ("9", 9), ("T", 10), ("10", 10), ("11", 11)]
)
def test_a_foundations_top_is_a_rank_or_a_number(top: str, height: int) -> None:
    faults = wrong(f"Foundations: H-{top}\n{TEXT}")
    lines = {name: n for n, line in enumerate(LINES, 2) for name in re.findall(r"\w\w", line)}
    assert faults == [
        f"1+{lines[rank + 'H']}: {rank}H is there 2 times" for rank in "A23456789TJQK"[:height]
    ]


def test_a_double_pack_names_each_suit_twice() -> None:
    position = half_played("D")
    line = board_text(position).splitlines()[0]
    assert [word[0] for word in line.split()[1:]] == list("SSHHDDCC")
    assert parse_board(board_text(position), DOUBLE_YUKON) == position
    assert wrong(
        f"Foundations: S-0 S-0 S-0\n{board_text(deal(parse_code('YU1-D-AAAAAAB')))}", DOUBLE_YUKON
    ) == ["1: The foundation of S is given too often"]


def test_labels_for_zones_that_are_empty_are_welcome_everywhere() -> None:
    labels = "Freecells: - -\nReserve:\nWaste:\nStock:\n"
    for text in (f"{labels}{TEXT}", f"{TEXT}{labels}"):
        assert parse_board(text, YUKON) == START


def test_everything_that_is_wrong_is_said_at_once() -> None:
    text = "\n".join(
        [
            "Foundations: S-X S-0 S-0 H-2",
            "Freecells: 5H",
            "Waste: <7D>",
            "Reserve: 5C",
            "5X <> 7H",
            *LINES[1:],
            "<AS>",
        ]
    )
    assert wrong(text)[:12] == [
        "1: “S-X” is not of the form S-3 (suit, top rank or 0)",
        "1: The foundation of S is given too often",
        "2: Yukon has no free cells",
        "3: “<7D>” is marked face-down, which it cannot be here",
        "4: Yukon has no reserve",
        "5: “5X” is no card; cards are written like 7H, TS or KD",
        "5: “” is no card; cards are written like 7H, TS or KD",
        "12: Yukon has 7 piles, not 8",
        "3: Yukon has no stock and no waste",
        "10+12: AS is there 2 times",
        "1+11: AH is there 2 times",
        "1+7: 2H is there 2 times",
    ]
    assert wrong(text)[-1] == "12: The top card of pile 8 lies face down"
    with pytest.raises(BoardError) as caught:
        parse_board(text, YUKON)
    said = str(caught.value).split("; ")
    assert "line 2: Yukon has no free cells" in said
    assert "lines 10, 12: AS is there 2 times" in said


def test_the_lines_of_faults_are_those_of_the_text() -> None:
    """Comments, empty lines and Windows line ends count as lines, too many empty piles too."""
    text = f"# mine\r\n\r\nStock:\r\n\r\n{TEXT.replace(chr(10), chr(13) + chr(10))}".replace(
        LINES[3], "5X " + LINES[3]
    )
    assert wrong(text) == ["8: “5X” is no card; cards are written like 7H, TS or KD"]


def test_a_pile_of_unreadable_cards_is_a_pile() -> None:
    text = TEXT.replace("6H", "6Z") + "AS\n"
    assert "8: Yukon has 7 piles, not 8" in wrong(text)
    assert wrong(f"6Z\nFreecells:\n{TEXT}")[:2] == [
        "1: “6Z” is no card; cards are written like 7H, TS or KD",
        "9: Yukon has 7 piles, not 8",
    ]


@pytest.mark.parametrize("number", [1, 24, 31999, 32001, 10**20])
@pytest.mark.parametrize("writes_t", [True, False])
def test_boards_that_pysolfc_s_tool_writes_are_read(number: int, writes_t: bool) -> None:
    game = pysol_deals.Game("yukon", number, 1)
    text = game.calc_deal_string(number, pysol_cards.CardRenderer(writes_t))
    assert ("10" in text) is not writes_t
    assert parse_board(text, YUKON) == deal(parse_code(f"PSF-C-{number}"))


def test_a_talon_is_a_stock_whose_first_card_is_dealt_next() -> None:
    position = deal(parse_code("YU1-P-AAAAAAB"))
    stock = board_text(position).splitlines()[1]
    cards = " ".join(reversed(stock.removeprefix("Stock: ").split()))
    assert (
        parse_board(board_text(position).replace(stock, f"Talon: {cards}"), AUSTRALIAN) == position
    )


def test_a_waste_that_is_given_twice_loses_no_card_unnoticed() -> None:
    text = board_text(deal(parse_code("YU1-P-AAAAAAB")))
    waste = text.splitlines()[0]
    assert wrong(f"{waste}\nWaste:\n{text.partition(chr(10))[2]}", AUSTRALIAN) == [
        f"{waste.split()[1]} is missing"
    ]


def test_a_text_that_is_far_too_long_is_refused_at_once() -> None:
    assert wrong("5H " * 2000) == ["A board has at most 4000 characters"]


@pytest.mark.parametrize("line", ["Foundations: S-\u212a", "Foundations: \u017f-3"])
def test_letters_that_only_look_like_ranks_and_suits_are_refused(line: str) -> None:
    assert wrong(f"{line}\n{TEXT}") == [
        f"1: “{line.split()[1]}” is not of the form S-3 (suit, top rank or 0)"
    ]


PIECES = st.sampled_from(
    [*" \n\r\t:-<>#", *"A2TJQKSHDC10♠♥", "Foundations:", "Waste:", "S-3", "\u212a"]
)


@pytest.mark.parametrize("rule", "CPD")
@settings(max_examples=60)
@given(text=st.text(max_size=80) | st.lists(PIECES, max_size=60).map("".join))
def test_any_text_is_read_or_refused_with_its_faults(rule: str, text: str) -> None:
    assert wrong(text, get_rules(rule).variant)


@settings(max_examples=60)
@given(at=st.integers(0, len(TEXT)), piece=PIECES, cut=st.integers(0, 3))
def test_a_board_with_a_slip_is_read_or_refused(at: int, piece: str, cut: int) -> None:
    text = TEXT[:at] + piece + TEXT[at + cut :]
    try:
        position = parse_board(text, YUKON)
    except BoardError as error:
        faults = [fault.text for fault in error.faults]
    else:
        assert get_rules("C").legal_moves(position)
        return
    assert faults
    assert all(faults)
