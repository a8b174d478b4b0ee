"""What is known of deals and positions: kept when it is better, and told as it is."""

import pytest

from app.db import Database
from app.jobs import proofs, tasks
from app.jobs.proofs import DealProof, Verdict, VerdictName
from engine.deals import deal, parse_code
from engine.solver import Solution
from tests import reference
from tests.app.html import Html
from tests.app.solver import Solving
from tests.app.support import MORNING, START, Client, good, rows


def _known(database: Database) -> tuple[str, int | None, int | None]:
    with database.read() as connection:
        proof = proofs.deal_proof(connection, START)
    assert proof is not None
    return proof.verdict, proof.par, proof.bound


def _proof(
    verdict: VerdictName, par: int | None = None, bound: int | None = None, by: str = "solver"
) -> DealProof:
    return DealProof(START, verdict, " ".join(["t1-f"] * (par or 0)), par, bound, by)


def test_what_is_known_better_is_kept(database: Database) -> None:
    steps = [
        (_proof("unproven"), ("unproven", None, None)),
        (_proof("unproven", bound=40), ("unproven", None, 40)),
        (_proof("winnable", 99), ("winnable", 99, 40)),
        (_proof("unproven"), ("winnable", 99, 40)),
        (_proof("winnable", 120), ("winnable", 99, 40)),
        (_proof("winnable", 90, 60, "search"), ("winnable", 90, 60)),
        (_proof("winnable", 95, 50), ("winnable", 90, 60)),
        (_proof("winnable", 90, 90), ("winnable", 90, 90)),
    ]
    for proof, expected in steps:
        with database.write() as connection:
            proofs.keep_deal(connection, proof, "C", MORNING)
        assert _known(database) == expected
    (row,) = rows(database)["deals"]
    assert len(row[3].split()) == 90
    with database.read() as connection:
        known = proofs.deal_proof(connection, START)
    assert known is not None
    assert known.shortest


def test_a_proved_verdict_is_never_replaced_by_none(database: Database) -> None:
    position = deal(parse_code(START))
    for verdict, expected in (
        (Verdict("unproven", "", 5), "unproven"),
        (Verdict("winnable", "t4-t6", 9), "winnable"),
        (Verdict("unproven", "", 99), "winnable"),
    ):
        with database.write() as connection:
            proofs.keep_verdict(connection, "C", position, verdict, MORNING)
        with database.read() as connection:
            kept = proofs.verdict_on(connection, "C", position)
            assert proofs.verdict_on(connection, "F", position) is None
        assert kept is not None
        assert kept.verdict == expected


@pytest.mark.parametrize("code", [START, "YU1-F-AAAAAAN", "YU1-S-AAAAAAB", "YU1-D-AAAAAAB"])
def test_a_deal_is_called_winnable_with_a_line_that_replays(
    client: Client, solving: Solving, database: Database, code: str
) -> None:
    assert "Being checked…" in client.get(f"/d/{code}").text
    assert good(client.get(f"/api/v1/deals/{code}"))["verdict"] is None
    assert solving.worker.work_once()
    told = good(client.get(f"/api/v1/deals/{code}"))
    page = Html(client.get(f"/d/{code}").text)
    (proof,) = rows(database)["deals"]
    if told["verdict"] == "winnable":
        line = proof[3].split()
        assert reference.replay(reference.deal(code), line).won
        assert told["par"] == len(line)
        assert "Winnable, proven" in page.text
        assert "hidden" not in page.one("p", id="solution").attributes
        assert not any(move in page.text for move in line if "x" in move)
    else:
        assert "Winnable" not in page.text
    kinds = [row[1] for row in rows(database)["jobs"]]
    assert kinds == ["deal", "par"][: 2 if told["verdict"] == "winnable" else 1]


def test_a_page_that_waits_looks_again_and_ends(client: Client, solving: Solving) -> None:
    page = Html(client.get(f"/d/{START}").text)
    known = page.one("div", id="known").attributes
    assert known["hx-get"] == f"/proofs/{START}?looks=1"
    look = Html(client.get(known["hx-get"]).text)
    assert look.one("div", id="known").attributes["hx-get"].endswith("looks=2")
    last = Html(client.get(f"/proofs/{START}?looks=90").text)
    assert "hx-get" not in last.one("div", id="known").attributes
    assert "Not proven" in last.text
    assert client.get(f"/proofs/{START}?looks=91").status_code == 422
    assert client.get("/proofs/nonsense").status_code == 422
    solving.work()
    done = Html(client.get(f"/proofs/{START}?looks=3").text)
    assert "Winnable, proven" in done.text
    assert done.one("p", id="solution").attributes["hx-swap-oob"] == "true"


def test_what_is_lost_or_not_proven_is_called_so(
    client: Client, solving: Solving, monkeypatch: pytest.MonkeyPatch
) -> None:
    for code, verdict, says in (
        ("YU1-C-AAAAAAC", "unwinnable", "Proven lost"),
        ("YU1-C-AAAAAAD", "unproven", "Not proven"),
    ):
        found = Solution(verdict, (), 5, None)
        monkeypatch.setattr(tasks, "solve", lambda *_, found=found: found)
        client.get(f"/d/{code}")
        solving.work()
        page = Html(client.get(f"/d/{code}").text)
        assert says in page.text
        assert "hidden" in page.one("p", id="solution").attributes
        told = good(client.get(f"/api/v1/deals/{code}"))
        assert (told["verdict"], told["par"]) == (verdict, None)
