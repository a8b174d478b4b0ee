"""Pages as tests read them: every start tag with its attributes, and the text."""

from html.parser import HTMLParser
from typing import NamedTuple


class Tag(NamedTuple):
    """A start tag; `within` are the names of the tags around it."""

    name: str
    attributes: dict[str, str]
    within: tuple[str, ...]


_VOID = {"meta", "link", "input", "img", "br", "hr"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[Tag] = []
        self.text: list[tuple[str, str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append(Tag(tag, found, tuple(self.open)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append(Tag(tag, found, tuple(self.open)))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text.append((self.open[-1] if self.open else "", data))


class Html:
    """A page or a fragment."""

    def __init__(self, source: str) -> None:
        reader = _Reader()
        reader.feed(source)
        reader.close()
        self.source = source
        self.tags = reader.tags
        self.texts = reader.text

    @property
    def text(self) -> str:
        """All visible text, with single spaces."""
        shown = (text for tag, text in self.texts if tag not in ("script", "style"))
        return " ".join(" ".join(shown).split())

    def all(self, tag_name: str, /, **attributes: str) -> list[Tag]:
        """The tags of this name with these attributes (`_` for `-`)."""
        wanted = {key.replace("_", "-").strip("-"): value for key, value in attributes.items()}
        return [
            tag
            for tag in self.tags
            if tag.name == tag_name and wanted.items() <= tag.attributes.items()
        ]

    def one(self, tag_name: str, /, **attributes: str) -> Tag:
        """The only such tag."""
        (tag,) = self.all(tag_name, **attributes)
        return tag

    @property
    def table(self) -> dict[str, str]:
        """The attributes of the table of a game."""
        return self.one("section", id="table").attributes
