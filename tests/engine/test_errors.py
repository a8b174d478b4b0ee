import inspect

import pytest

from engine import errors
from engine.errors import BoardError, IllegalMoveError, ReplayError, YukonError
from engine.faults import Fault
from engine.moves import parse_move
from engine.refusals import game_over

GAME: dict[str, str | int] = {"game": "Yukon", "piles": 7, "count": 9}


def test_every_error_stands_under_one_root_and_in_the_tree_that_is_drawn() -> None:
    found = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    assert all(issubclass(kind, YukonError) for kind in found)
    drawn = {word for word in (errors.__doc__ or "").split() if word.endswith("Error")}
    assert drawn == {kind.__name__ for kind in found}


@pytest.mark.parametrize(
    "kind", ["CardError", "MoveError", "CodeError", "BoardError", "RecordError"]
)
def test_text_that_cannot_be_read_is_one_kind(kind: str) -> None:
    assert issubclass(getattr(errors, kind), errors.UnreadableError)


def test_errors_carry_their_facts() -> None:
    faults = [Fault("missing", {"card": "5H"}), Fault("piles", GAME, ("t8", "t9"), (8, 9))]
    board = BoardError(faults)
    assert board.faults == faults
    assert str(board) == "5H is missing; lines 8, 9: Yukon has 7 piles, not 9"
    words = {"Yukon": "Юкон", "{game} has {piles} piles, not {count}": "{count}, {piles}: {game}"}
    assert faults[1].said(lambda text: words[text]) == "9, 7: Юкон"
    refusal = game_over(parse_move("t1-f"))
    illegal = IllegalMoveError(refusal)
    assert (illegal.refusal, str(illegal)) == (refusal, "The game is over")
    replayed = ReplayError(3, "t1-f", "why")
    assert (replayed.number, replayed.move, replayed.reason) == (3, "t1-f", "why")
    assert str(replayed) == "move 3 (t1-f): why"
