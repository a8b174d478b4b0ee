"""How a player wants the table to look and to help: the choices, and where they are kept.

The cookie `prefs` carries them as a query string, so that a page needs no look into the database;
the player's row keeps them too, for the player's next device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from urllib.parse import parse_qsl, urlencode

from app.i18n import LANGUAGES

CHOICES: dict[str, tuple[str, ...]] = {
    "table": ("auto", "light", "dark"),
    "deck": ("two", "four"),
    "back": ("aurora", "spruce", "contour"),
    "index": ("normal", "big"),
    "hand": ("right", "left"),
    "order": ("ltr", "rtl"),
    "double": ("on", "off"),
    "lights": ("on", "off"),
    "reasons": ("on", "off"),
    "anywhere": ("off", "on"),
    "sound": ("off", "on"),
    "score": ("shown", "hidden"),
    "clock": ("shown", "hidden"),
    "lang": ("auto", *LANGUAGES),
}
"""What can be chosen for each setting; the first is the default."""

_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Prefs:
    """A player's settings.

    `hand`: the side of the foundations, and the thumb under which undo lies, in every language.
    `order`: how piles run where the writing runs from right to left. Helps: `double` click plays
    to the best place, `lights` show where a carried group may go, `reasons` say which rule
    refused a move, `anywhere`: a drop anywhere takes the best place.
    """

    table: str = "auto"
    deck: str = "two"
    back: str = "aurora"
    index: str = "normal"
    hand: str = "right"
    order: str = "ltr"
    double: str = "on"
    lights: str = "on"
    reasons: str = "on"
    anywhere: str = "off"
    sound: str = "off"
    score: str = "shown"
    clock: str = "shown"
    lang: str = "auto"

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Prefs:
        """From names and values; whatever is not one of the choices is the default."""
        return cls(**{key: given[key] for key, all_ in CHOICES.items() if given.get(key) in all_})

    @classmethod
    def read(cls, text: str | None) -> Prefs:
        """From a query string, as the cookie and the database hold it."""
        if not text:
            return _DEFAULT
        return cls.of(dict(parse_qsl(text[:_LONGEST])))

    @property
    def text(self) -> str:
        """The settings that are not the default, as a query string."""
        return urlencode({key: value for key, value in self.items() if value != CHOICES[key][0]})

    def items(self) -> list[tuple[str, str]]:
        """Each setting and its value."""
        return list(asdict(self).items())

    def __getitem__(self, key: str) -> str:
        return str(getattr(self, key))


_DEFAULT = Prefs()
assert [field.name for field in fields(Prefs)] == list(CHOICES)
