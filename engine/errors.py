"""Everything that the engine raises.

The tree::

    YukonError
    ├── UnreadableError      text that is not what it should be
    │   ├── CardError            a card's name
    │   ├── MoveError            a move's text
    │   ├── CodeError            a deal code
    │   ├── BoardError           a board text (carries every fault found)
    │   └── RecordError          a game record's form
    ├── IllegalMoveError     a move that the rules refuse (carries the refusal)
    ├── ReplayError          a line of moves with an illegal one (carries its number)
    └── NothingToUndoError   undo or redo without a move to take back or play again
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.faults import Fault
    from engine.refusals import Refusal


class YukonError(Exception):
    """The root of all errors of this package; `str()` is one sentence for people."""


class UnreadableError(YukonError):
    """Text that cannot be read as what it should be.

    `message` is the sentence with `{names}` for its `facts`, so that it can be said in any
    language; without facts it is taken as it is.
    """

    def __init__(self, message: str, **facts: str | int) -> None:
        super().__init__(message.format(**facts) if facts else message)
        self.message = message
        self.facts = facts

    def said(self, say: Callable[[str], str]) -> str:
        """The sentence in the language of `say`, which translates one."""
        return say(self.message).format(**self.facts) if self.facts else say(self.message)


class CardError(UnreadableError):
    """A text that names no card."""


class MoveError(UnreadableError):
    """A text that is no move."""


class CodeError(UnreadableError):
    """A text that is no deal code; the message says what is wrong and shows a right one."""


class BoardError(UnreadableError):
    """A board text with faults; `faults` lists them all."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(map(_with_lines, faults)))
        self.faults = faults


def _with_lines(fault: Fault) -> str:
    if not fault.lines:
        return fault.text
    word = "line" if len(fault.lines) == 1 else "lines"
    return f"{word} {', '.join(map(str, fault.lines))}: {fault.text}"


class RecordError(UnreadableError):
    """A text that is no game record."""


class IllegalMoveError(YukonError):
    """A move that the rules refuse; `refusal` names the rule, the card and the target."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


class ReplayError(YukonError):
    """A line of moves that does not replay.

    `number` is the first bad move's, from 1; `move` its text; `reason` the broken rule or what
    is wrong with the text.
    """

    def __init__(self, number: int, move: str, reason: str) -> None:
        super().__init__(f"move {number} ({move}): {reason}")
        self.number = number
        self.move = move
        self.reason = reason


class NothingToUndoError(YukonError):
    """There is no move to take back, or none to play again."""
