"""Display names: what may be one, and when two of them are the same to the eye.

Lookalikes and scripts come from Unicode's tables (UTS 39), as the package confusable_homoglyphs
has them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from confusable_homoglyphs import categories, confusables

from app.errors import NameInvalid
from app.i18n import gettext as _

LENGTHS = range(2, 25)
_LONGEST_TYPED = 200
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")
_MARKS_IN_A_ROW = 2
_WORDS = Path(__file__).with_name("refused_names.txt")

_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "HANGUL"},
    {"LATIN", "HAN", "BOPOMOFO"},
)
"""Scripts that are written together; any other name keeps to one (UTS 39, highly restrictive)."""
_ANY_SCRIPT = {"COMMON", "INHERITED", "UNKNOWN"}

_SAME = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
_DIGITS_AS_LETTERS = str.maketrans("0134578@$!", "oleastbasi")


def clean_name(typed: str) -> str:
    """A display name as it is stored: NFKC, single spaces, 2 to 24 characters of one script.

    Raises NameInvalid, which says what is wrong.
    """
    if len(typed) > _LONGEST_TYPED:
        raise NameInvalid(_("A name has 2 to 24 characters"))
    name = " ".join(unicodedata.normalize("NFKC", typed).split())
    kinds = [unicodedata.category(char) for char in name]
    if any(kind in _UNSEEN for kind in kinds):
        raise NameInvalid(_("A name has no control or invisible characters"))
    if len(name) not in LENGTHS:
        raise NameInvalid(_("A name has 2 to 24 characters"))
    if not any(kind[0] in "LN" for kind in kinds):
        raise NameInvalid(_("A name needs a letter or a digit"))
    marks = "".join("m" if kind in ("Mn", "Me") else "." for kind in kinds)
    if marks.startswith("m") or "m" * (_MARKS_IN_A_ROW + 1) in marks:
        raise NameInvalid(_("A name has no heaps of accents"))
    scripts = categories.unique_aliases(name) - _ANY_SCRIPT
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise NameInvalid(_("A name keeps to one script: letters of several can look the same"))
    return name


def folded(name: str) -> str:
    """What two names share that look the same: case, lookalikes and accents' spelling folded."""
    alike = "".join(map(_latin, unicodedata.normalize("NFKC", name)))
    alike = "".join(map(_latin, unicodedata.normalize("NFKC", alike.casefold())))
    return re.sub(r"\s+", "", alike.casefold()).translate(_SAME)


@lru_cache(maxsize=4096)
def _latin(char: str) -> str:
    """The ASCII letter or digit that a character looks like, or the character itself."""
    if char.isascii():
        return char
    for alike in confusables.confusables_data.get(char, ()):
        text = str(alike["c"]).strip("\u200e\u200f")
        if len(text) == 1 and text.isascii() and text.isalnum():
            return text
    return char


class RefusedNames:
    """Names that nobody may have: insults, and what could be taken for the server's own word.

    A list has one entry a line; `#` begins a comment. `word` refuses the word by itself, also
    spelled with digits, dots or spaces between its letters; `*word*` wherever it stands.
    """

    def __init__(self, *lists: Path) -> None:
        entries = {entry for path in (_WORDS, *lists) for entry in _entries(path)}
        self._words = {_spelled(entry) for entry in entries if not entry.startswith("*")}
        self._anywhere = {_spelled(entry) for entry in entries if entry.startswith("*")} - {""}

    def check(self, name: str) -> None:
        """Raises NameInvalid for a name that is refused."""
        whole = _spelled(name)
        parts = {_spelled(part) for part in re.split(r"[\W\d_]+", name)}
        parts |= {_spelled(part) for part in name.split()}
        if self._words & (parts | {whole}) or any(part in whole for part in self._anywhere):
            raise NameInvalid(_("Choose another name, please"))


def _entries(path: Path) -> Iterable[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = line.partition("#")[0].strip()
        if entry:
            yield entry


def _spelled(text: str) -> str:
    """The letters of a text, however they are written: case, accents, lookalikes, digits."""
    bare = unicodedata.normalize("NFD", "".join(map(_latin, text)).casefold())
    bare = "".join(char for char in bare if unicodedata.category(char) != "Mn")
    letters = re.sub(r"[\W_]+", "", bare.translate(_DIGITS_AS_LETTERS))
    return letters.translate(_SAME)
