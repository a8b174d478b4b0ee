"""Fingers on a phone: touches as the screen reports them, through the DevTools protocol."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.e2e.table import Table, parts

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "screen": {"width": 360, "height": 640},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


class Finger:
    """One finger on a page."""

    def __init__(self, page: Page) -> None:
        self._screen = page.context.new_cdp_session(page)

    def _send(self, what: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": 1} for x, y in points]
        self._screen.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": touches})

    def press(self, x: float, y: float) -> None:
        self._send("touchStart", (x, y))

    def move(self, x: float, y: float) -> None:
        self._send("touchMove", (x, y))

    def lift(self) -> None:
        self._send("touchEnd")

    def tap(self, x: float, y: float) -> None:
        self.press(x, y)
        self.lift()

    def slide(self, start: tuple[float, float], end: tuple[float, float], steps: int = 3) -> None:
        """From one point to another in a straight line."""
        self.press(*start)
        for step in range(1, steps + 1):
            part = step / steps
            self.move(*(a + (b - a) * part for a, b in zip(start, end, strict=True)))
        self.lift()


class Phone(Table):
    """A table under a finger."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.finger = Finger(page)

    def drag_by_finger(self, text: str, at: int | None = None, *, steps: int = 3) -> None:
        """Carry a group with the finger on its lead card."""
        spot, ground = self.grasp(text, at)
        x, y = spot["x"], spot["y"]
        end = (x + ground["left"] - spot["left"], y + ground["top"] - spot["top"] + 3)
        self.finger.slide((x, y), end, steps)

    def tap(self, text: str, at: int | None = None) -> None:
        """Play by taps: a top card goes up by one; else pick and put."""
        spot, ground = self.grasp(text, at)
        source, _, target = parts(text)
        self._apart(source)
        self.finger.tap(spot["x"], spot["y"])
        if target not in ("f", "w"):
            self.finger.tap(ground["x"], ground["y"])
            self._tapped = target
