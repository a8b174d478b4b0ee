"""What the commands share: reading their input, and failing in one line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from engine.deals import DealCode, parse_code
from engine.errors import UnreadableError
from engine.variants import BY_KEY, BY_RULE, VARIANTS, Variant

if TYPE_CHECKING:
    from app.config import Settings
    from app.db import Database

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
        return parse_code(read_file(text) if text == "-" else text)
    except UnreadableError as error:
        fail(str(error))


def read_file(path: str) -> str:
    """A file's text; `-` reads standard input."""
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{'Standard input' if path == '-' else path} cannot be read: {error}")


def variant_named(name: str) -> Variant:
    """The game with this key or rule."""
    variant = BY_KEY.get(name.lower()) or BY_RULE.get(name.upper())
    if variant is None:
        fail(f"“{name}” is no game; these are: {', '.join(v.key for v in VARIANTS)}")
    return variant


def open_database(url: str) -> tuple[Settings, Database]:
    """The settings with this database URL, and the database brought up to date."""
    from alembic.util import CommandError
    from pydantic import ValidationError
    from sqlalchemy.exc import SQLAlchemyError

    from app.config import Settings
    from app.db import Database

    try:
        settings = Settings(database_url=url) if url else Settings()
    except ValidationError as error:
        fault = error.errors()[0]
        fail(f"YUKON_{'_'.join(map(str, fault['loc'])).upper()} cannot be used: {fault['msg']}")
    try:
        database = Database(settings)
        database.migrate()
    except (SQLAlchemyError, CommandError, OSError, ValueError) as error:
        fail(f"The database cannot be used: {error}")
    return settings, database
