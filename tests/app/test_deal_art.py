"""A deal's picture and QR code, and what makes the site installable."""

import json

import pytest

from app.deals.art import _laid, picture
from engine.cards import FACE_DOWN
from engine.deals import deal, parse_code
from engine.variants import VARIANTS
from engine.view import board_view
from tests.app.html import Html
from tests.app.support import START, Client


@pytest.mark.parametrize("rule", [variant.rule for variant in VARIANTS])
def test_a_picture_shows_this_very_deal_and_nothing_that_lies_face_down(rule: str) -> None:
    start = deal(parse_code(f"YU1-{rule}-AAAAAAB"))
    cards, width = _laid(board_view(start))
    piles = [[card for card in cards if card.x == x] for x in sorted({card.x for card in cards})]
    shown = [[card.symbol for card in pile] for pile in piles]
    expected = [
        [
            "back-aurora"
            if card & FACE_DOWN
            else "card-" + "A23456789TJQK"[card % 13] + "shdc"[card // 13]
            for card in pile
        ]
        for pile in start.tableau
    ]
    assert shown[-len(expected) :] == expected
    assert all(0 <= card.x <= 1200 - width and 0 <= card.y <= 630 - width * 1.4 for card in cards)


def test_a_deals_page_names_its_picture_and_its_code(client: Client) -> None:
    page = Html(client.get(f"/d/{START}").text)
    image = page.one("meta", property="og:image").attributes["content"]
    assert image.endswith(f"/pictures/{START}.png")
    answer = client.get(image[image.index("/pictures") :])
    assert answer.headers["content-type"] == "image/png"
    assert answer.content == picture(START)
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(answer.content[16:20], "big") == 1200
    assert int.from_bytes(answer.content[20:24], "big") == 630
    assert page.all("details", **{"class": "fold qr"})
    refused_page = client.get("/pictures/nonsense.png")
    assert refused_page.status_code == 422


def test_the_site_can_be_installed(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = json.loads(answer.text)
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert client.get(icon["src"]).status_code == 200
    worker = client.get("/sw.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    offline = Html(client.get("/offline").text)
    assert "Nothing is lost" in offline.text
