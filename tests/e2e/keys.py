"""A game by keyboard alone, and what is said meanwhile."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.table import Table, parts

_HEAR = """() => {
    const region = document.getElementById('say');
    window.heard = [];
    new MutationObserver(() => heard.push(region.textContent.trim()))
        .observe(region, { childList: true, characterData: true, subtree: true });
}"""
_FOCUS = """() => {
    const at = document.activeElement, home = at.closest('[data-place]');
    if (!home) return null;
    const cards = [...home.querySelectorAll('button.card[data-card]')];
    return [home.dataset.place, at.dataset.card ? cards.length - cards.indexOf(at) : 0];
}"""


class Keyboard(Table):
    """A table under ten fingers."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.keys = page.keyboard

    def listen(self) -> None:
        """Keep what the live region says from now on."""
        self.page.evaluate(_HEAR)

    def heard(self) -> list[str]:
        heard = self.page.evaluate("heard.splice(0)")
        assert isinstance(heard, list)
        return [str(text) for text in heard]

    def name(self, place: str, count: int = 1) -> str:
        """The name of the card that leads a group, as it is typed."""
        name = self.page.evaluate(
            "([place, count]) => tests.lead(place, count)?.dataset.card", [place, count]
        )
        return str(name or "").lower()

    def focus(self) -> tuple[str, int] | None:
        """The place that has the focus, and how many cards lie from there on."""
        found = self.page.evaluate(_FOCUS)
        return (found[0], found[1]) if found else None

    def go(self, place: str, count: int) -> None:
        """By arrows to a card, or to an empty place."""
        for _ in range(60):
            at = self.focus()
            if at == (place, count):
                return
            if at is None or at[0] == place:
                self.keys.press("ArrowDown" if at and at[1] > count else "ArrowUp")
                continue
            ahead = self.page.evaluate(
                "([a, b]) => { const x = (id) => tests.place(id).getBoundingClientRect().left;"
                " return x(b) >= x(a); }",
                [at[0], place],
            )
            self.keys.press("ArrowRight" if ahead else "ArrowLeft")
        raise AssertionError(f"no arrow leads from {at} to {(place, count)}")

    def walk(self, text: str, at: int | None = None) -> None:
        """Play by arrows and Enter, and F to the foundation."""
        if at is not None:
            self.reaches(at)
        source, count, target = parts(text)
        self.go(source, count)
        if target == "f":
            self.keys.press("f")
            return
        self.keys.press("Enter")
        lies = self.page.evaluate(
            "place => tests.place(place).querySelectorAll('button.card[data-card]').length", target
        )
        self.go(target, 1 if lies else 0)
        self.keys.press("Enter")

    def name_cards(self, text: str, at: int | None = None) -> None:
        """Play by typing the two cards: `7h 8s`, `7h f`; to an empty pile by arrows."""
        if at is not None:
            self.reaches(at)
        source, count, target = parts(text)
        onto = self.name(target) if target != "f" else "f"
        self.keys.type(self.name(source, count))
        if onto:
            self.keys.type(f" {onto}")
        else:
            self.go(target, 0)
            self.keys.press("Enter")
