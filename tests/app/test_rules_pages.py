"""The rules' pages: every game, every language, the numbers of the rule data, an example."""

import json
import re

import pytest

from app import i18n
from app.config import ROOT
from app.rules_pages.measured import MEASURED, Measured
from app.rules_pages.service import rules_of
from engine.cards import NAMES
from engine.deals import deal, parse_code
from engine.variants import BY_KEY, VARIANTS
from tests.app.html import Html
from tests.app.support import Client

FAMILY = json.loads((ROOT / "tests/data/family.json").read_text(encoding="utf-8"))
KEYS = [variant.key for variant in VARIANTS]
_CARD = re.compile(r"^#card-([A2-9TJQK])([shdc])$")


def _page(client: Client, path: str, language: str = "en") -> Html:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    assert answer.headers["content-language"] == language
    return Html(answer.text)


def _cards(html: Html) -> list[str]:
    found = [_CARD.match(tag.attributes.get("href", "")) for tag in html.all("use")]
    return [card[1] + card[2].upper() for card in found if card]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("key", KEYS)
def test_every_game_in_every_language(client: Client, key: str, language: str) -> None:
    """The facts are those of the family's table, which the rule data has not been made from."""
    html = _page(client, f"/rules/{key}", language)
    game = next(row for row in FAMILY if row.get("rule") == BY_KEY[key].rule)
    counts = [sum(column) for column in game["columns"]]
    hidden = sum(down for down, _up in game["columns"])
    cards = 52 * game["decks"]
    numbers = set(re.findall(r"\d+", html.text))
    assert {str(cards), str(len(counts)), str(sum(counts)), str(cards * 10 + hidden * 5)} <= numbers
    assert {str(count) for count in counts} <= numbers
    turned = f" + {hidden} × 5" if hidden else ""
    assert f"{cards} × 10{turned} = {cards * 10 + hidden * 5}" in html.text
    limit = game["max_group"]
    assert language != "en" or (f"At most {limit} cards" in html.text) == (limit is not None)
    assert len(html.all("li")) > 20
    assert len(html.all("summary")) >= 9
    assert not re.search(r"%\(|\{\w+\}", html.text)


@pytest.mark.parametrize("key", KEYS)
def test_the_example_board_is_the_deal_s_and_hides_what_lies_face_down(
    client: Client, key: str
) -> None:
    rules = rules_of(key)
    position = deal(parse_code(rules.code))
    shown = [NAMES[card] for pile in position.tableau for card in pile if card < 0x40]
    waste = [NAMES[card] for card in position.waste]
    example = [*("4C", "TD"), *(["QC"] if not rules.down else []), *("6H", "KC", "3D", "9S") * 2]
    found = _cards(_page(client, f"/rules/{key}"))
    assert set(shown + waste + example) <= set(found)
    assert len(found) == len(shown) + len(waste) + 7 * 2 + (1 if rules.down else 2)


def test_no_language_says_the_same_as_english(client: Client) -> None:
    english = _page(client, "/rules/yukon").texts
    sentences = {text.strip() for _tag, text in english if re.search(r"(?:[a-z]+ ){4}", text)}
    assert len(sentences) > 50
    for language in i18n.LANGUAGES:
        if language != "en":
            said = {text.strip() for _tag, text in _page(client, "/rules/yukon", language).texts}
            assert not sentences & said, language


def test_the_index_leads_to_every_game(client: Client) -> None:
    html = _page(client, "/rules")
    for key in KEYS:
        assert html.all("a", href=f"/rules/{key}")
    for key in ("/", "/leaderboard"):
        assert _page(client, key).all("a", href="/rules")
    game = client.start("YU1-A-AAAAAAB")
    assert _page(client, f"/games/{game['id']}").all("a", href="/rules/alaska")


def test_an_address_names_its_language(client: Client) -> None:
    html = Html(client.get("/rules/russian?lang=ca", headers={"accept-language": "de"}).text)
    assert html.one("html").attributes["lang"] == "ca"
    here = "http://yukon.test/rules/russian"
    assert html.one("link", rel="canonical", href=f"{here}?lang=ca")
    alternates = {
        tag.attributes["hreflang"]: tag.attributes["href"]
        for tag in html.all("link", rel="alternate")
    }
    languages = {code: f"{here}?lang={code}" for code in i18n.LANGUAGES}
    assert alternates == {"x-default": here} | languages
    assert html.all("a", href="/rules/yukon?lang=ca")
    other = Html(client.get("/rules?lang=xx", headers={"accept-language": "de"}).text)
    assert other.one("html").attributes["lang"] == "de"


def test_what_is_no_game_has_no_rules(client: Client) -> None:
    assert client.get("/rules/whist").status_code == 404


def test_every_game_has_been_measured() -> None:
    assert set(MEASURED) == {variant.rule for variant in VARIANTS}
    assert Measured(10_000, 9_999).share < Measured(10_000, 10_000).share == 1


def test_the_pages_say_what_the_survey_found() -> None:
    survey = (ROOT / "docs" / "winnability.md").read_text()
    rows = re.findall(r"^\| .*\(([A-Z])\) \|((?: [\d,]+ \|){4})", survey, re.MULTILINE)
    assert {rule for rule, _ in rows} == set(MEASURED)
    for rule, figures in rows:
        deals, winnable, lost, unproven = (
            int(each.replace(",", "")) for each in figures.split("|")[:4]
        )
        measured = MEASURED[rule]
        assert (measured.deals, measured.winnable, measured.lost) == (deals, winnable, lost)
        assert unproven == 0


def test_numbers_are_written_as_the_language_writes_them_in_western_digits() -> None:
    try:
        said = {}
        for language in i18n.LANGUAGES:
            i18n.use(language)
            said[language] = (i18n.number(10_000), i18n.percent(0.0687))
        assert said["en"] == ("10,000", "6.9%")
        assert said["de"] == ("10.000", "6,9\xa0%")
        assert all(re.fullmatch(r"[0-9]", c) for c in said["ar"][0] if c.isdigit())
    finally:
        i18n.use("en")
