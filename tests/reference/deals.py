"""Deal codes, the two shuffles, and dealing (the formats, "Deal codes")."""

import hashlib
import random
from collections.abc import Iterator

from tests.reference.cards import RANKS
from tests.reference.rules import RULE_LETTERS, Rules, load_rules
from tests.reference.table import Table, empty_table

BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


class UnreadableCodeError(ValueError):
    """The text is not a deal code in its canonical form."""


def read_code(code: str) -> tuple[str, str, str]:
    """Scheme, rule and body of a canonical code such as `YU1-C-AAAAAAB` or `PSF-F-24`."""
    parts = code.split("-")
    if len(parts) != 3:
        raise UnreadableCodeError(f"{code!r} is not scheme-rule-body")
    scheme, rule, body = parts
    if len(rule) != 1 or rule not in RULE_LETTERS:
        raise UnreadableCodeError(f"no game with the rule {rule!r}")
    if scheme == "YU1":
        good = len(body) in (7, 26) and all(letter in BASE32 for letter in body)
    elif scheme == "PSF":
        digits = body.isascii() and body.isdecimal() and not body.startswith("0")
        good = digits and 1 <= int(body) <= 10**20
    else:
        raise UnreadableCodeError(f"no shuffle is called {scheme!r}")
    if not good:
        raise UnreadableCodeError(f"{body!r} names no shuffle of {scheme}")
    return scheme, rule, body


def deal(code: str) -> Table:
    """The table that a code stands for."""
    scheme, rule, body = read_code(code)
    rules = load_rules(rule)
    return deal_pack(rules, shuffled_pack(scheme, body, rules.decks))


def shuffled_pack(scheme: str, body: str, decks: int) -> list[str]:
    """The shuffled pack; it depends on the body and the number of decks, not on the rule."""
    return yu1_shuffle(body, decks) if scheme == "YU1" else psf_shuffle(int(body), decks)


def deal_pack(rules: Rules, pack: list[str]) -> Table:
    """Deal from the END of the pack by the game's steps; what is left is the stock.

    A step gives one card to each pile from first to last, in that order, `times` times; first
    may be above last (right to left).
    """
    pack = list(pack)
    table = empty_table(rules)
    for step in rules.steps:
        direction = 1 if step.first <= step.last else -1
        for _ in range(step.times):
            for number in range(step.first, step.last + direction, direction):
                card = pack.pop()
                if step.zone == "waste":
                    table.waste.append(card)
                else:
                    table.piles[number - 1].append((card, step.face_up))
    table.stock = pack
    return table


def yu1_shuffle(body: str, decks: int) -> list[str]:
    """Scheme YU1: pack by suits S H D C; i from last down to 1 swaps with a fair j <= i."""
    pack = [rank + suit for _ in range(decks) for suit in "SHDC" for rank in RANKS]
    words = yu1_words(body)
    for i in range(len(pack) - 1, 0, -1):
        n = i + 1
        word = next(words)
        while word >= 2**32 // n * n:
            word = next(words)
        j = word % n
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def yu1_words(body: str) -> Iterator[int]:
    """SHA-256 of `YU1/<body>/<counter>` for 0, 1, 2 ..., each read as 8 big-endian words."""
    counter = 0
    while True:
        digest = hashlib.sha256(f"YU1/{body}/{counter}".encode("ascii")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        counter += 1


def psf_shuffle(number: int, decks: int) -> list[str]:
    """Scheme PSF: what PySolFC deals for this game number."""
    pack = psf_pack(number, decks)
    x = number
    twister = random.Random(number)
    for n in range(len(pack) - 1, 0, -1):
        if number <= 31999:
            x = (214013 * x + 2531011) % 2**33
            bits_16_to_30 = x // 2**16 % 2**15
            j = bits_16_to_30 % (n + 1)
        else:
            j = int(twister.random() * (n + 1))
        pack[n], pack[j] = pack[j], pack[n]
    return pack


def psf_pack(number: int, decks: int) -> list[str]:
    """By suits C S H D; but rank by rank, C D H S, for a small number with exactly one deck."""
    if number <= 31999 and decks == 1:
        return [rank + suit for rank in RANKS for suit in "CDHS"]
    return [rank + suit for _ in range(decks) for suit in "CSHD" for rank in RANKS]
