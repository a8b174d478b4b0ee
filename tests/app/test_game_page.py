"""A game for people: its page, its forms, and the fragments that htmx swaps."""

import pytest

from app.db import Database
from app.games.service import GameService
from tests.app.html import Html
from tests.app.support import (
    ALSO_LEGAL,
    ILLEGAL,
    LEGAL,
    THIRD_LEGAL,
    Client,
    Clock,
    Json,
    count,
    refused_page,
    rows,
    short_win,
    unchanged,
    win_game,
)


def _form(game: Json, **fields: str) -> Json:
    return {"version": str(game["version"]), **fields}


@pytest.fixture
def game(client: Client) -> Json:
    return client.start()


@pytest.fixture
def page(game: Json) -> str:
    return f"/games/{game['id']}"


def test_a_game_s_page_shows_the_table(client: Client, game: Json, page: str) -> None:
    answer = client.get(page)
    assert answer.headers["cache-control"] == "private, no-cache"
    html = Html(answer.text)
    assert html.table["data-legal"].split() == game["legal_moves"]
    assert html.table["data-status"] == "playing"
    assert len(html.all("ol")) == 7
    shown = [
        tag.attributes["data-card"] for tag in html.all("button") if "data-card" in tag.attributes
    ]
    assert shown == [card for pile in game["tableau"] for card in pile if card != "??"]
    assert html.one("form", id="move-form").attributes["action"] == f"{page}/moves"


def test_htmx_gets_the_table_alone(client: Client, page: str) -> None:
    fragment = Html(client.get(page, headers={"hx-request": "true"}).text)
    assert not fragment.all("html")
    assert fragment.tags[0].attributes["id"] == "table"


def test_a_move_by_htmx_and_by_a_form(client: Client, game: Json, page: str) -> None:
    answer = client.htmx(f"{page}/moves", _form(game, move=LEGAL))
    assert answer.status_code == 200
    table = Html(answer.text).table
    assert (table["data-version"], table["data-last"]) == ("1", LEGAL)
    assert table["data-announce"] == "four of spades to pile 6"
    answer = client.post(f"{page}/moves", {"move": THIRD_LEGAL, "version": "1"})
    assert (answer.status_code, answer.headers["location"]) == (303, page)
    assert client.see(game)["version"] == 2


def test_every_kind_of_write_is_announced_once(client: Client, page: str) -> None:
    said = []
    for number, (what, fields) in enumerate(
        [("moves", {"move": ALSO_LEGAL}), ("undo", {}), ("redo", {})]
    ):
        form = {"version": str(number), **fields}
        said.append(Html(client.htmx(f"{page}/{what}", form).text).table["data-announce"])
        again = Html(client.htmx(f"{page}/{what}", form).text).table
        assert (again["data-announce"], again["data-version"]) == ("", str(number + 1))
    assert said == ["ace of clubs and 2 more to pile 3", "Move taken back", "Move played again"]


def test_turned_and_raised_and_dealt_cards_are_announced(client: Client) -> None:
    code, win = short_win()
    game = client.start(str(code))
    said = []
    for number, move in enumerate(win.moves):
        form = {"version": str(number), "move": str(move)}
        answer = client.htmx(f"/games/{game['id']}/moves", form)
        said.append(Html(answer.text).table["data-announce"])
    assert sum("turned in pile" in text for text in said) == 21
    assert sum("to its foundation" in text for text in said) == 52
    assert said[-1].endswith("to its foundation; the game is won")
    assert [text for text in said if "is won" in text] == said[-1:]
    australian = client.start("YU1-P-AAAAAAB")
    answer = client.htmx(f"/games/{australian['id']}/moves", _form(australian, move="s-w"))
    assert Html(answer.text).table["data-announce"].endswith(" dealt to the waste")


@pytest.mark.parametrize("htmx", [True, False])
def test_a_refusal_shows_the_table_and_the_rule(
    client: Client, database: Database, game: Json, page: str, htmx: bool
) -> None:
    post = client.htmx if htmx else client.post
    with unchanged(database):
        for what, fields, says in (
            ("moves", {"move": ILLEGAL}, "six of hearts"),
            ("moves", {"move": "nonsense"}, "is no move"),
            ("undo", {}, "no move to take back"),
            ("redo", {}, "no undone move"),
        ):
            html = Html(refused_page(post(f"{page}/{what}", _form(game, **fields)), 422))
            assert says in html.text
            assert bool(html.all("html")) != htmx
            assert html.table["data-version"] == "0"
            assert says in html.table["data-announce"]
            assert html.table["data-legal"].split() == game["legal_moves"]


def test_an_older_version_is_healed(
    client: Client, database: Database, game: Json, page: str
) -> None:
    current = client.move(game, LEGAL)
    with unchanged(database):
        for what, fields in (("moves", {"move": THIRD_LEGAL}), ("undo", {}), ("redo", {})):
            answer = client.htmx(f"{page}/{what}", _form(game, **fields))
            html = Html(refused_page(answer, 409, "The table had moved on"))
            assert html.table["data-version"] == "1"
            assert html.table["data-legal"].split() == current["legal_moves"]


