"""Languages: which there are, which one a request gets, and every sentence in it.

Catalogues are gettext's, one `app/locale/{language}/LC_MESSAGES/messages.po` each, read when
first needed; English is what the sources hold. A request's language is the player's choice, else
the browser's wish; an address may name another (`?lang=`). `Gate` sets it before anything is said.
"""

from __future__ import annotations

import io
import re
from contextvars import ContextVar
from datetime import date
from functools import cache, lru_cache
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent
from babel.support import NullTranslations, Translations
from starlette.datastructures import Headers

ENGLISH = "en"
LANGUAGES: dict[str, str] = {
    "en": "English",
    "ca": "Català",
    "it": "Italiano",
    "ar": "العربية",
    "es": "Español",
    "fr": "Français",
    "de": "Deutsch",
}
"""Each language's code and its own name."""

LOCALE_FOLDER = Path(__file__).parent / "locale"
_COOKIE = re.compile(r'(?:^|; ?)prefs="?(?:[^;]*&)?lang=([a-z]{2})(?:[&;"]|$)')
_ASKED = re.compile(r"(?:^|&)lang=([a-z]{2})(?:&|$)")
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


@cache
def _catalogue(language: str) -> NullTranslations:
    path = LOCALE_FOLDER / language / "LC_MESSAGES" / "messages.po"
    if not path.exists():
        return NullTranslations()
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


@lru_cache(maxsize=1024)
def choose(chosen: str, accepted: str) -> str:
    """The language for a player's choice (may be empty) and an Accept-Language header."""
    if chosen in LANGUAGES:
        return chosen
    wishes: list[tuple[float, int, str]] = []
    for place, wish in enumerate(accepted[:200].split(",")):
        tag, _, quality = wish.partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            weight = 0.0
        if weight > 0:
            wishes.append((-weight, place, tag.strip()))
    tags = [tag for _, _, tag in sorted(wishes)]
    return negotiate_locale([*tags, *(tag.split("-")[0] for tag in tags)], LANGUAGES) or ENGLISH


def asked(query: str) -> str:
    """The language that an address asks for by `?lang=`, empty when none."""
    found = _ASKED.search(query)
    return found[1] if found and found[1] in LANGUAGES else ""


def of_request(headers: Headers, query: str = "") -> str:
    """The language of a request: its address's, else its cookie's, else what the browser accepts.

    An address may name a language (`?lang=ca`), so that a page can be linked to in each; what a
    page's scripts load into it speaks the page's.
    """
    around = headers.get("hx-current-url", "").partition("#")[0].partition("?")[2]
    named = asked(query) or asked(around)
    if named:
        return named
    cookie = _COOKIE.search(headers.get("cookie", ""))
    return choose(cookie[1] if cookie else "", headers.get("accept-language", ""))


def use(language: str) -> None:
    """Speak this language (one of LANGUAGES) for the rest of the request."""
    _language.set(language)


def language() -> str:
    """The language that is spoken."""
    return _language.get()


@cache
def direction(language: str) -> str:
    """How a language is written: `ltr` or `rtl`."""
    return str(Locale.parse(language).text_direction)


def gettext(message: str) -> str:
    """An English message in the request's language."""
    spoken = _language.get()
    if spoken == ENGLISH:
        return message
    return str(_catalogue(spoken).gettext(message)) if message else ""


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a message that goes with `count`, in the request's language."""
    spoken = _language.get()
    if spoken == ENGLISH:
        return one if count == 1 else many
    return str(_catalogue(spoken).ngettext(one, many, count))


def number(value: float) -> str:
    """A number as the request's language writes it, in western digits."""
    return str(format_decimal(value, locale=_language.get(), numbering_system="latn"))


def percent(share: float) -> str:
    """A share (0 to 1) in percent as the request's language writes it, to a tenth."""
    return str(
        format_percent(
            round(share, 3),
            locale=_language.get(),
            decimal_quantization=False,
            numbering_system="latn",
        )
    )


def later(message: str) -> str:
    """Marks a message for the catalogues that is translated where it is shown."""
    return message


def long_date(day: date) -> str:
    """A day with its month's name and its year, as the request's language writes it."""
    return str(format_date(day, "long", locale=_language.get()))
