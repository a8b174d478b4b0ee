"""Endings: the line that finishes a game, and positions from which nothing new comes."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.boardtext import board_text
from engine.finish import finishing_line, only_leads_back
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.view import board_view
from tests import reference
from tests.engine.cases import wins
from tests.engine.support import board, positions
from tests.reference import Table

RULES = "CRFSAPD"
KINGS_UP = "S12 H12 D12 C12"


def _table(rules: Rules, position: Position) -> Table:
    """The position as the reference has it."""
    letter = rules.variant.rule
    lines = board_text(position).splitlines()
    return reference.read_board(reference.load_rules(letter), lines)


def _up_alone_wins(table: Table) -> bool:
    """Whether moves to the foundations alone win, by trying every order."""
    seen, todo = {str(table)}, [table]
    while todo:
        at = todo.pop()
        if reference.is_won(at):
            return True
        for move in reference.legal_moves(at):
            if move.endswith("-f"):
                after = reference.apply(at, move)
                if str(after) not in seen:
                    seen.add(str(after))
                    todo.append(after)
    return False


@pytest.mark.parametrize("rule", RULES)
def test_a_known_win_can_be_finished_from_some_move_on(rule: str) -> None:
    for win in wins(rule)[:3]:
        position, found = win.start, 0
        for move in win.moves:
            line = finishing_line(win.rules, position)
            if line is not None:
                found += 1
                played = reference.replay(_table(win.rules, position), list(map(str, line)))
                assert played.won
                assert all(str(each).endswith("-f") for each in line)
            position = win.rules.apply(position, move)
        assert found
        assert finishing_line(win.rules, position) is None  # won: nothing is left to play


@pytest.mark.parametrize("rule", "CRFSAP")
def test_the_reference_finds_no_more(rule: str) -> None:
    """Towards the end of known wins, with one pack, every order of play is tried."""
    for win in wins(rule)[:3]:
        position = win.start
        for left, move in zip(range(len(win.moves), 0, -1), win.moves, strict=True):
            view = board_view(position)
            hidden = view.stock or any(name is None for pile in view.tableau for name in pile)
            if left <= 12 and not hidden:
                by_trying = _up_alone_wins(_table(win.rules, position))
                assert (finishing_line(win.rules, position) is not None) == by_trying
            position = win.rules.apply(position, move)


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
def test_what_is_offered_wins(rule: str, data: st.DataObject) -> None:
    rules = get_rules(rule)
    position = data.draw(positions(rule))
    line = finishing_line(rules, position)
    if line is not None:
        assert reference.replay(_table(rules, position), list(map(str, line))).won


def test_nothing_is_offered_where_something_is_hidden() -> None:
    rules = get_rules("F")
    assert finishing_line(rules, board(rules, "KS", "KH", "KD", "KC", up=KINGS_UP)) is not None
    hidden = board(rules, "<KS> KH", "KD", "KC", up=KINGS_UP)
    assert finishing_line(rules, hidden) is None
    australian = get_rules("P")
    stocked = board(australian, "KS", "KH", "KD", up=KINGS_UP, stock="KC")
    assert finishing_line(australian, stocked) is None
    dealt = board(australian, "KS", "KH", "KD", up=KINGS_UP, waste="KC")
    line = finishing_line(australian, dealt)
    assert line is not None
    assert str(line[-1]) == "w-f"


def test_the_lowest_card_goes_first() -> None:
    rules = get_rules("P")
    position = board(rules, "KH", "KS QS", up="S11 H12 D13 C11", waste="KC QC")
    line = finishing_line(rules, position)
    assert line is not None
    assert list(map(str, line)) == ["t2-f", "w-f", "t1-f", "t2-f", "w-f"]


@pytest.mark.parametrize("rule", "CRFSAP")
def test_it_is_the_line_that_the_rules_play(rule: str) -> None:
    """Lowest card first, by the rules' own list of moves to the foundations, to the end."""
    for win in wins(rule)[:8]:
        position, found = win.start, 0
        for move in win.moves:
            position = win.rules.apply(position, move)
            line = finishing_line(win.rules, position)
            at = position
            for each in line or ():
                ups = win.rules.foundation_moves(at)
                tops = [
                    (at.tableau[up.source.pile] if up.source.zone == "t" else at.waste)[-1]
                    for up in ups
                ]
                lowest = min(top % 13 for top in tops)
                assert each == next(
                    up for up, top in zip(ups, tops, strict=True) if top % 13 == lowest
                )
                at = win.rules.apply(at, each)
            found += line is not None
        assert found


