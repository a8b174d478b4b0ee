"""Every message is in every language, no template holds a bare one, and pages speak."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from jinja2 import Environment

from app import i18n
from app.config import ROOT
from engine.refusals import TEXTS, phrases
from tests.app.html import Html
from tests.app.support import Client

OTHERS = [language for language in i18n.LANGUAGES if language != "en"]
_FIELD = re.compile(r"%\(\w+\)s|%s|\{\w+\}")


def _catalogue(path: Path, language: str | None = None) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _messages(catalogue: Catalog) -> dict[tuple[str, ...], Message]:
    return {
        (message.id,) if isinstance(message.id, str) else tuple(message.id): message
        for message in catalogue
        if message.id
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, ...]]:
    """What the sources say today, by the project's own way of extracting it."""
    template = tmp_path_factory.mktemp("messages") / "messages.pot"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n\t", " ")
    extract = re.search(r"^EXTRACT := (.*)$", makefile, re.MULTILINE)
    assert extract is not None
    subprocess.run(
        [
            *(sys.executable, "-m", "babel.messages.frontend", "--quiet", "extract"),
            *(*extract[1].split(), "--output", str(template), "."),
        ],
        cwd=ROOT,
        check=True,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )
    return set(_messages(_catalogue(template)))


def test_the_template_of_the_catalogues_is_up_to_date(found: set[tuple[str, ...]]) -> None:
    assert len(found) > 400
    assert set(_messages(_catalogue(i18n.LOCALE_FOLDER / "messages.pot"))) == found


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_is_missing(found: set[tuple[str, ...]], language: str) -> None:
    path = i18n.LOCALE_FOLDER / language / "LC_MESSAGES" / "messages.po"
    catalogue = _catalogue(path, language)
    messages = _messages(catalogue)
    assert set(messages) == found
    for ids, message in messages.items():
        said = [message.string] if isinstance(message.string, str) else list(message.string or ())
        assert all(said), ids
        assert not message.fuzzy, ids
        if len(ids) == 1:
            assert sorted(_FIELD.findall(said[0])) == sorted(_FIELD.findall(ids[0])), ids
            continue
        assert len(said) == catalogue.num_plurals, ids
        for form in said:  # a form for one or two may leave its number out
            assert set(_FIELD.findall(form)) <= set(_FIELD.findall(ids[1])), ids


_SHOWN = re.compile(r'(?:aria-label|title|alt|placeholder|content)="([^"]*)"')
_TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_CLASSES = re.compile(r"{% block (?:body|main)_class %}.*?{% endblock (?:body|main)_class %}")
_NOT_WORDS = {"B", "Esc", "Enter", "doctype", "html"}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "templates").glob("*.html")), ids=lambda path: path.name
)
def test_no_template_holds_a_bare_message(path: Path) -> None:
    """Letters outside tags and expressions would be shown in English to everybody."""
    pieces, depth = [], 0
    source = _CLASSES.sub("", path.read_text(encoding="utf-8"))
    for _line, kind, text in Environment().lex(source):
        if kind in ("variable_begin", "block_begin"):
            depth += 1
        elif kind in ("variable_end", "block_end"):
            depth -= 1
        elif kind == "data" and not depth:
            pieces.append(text)
    markup = "\x00".join(pieces)
    shown = [text for text in _SHOWN.findall(markup) if re.search(r"\s", text.strip("\x00 "))]
    assert not [text for text in shown if re.search(r"[A-Za-z]{2,} [A-Za-z]", text)], shown
    texts = re.sub(r"&\w+;", "", _TAG.sub("\x00", markup))
    words = {word for word in re.findall(r"[^\W\d_]+", texts) if len(word) > 1}
    assert words <= _NOT_WORDS, words


def test_the_browsers_wish_and_the_players_choice() -> None:
    assert i18n.choose("", "") == "en"
    assert i18n.choose("", "de-CH,de;q=0.9,en;q=0.8") == "de"
    assert i18n.choose("", "pt;q=0.9, ca;q=0.8, en;q=0.1") == "ca"
    assert i18n.choose("", "en;q=0.2, ar;q=0.7") == "ar"
    assert i18n.choose("", "xx, *;q=0.5") == "en"
    assert i18n.choose("", "fr;q=nonsense, it;q=0.3") == "it"
    assert i18n.choose("", "fr;q=0") == "en"
    assert i18n.choose("es", "de") == "es"
    assert i18n.choose("xx", "de") == "de"


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_pages_are_in_the_language_that_the_browser_wants(client: Client, language: str) -> None:
    answer = client.get("/", headers={"accept-language": language})
    root = Html(answer.text).all("html")[0].attributes
    assert root["lang"] == answer.headers["content-language"] == language
    assert root["dir"] == ("rtl" if language == "ar" else "ltr")
    assert "accept-language" in answer.headers["vary"].lower()


def test_a_refusal_is_said_in_the_players_language(client: Client) -> None:
    game = client.start()
    answers = {}
    for language in ("en", "de"):
        client.http.headers["accept-language"] = language
        answers[language] = client.write(game, "moves", move="t1-f").json()
    del client.http.headers["accept-language"]
    assert answers["en"]["code"] == answers["de"]["code"]
    assert answers["en"]["detail"] != answers["de"]["detail"]


def test_every_phrase_of_a_refusal_is_known_to_the_catalogues() -> None:
    assert set(TEXTS.values()) < set(phrases())
