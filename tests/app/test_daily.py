"""Daily deals: how they are chosen, the streak, the calendar, and the board of first tries."""

import re
from random import Random

import pytest

from app import days
from app.daily.choice import Candidate, choose_for_weekday
from app.daily.service import streak_of
from app.db import Database
from app.i18n import LANGUAGES
from app.jobs import proofs
from app.jobs.service import PATIENCE_MS
from engine.deals import commitment, deal, parse_code, sealed_code
from engine.game import replay
from engine.rules import get_rules
from tests.app.daily import DAY_S, TODAY, choose, chosen, lose, play, win, winnable
from tests.app.html import Html
from tests.app.solver import Solving
from tests.app.support import Client, Clock, good, refused, refused_page, rows, unchanged


def _today(client: Client, game: str = "yukon") -> dict[str, object]:
    return good(client.get(f"/api/v1/daily?game={game}"))


def _candidates(count: int) -> list[Candidate]:
    random = Random(count)
    return [
        Candidate(sealed_code("C", n), "t1-f", random.randrange(10**6), random.randrange(1001))
        for n in range(count)
    ]


@pytest.mark.parametrize("count", [1, 2, 5, 13, 30])
def test_deals_get_harder_towards_sunday(count: int) -> None:
    found = _candidates(count)
    marks = [choose_for_weekday(found, weekday).mark for weekday in range(7)]
    assert marks == sorted(marks, reverse=True), "the lower the mark, the harder"
    assert (marks[0], marks[6]) == (max(c.mark for c in found), min(c.mark for c in found))


def test_without_candidates_nothing_is_chosen() -> None:
    with pytest.raises(ValueError, match="no deal"):
        choose_for_weekday([], 3)


def test_a_worker_chooses_today_s_deal_and_then_tomorrow_s(
    client: Client, database: Database, solving: Solving
) -> None:
    assert _today(client)["state"] == "pending"
    refused(client.post("/api/v1/daily", {"game": "yukon"}), 503, "daily-not-ready")
    refused_page(client.post("/daily", {"game": "yukon"}), 503, "being chosen")
    assert "not ready yet" in client.get("/daily").text
    assert solving.work() == 1
    today = _today(client)
    ((day, rule, text),) = chosen(database)
    code = parse_code(text)
    assert (day, rule, code.sealed) == (TODAY, "C", True)
    assert (today["state"], today["day"], today["code"]) == ("ready", TODAY, None)
    assert today["commitment"] == commitment(code)
    with database.read() as connection:
        proof = proofs.deal_proof(connection, text)
    assert proof is not None
    assert replay(get_rules("C"), deal(code), proof.line.split()).is_won
    assert text not in str(rows(database)["jobs"])
    assert solving.work() == 1
    assert [day for day, *_ in chosen(database)] == [TODAY, days.after(TODAY)]
    assert len({code for *_, code in chosen(database)}) == 2
    _today(client)
    assert solving.work() == 0


def test_without_workers_it_says_so(client: Client, clock: Clock) -> None:
    assert _today(client)["state"] == "pending"
    clock.pass_by(PATIENCE_MS / 1000 + 1)
    assert _today(client)["state"] == "nobody"
    html = Html(client.get("/daily").text)
    assert "nobody is there to choose it now" in html.text
    assert not html.all("form", action="/daily")
    assert client.get("/daily/today?game=yukon&looks=3").status_code == 200


def test_the_first_deal_chosen_stays(database: Database) -> None:
    choose(database, sealed_code("C", 1))
    choose(database, sealed_code("C", 2))
    choose(database, sealed_code("S", 2))
    assert [code for *_, code in chosen(database)] == [
        str(sealed_code("C", 1)),
        str(sealed_code("S", 2)),
    ]


