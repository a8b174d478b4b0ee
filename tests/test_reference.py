"""The reference engine against the known boards, counts and lines."""

import json
from typing import Any

import pytest

from tests import reference
from tests.reference import DATA, RULE_LETTERS, deal, legal_moves, load_rules, read_board


def read_cases(name: str) -> list[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


BOARDS = read_cases("deals.jsonl")
COUNTS = read_cases("perft.jsonl")
LINES = [case for case in read_cases("verdicts.jsonl") if case["verdict"] == "winnable"]

# Counting is slow here by design: the depth goes down where there are many moves.
DEPTH = {"D": 3}

# Every twelfth line, and all that are special: noted, from a board, or with worrying back.
SAMPLE = [
    case
    for index, case in enumerate(LINES)
    if index % 12 == 0 or "note" in case or "board" in case or " f" in case["solution"]
]


@pytest.mark.parametrize("case", BOARDS, ids=lambda case: case["code"])
def test_a_code_deals_the_known_board(case: dict[str, Any]) -> None:
    table = deal(case["code"])
    assert reference.board_lines(table) == case["board"]
    assert table.waste == case.get("waste", [])
    assert table.stock == case.get("stock", [])


def test_the_rule_does_not_change_the_shuffle() -> None:
    tables = [deal(f"YU1-{rule}-AAAAAAB") for rule in "CRFSA"]
    assert all(table.piles == tables[0].piles for table in tables)


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_a_deal_has_the_columns_and_the_whole_pack(rule: str) -> None:
    table = deal(f"YU1-{rule}-AAAAAAB")
    family = json.loads((DATA / "family.json").read_text(encoding="utf-8"))
    (columns,) = [game["columns"] for game in family if game["rule"] == rule]
    faces = [[face_up for _, face_up in pile] for pile in table.piles]
    assert faces == [[False] * down + [True] * up for down, up in columns]
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
    assert table.all_cards() == sorted(pack * load_rules(rule).decks)


@pytest.mark.parametrize(
    "code",
    [
        "YU1-C-AAAAAA",
        "YU1-C-AAAAAAAA",
        "YU1-C-AAAAAA1",
        "YU1-X-AAAAAAB",
        "YU2-C-AAAAAAB",
        "YU1-CAAAAAAB",
        "PSF-F-0",
        "PSF-F-024",
        "PSF-F-100000000000000000001",
        "PSF-F-",
    ],
)
def test_what_is_not_a_canonical_code_is_refused(code: str) -> None:
    with pytest.raises(reference.UnreadableCodeError):
        deal(code)


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["code"])
def test_the_counts_of_move_sequences(case: dict[str, Any]) -> None:
    table = deal(case["code"])
    for depth in range(1, DEPTH.get(table.rules.letter, 4) + 1):
        assert reference.perft(table, depth) == case[str(depth)]


def test_the_split_counts_add_up() -> None:
    table = deal("YU1-C-AAAAAAB")
    split = reference.split_perft(table, 3)
    assert list(split) == legal_moves(table)
    assert sum(split.values()) == reference.perft(table, 3)


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.get("code", "board"))
def test_a_known_line_wins_with_the_known_score(case: dict[str, Any]) -> None:
    if "board" in case:
        start = read_board(load_rules(case["rule"]), case["board"])
    else:
        start = deal(case["code"])
    outcome = reference.replay(start, case["solution"])
    assert outcome.won
    assert not outcome.stuck
    assert outcome.score == case["score"]
    assert outcome.ranked_score == 625
    assert outcome.table.all_cards() == start.all_cards()


def test_a_line_that_breaks_off_names_its_first_bad_move() -> None:
    start = deal("YU1-C-AAAAAAB")
    with pytest.raises(reference.IllegalMoveError, match="move 2: 't1-f'"):
        reference.replay(start, "t4-t6 t1-f")


def test_an_unordered_group_moves_when_its_base_card_fits() -> None:
    lines = ["<AS> 7H 2C KD", "8S", "", "", "", "", ""]
    for rule, may_move in {"C": True, "R": True, "F": True, "S": False, "A": False}.items():
        table = read_board(load_rules(rule), lines)
        assert ("t1x3-t2" in legal_moves(table)) is may_move


def test_the_uncovered_card_turns_and_counts_once() -> None:
    table = read_board(load_rules("C"), ["<AS> 7H 2C KD", "8S", "", "", "", "", ""])
    outcome = reference.replay(table, "t1x3-t2 t1-f")
    assert outcome.table.piles[0] == []
    assert outcome.score == outcome.ranked_score == 15


def test_alaska_builds_up_and_down_in_suit_and_never_round_the_corner() -> None:
    table = read_board(load_rules("A"), ["7H", "8H", "KS", "AS", "7D", "QS", "2S"])
    assert set(legal_moves(table)) == {
        "t1-t2",
        "t2-t1",
        "t3-t6",
        "t6-t3",
        "t4-f",
        "t4-t7",
        "t7-t4",
    }