def test_a_group_is_picked_without_scripts(client: Client, game: Json, page: str) -> None:
    html = Html(client.get(f"{page}?pick=t4x3").text)
    assert html.table["data-selected"] == "t4x3"
    assert len(html.all("button", aria_pressed="true")) == 3
    (target,) = {tag.attributes["value"] for tag in html.all("button", name="move")}
    assert target == ALSO_LEGAL
    nowhere = Html(client.get(f"{page}?pick=t1").text)
    assert not nowhere.all("button", name="move")
    assert "can go nowhere" in nowhere.table["data-announce"]
    assert client.get(f"{page}?pick=nonsense").status_code == 200
    assert client.get(f"{page}?pick=123456789").status_code == 422
    assert client.see(game)["version"] == 0


def test_an_ace_is_played_up_without_scripts(client: Client, game: Json, page: str) -> None:
    client.move(game, "t4x3-t3")
    played = client.moves(client.see(game), "t3x2-t4")
    assert "t3-f" in played["legal_moves"]
    html = Html(client.get(f"{page}?pick=t3").text)
    assert [tag.attributes["value"] for tag in html.all("button", name="move")] == ["t3-f"]
    client.htmx(f"{page}/moves", _form(played, move="t3-f"))
    assert client.see(game)["foundations"][3] == ["AC"]


def test_undo_and_redo_by_forms(client: Client, game: Json, page: str) -> None:
    client.move(game, LEGAL)
    for what, version in (("undo", "1"), ("redo", "2")):
        answer = client.post(f"{page}/{what}", {"version": version})
        assert (answer.status_code, answer.headers["location"]) == (303, page)
    assert client.see(game)["version"] == 3


def test_giving_up_by_a_form(client: Client, game: Json, page: str, database: Database) -> None:
    client.move(game, LEGAL)
    for _ in range(3):
        answer = client.post(f"{page}/end")
        assert (answer.status_code, answer.headers["location"]) == (303, page)
    html = Html(client.get(page).text)
    assert html.table["data-status"] == "ended"
    assert "over" in html.text
    assert count(database, "results") == 1
    refusal = client.htmx(f"{page}/moves", {"move": THIRD_LEGAL, "version": "2"})
    assert "This game is over" in refused_page(refusal, 422)


def test_a_won_game_cannot_be_given_up(client: Client, service: GameService) -> None:
    stored = win_game(service)
    client.http.cookies["player"] = service.start(None, "yukon", "", "").token
    assert client.post(f"/games/{stored.id}/end").status_code == 403


def test_restart_asks_and_deals_again(client: Client, game: Json, page: str) -> None:
    client.move(game, LEGAL)
    question = Html(client.get(f"{page}/restart").text)
    assert question.one("form", method="post", action=f"{page}/restart")
    assert client.see(game)["status"] == "playing"
    answer = client.post(f"{page}/restart")
    assert answer.status_code == 303
    html = Html(client.get(answer.headers["location"]).text)
    assert html.table["data-version"] == "0"
    assert html.table["data-legal"].split() == game["legal_moves"]
    assert client.htmx(f"{page}/restart").headers["hx-redirect"].startswith("/games/")


def test_a_win_shows_the_figures_of_the_record(
    client: Client, service: GameService, database: Database, clock: Clock
) -> None:
    code, win = short_win()
    game = client.start(str(code))
    for number, move in enumerate(win.moves[:-1]):
        clock.pass_by(4)
        service.move(game["id"], client.token, str(move), number)
    clock.pass_by(4)
    form = {"version": str(len(win.moves) - 1), "move": str(win.moves[-1])}
    html = Html(client.htmx(f"/games/{game['id']}/moves", form).text)
    (result,) = rows(database)["results"]
    assert html.table["data-status"] == "won"
    for text in ("625", f"Moves {len(win.moves)}", "Time 5:56", "No. 1 of 1 on this deal"):
        assert text in html.text
    assert (result[7], result[8], result[9]) == (625, len(win.moves), 356_000)
    assert html.one("input", name="name")
    client.post("/players/me", {"name": "Kate"})
    assert not Html(client.get(f"/games/{game['id']}").text).all("input", id="name-in", value="")


def test_somebody_else_s_game_is_shown_without_its_tools(
    client: Client, other: Client, game: Json, page: str
) -> None:
    client.move(game, LEGAL)
    for path in (page, f"{page}?pick=t2x2"):
        html = Html(other.get(path).text)
        assert html.table["data-legal"] == ""
        assert not html.all("button", name="move")
        assert "disabled" in html.one("button", data_do="undo").attributes
    mine = Html(client.get(page).text)
    assert "disabled" not in mine.one("button", data_do="undo").attributes


def test_only_its_player_can_deal_from_a_stock(client: Client, other: Client) -> None:
    game = client.start("YU1-P-AAAAAAB")
    page = f"/games/{game['id']}"
    assert Html(client.get(page).text).one("button", name="move", value="s-w")
    assert not Html(other.get(page).text).all("button", name="move")
    client.end(client.move(game, "s-w"))
    assert not Html(client.get(page).text).all("button", name="move")
