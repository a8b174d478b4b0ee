"""The catalogue's files, one a game, as they are shipped: docs/formats.md has the format."""

from __future__ import annotations

import hashlib
import lzma
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from engine.deals import deal, open_code
from engine.moves import Move
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.variants import Variant

DIRECTORY: Final = Path(__file__).parent / "data"
_MAGIC: Final = b"YKC1"
_HEAD: Final = struct.Struct("<QHH")  # the deal's number, its mark, the length of its line


class Graded(NamedTuple):
    """A deal of the catalogue: its number among the open deals, its mark, its packed line."""

    number: int
    mark: int
    line: bytes


def pack_line(rules: Rules, start: Position, moves: Iterable[Move]) -> bytes:
    """A line as one byte a move: its place among the legal moves in the engine's order.

    Raises ValueError at a move that is not legal.
    """
    position, packed = start, bytearray()
    for move in moves:
        packed.append(rules.legal_moves(position).index(move))
        position = rules.apply_legal(position, move)
    return bytes(packed)


def unpack_line(rules: Rules, start: Position, packed: bytes) -> list[Move]:
    """The moves of a packed line. Raises ValueError when it leads to a move that is not there."""
    position = start
    moves: list[Move] = []
    for place in packed:
        legal = rules.legal_moves(position)
        if place >= len(legal):
            raise ValueError(f"move {len(moves) + 1} of the line is none of {len(legal)}")
        moves.append(legal[place])
        position = rules.apply_legal(position, legal[place])
    return moves


def wins(rule: str, graded: Graded) -> bool:
    """Whether a deal's line is legal and wins."""
    rules, start = get_rules(rule), deal(open_code(rule, graded.number))
    position = start
    try:
        for move in unpack_line(rules, start, graded.line):
            position = rules.apply(position, move)
    except ValueError:
        return False
    return rules.is_won(position)


def path_of(variant: Variant, directory: Path = DIRECTORY) -> Path:
    """The file of a game."""
    return directory / f"{variant.key}.xz"


def write(path: Path, deals: Iterable[Graded]) -> None:
    """Write a game's file, the deals by their numbers."""
    body = bytearray(_MAGIC)
    for graded in sorted(deals):
        body += _HEAD.pack(graded.number, graded.mark, len(graded.line)) + graded.line
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(bytes(body), preset=9 | lzma.PRESET_EXTREME))


def read(path: Path) -> Iterator[Graded]:
    """The deals of a file. Raises ValueError when it is no such file."""
    try:
        body = lzma.decompress(path.read_bytes())
    except lzma.LZMAError as error:
        raise ValueError(f"{path} is no file of the catalogue: {error}") from error
    if body[: len(_MAGIC)] != _MAGIC:
        raise ValueError(f"{path} is no file of the catalogue")
    at = len(_MAGIC)
    while at < len(body):
        number, mark, length = _HEAD.unpack_from(body, at)
        at += _HEAD.size
        yield Graded(number, mark, body[at : at + length])
        at += length


def digest(path: Path) -> str:
    """What tells one version of a file from another."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
