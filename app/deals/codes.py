"""Codes in addresses."""

from __future__ import annotations

from app.errors import CodeUnreadable
from app.i18n import gettext as _
from engine.deals import DealCode, parse_code
from engine.errors import CodeError


def read_code(text: str) -> DealCode:
    """The deal code that a request names. Raises CodeUnreadable."""
    try:
        return parse_code(text)
    except CodeError as error:
        raise CodeUnreadable(error.said(_), typed=text[:200]) from error
