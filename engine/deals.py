"""Deal codes and the shuffles that they name. The formats are described in docs/formats.md."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from engine.cards import FACE_DOWN
from engine.errors import CodeError
from engine.position import Position, decode, encode
from engine.variants import BY_RULE, Variant

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
OPEN_LETTERS, SEALED_LETTERS = 7, 26
OPEN_DEALS = 32**OPEN_LETTERS
"""How many open deals there are."""
SEALED_DEALS = 32**SEALED_LETTERS
"""How many sealed deals there are: 2^130."""
PSF_LAST = 10**20
BOARD = "BOARD"
"""The scheme of what `board_code` makes."""
_EXAMPLE = "YU1-C-AAAAAAB"
_TYPED = str.maketrans("018", "OIB")
_SEPARATORS = re.compile(r"[\s_\-\u00ad\u200b-\u200f\u2010-\u2015\u2060\u2212\ufeff]+")
"""What people and programs put between letters: spaces, hyphens and dashes, invisible marks."""
_AROUND = re.compile(r"^[\W_]+|[\W_]+$")
_LONGEST_INPUT = 2048


class DealCode(NamedTuple):
    """A deal's name: `scheme` YU1 or PSF, `rule` of the game, `body` naming the shuffle.

    A board that no code deals has one too, of the scheme `BOARD`, whose body is the position
    itself. It keeps such a start where codes are kept: `parse_code` takes none from people.
    """

    scheme: str
    rule: str
    body: str

    def __str__(self) -> str:
        return f"{self.scheme}-{self.rule}-{self.body}"

    @property
    def sealed(self) -> bool:
        """Whether the body is one of the 26-letter bodies, which cannot be found by trying."""
        return self.scheme == "YU1" and len(self.body) == SEALED_LETTERS

    @property
    def is_board(self) -> bool:
        """Whether it stands for a board that no code deals."""
        return self.scheme == BOARD

    @property
    def variant(self) -> Variant:
        """The game that the code deals."""
        return BY_RULE[self.rule]

    def under(self, rule: str) -> DealCode:
        """The same shuffle under another rule."""
        return self._replace(rule=rule)


def open_code(rule: str, number: int) -> DealCode:
    """The code of the open deal `number`, 0 … `OPEN_DEALS` - 1. Raises ValueError outside."""
    if not 0 <= number < OPEN_DEALS:
        raise ValueError(f"open deals are numbered 0 to {OPEN_DEALS - 1}, not {number}")
    return DealCode("YU1", rule, _letters(number, OPEN_LETTERS))


def sealed_code(rule: str, secret: int) -> DealCode:
    """The sealed code of `secret`, a number below 2^130. Raises ValueError outside."""
    if not 0 <= secret < SEALED_DEALS:
        raise ValueError("a sealed deal's number has 130 bits")
    return DealCode("YU1", rule, _letters(secret, SEALED_LETTERS))


def board_code(rule: str, position: Position) -> DealCode:
    """What stands for a position of a game where codes are kept; at most 208 characters."""
    return DealCode(BOARD, rule, base64.b32encode(encode(position)).decode().rstrip("="))


def kept_code(text: str) -> DealCode:
    """The code that `str` wrote, one of a board included. Raises CodeError for other texts."""
    scheme, _, rest = text.partition("-")
    return DealCode(BOARD, *rest.split("-", 1)) if scheme == BOARD else parse_code(text)


def _letters(number: int, length: int) -> str:
    letters = []
    for _ in range(length):
        number, letter = divmod(number, 32)
        letters.append(ALPHABET[letter])
    return "".join(reversed(letters))


def parse_code(text: str) -> DealCode:
    """Read a deal code as people type it.

    Case, spaces and hyphens do not matter, in the letters of a YU1 code 0 1 8 are read as O I B,
    and a link to a deal is taken too. Raises CodeError, whose message says what is wrong and
    shows a right code.
    """
    if len(text) > _LONGEST_INPUT:
        raise CodeError(
            "This is too long for a deal code. A right one: {example}", example=_EXAMPLE
        )
    typed = _from_link(text).strip()
    bare = _SEPARATORS.sub("", _AROUND.sub("", typed)).upper()
    if not bare:
        raise CodeError("There is no deal code here. A right one: {example}", example=_EXAMPLE)
    if bare.startswith("PSF"):
        return _parse_psf(bare[3:])
    if bare.startswith(("YU1", "YUI")):
        return _parse_yu1(bare[3:])
    raise CodeError(
        "A deal code starts with YU1 or PSF, “{typed}” does not. A right one: {example}",
        typed=typed[:40],
        example=_EXAMPLE,
    )


def _from_link(text: str) -> str:
    """The code's part of a link such as `https://host/d/YU1-C-AAAAAAB?x=1`, else the text."""
    if "/" not in text:
        return text
    try:
        path = urlsplit(text.strip()).path
    except ValueError:  # an address with a broken host
        return text
    parts = [unquote(part) for part in path.split("/") if part]
    if "d" in parts[:-1]:
        return parts[parts.index("d") + 1]
    return parts[-1] if parts else text


