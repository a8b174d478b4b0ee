"""The picture of a deal that links show: a PNG of 1200 by 630 pixels, of this very deal.

Drawn from the same paths and colours as the page's cards; face-down cards are their backs.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

import resvg_py
import segno
from markupsafe import Markup

from app.config import ROOT
from app.pages import Pages
from engine.deals import deal, parse_code
from engine.view import BoardView, board_view

_WIDTH, _HEIGHT = 1200, 630
_MARGIN, _TOP = 56, 48
_GAP, _RATIO = 0.14, 1.4  # of a card's width
_KEPT = 64  # pictures of about 60 KB
_TOKEN = re.compile(r"--([a-z0-9-]+):\s*([^;]+);")
_USED = re.compile(r"var\(--([a-z0-9-]+)(?:,([^)]*))?\)")


class _Card(NamedTuple):
    symbol: str
    x: float
    y: float


@cache
def _tokens() -> dict[str, str]:
    """The light table's colours."""
    sheet = (ROOT / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    return dict(_TOKEN.findall(sheet[: sheet.index("}")]))


@cache
def _sprite() -> Markup:
    return Markup((ROOT / "templates" / "_sprite.html").read_text(encoding="utf-8"))


def _symbol(name: str | None) -> str:
    return "back-aurora" if name is None else f"card-{name[0]}{name[1].lower()}"


def _laid(view: BoardView) -> tuple[list[_Card], float]:
    """Where each card lies, and a card's width, so that the longest pile fits."""
    stocked = bool(view.stock or view.waste)
    columns = len(view.tableau) + stocked
    width = min(132.0, (_WIDTH - 2 * _MARGIN) / (columns + _GAP * (columns - 1)))
    step = width * (1 + _GAP)
    left = (_WIDTH - columns * step + width * _GAP) / 2
    room = _HEIGHT - _TOP - 40 - width * _RATIO
    cards = []
    if stocked:
        if view.stock:
            cards.append(_Card(_symbol(None), left, _TOP))
        if view.waste:
            cards.append(_Card(_symbol(view.waste[-1]), left, _TOP + width * (_RATIO + _GAP)))
        left += step
    for column, pile in enumerate(view.tableau):
        down = pile.count(None)
        strip = min(width * 0.43, (room - down * width * 0.12) / max(1, len(pile) - down - 1))
        y = float(_TOP)
        for name in pile:
            cards.append(_Card(_symbol(name), round(left + column * step, 1), round(y, 1)))
            y += width * 0.12 if name is None else strip
    return cards, width


@lru_cache(maxsize=_KEPT)
def picture(code: str) -> bytes:
    """The PNG of the deal with this code (as `str(DealCode)` writes it)."""
    cards, width = _laid(board_view(deal(parse_code(code))))
    template = Pages().environment.get_template("picture.svg")
    drawn = template.render(cards=cards, scale=round(width / 100, 4), sprite=_sprite())
    tokens = _tokens()
    drawn = _USED.sub(lambda match: tokens.get(match[1], match[2] or "none"), drawn)
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, skip_system_fonts=True))


@lru_cache(maxsize=_KEPT)
def qr_code(address: str) -> Markup:
    """A QR code of an address, as inline SVG that takes the size of its place."""
    code = segno.make(address, micro=False, error="m")
    return Markup(code.svg_inline(omitsize=True, border=3, dark="#10262a", light="#ffffff"))