def test_a_suit_that_is_out_and_one_that_has_not_begun() -> None:
    """The card after a king would be the next suit's ace."""
    rules = get_rules("F")
    position = board(
        rules,
        "KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH",
        "KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD",
        "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C AC",
        up="S13 H0 D0 C0",
    )
    line = finishing_line(rules, position)
    assert line is not None
    assert len(line) == 39


def test_a_card_in_the_way_is_not_passed_over() -> None:
    rules = get_rules("F")
    assert (
        finishing_line(rules, board(rules, "QS KS", "KH", "KD", "KC", up="S11 H12 D12 C12")) is None
    )


# --- only ways back -----------------------------------------------------------------------


def _everything_reached(table: Table) -> Iterator[Table]:
    """Every position that can be reached, by the reference's rules."""
    seen, todo = {str(table)}, [table]
    while todo:
        at = todo.pop()
        yield at
        for move in reference.legal_moves(at):
            after = reference.apply(at, move)
            if str(after) not in seen:
                seen.add(str(after))
                todo.append(after)


def _out(table: Table) -> int:
    return sum(map(len, table.foundations.values()))


def _news(start: Table) -> bool:
    """Whether a card more can come out, be turned or be dealt."""
    return any(
        _out(at) > _out(start)
        or at.face_down_count() < start.face_down_count()
        or len(at.stock) < len(start.stock)
        for at in _everything_reached(start)
    )


NINES = ("9S", "9C", "9D", "9H")  # nothing goes on them, and they go nowhere
BACK = {
    "a queen between two kings": ("F", ("2S KS", "3S KC QH", *NINES, "5H"), "", True),
    "a king between empty piles": ("F", ("KS", *NINES, "5H"), "", True),
    "two kings between empty piles": ("F", ("KS 3D", "KH 7D", *NINES), "", True),
    "a king carried off a card": ("F", ("2S KS", *NINES, "5H"), "", True),
    "a two from the foundation and back": ("C", ("3S", *NINES, "5H", "5D"), "H2", True),
    "up and down in one suit": ("A", ("2S 9D", "KH 8D", "3C 7D", "5H", "5S"), "", True),
    "it turns a card": ("F", ("2S KS", "KC <3S> QH", *NINES, "5H"), "", False),
    "an ace can go up": ("F", ("2S KS", "3S KC QH", *NINES, "5H AS"), "", False),
    "an ace can go up later": ("F", ("2S KS", "3S KC AS QH", *NINES, "5H"), "", False),
    "the stock can be dealt": ("P", ("2S KS", "3S KC", "9S", "5H"), "", False),
}


@pytest.mark.parametrize("name", BACK)
def test_only_ways_back(name: str) -> None:
    rule, piles, up, expected = BACK[name]
    rules = get_rules(rule)
    stock = "7S 4D" if rule == "P" else ""
    position = board(rules, *piles, up=up, stock=stock)
    assert rules.legal_moves(position)
    assert only_leads_back(rules, position) == expected
    assert _news(_table(rules, position)) != expected


def test_a_stuck_position_leads_nowhere() -> None:
    rules = get_rules("F")
    assert not only_leads_back(rules, board(rules, *NINES, "5H", "5D", "5S"))


def test_nothing_is_said_beyond_the_limit() -> None:
    rules = get_rules("F")
    position = board(rules, "KS", *NINES, "5H")
    for limit in (1, 2, 3):
        assert only_leads_back(rules, position, limit) == (limit > 1)


@pytest.mark.parametrize("rule", "CRFSAP")
@given(data=st.data())
def test_what_leads_back_is_never_won(rule: str, data: st.DataObject) -> None:
    """What is said of positions that play reaches, the reference finds too."""
    rules = get_rules(rule)
    position = data.draw(positions(rule))
    if only_leads_back(rules, position, 30):
        assert not _news(_table(rules, position))