def _check_rule(rule: str, example: str) -> None:
    if rule not in BY_RULE:
        games = ", ".join(f"{letter} {variant.name}" for letter, variant in BY_RULE.items())
        raise CodeError(
            "“{rule}” names no game; these do: {games}. A right code: {example}",
            rule=rule,
            games=games,
            example=example,
        )


def _parse_yu1(rest: str) -> DealCode:
    rule, body = rest[:1], rest[1:].translate(_TYPED)
    _check_rule(rule or "?", _EXAMPLE)
    if len(body) not in (OPEN_LETTERS, SEALED_LETTERS):
        raise CodeError(
            "After the game's letter a YU1 code has 7 letters (26 when it is sealed), this one "
            "has {count}. A right one: {example}",
            count=len(body),
            example=_EXAMPLE,
        )
    strange = [letter for letter in body if letter not in ALPHABET]
    if strange:
        raise CodeError(
            "“{letter}” is not used in deal codes; they have the letters A to Z and "
            "the digits 2 to 7. A right one: {example}",
            letter=strange[0],
            example=_EXAMPLE,
        )
    return DealCode("YU1", rule, body)


def _parse_psf(rest: str) -> DealCode:
    example = "PSF-F-24"
    rule, digits = rest[:1], rest[1:]
    _check_rule(rule or "?", example)
    if not re.fullmatch(r"[0-9]+", digits):
        raise CodeError(
            "A PSF code ends in a number in digits. A right one: {example}", example=example
        )
    digits = digits.lstrip("0")
    if not digits or len(digits) > 21 or int(digits) > PSF_LAST:
        raise CodeError(
            "PySolFC numbers go from 1 to 10^20. A right code: {example}", example=example
        )
    return DealCode("PSF", rule, digits)


def commitment(code: DealCode) -> str:
    """The SHA-256 commitment of a sealed code, in hexadecimal, shown before the code is."""
    return hashlib.sha256(str(code).encode()).hexdigest()


def _words(body: str) -> Iterator[int]:
    """The 32-bit words of the YU1 shuffle."""
    counter = 0
    while True:
        digest = hashlib.sha256(f"YU1/{body}/{counter}".encode()).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        counter += 1


def _yu1_pack(body: str, decks: int) -> list[int]:
    pack = list(range(52)) * decks
    words = _words(body)
    for last in range(len(pack) - 1, 0, -1):
        count = last + 1
        bound = 2**32 // count * count
        word = next(words)
        while word >= bound:
            word = next(words)
        other = word % count
        pack[last], pack[other] = pack[other], pack[last]
    return pack


_CSHD, _CDHS = (3, 0, 1, 2), (3, 2, 1, 0)
_LCG_LAST = 31999


def _psf_pack(number: int, decks: int) -> list[int]:
    by_number = number <= _LCG_LAST
    if by_number and decks == 1:
        pack = [suit * 13 + rank for rank in range(13) for suit in _CDHS]
    else:
        pack = [suit * 13 + rank for suit in _CSHD for rank in range(13)] * decks
    state = number
    twister = random.Random(number)
    for last in range(len(pack) - 1, 0, -1):
        if by_number:
            state = (214013 * state + 2531011) % 2**33
            other = (state >> 16 & 0x7FFF) % (last + 1)
        else:
            other = int(twister.random() * (last + 1))
        pack[last], pack[other] = pack[other], pack[last]
    return pack


def shuffled_pack(code: DealCode) -> list[int]:
    """The shuffled pack of a deal: cards, dealt from the end of the list."""
    decks = code.variant.decks
    if code.scheme == "YU1":
        return _yu1_pack(code.body, decks)
    return _psf_pack(int(code.body), decks)


def deal_pack(variant: Variant, pack: list[int]) -> Position:
    """Deal a shuffled pack by a game's deal steps, from the end of the list."""
    pack = list(pack)
    zones: dict[str, list[list[int]]] = {
        "tableau": [[] for _ in range(variant.piles)],
        "foundations": [[] for _ in range(variant.foundations.count)],
        "waste": [[]],
        "reserve": [[] for _ in range(max(1, variant.cells.count if variant.cells else 1))],
    }
    for face, zone, first, last, times in variant.deal:
        order = range(first, last + 1) if first <= last else range(first, last - 1, -1)
        flag = FACE_DOWN if face == "down" else 0
        for _ in range(times):
            for pile in order:
                index = 0 if zone == "waste" else pile - 1  # there is one waste
                zones[zone][index].append(pack.pop() | flag)
    cells = tuple(bytes(pile) for pile in zones["reserve"]) if variant.cells else ()
    return Position(
        tableau=tuple(bytes(pile) for pile in zones["tableau"]),
        foundations=tuple(bytes(pile) for pile in zones["foundations"]),
        stock=bytes(pack),
        waste=bytes(zones["waste"][0]),
        cells=cells,
        reserve=b"" if variant.cells else bytes(zones["reserve"][0]),
    )


@lru_cache(maxsize=4096)
def deal(code: DealCode) -> Position:
    """The position that a deal code starts with."""
    if code.is_board:
        return decode(base64.b32decode(code.body + "=" * (-len(code.body) % 8)))
    return deal_pack(code.variant, shuffled_pack(code))
