"""Game records: plain text, tags first, then the moves.

::

    [Game "Yukon"]
    [Deal "YU1-C-AAAAAAB"]
    [Result "won"]
    [Score "625"]
    [Moves "131"]
    [Undos "4"]
    [Time "412.6"]

    1. t4x3-t3 2. t4-t6 …

Undone moves are not listed; move numbers are for the reader's eye. `[Moves …]` is the game's
counter, which undone moves have raised too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.deals import DealCode, deal, parse_code
from engine.errors import CodeError, RecordError
from engine.game import Game, replay
from engine.rules import get_rules

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_NUMBER = re.compile(r"\d+\.+")
_WIDTH = 100
_LONGEST = 200_000
_RESULTS = ("won", "ended", "playing", "stuck", "*")


@dataclass(frozen=True, slots=True)
class Record:
    """A game record: the deal, the moves' texts, and the other tags as they stand."""

    code: DealCode
    moves: tuple[str, ...]
    tags: dict[str, str] = field(default_factory=dict)

    def replay(self) -> Game:
        """Play the record. Raises ReplayError with the first bad move's number and its rule."""
        return replay(get_rules(self.code.rule), deal(self.code), self.moves)


def record_text(
    game: Game, code: DealCode | None, result: str, elapsed_ms: int, undos: int | None = None
) -> str:
    """The record of a game.

    `code` is None while a sealed deal is being played (the tag then says `sealed`); `result` is
    won, ended, playing or stuck; the time is written in seconds.
    """
    tags = {
        "Game": game.rules.variant.name,
        "Deal": str(code) if code else "sealed",
        "Result": result,
        "Score": str(game.score.points),
        "Moves": str(game.moves),
        "Undos": str(game.undos if undos is None else undos),
        "Time": f"{elapsed_ms / 1000:.1f}",
    }
    lines = [f'[{tag} "{value}"]' for tag, value in tags.items()]
    return "\n".join([*lines, "", *_wrapped(game)]) + "\n"


def _wrapped(game: Game) -> list[str]:
    lines, line = [], ""
    for number, move in enumerate(game.line, 1):
        word = f"{number}. {move}" if number % 5 == 1 else str(move)
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return [*lines, line] if line else lines


def parse_record(text: str) -> Record:
    """Read a game record.

    Raises RecordError when its form is wrong (no Deal tag, a tag that is none, too long) and
    CodeError when its deal cannot be read. Whether the moves replay is `Record.replay`'s word.
    """
    if len(text) > _LONGEST:
        raise RecordError(f"A game record has at most {_LONGEST} characters")
    tags: dict[str, str] = {}
    words: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("["):
            match = _TAG.fullmatch(bare)
            if match is None:
                raise RecordError(f'Line {number} is no tag; tags are written [Deal "…"]')
            tags[match[1]] = match[2]
        else:
            words += [word for word in bare.split() if not _NUMBER.fullmatch(word)]
    if "Deal" not in tags:
        raise RecordError(
            'The record names no deal; it needs a line such as [Deal "YU1-C-AAAAAAB"]'
        )
    if words and words[-1] in _RESULTS:
        words.pop()
    try:
        code = parse_code(tags["Deal"])
    except CodeError as error:
        raise CodeError("The record's deal: {why}", why=str(error)) from error
    return Record(code, tuple(_NUMBER.sub("", word) for word in words), tags)
