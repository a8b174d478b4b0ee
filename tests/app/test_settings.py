"""Settings: chosen by a form, kept in the cookie and by the server, shown by every page."""

import pytest
from sqlalchemy import select

from app.db import Database
from app.models import players
from app.prefs import CHOICES, Prefs
from tests.app.html import Html
from tests.app.support import Client


def _kept(database: Database) -> list[str | None]:
    with database.read() as connection:
        return list(connection.scalars(select(players.c.prefs)))


def test_a_form_without_scripts_is_kept_and_goes_back(client: Client, database: Database) -> None:
    answer = client.post(
        "/settings",
        {"deck": "four", "hand": "left", "sound": ["off", "on"], "next": "/leaderboard"},
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/leaderboard")
    assert _kept(database) == ["deck=four&hand=left&sound=on"]
    root = Html(client.get("/").text).one("html").attributes
    assert (root["data-deck"], root["data-hand"], root["data-sound"]) == ("four", "left", "on")
    shown = Html(client.get("/settings").text)
    checked = [tag.attributes["value"] for tag in shown.all("input") if "checked" in tag.attributes]
    assert {"four", "left", "on"} <= set(checked)


def test_a_script_gets_no_page(client: Client) -> None:
    first = client.htmx("/settings", {"lang": "de"})
    assert (first.status_code, first.text) == (204, "")
    assert Html(client.get("/").text).one("html").attributes["lang"] == "de"


def test_the_order_of_the_piles_is_a_choice_of_arabic(client: Client) -> None:
    for order in ("ltr", "rtl"):
        client.post("/settings", {"lang": "ar", "order": order})
        root = Html(client.get("/").text).one("html").attributes
        assert (root["dir"], root["data-order"]) == ("rtl", order)


@pytest.mark.parametrize("bad", ["x", "", "on" * 300, "<b>"])
def test_what_is_no_choice_is_the_default(client: Client, database: Database, bad: str) -> None:
    client.post("/settings", {**dict.fromkeys(CHOICES, bad), "next": "//evil.example"})
    assert _kept(database) == [""]
    root = Html(client.get("/").text).one("html").attributes
    assert (root["data-deck"], root["data-double"]) == ("two", "on")


def test_settings_are_read_as_they_were_written() -> None:
    for key, values in CHOICES.items():
        for value in values:
            prefs = Prefs.of({key: value})
            assert Prefs.read(prefs.text) == prefs
            assert prefs[key] == value
    assert Prefs().text == ""
    assert len(Prefs.of({key: values[-1] for key, values in CHOICES.items()}).text) < 400
