"""The commands that solve, as the contract has them."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import cli, cli_solver, solving
from app.config import ROOT, Settings
from app.db import Database
from app.jobs.service import SOON, JobService
from app.models import deals
from engine.solver import UNPROVEN, Solution
from tests import reference
from tests.app.support import START, rows

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; its exit code, standard output and standard error."""

    def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["yukon", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        code = end.value.code
        assert isinstance(code, int)
        return code, out, err

    return run


def _json(answer: tuple[int, str, str], code: int = 0) -> dict[str, Any]:
    assert (answer[0], answer[2]) == (code, "")
    found = json.loads(answer[1])
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("rule", "CRFSAPD")
def test_solve_gives_a_line_that_the_reference_replays(run: Run, rule: str) -> None:
    code = f"YU1-{rule}-AAAAAAB"
    found = _json(run("solve", code, "--json", "--seconds", "60"))
    assert found["code"] == code
    assert found["verdict"] in ("winnable", "unwinnable")
    if found["verdict"] == "winnable":
        assert reference.replay(reference.deal(code), found["moves"]).won
    assert set(found) == {"code", "verdict", "moves", "positions", "ms"}


def test_solve_takes_a_board_and_a_rule(run: Run, tmp_path: Path) -> None:
    board = run("deal", START)[1]
    file = tmp_path / "board.txt"
    file.write_text(board, encoding="utf-8")
    by_code = _json(run("solve", START, "--rule", "f", "--json"))
    assert by_code["code"] == "YU1-F-AAAAAAB"
    for found in (
        _json(run("solve", str(file), "--json")),
        _json(run("solve", "-", "--rule", "F", "--json", stdin=board)),
    ):
        assert found["code"] is None
        assert (found["verdict"], found["moves"]) == (by_code["verdict"], by_code["moves"])
    yukon = _json(run("solve", "-", "--rule", "C", "--json", stdin=board))
    assert reference.replay(reference.deal(START), yukon["moves"]).won


def test_solve_tells_people_too(run: Run) -> None:
    code, out, err = run("solve", START)
    verdict, line = out.splitlines()
    assert (code, err) == (0, "")
    assert verdict.startswith("winnable, ")
    assert reference.replay(reference.deal(START), line).won


def test_solve_gives_up_in_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: Any, memory: int) -> Solution:
        assert memory == 200_000_000
        while not given[3]():
            time.sleep(0.001)
        return Solution(UNPROVEN, (), 3, "stopped")

    monkeypatch.setattr(solving, "solve", never)
    found = _json(run("solve", START, "--seconds", "0.05", "--memory", "200", "--json"))
    assert (found["verdict"], found["moves"]) == ("unproven", [])
    assert found["ms"] >= 50
    assert cli_solver._MB == solving.MEMORY_MB  # named twice, so that --help loads no solver
    told = run("solve", START, "--seconds", "0.01", "--memory", "200")[1]
    assert told.startswith("unproven, 3 positions")


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["nonsense"], ""),
        (["x" * 5000], ""),
        (["-"], "no board"),
        (["-"], "KS KS\n"),
        ([START, "--rule", "Z"], ""),
        ([START, "--rule", "D"], ""),
        ([START, "--seconds", "-1"], ""),
        ([START, "--seconds", "soon"], ""),
        ([START, "--memory", "1"], ""),
        (["/"], ""),
    ],
)
def test_what_cannot_be_solved_is_one_line(run: Run, arguments: list[str], stdin: str) -> None:
    code, out, err = run("solve", *arguments, stdin=stdin)
    if arguments[1:] == ["--rule", "D"]:  # the same body, another pack
        assert code == 0
        return
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.strip()


# --- par ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", "CFD")
def test_par_gives_a_short_line_that_the_reference_replays(run: Run, rule: str) -> None:
    code = f"YU1-{rule}-AAAAAAB"
    solved = _json(run("solve", code, "--json"))
    found = _json(run("par", code, "--json", "--seconds", "0.2"))
    assert (found["code"], found["verdict"]) == (code, "winnable")
    assert found["bound"] <= found["par"] == len(found["moves"]) <= len(solved["moves"])
    assert not found["shortest"]
    assert reference.replay(reference.deal(code), found["moves"]).won
    asked = {"code", "verdict", "par", "bound", "shortest", "moves", "positions", "ms"}
    assert set(found) == asked


def test_par_proves_a_line_shortest(run: Run) -> None:
    found = _json(run("par", "YU1-S-AAAAAAB", "--prove", "--json", "--seconds", "20"))
    assert (found["par"], found["bound"], found["shortest"]) == (77, 77, True)
    code, out, err = run("par", "YU1-S-AAAAAAB", "--prove", "--seconds", "20")
    told, line = out.splitlines()
    assert (code, err) == (0, "")
    assert told.startswith("par 77, shortest, ")
    assert reference.replay(reference.deal("YU1-S-AAAAAAB"), line).won
    told = run("par", START, "--prove", "--seconds", "0.1")[1]
    assert ", at least " in told.splitlines()[0]


