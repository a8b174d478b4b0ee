"""The messages that stand as data, for Babel: the engine's phrases and the games' names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from engine.faults import FAULTS
from engine.refusals import phrases
from engine.variants import VARIANTS

_Found = tuple[int, str, str, list[str]]


def extract(
    _file: IO[bytes], _keywords: object, _comment_tags: object, **_options: object
) -> Iterator[_Found]:
    """Babel's extraction method: line, function, message, comments."""
    for phrase in dict.fromkeys(phrases()):
        yield 1, "", phrase, ["part of a refusal’s sentence"]
    for text in FAULTS.values():
        yield 1, "", text, ["what is wrong with a board text"]
    for variant in VARIANTS:
        yield 1, "", variant.name, ["a game’s name"]
