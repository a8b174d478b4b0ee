"""Par: found after a proof, lowered by players and longer searches, never raised."""

import pytest

from app.db import Database
from app.games.service import GameService
from app.jobs import proofs, tasks, worker
from app.jobs.proofs import DealProof
from app.jobs.service import SOON, JobService
from engine.deals import parse_code
from engine.moves import parse_line
from tests import reference
from tests.app.html import Html
from tests.app.solver import Solving
from tests.app.support import MORNING, START, Client, Clock, good, play, rows, short_win, win_game


def _known(database: Database, code: str) -> DealProof:
    with database.read() as connection:
        proof = proofs.deal_proof(connection, code)
    assert proof is not None
    return proof


def _store(database: Database, code: str, par: int, bound: int | None = None) -> None:
    """A deal that a solver's line of so many moves has been stored for."""
    with database.write() as connection:
        proof = DealProof(code, "winnable", " ".join(["t1-f"] * par), par, bound, "solver")
        proofs.keep_deal(connection, proof, parse_code(code).rule, MORNING)


@pytest.mark.parametrize("code", [START, "YU1-F-AAAAAAB", "YU1-S-AAAAAAB", "YU1-A-AAAAAAF"])
def test_a_winnable_deal_gets_a_shorter_line(
    client: Client,
    solving: Solving,
    database: Database,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    code: str,
) -> None:
    monkeypatch.setattr(worker, "_now", clock)
    client.get(f"/d/{code}")
    assert solving.worker.work_once()
    first = _known(database, code)
    assert (first.verdict, first.made_by, first.bound) == ("winnable", "solver", None)
    waiting = Html(client.get(f"/proofs/{code}?looks=2").text)
    assert waiting.one("div", id="known").attributes["hx-get"].endswith("looks=3")
    assert f"Par {first.par}" in waiting.text
    assert "Being checked" not in waiting.text
    assert solving.work() == 1
    shown = Html(client.get(f"/proofs/{code}?looks=3").text)
    assert "hx-get" not in shown.one("div", id="known").attributes
    better = _known(database, code)
    assert better.par is not None
    assert f"Par {better.par}" in shown.text
    assert first.par is not None
    assert better.bound is not None
    assert better.bound <= better.par < first.par
    assert better.made_by == "search"
    line = better.line.split()
    assert len(line) == better.par
    assert reference.replay(reference.deal(code), line).won
    told = good(client.get(f"/api/v1/deals/{code}"))
    assert (told["par"], told["bound"]) == (better.par, better.bound)
    page = Html(client.get(f"/d/{code}").text).text
    assert f"Par {better.par} " in page
    assert (f"Par {better.par} shortest" in page) == (better.par == better.bound)
    assert not solving.work()


def test_a_line_that_no_search_has_tried_to_shorten_is_once(
    client: Client, solving: Solving, database: Database, service: GameService
) -> None:
    won = win_game(service)
    code = str(won.code)
    assert _known(database, code).bound is None
    for _ in range(3):
        client.get(f"/d/{code}")
    (job,) = rows(database)["jobs"]
    assert job[1] == "par"
    assert solving.work() == 1
    proof = _known(database, code)
    assert proof.bound is not None
    assert proof.par is not None
    assert proof.bound <= proof.par <= len(won.game.line)


def test_a_players_win_lowers_par_at_once_and_never_raises_it(
    client: Client, database: Database, service: GameService
) -> None:
    code, win = short_win("F")
    other = str(code.under("C"))
    _store(database, str(code), len(win.moves) + 3, bound=60)
    _store(database, other, 200)
    play(service, service.start(None, "", str(code), ""), win.moves)
    proof = _known(database, str(code))
    assert (proof.par, proof.bound, proof.made_by) == (len(win.moves), 60, "player")
    assert parse_line(proof.line) == list(win.moves)
    assert _known(database, other).par == 200
    assert f"Par {len(win.moves)}" in Html(client.get(f"/d/{code}").text).text

    _store(database, str(code), len(win.moves) - 2)
    play(service, service.start(None, "", str(code), ""), win.moves)
    proof = _known(database, str(code))
    assert (proof.par, proof.made_by) == (len(win.moves) - 2, "solver")


def test_the_winner_is_told_whose_line_par_is(client: Client, other: Client) -> None:
    code, win = short_win("F")
    game = client.moves(client.start(str(code)), " ".join(map(str, win.moves)))
    for who, yours in ((client, True), (other, False)):
        facts = Html(who.get(f"/games/{game['id']}").text).text
        assert (f"Par {len(win.moves)} your line" in facts) == yours


def test_moves_taken_back_do_not_count_for_par(database: Database, service: GameService) -> None:
    code, win = short_win("F")
    started = service.start(None, "", str(code), "")
    stored = play(service, started, win.moves[:1])
    stored = service.undo(stored.id, started.token, stored.version).stored
    for move in win.moves:
        stored = service.move(stored.id, started.token, str(move), stored.version).stored
    assert stored.game.moves == len(win.moves) + 1
    assert _known(database, str(code)).par == len(win.moves)


def test_a_win_proves_a_deal_that_nobody_could_prove(
    client: Client, database: Database, service: GameService
) -> None:
    code, win = short_win("F")
    with database.write() as connection:
        unproven = DealProof(str(code), "unproven", "", None, 61, "solver")
        proofs.keep_deal(connection, unproven, "F", MORNING)
    play(service, service.start(None, "", str(code), ""), win.moves)
    proof = _known(database, str(code))
    assert (proof.verdict, proof.par, proof.bound) == ("winnable", len(win.moves), 61)
    assert "Winnable, proven" in client.get(f"/d/{code}").text


def test_a_full_queue_takes_no_search_for_par(
    solving: Solving, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "QUEUE_LIMIT", 0)
    JobService(database, lambda: MORNING).ask("deal", START, {"code": START}, SOON)
    assert solving.work() == 1
    assert _known(database, START).bound is None
