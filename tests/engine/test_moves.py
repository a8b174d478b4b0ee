import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import MoveError
from engine.moves import (
    OWN_FOUNDATION,
    WHOLE_TABLEAU,
    Move,
    Place,
    move_text,
    parse_line,
    parse_move,
)

READ = {
    "t4x3-t2": Move(Place("t", 3), 3, Place("t", 1)),
    "t4-f": Move(Place("t", 3), 1, OWN_FOUNDATION),
    "t10x104-t12": Move(Place("t", 9), 104, Place("t", 11)),
    "fS-t2": Move(Place("f", 0), 1, Place("t", 1)),
    "fS2-t2": Move(Place("f", 1), 1, Place("t", 1)),
    "fC2-t10": Move(Place("f", 7), 1, Place("t", 9)),
    "s-w": Move(Place("s"), 1, Place("w")),
    "s-t": Move(Place("s"), 1, WHOLE_TABLEAU),
    "s-t1": Move(Place("s"), 1, Place("t", 0)),
    "w-t3": Move(Place("w"), 1, Place("t", 2)),
    "w-f": Move(Place("w"), 1, OWN_FOUNDATION),
    "c1-t3": Move(Place("c", 0), 1, Place("t", 2)),
    "t3-c2": Move(Place("t", 2), 1, Place("c", 1)),
    "r-t3": Move(Place("r"), 1, Place("t", 2)),
    "r-f": Move(Place("r"), 1, OWN_FOUNDATION),
}


@pytest.mark.parametrize(("text", "move"), READ.items())
def test_a_move_reads_and_writes(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert str(move) == move_text(move) == text


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("T4X3-T2", "t4x3-t2"),
        (" t4-f\n", "t4-f"),
        ("FS2-t1", "fS2-t1"),
        ("fs-T1", "fS-t1"),
        ("t4x1-f", "t4-f"),
    ],
)
def test_case_spaces_around_and_a_count_of_one_do_not_matter(typed: str, written: str) -> None:
    assert str(parse_move(typed)) == written


NO_MOVES = [
    "",
    "t4",
    "t4-",
    "-t4",
    "t0-f",
    "t1-t0",
    "t4x0-t2",
    "t4x-t2",
    "t4 -f",
    "t4--f",
    "t4–f",
    "x",
]
NO_MOVES += [
    "t100-f",
    "t4x1000-t2",
    "f-t1",
    "fX-t1",
    "fS3-t1",
    "t4-fS",
    "t4-s",
    "t4-r",
    "t4-t",
    "w-t",
    "fS-t",
]
NO_MOVES += ["sx2-t", "c0-t1", "t4-f t4-f", "t٤-f", "t1٣-f", "fſ-t1", "t4-fx", "1-2"]


@pytest.mark.parametrize("text", NO_MOVES)
def test_what_is_no_move_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(MoveError) as caught:
        parse_move(text)
    assert str(caught.value) == f"“{text}” is no move; moves are written like t4-f or t4x3-t2"


def test_a_long_text_is_cut_in_the_message() -> None:
    with pytest.raises(MoveError) as caught:
        parse_move("y" * 500)
    assert str(caught.value).startswith(f"“{'y' * 40}” is no move")


def test_a_line_is_moves_between_white_space() -> None:
    assert parse_line(" t4-f\n\tt4x3-t2 ") == [READ["t4-f"], READ["t4x3-t2"]]
    assert parse_line("") == []
    with pytest.raises(MoveError, match="“t0-f” is no move"):
        parse_line("t4-f t0-f x")


PLACES = [Place("t", pile) for pile in range(99)] + [Place("f", pile) for pile in range(8)]
PLACES += [Place("c", pile) for pile in range(99)] + [Place("s"), Place("w"), Place("r")]
TARGETS = [place for place in PLACES if place.zone in "tcw"] + [OWN_FOUNDATION]


@given(st.sampled_from(PLACES), st.integers(1, 999), st.sampled_from(TARGETS))
def test_every_move_reads_back_as_itself(source: Place, size: int, target: Place) -> None:
    move = Move(source, size, target)
    assert parse_move(str(move)) == move


@given(st.text(max_size=12) | st.text("tfswrcxSHDC2130-9 ", max_size=10))
def test_any_text_is_a_move_with_one_meaning_or_is_refused(text: str) -> None:
    try:
        move = parse_move(text)
    except MoveError:
        return
    assert str(move).lower() == text.strip().lower().replace("x1-", "-")
    assert parse_move(str(move)) == move
