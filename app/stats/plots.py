"""The plots of the statistics' page, as shapes in an SVG's own units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from app.stats.service import Day, Result

DAYS, WINS = 30, 40
HEIGHT = 100
STEP = 20
_BAR = 14


@dataclass(frozen=True, slots=True)
class Bar:
    """A day's bar: won games below, abandoned ones above; `x`, `y` and heights in units."""

    day: str
    label: str
    x: int
    won: int
    abandoned: int
    won_y: float
    won_height: float
    abandoned_y: float
    abandoned_height: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A won game: its moves over its number."""

    x: int
    y: float
    moves: int
    game_id: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot `width` units wide; `top` is the figure at its upper edge, `bottom` at its lower."""

    width: int
    bottom: int
    top: int
    bars: tuple[Bar, ...] = ()
    dots: tuple[Dot, ...] = ()
    line: str = ""


def days_plot(days: Sequence[Day], now: int) -> Plot:
    """The last 30 UTC days."""
    counts = {day.day: day for day in days}
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    dates = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    shown = [counts.get(int(f"{date:%Y%m%d}"), Day(0, 0, 0)) for date in dates]
    top = max(1, *(day.won + day.abandoned for day in shown))
    bars = []
    for at, (date, day) in enumerate(zip(dates, shown, strict=True)):
        won, lost = HEIGHT * day.won / top, HEIGHT * day.abandoned / top
        bars.append(
            Bar(
                f"{date:%Y-%m-%d}",
                f"{date.day}",
                at * STEP + (STEP - _BAR) // 2,
                day.won,
                day.abandoned,
                round(HEIGHT - won, 2),
                round(won, 2),
                round(HEIGHT - won - lost, 2),
                round(lost, 2),
            )
        )
    return Plot(DAYS * STEP, 0, top, bars=tuple(bars))


def moves_plot(results: Sequence[Result]) -> Plot | None:
    """The moves of the last won games; None for fewer than two."""
    wins = [result for result in results if result.won][-WINS:]
    if len(wins) < 2:
        return None
    bottom, top = min(win.moves for win in wins), max(win.moves for win in wins)
    room = max(1, top - bottom)
    dots = tuple(
        Dot(
            at * STEP + STEP // 2,
            round(HEIGHT * (top - win.moves) / room, 2),
            win.moves,
            win.game_id,
        )
        for at, win in enumerate(wins)
    )
    line = " ".join(f"{dot.x},{dot.y}" for dot in dots)
    return Plot(len(wins) * STEP, bottom, top, dots=dots, line=line)
