"""What the commands share: reading their input, and failing in one line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from app.config import Settings
from engine.deals import DealCode, parse_code
from engine.errors import UnreadableError
from engine.variants import BY_KEY, BY_RULE, VARIANTS, Variant

UNREADABLE, WRONG = 2, 1

DatabaseOption = Annotated[
    str, typer.Option(metavar="URL", help="Database URL; default: YUKON_DATABASE_URL")
]


def fail(message: str, code: int = UNREADABLE) -> NoReturn:
    """One line on standard error, and the end."""
    sys.stderr.write(" ".join(message.split()) + "\n")
    raise typer.Exit(code)


def read_code(text: str) -> DealCode:
    """A deal code; `-` reads it from standard input."""
    try:
        return parse_code(sys.stdin.read() if text == "-" else text)
    except UnreadableError as error:
        fail(str(error))


def read_file(path: str) -> str:
    """A file's text; `-` reads standard input."""
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path} cannot be read: {error}")


def variant_named(name: str) -> Variant:
    """The game with this key or rule."""
    variant = BY_KEY.get(name.lower()) or BY_RULE.get(name.upper())
    if variant is None:
        fail(f"“{name}” is no game; these are: {', '.join(v.key for v in VARIANTS)}")
    return variant


def settings_for(database: str) -> Settings:
    """The settings, with the database that an option names."""
    return Settings(database_url=database) if database else Settings()
