"""Templates: the Jinja environment, what every page knows, and static files' addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app import i18n
from app.config import ROOT
from app.days import as_date, clock
from app.races import words
from engine.variants import VARIANTS

_PARTS = 20_000  # of about 2 KB each
_DEFAULTS: dict[str, Any] = {"page": "", "named": None, "name_error": None, "typed": ""}


def date_of(at: int) -> str:
    """The day (UTC) of a time in ms since 1970, kept together where a sentence runs leftward."""
    return f"\u2066{datetime.fromtimestamp(at / 1000, UTC).date().isoformat()}\u2069"


class Place(Hashable, Protocol):
    """What a part shows of a place of the table."""

    @property
    def key(self) -> str:
        """The place, as moves write it."""


class Pages:
    """Renders templates."""

    def __init__(
        self, templates: Path = ROOT / "templates", static: Path = ROOT / "static"
    ) -> None:
        self._static = static
        self._hashes: dict[str, str] = {}
        self._kept = lru_cache(maxsize=_PARTS)(self._make_part)
        self.environment = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        # filters, which Jinja calls as they are: a global's call looks at what it is each time
        self.environment.filters |= {"clock": clock, "part": self._part, "parts": self._parts}
        self.environment.globals |= {
            "_": i18n.gettext,
            "ngettext": i18n.ngettext,
            "number": i18n.number,
            "percent": i18n.percent,
            "languages": i18n.LANGUAGES,
            "static": self.static,
            "variants": VARIANTS,
            "as_day": as_date,
            "runner_name": words.name,
            "runner_state": words.state,
            "date_of": date_of,
            "day_text": lambda day: i18n.long_date(as_date(day)),
            "day_iso": lambda day: as_date(day).isoformat(),
        }

    def static(self, path: str) -> str:
        """The address of a static file, with its content's hash: it may be cached for ever."""
        if path not in self._hashes:
            digest = hashlib.sha256((self._static / path).read_bytes()).hexdigest()
            self._hashes[path] = digest[:12]
        return f"/static/{path}?v={self._hashes[path]}"

    def _part(self, pile: Hashable, template: str, refused: bool = False, back: str = "") -> Markup:
        return self._kept(template, pile, refused, back, i18n.language())

    def _parts(
        self, piles: Iterable[Place], template: str, refused: str | None, back: str
    ) -> Markup:
        """A part for each of the places; `refused` is the place that has just refused a move."""
        kept, language = self._kept, i18n.language()
        made = [
            kept(template, pile, refused is not None and refused == pile.key, back, language)
            for pile in piles
        ]
        return Markup("".join(made))  # each is Markup already

    def _make_part(
        self, template: str, pile: Hashable, refused: bool, back: str, _language: str
    ) -> Markup:
        """A part of a table that many tables share, rendered once in each language and kept.

        `pile` is all that the part shows, beside whether it has just refused a move and the
        cards' back; a move changes two piles of a table, and the others need not be made again.
        """
        context = {"pile": pile, "refused": refused, "kind": back}
        return Markup(self.environment.get_template(template).render(context))

    def render(self, request: Request, template: str, context: dict[str, Any]) -> str:
        """Render a template with what every page knows."""
        return self.environment.get_template(template).render(
            player=getattr(request.state, "player", None),
            path=request.url.path,
            lang=i18n.language(),
            dir=i18n.direction(i18n.language()),
            **{**_DEFAULTS, **context},
        )
