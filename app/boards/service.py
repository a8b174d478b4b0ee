"""What a pasted text is: a board, a game record, or a deal's code; or everything wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from app.deals.codes import read_code
from app.errors import BoardUnreadable
from app.i18n import gettext as _
from app.keys import variant_of
from engine.boardtext import parse_board
from engine.deals import DealCode, board_code, deal, parse_code
from engine.errors import (
    BoardError,
    CodeError,
    IllegalMoveError,
    MoveError,
    RecordError,
    ReplayError,
)
from engine.faults import Fault
from engine.game import Game
from engine.notation import parse_record
from engine.position import Position
from engine.rules import get_rules
from engine.variants import VARIANTS, Variant

MOST_MOVES = 2_000
"""How many moves a pasted record may have: several times the longest of real games."""
_A_TAG = re.compile(r'^\s*\[\s*\w+\s+"', re.MULTILINE)
_A_CODE = re.compile(r"[^\w]*(yu[1i]|psf)\b|\S*/d/", re.IGNORECASE)
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Pasted:
    """What a text turned out to be.

    `code` is its deal, or stands for its board. `game` is what a record plays, None for others;
    `is_over`: the record is of a game that has ended.
    """

    code: DealCode
    game: Game | None = None
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong with a text; `lines` are where, each with its number and itself."""

    code: str
    text: str
    lines: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is wrong with a text; `others` are games that it is a board of."""

    wrong: tuple[Wrong, ...]
    others: tuple[Variant, ...] = field(default=())


def read(text: str, key: str) -> Pasted:
    """Read what a player has pasted; a board as one of the game `key`.

    A board with a deal's code in a comment is that deal when the code deals it. Raises
    CodeUnreadable for a code, GameUnknown where a board's game is not named, and BoardUnreadable
    (whose `about` is a Report) for everything else.
    """
    if _A_TAG.search(text):
        return _record(text)
    if "\n" not in text.strip() and _A_CODE.match(text.strip()):
        return Pasted(read_code(text))
    variant = variant_of(key)
    try:
        position = parse_board(text, variant)
    except BoardError as error:
        raise _refused(_said(error.faults, text), _others(text, variant)) from error
    if get_rules(variant.rule).is_won(position):
        raise _refused([Wrong("won", _("All cards lie on the foundations already"))])
    return Pasted(_named(text, variant, position) or board_code(variant.rule, position))


def _named(text: str, variant: Variant, position: Position) -> DealCode | None:
    """The deal that a comment names, if it is this very one."""
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            try:
                code = parse_code(line.strip().lstrip("#"))
            except CodeError:
                continue
            if code.rule == variant.rule and deal(code) == position:
                return code
    return None


def _record(text: str) -> Pasted:
    try:
        record = parse_record(text)
    except RecordError as error:
        if isinstance(error.__cause__, BoardError):
            raise _refused(_said(error.__cause__.faults, "")) from error
        raise _refused([Wrong("record", error.said(_))]) from error
    except CodeError as error:
        why = error.__cause__
        told = why.said(_) if isinstance(why, CodeError) else str(error)
        raise _refused([Wrong("code", told)]) from error
    if len(record.moves) > MOST_MOVES:
        most = _("A record that is pasted has at most %(most)s moves") % {"most": MOST_MOVES}
        raise _refused([Wrong("too-long", most)])
    try:
        game = record.replay()
    except ReplayError as error:
        raise _refused([_bad_move(error)]) from error
    return Pasted(record.code, game, record.tags.get("Result") in ("won", "ended") or game.is_won)


def _bad_move(error: ReplayError) -> Wrong:
    why = error.__cause__
    if isinstance(why, IllegalMoveError):
        reason = why.refusal.said(_)
    else:
        reason = why.said(_) if isinstance(why, MoveError) else error.reason
    said = _("Move %(number)s (%(move)s): %(why)s")
    facts = {"number": error.number, "move": error.move[:_SHOWN], "why": reason}
    return Wrong("move", said % facts)


def _said(faults: Iterable[Fault], text: str) -> Iterator[Wrong]:
    """The faults in the request's language; cards that are missing are told together."""
    lines, missing = text.split("\n"), []
    for fault in faults:
        if fault.code == "missing":
            missing.append(str(fault.facts["card"]))
            continue
        shown = tuple((n, lines[n - 1].strip()[:_SHOWN]) for n in fault.lines if n <= len(lines))
        yield Wrong(fault.code, fault.said(_), shown)
    if len(missing) == 1:
        yield Wrong("missing", Fault("missing", {"card": missing[0]}).said(_))
    elif missing:
        cards = ", ".join(missing)
        yield Wrong("missing", _("These cards are missing: %(cards)s") % {"cards": cards})


def _others(text: str, variant: Variant) -> Iterator[Variant]:
    for other in VARIANTS:
        if other is not variant:
            try:
                parse_board(text, other)
            except BoardError:
                continue
            yield other


def _refused(wrong: Iterable[Wrong], others: Iterable[Variant] = ()) -> BoardUnreadable:
    report = Report(tuple(wrong), tuple(others))
    faults: list[dict[str, Any]] = [
        {"code": each.code, "lines": [number for number, _line in each.lines], "detail": each.text}
        for each in report.wrong
    ]
    detail = "; ".join(each.text for each in report.wrong)
    return BoardUnreadable(detail, faults=faults).on(report)
