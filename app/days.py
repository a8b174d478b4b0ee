"""UTC days as the numbers yyyymmdd that the tables hold, and times as players read them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta


def as_date(day: int) -> date:
    """The date of a day's number. Raises ValueError for a number that is no day."""
    return date(day // 10_000, day // 100 % 100, day % 100)


def number_of(date_: date) -> int:
    """A date's number."""
    return date_.year * 10_000 + date_.month * 100 + date_.day


def after(day: int, days: int = 1) -> int:
    """The day so many days later (or earlier)."""
    return number_of(as_date(day) + timedelta(days=days))


def end_of(day: int) -> int:
    """When a day is over, in ms since 1970."""
    end = as_date(day) + timedelta(days=1)
    return round(datetime(end.year, end.month, end.day, tzinfo=UTC).timestamp() * 1000)


def month_days(month: int) -> list[int]:
    """The days of a month, yyyymm. Raises ValueError for a number that is no month."""
    days, at = [], date(month // 100, month % 100, 1)
    while at.month == month % 100:
        days.append(number_of(at))
        at += timedelta(days=1)
    return days


def clock(milliseconds: int) -> str:
    """A time as players read it: `6:42`, `1:02:03`."""
    seconds = milliseconds // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    if hours:
        return f"{hours}:{minutes:02}:{seconds % 60:02}"
    return f"{minutes}:{seconds % 60:02}"