def test_par_of_a_lost_deal_is_none(run: Run) -> None:
    found = _json(run("par", "YU1-S-AAAAAAC", "--json"))
    assert (found["verdict"], found["par"], found["moves"]) == ("unwinnable", None, [])
    assert run("par", "YU1-S-AAAAAAC")[1].startswith("unwinnable, ")


def test_par_takes_a_board(run: Run) -> None:
    board = run("deal", START)[1]
    found = _json(run("par", "-", "--rule", "C", "--json", "--seconds", "0.1", stdin=board))
    assert (found["code"], found["verdict"]) == (None, "winnable")
    assert reference.replay(reference.deal(START), found["moves"]).won
    code, out, err = run("par", "nonsense")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_par_goes_on_from_what_is_stored_and_stores_what_is_better(
    run: Run, database: Database
) -> None:
    url = database.url.render_as_string(hide_password=False)
    short = ("par", START, "--database", url, "--json", "--seconds")
    first = _json(run(*short, "0.05"))
    (row,) = rows(database)["deals"]
    assert (row[0], row[4], row[5], row[6]) == (START, first["par"], first["bound"], "search")
    better = _json(run(*short, "0.5"))
    assert better["par"] <= first["par"]
    (row,) = rows(database)["deals"]
    assert (row[4], len(row[3].split())) == (better["par"], better["par"])


# --- winnability --------------------------------------------------------------------------


def _survey(*more: str) -> list[str]:
    return ["winnability", "yukon-fixed", "--deals", "12", "--processes", "2", *more]


def test_winnability_counts_and_goes_on(run: Run, tmp_path: Path) -> None:
    keep = str(tmp_path / "kept.jsonl")
    first = json.loads(run(*_survey("--keep", keep, "--json"))[1])
    assert (first["game"], first["start"], first["deals"]) == ("yukon-fixed", 1, 12)
    assert first["winnable"] + first["unwinnable"] + first["unproven"] == 12
    low, high = first["interval_95"]
    assert low <= first["share"] <= high
    kept = [line for line in Path(keep).read_text(encoding="utf-8").splitlines() if line]
    assert {json.loads(line)["number"] for line in kept} == set(range(1, 13))
    again = json.loads(run(*_survey("--keep", keep, "--json"))[1])
    assert again == first
    Path(keep).write_text("\n".join(kept[:5]) + "\n" + kept[5][:20], encoding="utf-8")
    cut = json.loads(run(*_survey("--keep", keep, "--json"))[1])
    assert {name: cut[name] for name in ("deals", "winnable", "median_moves")} == {
        name: first[name] for name in ("deals", "winnable", "median_moves")
    }
    code, out, _ = run(*_survey("--keep", keep))
    assert code == 0
    assert out.startswith(f"yukon-fixed: of 12 deals {first['winnable']} winnable")


def test_a_survey_does_not_take_another_game_s_deals(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(
        '{"rule": "C", "number": 1, "verdict": "winnable", "moves": 90, "positions": 5, "ms": 1}\n'
        '{"number": 2, "verdict": "winnable", "moves": 90, "positions": 5, "ms": 1}\n\n"text"\n',
        encoding="utf-8",
    )
    assert solving.Survey("F", path).missing(1, 2) == [1, 2]
    assert solving.Survey("C", path).missing(1, 2) == [2]


def test_an_interrupted_survey_keeps_what_is_done(tmp_path: Path) -> None:
    keep = tmp_path / "kept.jsonl"
    start = (  # what a shell starts in the background is deaf to Ctrl-C
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from app.cli import main; main()"
    )
    command = [sys.executable, "-c", start, "winnability", "yukon", "--deals", "100000"]
    process = subprocess.Popen(
        [*command, "--processes", "1", "--keep", str(keep), "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 120
        while not (keep.exists() and keep.read_text(encoding="utf-8").count("\n") > 3):
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    told = json.loads(out)
    survey = solving.Survey("C", keep)
    assert told["deals"] == len(survey.rows) >= 3
    assert len(survey.missing(1, told["deals"])) == told["unproven"]


# --- worker -------------------------------------------------------------------------------


def test_a_worker_on_its_own_works_off_jobs(settings: Settings, database: Database) -> None:
    asking = JobService(database, lambda: time.time_ns() // 1_000_000)
    asking.ask("deal", START, {"code": START}, SOON)
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "worker", "--database", settings.database_url],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 120
    while not rows(database)[deals.name]:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.1)
    process.terminate()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "is compiling" in out
    assert out.endswith("Ready\n")
    assert rows(database)[deals.name][0][2] == "winnable"


def test_a_worker_says_what_is_wrong_with_its_database(run: Run) -> None:
    code, out, err = run("worker", "--database", "nonsense://")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
