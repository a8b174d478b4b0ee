from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.deals import deal, parse_code
from engine.errors import IllegalMoveError, NothingToUndoError, ReplayError
from engine.game import UNDO_LIMIT, Game, replay, replay_line
from engine.moves import Move, parse_line, parse_move
from engine.position import Position, encode
from engine.rules import get_rules
from engine.scoring import Score
from tests.engine.cases import RULE_LETTERS, wins
from tests.engine.support import board, chosen, games


class Seen(NamedTuple):
    """All of a game that undo has to bring back."""

    position: Position
    bytes: bytes
    score: Score
    moves: list[Move]
    line: tuple[Move, ...]


def seen(game: Game) -> Seen:
    position = game.position
    return Seen(position, encode(position), game.score, game.legal_moves(), game.line)


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=6)
@given(data=st.data(), choices=st.lists(st.integers(0, 9999), min_size=10, max_size=40))
def test_undo_and_redo_restore_what_was_there(
    rule: str, data: st.DataObject, choices: list[int]
) -> None:
    """Any mix of moves, undos and redos beside a list of what was seen."""
    game = data.draw(games(rule))
    before, after = [seen(game)], list[Seen]()
    moves, undos = game.moves, game.undos
    for choice in choices:
        kind = choice % 4
        if kind == 0 and len(before) > 1 and game.can_undo:
            game, undos = game.undo(), undos + 1
            after.append(before.pop())
        elif kind == 1 and after:
            game = game.redo()
            before.append(after.pop())
        elif game.legal_moves():
            game, moves = game.play(chosen(game.legal_moves(), choice)), moves + 1
            before, after = [*before, seen(game)], []
        assert seen(game) == before[-1]
        assert game.can_redo is bool(after)
        assert (game.moves, game.undos) == (moves, undos)


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_the_last_hundred_moves_can_be_undone_and_redone(rule: str) -> None:
    win = max(wins(rule), key=lambda win: len(win.moves))
    line = win.moves[: max(0, len(win.moves) - 1)]
    game = Game.new(win.rules, win.start)
    path = [seen(game)]
    for move in line:
        game = game.play(move)
        path.append(seen(game))
    back = min(UNDO_LIMIT, len(line))
    for step in range(back):
        assert game.can_undo
        game = game.undo()
        assert seen(game) == path[-step - 2]
    assert not game.can_undo
    with pytest.raises(NothingToUndoError, match="There is no move to take back"):
        game.undo()
    for step in range(back):
        assert game.can_redo
        game = game.redo()
        assert seen(game) == path[step - back]
    with pytest.raises(NothingToUndoError, match="There is no undone move to play again"):
        game.redo()
    assert (game.moves, game.undos) == (len(line), back)


def test_the_floor_stays_where_the_longest_line_put_it() -> None:
    assert UNDO_LIMIT == 100
    rules = get_rules("F")
    game = Game.new(rules, board(rules, "KS", "2H"))
    moves = [parse_move("t1-t3"), parse_move("t3-t1")] * 60
    for move in moves:
        game = game.play(move)
    assert (game.floor, len(game.line)) == (20, 120)
    for _ in range(100):
        game = game.undo()
    game = game.play(game.undone[-1])
    assert (game.floor, len(game.line)) == (20, 21)
    assert not game.can_redo
    game = game.undo()
    assert not game.can_undo
    assert (game.moves, game.undos) == (121, 101)
    assert replay(rules, game.start, moves).floor == 20
    assert replay(rules, game.start, moves[:50]).floor == 0


def test_a_move_clears_what_could_be_redone() -> None:
    rules = get_rules("F")
    game = Game.new(rules, board(rules, "KS", "2H")).play(parse_move("t1-t3")).undo()
    assert game.can_redo
    assert not game.play(parse_move("t1-t4")).can_redo


def test_playing_tells_what_the_move_did() -> None:
    rules = get_rules("F")
    after, outcome = Game.new(rules, board(rules, "<5H> AS")).play_out(parse_move("t1-f"))
    assert outcome == rules.outcome(board(rules, "<5H> AS"), parse_move("t1-f"))
    assert after.position == outcome.position


def test_a_refused_move_changes_nothing() -> None:
    rules = get_rules("F")
    game = Game.new(rules, board(rules, "5H", "KS"))
    before = seen(game)
    with pytest.raises(IllegalMoveError):
        game.play(parse_move("t1-f"))
    assert seen(game) == before


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=6)
@given(data=st.data())
def test_replaying_a_game_is_the_game(rule: str, data: st.DataObject) -> None:
    game = data.draw(games(rule))
    again = replay(game.rules, game.start, [str(move) for move in game.line])
    assert seen(again) == seen(game)
    assert again.moves == len(game.line)
    assert replay_line(game.rules, game.start, game.line) == (game.position, game.score)


def test_a_line_that_breaks_off_names_its_first_bad_move_and_why() -> None:
    rules, start = get_rules("C"), deal(parse_code("YU1-C-AAAAAAB"))
    with pytest.raises(ReplayError) as caught:
        replay(rules, start, ["t4-t6", "t1-f", "nonsense"])
    assert (caught.value.number, caught.value.move) == (2, "t1-f")
    assert "The foundation of" in caught.value.reason
    with pytest.raises(ReplayError) as caught:
        replay(rules, start, ["t4-t6", "nonsense"])
    assert str(caught.value).startswith("move 2 (nonsense): “nonsense” is no move")
    with pytest.raises(ReplayError) as caught:
        replay(rules, start, [parse_move("t1-f")])
    assert (caught.value.number, caught.value.move) == (1, "t1-f")
    with pytest.raises(IllegalMoveError):
        replay_line(rules, start, parse_line("t4-t6 t1-f"))


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_after_a_win_no_move_and_no_undo_is_left(rule: str) -> None:
    win = wins(rule)[0]
    game = replay(win.rules, win.start, win.moves)
    assert game.is_won
    assert game.legal_moves() == []
    assert not game.can_undo
    with pytest.raises(NothingToUndoError):
        game.undo()
    with pytest.raises(ReplayError) as caught:
        replay(win.rules, win.start, [*win.moves, "t1-t2"])
    assert (caught.value.number, caught.value.reason) == (len(win.moves) + 1, "The game is over")
    with pytest.raises(ReplayError, match=r"move 1 \(t1-t2\): The game is over"):
        replay(win.rules, game.position, ["t1-t2"])


def test_a_restart_is_a_new_game_of_the_deal() -> None:
    win = wins("C")[0]
    game = replay(win.rules, win.start, win.moves[:50]).undo()
    assert game.restart() == Game.new(win.rules, win.start)
