"""Templates: the Jinja environment, what every page knows, and static files' addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.config import ROOT
from app.days import as_date
from engine.variants import VARIANTS

TABLES = ("auto", "light", "dark")
DECKS = ("two", "four")
_PARTS = 20_000  # of about 2 KB each
_DEFAULTS: dict[str, Any] = {"page": "", "named": None, "name_error": None, "typed": ""}
BACKS = ("aurora", "spruce", "contour")


@dataclass(frozen=True, slots=True)
class Prefs:
    """How a player wants the table to look; from the cookie `prefs`."""

    table: str = "auto"
    deck: str = "two"
    back: str = "aurora"

    @classmethod
    def read(cls, cookie: str | None) -> Prefs:
        """Read the cookie; whatever is not one of the choices is the default."""
        given = {name: values[0] for name, values in parse_qs((cookie or "")[:200]).items()}
        choices = {"table": TABLES, "deck": DECKS, "back": BACKS}
        return cls(**{key: given[key] for key, all_ in choices.items() if given.get(key) in all_})


def clock(milliseconds: int) -> str:
    """A time as players read it: `6:42`, `1:02:03`."""
    seconds = milliseconds // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    if hours:
        return f"{hours}:{minutes:02}:{seconds % 60:02}"
    return f"{minutes}:{seconds % 60:02}"


class Pages:
    """Renders templates."""

    def __init__(
        self, templates: Path = ROOT / "templates", static: Path = ROOT / "static"
    ) -> None:
        self._static = static
        self._hashes: dict[str, str] = {}
        self.environment = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.environment.filters["clock"] = clock
        self.environment.globals |= {
            "_": lambda message: message,
            "ngettext": lambda one, many, count: one if count == 1 else many,
            "static": self.static,
            "part": lru_cache(maxsize=_PARTS)(self._part),
            "clock": clock,
            "variants": VARIANTS,
            "as_day": as_date,
            "day_iso": lambda day: as_date(day).isoformat(),
        }

    def static(self, path: str) -> str:
        """The address of a static file, with its content's hash: it may be cached for ever."""
        if path not in self._hashes:
            digest = hashlib.sha256((self._static / path).read_bytes()).hexdigest()
            self._hashes[path] = digest[:12]
        return f"/static/{path}?v={self._hashes[path]}"

    def _part(self, template: str, pile: Hashable, refused: bool, back: str) -> Markup:
        """A part of a table that many tables share, rendered once and kept.

        `pile` is all that the part shows, beside whether it has just refused a move and the
        cards' back; a move changes two piles of a table, and the others need not be made again.
        """
        context = {"pile": pile, "refused": refused, "kind": back}
        return Markup(self.environment.get_template(template).render(context))

    def render(self, request: Request, template: str, context: dict[str, Any]) -> str:
        """Render a template with what every page knows."""
        return self.environment.get_template(template).render(
            player=getattr(request.state, "player", None),
            prefs=Prefs.read(request.cookies.get("prefs")),
            path=request.url.path,
            **{**_DEFAULTS, **context},
        )
