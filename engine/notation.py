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
counter, which undone moves have raised too. A game on a board that no code deals has, in place of
`[Deal …]`, the board text with its lines joined by ` / `::

    [Board "6H / <AS> 6D 6C 9S 9H 7D / …"]
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.boardtext import board_text, parse_board
from engine.deals import DealCode, board_code, deal, parse_code
from engine.errors import BoardError, CodeError, RecordError
from engine.game import Game, replay
from engine.rules import get_rules
from engine.variants import VARIANTS, Variant

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_NUMBER = re.compile(r"\d+\.+")
_WIDTH = 100
_LONGEST = 200_000
_RESULTS = ("won", "ended", "playing", "stuck", "*")
_BETWEEN = re.compile(r"[ \t]*/[ \t]*")  # a board's lines in a tag


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

    `code` is None while the deal may not be told (the tag then says `sealed`); `result` is won,
    ended, playing or stuck; the time is written in seconds.
    """
    start = {"Deal": str(code) if code else "sealed"}
    if code and code.is_board:
        start = {"Board": " / ".join(board_text(deal(code)).splitlines())}
    tags = {
        "Game": game.rules.variant.name,
        **start,
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

    Raises RecordError when its form is wrong (no Deal tag, a tag that is none, tags that contradict
    one another, too long, a board with faults) and CodeError when its deal cannot be read. Whether
    the moves replay is `Record.replay`'s word.
    """
    if len(text) > _LONGEST:
        raise RecordError("A game record has at most {most} characters", most=_LONGEST)
    tags: dict[str, str] = {}
    words: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("["):
            match = _TAG.fullmatch(bare)
            if match is None:
                raise RecordError('Line {line} is no tag; tags are written [Deal "…"]', line=number)
            if tags.get(match[1], match[2]) != match[2]:
                raise RecordError("The tag {tag} is there twice, and says two things", tag=match[1])
            tags[match[1]] = match[2]
        else:
            words += [word for word in bare.split() if not _NUMBER.fullmatch(word)]
    if words and words[-1] in _RESULTS:
        words.pop()
    return Record(_start(tags), tuple(_NUMBER.sub("", word) for word in words), tags)


def _start(tags: dict[str, str]) -> DealCode:
    """What a record starts from, as its tags say."""
    game = _game_named(tags["Game"]) if "Game" in tags else None
    if "Board" in tags:
        if "Deal" in tags:
            raise RecordError("A record has a deal or a board, not both")
        if game is None:
            raise RecordError(
                'A record with a board needs a line with its game, such as [Game "Yukon"]'
            )
        try:
            return board_code(game.rule, parse_board(_BETWEEN.sub("\n", tags["Board"]), game))
        except BoardError as error:
            raise RecordError("The record's board: {why}", why=str(error)) from error
    if "Deal" not in tags:
        raise RecordError(
            'The record names no deal; it needs a line such as [Deal "YU1-C-AAAAAAB"]'
        )
    try:
        code = parse_code(tags["Deal"])
    except CodeError as error:
        raise CodeError("The record's deal: {why}", why=str(error)) from error
    if game not in (None, code.variant):
        raise RecordError(
            "The record's game is {game}, but its deal is one of {other}",
            game=tags["Game"][:40],
            other=code.variant.name,
        )
    return code


def _game_named(name: str) -> Variant:
    """The game that a tag names."""
    for variant in VARIANTS:
        if name.casefold() in (variant.name.casefold(), variant.key):
            return variant
    raise RecordError("The record's game, “{game}”, is none of this family", game=name[:40])