def test_only_a_king_starts_a_pile_even_when_it_empties_one() -> None:
    table = read_board(load_rules("F"), ["KH 5C", "QH", "", "QD", "QC", "QS", "KS"])
    kings = {move for move in legal_moves(table) if move.endswith("-t3")}
    assert kings == {"t1x2-t3", "t7-t3"}


def test_a_group_has_at_most_twenty_cards_where_the_game_says_so() -> None:
    long_pile = "2H KS" + " 9C" * 19
    for rule in "CRF":
        table = read_board(load_rules(rule), [long_pile, "", "", "", "", "", ""])
        assert "t1x20-t2" in legal_moves(table)
        table = read_board(load_rules(rule), [long_pile + " 9C", "", "", "", "", "", ""])
        assert ("t1x21-t2" in legal_moves(table)) is (rule == "F")


def test_worrying_back_gives_points_again_but_not_in_the_ranked_score() -> None:
    lines = ["Foundations: S-0 H-2 D-0 C-0", "3S", "4C", "3H", "", "", "", ""]
    outcome = reference.replay(read_board(load_rules("C"), lines), "t3-f fH-t2 t2-f")
    assert (outcome.score, outcome.ranked_score) == (20, 10)
    assert outcome.table.foundations["H"] == ["AH", "2H", "3H"]


@pytest.mark.parametrize("rule", "CRFSAP")
def test_worrying_back_is_a_move_only_where_the_game_has_it(rule: str) -> None:
    lines = ["Foundations: S-0 H-3 D-0 C-0", "4S", "4H", "3D", "2S", "", "", ""]
    moves = [move for move in legal_moves(read_board(load_rules(rule), lines)) if move[0] == "f"]
    expected = {"C": ["fH-t1"], "R": ["fH-t1", "fH-t2"], "P": ["fH-t2"]}
    assert moves == expected.get(rule, [])


def test_a_king_may_come_back_to_an_empty_pile() -> None:
    table = read_board(load_rules("C"), ["Foundations: S-K H-Q D-0 C-0", *["-"] * 7])
    assert legal_moves(table) == [f"fS-t{number}" for number in range(1, 8)]


def test_two_foundations_of_a_suit_are_one_move() -> None:
    table = read_board(load_rules("D"), ["AS", "AS", "2S", *["-"] * 7])
    assert set(legal_moves(table)) == {"t1-f", "t2-f"}
    table = reference.apply(reference.apply(table, "t1-f"), "t2-f")
    assert legal_moves(table) == ["t3-f"]
    table = reference.apply(table, "t3-f")
    assert sorted(map(len, table.foundations.values())) == [0] * 6 + [1, 2]


def test_the_stock_goes_to_the_waste_once_card_by_card() -> None:
    lines = ["Waste: 5H", "Stock: AC KC", "6H", "6S", "5S", "", "9D", "9H", "9C"]
    table = read_board(load_rules("P"), lines)
    assert set(legal_moves(table)) == {"s-w", "w-t1", "t3-t2"}
    table = reference.apply(table, "s-w")
    assert (table.waste, table.stock) == (["5H", "KC"], ["AC"])
    assert set(legal_moves(table)) == {"s-w", "w-t4", "t3-t2"}
    table = reference.apply(table, "s-w")
    assert set(legal_moves(table)) == {"w-f", "t3-t2"}


def test_stuck_is_having_no_move_and_not_having_won() -> None:
    open_board = read_board(load_rules("F"), ["3S", "5S", "7S", "9S", "JS", "KS", "2D"])
    assert legal_moves(open_board) == ["t7-t1"]
    assert not reference.is_stuck(open_board)
    stuck = read_board(load_rules("F"), ["3S", "5S", "7S", "9S", "JS", "KS", "2C"])
    assert reference.is_stuck(stuck)
    kings = "Foundations: S-K H-K D-K C-K"
    won = read_board(load_rules("F"), [kings, *["-"] * 7])
    assert reference.is_won(won)
    assert legal_moves(won) == []
    assert not reference.is_stuck(won)


def test_a_board_text_reads_back_as_the_same_table() -> None:
    table = reference.replay(deal("YU1-P-AAAAAAB"), "s-w s-w").table
    assert read_board(table.rules, reference.board_text(table).splitlines()) == table
    table = reference.replay(deal(LINES[0]["code"]), LINES[0]["solution"].split()[:60]).table
    assert read_board(table.rules, reference.board_text(table).splitlines()) == table


@pytest.mark.parametrize("case", read_cases("patient.jsonl"), ids=lambda case: case["code"])
def test_the_lines_that_took_hours_win(case: dict[str, Any]) -> None:
    """The proof of docs/winnability.md for the deals that its own command leaves open."""
    assert reference.replay(deal(case["code"]), case["solution"]).won
