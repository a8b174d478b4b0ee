"""The statistics’ page: figures, plots with their tables, and what can be taken home."""

from __future__ import annotations

import csv
import json

from playwright.sync_api import expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line

CODE = "YU1-F-AAAAACT"


def test_figures_plots_and_exports(browse: Browse, player: Player) -> None:
    line = winning_line(CODE)
    player.start(CODE, line)
    player.start(CODE, line)
    player.write(player.start(CODE, line[:3]), "end")
    context = browse()
    player.enter(context)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="You").first.click()
    expect(page.locator(".big").first).to_contain_text("67 %")
    expect(
        page.get_by_role("img", name="Games finished on each of the last 30 days")
    ).to_be_visible()
    page.get_by_text("As a table").first.click()
    expect(page.locator("details table tbody tr").first).to_contain_text("2")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="CSV").click()
    with downloading.value.path().open(newline="") as file:
        results = [row["result"] for row in csv.DictReader(file)]
    assert results == ["won", "won", "ended"]
    with page.expect_download() as downloading:
        page.get_by_role("link", name="JSON").click()
    found = json.loads(downloading.value.path().read_text())
    assert found["summary"]["played"] == 3
    page.get_by_role("link", name="Alaska").click()
    expect(page.get_by_text("Nothing played here yet")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Replay").first.click()
    expect(page.locator("#table")).to_have_attribute("data-last", "3")
