"""The game's clock: from the first move, and only while the game is in play.

All times are the server's own. A page reports that it is hidden, shown or paused, and ticks
while it shows the table; what it says is believed within bounds. A move made at a table that was
reported hidden or paused is counted as if it had been shown, up to `SILENCE_MS`; a page that has
fallen silent (a closed laptop) is counted for no longer than `SILENCE_MS`. A program that never
reports is counted from move to move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

SILENCE_MS = 75_000
"""How long a page that reports may be silent before its time stops counting; it ticks each 30 s."""

REPORTS = ("hidden", "shown", "paused", "tick")


@dataclass(frozen=True, slots=True)
class Clock:
    """`elapsed_ms` is what has been counted, up to the server's time `counted_to`.

    `counted_to` is None while the clock stands still; then `stopped_at` says since when (None
    before the first move). `watched`: a page has reported on this game; `paused`: the player
    has covered the table.
    """

    elapsed_ms: int = 0
    counted_to: int | None = None
    stopped_at: int | None = None
    watched: bool = False
    paused: bool = False

    @property
    def running(self) -> bool:
        """Whether time counts now."""
        return self.counted_to is not None

    def at(self, now: int) -> int:
        """The time to show at `now`, in ms."""
        return self.elapsed_ms + self._since(self.counted_to, now)

    def _since(self, then: int | None, now: int) -> int:
        if then is None:
            return 0
        gap = max(0, now - then)
        return min(gap, SILENCE_MS) if self.watched else gap

    def moved(self, now: int) -> Clock:
        """After a move, undo or redo at `now`: the clock runs."""
        since = self.counted_to if self.counted_to is not None else self.stopped_at
        return replace(
            self,
            elapsed_ms=self.elapsed_ms + self._since(since, now),
            counted_to=now,
            stopped_at=None,
            paused=False,
        )

    def stopped(self, now: int, *, paused: bool = False) -> Clock:
        """Standing still from `now` on."""
        if self.counted_to is None:
            return replace(self, paused=paused)
        return replace(
            self, elapsed_ms=self.at(now), counted_to=None, stopped_at=now, paused=paused
        )

    def reported(self, report: str, now: int) -> Clock:
        """After a page's report: one of `REPORTS`. Before the first move nothing runs."""
        watched = replace(self._counted(now), watched=True)
        if report in ("hidden", "paused"):
            return watched.stopped(now, paused=report == "paused" or self.paused)
        if report == "tick":
            return watched
        if self.counted_to is None and self.stopped_at is not None:
            return replace(watched, counted_to=now, stopped_at=None, paused=False)
        return replace(watched, paused=False)

    def _counted(self, now: int) -> Clock:
        """The same time, counted up to `now` where the clock runs."""
        return replace(self, elapsed_ms=self.at(now), counted_to=now) if self.running else self
