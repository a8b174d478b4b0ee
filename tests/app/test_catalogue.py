"""The catalogue: its files, its tables, who examines what, the commands."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from app import cli
from app.catalogue import build, load, shipped, store
from app.catalogue.shipped import Graded
from app.config import Settings
from app.db import Database
from app.models import catalogue, catalogue_batches, games, players
from engine.deals import deal, open_code
from engine.levels import LEVELS, level
from engine.rules import get_rules
from engine.solver import solve
from engine.variants import VARIANTS, Variant
from tests import reference
from tests.app.support import rows

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; its exit code, standard output and standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["yukon", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, out, err

    return run


def _graded(rule: str, number: int, mark: int = 500) -> Graded:
    rules, start = get_rules(rule), deal(open_code(rule, number))
    return Graded(number, mark, shipped.pack_line(rules, start, solve(rules, start, 50_000).moves))


def _marks(rule: str) -> tuple[int, int, int]:
    """A mark of each level, from easy to hard."""
    found = {level(rule, mark): mark for mark in range(1001)}
    return found["easy"], found["medium"], found["hard"]


# --- the files ----------------------------------------------------------------------------


@pytest.mark.parametrize("rule", "CFRAD")
def test_a_packed_line_is_the_line(rule: str) -> None:
    rules, start = get_rules(rule), deal(open_code(rule, 1))
    line = list(solve(rules, start, 50_000).moves)
    packed = shipped.pack_line(rules, start, line)
    assert len(packed) == len(line) > 0
    assert shipped.unpack_line(rules, start, packed) == line
    assert shipped.wins(rule, Graded(1, 0, packed))
    assert not shipped.wins(rule, Graded(1, 0, packed[:-1]))
    assert not shipped.wins(rule, Graded(1, 0, b"\xff" + packed))


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    deals = [Graded(7, 3, b"\x01\x02"), Graded(2**34, 1000, b""), Graded(5, 0, bytes(300))]
    path = tmp_path / "new" / "yukon.xz"
    shipped.write(path, deals)
    assert list(shipped.read(path)) == sorted(deals)
    for strange in (b"", b"text", path.read_bytes()[:-9]):
        path.write_bytes(strange)
        with pytest.raises(ValueError, match="no file of the catalogue"):
            list(shipped.read(path))


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_the_shipped_lines_win_by_the_reference(variant: Variant) -> None:
    """A sample of every game's file, replayed by the slow reference engine."""
    deals = list(shipped.read(shipped.path_of(variant)))
    assert len({graded.number for graded in deals}) == len(deals) > 0
    assert {level(variant.rule, graded.mark) for graded in deals} == set(LEVELS)
    for graded in deals[:: max(1, len(deals) // 8)]:
        code = open_code(variant.rule, graded.number)
        line = shipped.unpack_line(get_rules(variant.rule), deal(code), graded.line)
        assert reference.replay(reference.deal(str(code)), list(map(str, line))).won


def test_the_files_are_small() -> None:
    assert sum(path.stat().st_size for path in shipped.DIRECTORY.iterdir()) < 5_000_000


# --- the tables ---------------------------------------------------------------------------


def test_the_shipped_files_are_loaded_once(database: Database, tmp_path: Path) -> None:
    for variant in VARIANTS[:2]:
        shipped.write(shipped.path_of(variant, tmp_path), [_graded(variant.rule, 1)])
    assert load.load(database, tmp_path) == 2
    assert load.load(database, tmp_path) == 0
    shipped.write(shipped.path_of(VARIANTS[0], tmp_path), [_graded("C", 1), _graded("C", 2)])
    assert load.load(database, tmp_path) == 2
    with database.read() as connection:
        codes = set(connection.scalars(select(catalogue.c.code)))
    assert codes == {"YU1-C-AAAAAAB", "YU1-C-AAAAAAC", "YU1-R-AAAAAAB"}


def test_a_deal_of_a_level_is_picked(database: Database) -> None:
    easy, medium, hard = _marks("F")
    with database.write() as connection:
        store.add(connection, "F", [Graded(n, easy, b"") for n in range(1, 31)])
        store.add(connection, "F", [Graded(31, hard, b"xy")])
        store.add(connection, "C", [Graded(31, _marks("C")[1], b"")])
    with database.read() as connection:
        assert store.counts(connection, "F") == {"easy": 30, "hard": 1}
        lots = range(0, store.LOTS, store.LOTS // 1000)
        assert len({store.pick(connection, "F", "easy", lot) for lot in lots}) >= 28
        assert {store.pick(connection, "F", "hard", lot) for lot in lots} == {
            str(open_code("F", 31))
        }
        assert store.pick(connection, "F", "medium", 5) is None
        assert store.level_of(connection, str(open_code("C", 31))) == "medium"
        assert store.level_of(connection, str(open_code("C", 1))) is None
        assert store.graded(connection, str(open_code("F", 31))) == Graded(31, hard, b"xy")
        assert store.graded(connection, str(open_code("F", 32))) is None
    assert medium < easy


def test_a_deal_that_was_played_is_passed_over(database: Database) -> None:
    easy = _marks("F")[0]
    codes = [str(open_code("F", number)) for number in (1, 2)]
    with database.write() as connection:
        store.add(connection, "F", [Graded(1, easy, b""), Graded(2, easy, b"")])
        connection.execute(players.insert().values(id=1, created_at=0))
        connection.execute(games.insert().values(**_game(codes[0])))
    with database.read() as connection:
        for lot in (0, store.LOTS // 2, store.LOTS - 1):
            assert store.pick(connection, "F", "easy", lot, player=1) == codes[1]
        assert {store.pick(connection, "F", "easy", lot, 2) for lot in (0, store.LOTS - 1)}


def _game(code: str) -> dict[str, object]:
    zero = dict.fromkeys(
        ("version", "points", "ranked", "moves", "undos", "hints", "floor", "created_at"), 0
    )
    false = dict.fromkeys(("sealed", "first_try", "watched", "paused"), False)
    empty = dict.fromkeys(("position", "peaks"), b"") | dict.fromkeys(("line", "undone"), "")
    times = {"changed_at": 0, "elapsed_ms": 0}
    key = {"id": "g", "player_id": 1, "code": code, "rule": "F", "status": "playing"}
    return {**zero, **false, **empty, **times, **key}


# --- building -----------------------------------------------------------------------------


def test_batches_are_taken_once_and_those_left_behind_again(database: Database) -> None:
    with database.write() as connection:
        assert store.take(connection, "F", "one", 100, 200) == 0
        assert store.take(connection, "F", "two", 100, 200) == 1
        assert store.take(connection, "C", "two", 100, 200) == 0
        store.finish(connection, "F", 0, 150)
        assert store.take(connection, "F", "one", 201, 300) == 1
        assert store.take(connection, "F", "one", 201, 300) == 2
        store.give_back(connection, "one")
        assert store.take(connection, "F", "three", 202, 300) == 1
        store.add(connection, "F", [Graded(10 * store.BATCH + 3, 5, b"")])
        store.finish(connection, "F", 1, 203)
        store.finish(connection, "F", 2, 203)
        assert store.take(connection, "F", "three", 204, 300) == 11


def test_a_batch_is_examined(database: Database) -> None:
    builder = build.Builder(database, "F")
    added = builder.build_once()
    assert added
    with database.read() as connection:
        found = list(store.every(connection, "F"))
        assert sum(store.counts(connection, "F").values()) == added == len(found)
    assert all(shipped.wins("F", graded) for graded in found)
    assert len({graded.mark for graded in found}) > 3
    with database.read() as connection:
        batches = connection.execute(select(catalogue_batches)).all()
    assert [(row.batch, row.done_at is not None) for row in batches] == [(0, True)]


def test_a_batch_that_is_stopped_is_given_back(database: Database) -> None:
    assert build.Builder(database, "F").build_once(lambda: True) is None
    assert not rows(database)["catalogue"]
    with database.write() as connection:
        assert store.take(connection, "F", "next", 100, 200) == 0


# --- the commands -------------------------------------------------------------------------


def test_build_export_and_check(
    run: Run, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "load", lambda _: 0)
    url = settings.database_url
    code, out, _ = run(
        "catalogue", "build", "russian", "--per-level", "1", "--processes", "1", "--database", url
    )
    assert code == 0
    assert out.startswith("russian: ")
    assert all(f" {name}" in out for name in LEVELS)
    code, out, _ = run("catalogue", "export", str(tmp_path), "russian", "--database", url)
    path = tmp_path / "russian.xz"
    assert (code, out.split(":")[0]) == (0, str(path))
    assert all(shipped.wins("S", graded) for graded in shipped.read(path))
    assert run("catalogue", "check", "russian", "--database", url)[0] == 0


def test_check_finds_a_line_that_does_not_win(
    run: Run, settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "load", lambda _database: 0)  # thousands of lines that do win
    with database.write() as connection:
        store.add(connection, "S", [Graded(1, 5, b"\x00")])
    code, out, _ = run("catalogue", "check", "S", "--database", settings.database_url)
    assert code == 1
    assert "russian: deal 1 has a line that does not win" in out
    assert out.endswith("1 lines do not win\n")


def test_what_cannot_be_done_is_one_line(run: Run, settings: Settings) -> None:
    url = settings.database_url
    for arguments in (
        ["catalogue", "build", "whist", "--database", url],
        ["catalogue", "check", "whist", "--database", url],
        ["catalogue", "export", "/proc/none", "yukon", "--database", url],
        ["fair", "whist"],
        ["fair", "yukon", "--strength", "divine"],
    ):
        code, out, err = run(*arguments)
        if arguments[1] == "export":  # nothing to write: nothing goes wrong
            assert code == 0
            continue
        assert (code, out) == (2, "")
        assert err.count("\n") == 1


def test_a_fair_player_is_measured_and_goes_on(run: Run, tmp_path: Path) -> None:
    keep = str(tmp_path / "fair.jsonl")
    survey = ["fair", "S", "--strength", "strong", "--deals", "12", "--processes", "1"]
    code, out, _ = run(*survey, "--keep", keep, "--json")
    assert code == 0
    again = run(*survey, "--keep", keep, "--json")[1]
    assert again == out
    assert '"won_unwinnable": 0' in out
    told = run(*survey, "--keep", keep)[1]
    assert told.startswith("russian, strong: ")
    assert run("fair", "S", "--strength", "greedy", "--deals", "3", "--keep", keep)[0] == 0
