"""The games' keys, as addresses, forms and programs name them."""

from __future__ import annotations

from app.errors import GameUnknown
from app.i18n import gettext as _
from engine.variants import BY_KEY, Variant

_SHOWN = 40
ALL = "all"


def variant_of(key: str) -> Variant:
    """The game of this key. Raises GameUnknown."""
    if key not in BY_KEY:
        raise _unknown(key, *BY_KEY)
    return BY_KEY[key]


def key_or_all(key: str) -> str:
    """A game's key, or `all`. Raises GameUnknown."""
    if key != ALL and key not in BY_KEY:
        raise _unknown(key, ALL, *BY_KEY)
    return key


def _unknown(key: str, *known: str) -> GameUnknown:
    return GameUnknown(
        _("“%(game)s” is no game; these are: %(games)s")
        % {"game": key[:_SHOWN], "games": ", ".join(known)}
    )
