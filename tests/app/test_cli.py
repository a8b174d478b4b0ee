"""The command line, as the contract has it."""

import gc
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from socket import create_server, socket

import pytest
import uvicorn
from fastapi import FastAPI

from app import cli
from app.db import Database
from app.games.service import GameService
from app.models import games
from engine.deals import parse_code
from engine.game import replay
from engine.notation import record_text
from engine.variants import VARIANTS
from tests.app.support import LEGAL, START, Client, short_win, win_game

Run = Callable[..., tuple[int, str, str]]

BOARD = """\
6H
<QH> 6D 6C 9S 9H 7D
<3D> <7S> 2D 5H TH 7C 2H
<9D> <8D> <KS> 8C QS AC JD 4S
<5C> <JH> <9C> <KC> 4D KH JS KD 4H
<2S> <5S> <AS> <6S> <3C> QC TD QD 4C 5D
<TS> <3H> <JC> <3S> <8S> <AH> 2C 8H AD 7H TC
"""
FIRST_LEGAL = ["t4x3-t3", "t4-t6", "t2x2-t7"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; its exit code, standard output and standard error."""

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["yukon", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        code = end.value.code
        assert isinstance(code, int)
        return code, out, err

    return run


def _one_line(err: str) -> bool:
    return err.count("\n") == 1 and err.endswith("\n") and bool(err.strip())


def test_new_prints_a_fresh_open_code(run: Run) -> None:
    for variant in VARIANTS:
        for name in (variant.key, variant.rule, variant.key.upper(), variant.rule.lower()):
            code, out, err = run("new", name)
            assert (code, err) == (0, "")
            assert re.fullmatch(rf"YU1-{variant.rule}-[A-Z2-7]{{7}}\n", out)
    assert len({run("new", "yukon")[1] for _ in range(20)}) == 20


def test_deal_prints_the_board_text(run: Run) -> None:
    assert run("deal", START) == (0, BOARD, "")
    assert run("deal", "https://yukon.example/d/yu1caaaaaab") == (0, BOARD, "")
    assert run("deal", "-", stdin=f" {START}\n".encode()) == (0, BOARD, "")


def test_deal_prints_json(run: Run) -> None:
    code, out, err = run("deal", START, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "code": START,
        "game": "yukon",
        "board": BOARD.splitlines(),
        "waste": [],
        "stock": [],
    }
    australian = json.loads(run("deal", "YU1-P-AAAAAAB", "--json")[1])
    assert (len(australian["waste"]), len(australian["stock"])) == (1, 23)


def test_a_large_number_keeps_its_digits(run: Run) -> None:
    code = "PSF-F-12345678901234567890"
    assert json.loads(run("deal", code, "--json")[1])["code"] == code


def test_legal_prints_one_move_a_line(run: Run) -> None:
    assert run("legal", START) == (0, "\n".join(FIRST_LEGAL) + "\n", "")
    code, out, _ = run("legal", START, "--moves", "t4x3-t3")
    assert (code, out.split()) == (0, ["t3x2-t4", "t3-t6", "t2x2-t7"])
    assert run("legal", "-", stdin=START.encode())[1].split() == FIRST_LEGAL


def test_perft_counts(run: Run) -> None:
    assert run("perft", START, "0") == (0, "1\n", "")
    assert run("perft", START, "1") == (0, "3\n", "")
    code, out, _ = run("perft", START, "2", "--split")
    *lines, total = out.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines] == FIRST_LEGAL
    assert sum(int(line.split()[1]) for line in lines) == int(total)


def _record(moves: int | None = None) -> str:
    code, win = short_win()
    line = win.moves[:moves]
    return record_text(replay(win.rules, win.start, line), code, "playing", 1000)


def test_replay_tells_the_result(run: Run, tmp_path: Path) -> None:
    _, win = short_win()
    whole, half = tmp_path / "whole.txt", tmp_path / "half.txt"
    whole.write_text(_record())
    half.write_text(_record(10))
    assert run("replay", str(whole)) == (0, f"won 625 {len(win.moves)}\n", "")
    assert run("replay", str(half))[1].split()[0::2] == ["playing", "10"]
    assert run("replay", "-", stdin=_record().encode())[1] == f"won 625 {len(win.moves)}\n"


def test_the_result_of_a_dead_game_is_stuck(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.game.Game.is_stuck", True)
    assert run("replay", "-", stdin=_record(10).encode())[1].startswith("stuck ")


def test_a_record_from_the_server_replays(run: Run, client: Client, service: GameService) -> None:
    won = win_game(service)
    record = client.get(f"/games/{won.id}/record").text
    assert run("replay", "-", stdin=record.encode()) == (0, f"won 625 {won.game.moves}\n", "")
    game = client.undo(client.move(client.start(), LEGAL))
    record = client.get(f"/games/{game['id']}/record").text
    assert run("replay", "-", stdin=record.encode()) == (0, "playing 0 0\n", "")


def test_a_bad_move_in_a_record_is_named_with_its_rule(run: Run) -> None:
    record = f'[Deal "{START}"]\n\n1. t4-t6 t1-f t4-t3\n'
    code, out, err = run("replay", "-", stdin=record.encode())
    assert (code, out) == (1, "")
    assert _one_line(err)
    assert err.startswith("move 2 (t1-f): ")
    assert "six of hearts" in err


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["new", "klondike"], b""),
        (["new"], b""),
        (["deal", "nonsense"], b""),
        (["deal", "YU1-X-AAAAAAB"], b""),
        (["deal", "YU1-C-AAAAAA9"], b""),
        (["deal", ""], b""),
        (["deal", "two\nlines"], b""),
        (["deal"], b""),
        (["deal", START, START], b""),
        (["deal", START, "--nonsense"], b""),
        (["deal", "-"], b""),
        (["deal", "-"], b"\xff\xfe"),
        (["legal", "PSF-F-0"], b""),
        (["legal", START, "--moves", "t1-f"], b""),
        (["legal", START, "--moves", "nonsense"], b""),
        (["perft", START], b""),
        (["perft", START, "x"], b""),
        (["perft", START, "-1"], b""),
        (["perft", START, "13"], b""),
        (["perft", "nonsense", "1"], b""),
        (["replay", "-"], b""),
        (["replay", "-"], b"\xff\xfe"),
        (["replay", "-"], b"no record at all"),
        (["replay", "-"], b'[Deal "nonsense"]'),
        (["replay", "-"], b'[Deal "YU1-C-AAAAAAB"'),
        (["replay", "/nowhere/at/all.txt"], b""),
        (["replay", "/"], b""),
        (["nonsense"], b""),
        (["--nonsense"], b""),
        (["serve", "--port", "70000"], b""),
        (["serve", "--database", "nonsense"], b""),
        (["serve", "--database", "nothing://x"], b""),
        (["check", "--database", "sqlite:////proc/nowhere/yukon.db"], b""),
        (["check", "--database", "sqlite:////"], b""),
        (["check", "--database", "postgresql://nobody@127.0.0.1:1/none"], b""),
    ],
)
def test_what_cannot_be_read_is_one_line_and_exit_2(
    run: Run, arguments: list[str], stdin: bytes
) -> None:
    code, out, err = run(*arguments, stdin=stdin)
    assert (code, out) == (2, "")
    assert _one_line(err)
    assert "Traceback" not in err


def test_a_port_that_is_taken_is_said_before_any_address(run: Run, tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        url = f"sqlite:///{tmp_path / 'yukon.db'}"
        code, said, wrong = run("serve", "--port", port, "--database", url)
    assert code == 1
    assert "http://" not in said
    assert wrong == f"127.0.0.1 port {port} cannot be used: Address already in use\n"
    assert gc.isenabled()


def test_serve_migrates_says_where_it_is_and_serves(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[uvicorn.Server, int]] = []

    def serve(server: uvicorn.Server, sockets: list[socket]) -> None:
        server.started = True
        served.append((server, sockets[0].getsockname()[1]))
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "run", serve)
    url = f"sqlite:///{tmp_path / 'yukon.db'}"
    code, out, err = run("serve", "--host", "127.0.0.1", "--port", "0", "--database", url)
    assert (code, err) == (0, "")
    ((server, port),) = served
    assert port > 0
    assert out == f"Database: {url}\nYukon Solitaire: http://127.0.0.1:{port}/\n"
    assert (server.config.host, server.config.server_header) == ("127.0.0.1", False)
    assert isinstance(server.config.app, FastAPI)
    assert gc.isenabled()


def test_a_server_that_cannot_start_exits_1(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uvicorn.Server, "run", lambda _server, sockets: sockets[0].close())
    url = f"sqlite:///{tmp_path / 'yukon.db'}"
    assert run("serve", "--port", "0", "--database", url)[0] == 1


def test_a_database_s_password_is_not_said(run: Run) -> None:
    for url in ("postgresql://u:secret@127.0.0.1:1/x", "sqlite://u:secret@/x.db", "u:secret@:x"):
        code, out, err = run("serve", "--database", url)
        assert code == 2
        assert "secret" not in out + err


def test_a_setting_that_cannot_be_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YUKON_SQLITE_SYNCHRONOUS", "OFF")
    code, _, err = run("check")
    assert code == 2
    assert _one_line(err)


def test_without_a_command_the_commands_are_shown(run: Run) -> None:
    code, out, err = run()
    assert (code, err) == (2, "")
    for command in ("serve", "new", "deal", "legal", "perft", "replay", "check"):
        assert command in out
    assert run("--help")[0] == 0
    assert "CODE" in run("deal", "--help")[1]


def test_check_replays_every_game(
    run: Run, service: GameService, database: Database, client: Client
) -> None:
    url = database.url.render_as_string(hide_password=False)
    won = win_game(service)
    client.move(client.start(), LEGAL)
    assert run("check", "--database", url)[:2] == (0, "2 games, 0 differences\n")
    with database.write() as connection:
        connection.execute(games.update().where(games.c.id == won.id).values(points=7, moves=1))
    code, out, _ = run("check", "--database", url)
    assert code == 1
    assert out.splitlines() == [
        f"{won.id}: its score is not what its events make",
        f"{won.id}: its moves is not what its events make",
        "2 games, 2 differences",
    ]


def test_the_default_database_lies_in_the_data_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YUKON_DATA_DIR", str(tmp_path / "data"))
    assert run("check")[:2] == (0, "0 games, 0 differences\n")
    assert (tmp_path / "data" / "yukon.db").exists()


def test_the_boards_of_the_command_are_those_of_the_server(run: Run, client: Client) -> None:
    code = str(parse_code("YU1-D-AAAAAAB"))
    shown = [
        " ".join("??" if card.startswith("<") else card for card in line.split())
        for line in run("deal", code)[1].splitlines()
    ]
    assert shown == [" ".join(pile) for pile in client.start(code)["tableau"]]
