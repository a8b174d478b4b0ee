"""Reports 20: suits can't be told apart, and a four-colour deck hides which are red."""

from __future__ import annotations

import base64
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.server import Server
from tests.e2e.table import Table

SHOW = """suit => {
    const card = document.querySelector('.board [data-place="t1"] button.card[data-card]');
    card.querySelector('use').setAttribute('href', `#card-7${suit}`);
}"""
PIXELS = """async png => {
    const sent = await fetch(`data:image/png;base64,${png}`);
    const image = await createImageBitmap(await sent.blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    return [...pen.getImageData(0, 0, image.width, image.height).data];
}"""
Pixel = tuple[int, int, int]
RED, BLACK = "hd", "sc"


def seen(table: Table, reader: Page, suit: str) -> list[Pixel]:
    """A seven as it is drawn, pixel by pixel, without the card's edge."""
    table.page.evaluate(SHOW, suit)
    face = table.page.locator('.board [data-place="t1"] button.card[data-card] .face').first
    box: Any = face.bounding_box()
    x, y, width, height = (float(box[side]) for side in ("x", "y", "width", "height"))
    png = base64.b64encode(
        table.page.screenshot(
            clip={
                "x": x + width * 0.06,
                "y": y + height * 0.04,
                "width": width * 0.88,
                "height": height * 0.92,
            }
        )
    ).decode()
    data = reader.evaluate(PIXELS, png)
    return list(zip(data[::4], data[1::4], data[2::4], strict=True))


def grey(pixel: Pixel) -> float:
    return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]


def ink(pixels: list[Pixel]) -> Pixel:
    """The colour of what is drawn on the card: the median of its dark pixels."""
    dark = sorted((pixel for pixel in pixels if grey(pixel) < 128), key=grey)
    return dark[len(dark) // 2]


@pytest.mark.parametrize("deck", ["two", "four"])
@pytest.mark.parametrize("night", [False, True])
def test_suits_are_told_apart_without_colour_and_red_stays_red(
    browse: Browse, server: Server, player: Player, deck: str, night: bool
) -> None:
    """On a small phone: any two sevens are unlike in grey, and ink is red where it should be."""
    context = browse(
        viewport={"width": 320, "height": 568}, color_scheme="dark" if night else "light"
    )
    game = player.start("YU1-C-AAAAAAB")
    player.enter(context)
    context.add_cookies([{"name": "prefs", "value": f"deck={deck}", "url": server.url}])
    table = Table.open(context, game)
    reader = context.new_page()
    shown = {suit: seen(table, reader, suit) for suit in "shdc"}
    for one, other in combinations("shdc", 2):
        pairs = zip(shown[one], shown[other], strict=True)
        unlike = sum(abs(grey(a) - grey(b)) > 64 for a, b in pairs) / len(shown[one])
        assert unlike > 0.02, (one, other, unlike)
    inks = {suit: ink(pixels) for suit, pixels in shown.items()}
    for suit in RED:
        red, green, blue = inks[suit]
        assert red > 2 * max(green, blue), inks
    for suit in BLACK:
        red, green, blue = inks[suit]
        assert red < 60, inks
    assert min(grey(inks[suit]) for suit in RED) > max(grey(inks[suit]) for suit in BLACK) + 15
    assert len(set(inks.values())) == (4 if deck == "four" else 2)