def test_playing_again_goes_on_with_the_same_game(client: Client, database: Database) -> None:
    choose(database, winnable("C", 0)[0])
    game = play(client)
    game = client.move(game, game["legal_moves"][0])
    assert play(client)["id"] == game["id"]
    answer = client.post("/daily", {"game": "yukon"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{game['id']}")
    assert client.htmx("/daily", {"game": "yukon"}).headers["hx-redirect"].endswith(game["id"])
    assert _today(client)["game_id"] == game["id"]
    assert "Go on" in client.get("/daily").text
    assert "Go on" in client.get("/").text


@pytest.mark.parametrize("path", ["/daily", "/api/v1/daily"])
def test_an_unknown_game_is_refused(client: Client, database: Database, path: str) -> None:
    with unchanged(database):
        assert client.post(path, {"game": "chess"}).status_code == 422
        assert client.post(path, {"game": "x" * 41}).status_code == 422
        refused(client.get("/api/v1/daily?game=chess"), 422, "game-unknown")


def test_streaks_count_first_tries(
    client: Client, other: Client, database: Database, clock: Clock
) -> None:
    for nth in range(4):
        choose(database, winnable("C", nth)[0], days.after(TODAY, nth))
    win(client, winnable("C", 0)[1])
    assert _today(client)["streak"] == 1
    clock.pass_by(DAY_S)
    assert _today(client)["streak"] == 1  # today is still to be played
    win(client, winnable("C", 1)[1])
    lose(other)
    win(other, winnable("C", 1)[1])
    assert (_today(client)["streak"], _today(client)["first_try"]) == (2, True)
    assert (_today(other)["streak"], _today(other)["first_try"]) == (0, False)
    clock.pass_by(DAY_S)
    lose(client)
    assert (_today(client)["streak"], _today(client)["first_try"]) == (0, False)
    clock.pass_by(DAY_S)
    win(client, winnable("C", 3)[1])
    assert _today(client)["streak"] == 1
    marks = [square.attributes["class"] for square in Html(client.get("/daily").text).all("li")]
    assert [mark.split()[0] for mark in marks[-4:]] == ["won", "won", "lost", "won"]
    assert marks[-1] == "won now"


def test_a_streak_is_of_days_in_a_row() -> None:
    tries = {20261129: True, 20261130: True, 20261201: True, 20261127: True}
    assert streak_of(tries, 20261201) == 3
    assert streak_of(tries, 20261202) == 3
    assert streak_of(tries, 20261203) == 0
    assert streak_of({**tries, 20261202: False}, 20261202) == 0
    assert streak_of({**tries, 20261130: False}, 20261201) == 1
    assert streak_of({}, 20261201) == 0
    assert streak_of({20261231: True, 20270101: True}, 20270101) == 2


def test_a_first_try_finished_after_midnight_is_none_of_the_day(
    client: Client, database: Database, clock: Clock
) -> None:
    code, line = winnable("C", 0)
    choose(database, code)
    game = client.move(play(client), line[0])
    clock.pass_by(DAY_S)
    game = client.moves(game, " ".join(line[1:]))
    assert game["status"] == "won"
    page = Html(client.get(f"/daily?day={_iso(TODAY)}").text)
    assert "Nobody has finished this deal yet" in page.text
    assert page.one("a", aria_label="December 1, 2026: won later")


def _iso(day: int) -> str:
    return days.as_date(day).isoformat()


def _board(client: Client, query: str = "") -> list[tuple[str, str]]:
    """The rows of the board on the daily page: name and moves."""
    html = Html(client.get(f"/daily{query}").text)
    source = html.source.partition('id="board"')[2]
    found = Html(source)
    rows_ = found.source.split("<tr ")[1:]
    return [(Html("<tr " + row).text, row) for row in rows_ if 'class="n"' in row]


def test_the_board_of_the_day_has_first_tries(
    client: Client, other: Client, clients: object, database: Database, clock: Clock
) -> None:
    code, line = winnable("C", 0)
    choose(database, code)
    lose(client)
    win(client, line, clock)
    game = client.undo(client.move(play(client), line[0]))
    client.end(game)
    win(other, line, clock)
    texts = [text for text, _ in _board(client)]
    assert len(texts) == 2
    assert f"{len(line)} " in texts[0]
    assert "Clean" in texts[0]
    assert "You" in texts[1]
    assert "Not finished" in texts[1]
    assert "You" in _board(other)[0][0]
    assert len(_board(client, "?clean=1")) == 2
    assert len(_board(client, "?sort=time")) == 1
    third = getattr(clients, "new", None)
    assert third is not None
    cheat = third()
    open_game = cheat.start(str(code))  # of somebody who has been told the code
    cheat.moves(open_game, " ".join(line))
    assert len(_board(client)) == 2


def test_an_undo_is_a_class_of_its_own(client: Client, database: Database) -> None:
    code, line = winnable("C", 0)
    choose(database, code)
    game = client.redo(client.undo(client.move(play(client), line[0])))
    client.moves(game, " ".join(line[1:]))
    ((text, _),) = _board(client)
    assert "With undo" in text
    assert "Clean" not in text
    assert _board(client, "?clean=1") == []


def test_past_days_are_played_as_open_deals(
    client: Client, database: Database, clock: Clock
) -> None:
    code, line = winnable("C", 0)
    choose(database, code)
    clock.pass_by(DAY_S)
    page = Html(client.get(f"/daily?day={_iso(TODAY)}").text)
    assert page.one("input", name="code", value=str(code))
    assert page.one("a", aria_label="December 1, 2026: not played")
    game = client.moves(client.start(str(code)), " ".join(line))
    assert (game["status"], game["code"]) == ("won", str(code))
    assert _today(client)["streak"] == 0
    assert Html(client.get("/daily").text).one("a", aria_label="December 1, 2026: won later")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_day_of_the_calendar_is_called_holds_the_number_that_is_seen(
    client: Client, database: Database, language: str
) -> None:
    month = [day for day in days.month_days(TODAY // 100) if day <= TODAY]
    for number, day in enumerate(month):
        choose(database, sealed_code("C", number), day)
    page = client.get(f"/daily?lang={language}").text
    links = re.findall(r'<a class="\w+(?: shown)?"[^>]*aria-label="([^"]*)"[^>]*>(\d+)</a>', page)
    assert [int(seen) for _, seen in links] == [day % 100 for day in month]
    assert [name for name, seen in links if seen not in re.findall(r"\d+", name)] == []


@pytest.mark.parametrize(
    "query",
    [
        *("?month=2026-13", "?month=x", "?month=9999-12", "?month=2026-12-01", "?month=0001-01"),
        *("?day=2026-02-30", "?day=9999-12-31", "?day=x", "?game=chess", "?sort=x&clean=2"),
        "?month=2026-11&day=2026-11-30",
    ],
)
def test_the_page_bears_any_address(client: Client, query: str) -> None:
    assert client.get(f"/daily{query}").status_code == 200


def test_the_page_refuses_what_is_no_cursor(client: Client, database: Database) -> None:
    choose(database, sealed_code("C", 1))
    refused_page(client.get("/daily?after=x"), 422)


def test_days() -> None:
    assert days.after(20261231) == 20270101
    assert days.after(20240301, -1) == 20240229
    assert len(days.month_days(202402)) == 29
    assert days.end_of(20261130) % (DAY_S * 1000) == 0
    for bad in (20260230, 20261301):
        with pytest.raises(ValueError, match=r"day|month"):
            days.as_date(bad)
