"""The commands that solve: `solve`, `par`, `winnability`, `worker`."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from app.cli_common import DatabaseOption, fail, open_database, read_code, read_file, variant_named
from engine.boardtext import parse_board
from engine.deals import deal
from engine.errors import UnreadableError
from engine.moves import Move, parse_line
from engine.position import Position
from engine.rules import get_rules
from engine.variants import BY_RULE

if TYPE_CHECKING:
    from engine.solver import Par

_SECONDS = 30.0
_MB = 400
MemoryOption = Annotated[
    int, typer.Option("--memory", min=100, metavar="MB", help="What one search may take")
]
_PAR_SECONDS = 2.0


def _asked(what: str, rule: str | None) -> tuple[str | None, str, Position]:
    """The code (None for a board), the rule and the position that are to be solved."""
    if rule is not None and rule.upper() not in BY_RULE:
        fail(f"“{rule}” names no game; these do: {', '.join(BY_RULE)}")
    if what == "-" or _is_file(what):
        letter = (rule or "F").upper()
        try:
            return None, letter, parse_board(read_file(what), BY_RULE[letter])
        except UnreadableError as error:
            fail(str(error))
    code = read_code(what)
    if rule is not None:
        code = code.under(rule.upper())
    return str(code), code.rule, deal(code)


def _is_file(what: str) -> bool:
    try:
        return Path(what).is_file()
    except OSError:  # no name of a file
        return False


def solve_command(
    what: Annotated[str, typer.Argument(metavar="CODE|FILE", help="A code, a board text, or -")],
    rule: Annotated[str | None, typer.Option(help="The game’s letter; F for a board")] = None,
    seconds: Annotated[float, typer.Option(min=0.001, help="Give up after this")] = _SECONDS,
    memory: MemoryOption = _MB,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON")] = False,
) -> None:
    """Say whether a deal or a board can be won, with a line that wins."""
    from app.solving import solve_within

    code, letter, position = _asked(what, rule)
    found, took = solve_within(get_rules(letter), position, seconds, memory)
    moves = [str(move) for move in found.moves]
    if as_json:
        answer: dict[str, Any] = {
            "code": code,
            "verdict": found.verdict,
            "moves": moves,
            "positions": found.positions,
            "ms": round(took, 1),
        }
        typer.echo(json.dumps(answer))
        return
    typer.echo(f"{found.verdict}, {found.positions} positions, {took:.1f} ms")
    if moves:
        typer.echo(" ".join(moves))


def par_command(
    what: Annotated[str, typer.Argument(metavar="CODE|FILE", help="A code, a board text, or -")],
    rule: Annotated[str | None, typer.Option(help="The game’s letter; F for a board")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.001, help="Search so long: 2, and 30 more for the proof"),
    ] = None,
    prove: Annotated[bool, typer.Option("--prove", help="Try to prove the line shortest")] = False,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Start from what is stored there, and store what is better"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON")] = False,
) -> None:
    """Say the fewest moves in which a deal or a board is known to be won, with such a line."""
    from app.solving import par_within, solve_within

    code, letter, position = _asked(what, rule)
    kept = _Kept(code, letter, database)
    rules, began = get_rules(letter), time.perf_counter()
    verdict, line, positions = "winnable", kept.line(), 0
    if line is None:
        solved, _ = solve_within(rules, position, _SECONDS)
        verdict, line, positions = solved.verdict, solved.moves, solved.positions
    found = None
    if verdict == "winnable":
        proof_seconds = (seconds or _SECONDS) if prove else None
        found = par_within(rules, position, line, seconds or _PAR_SECONDS, proof_seconds)
        positions += found.positions
        kept.keep(found)
    took = (time.perf_counter() - began) * 1e3
    moves = [str(move) for move in found.moves] if found else []
    if as_json:
        answer: dict[str, Any] = {
            "code": code,
            "verdict": verdict,
            "par": len(moves) if found else None,
            "bound": found.bound if found else None,
            "shortest": found.shortest if found else False,
            "moves": moves,
            "positions": positions,
            "ms": round(took, 1),
        }
        typer.echo(json.dumps(answer))
        return
    if found is None:
        typer.echo(f"{verdict}, {positions} positions, {took:.1f} ms")
        return
    proved = "shortest" if found.shortest else f"at least {found.bound}"
    typer.echo(f"par {len(moves)}, {proved}, {positions} positions, {took:.1f} ms")
    typer.echo(" ".join(moves))


class _Kept:
    """What a database knows of a deal: nothing without a database or for a board without a code."""

    def __init__(self, code: str | None, rule: str, url: str | None) -> None:
        self._code, self._rule = code, rule
        self._database = open_database(url)[1] if url is not None and code is not None else None

    def line(self) -> tuple[Move, ...] | None:
        """The best line stored."""
        from app.jobs import proofs

        if self._database is None or self._code is None:
            return None
        with self._database.read() as connection:
            proof = proofs.deal_proof(connection, self._code)
        return tuple(parse_line(proof.line)) if proof and proof.par is not None else None

    def keep(self, found: Par) -> None:
        """Store what was found, where it is better."""
        from app.jobs import proofs

        if self._database is not None and self._code is not None:
            proof = proofs.short_line(self._code, found.moves, found.bound)
            with self._database.write() as connection:
                proofs.keep_deal(connection, proof, self._rule, time.time_ns() // 1_000_000)
            self._database.close()


def winnability_command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game’s key or rule")],
    deals: Annotated[int, typer.Option(min=1, help="How many deals")] = 1000,
    start: Annotated[int, typer.Option(min=0, help="The first deal’s number")] = 1,
    seconds: Annotated[float, typer.Option(min=0.001, help="Give a deal up after this")] = 60.0,
    memory: MemoryOption = _MB,
    processes: Annotated[int, typer.Option(min=0, help="0: one a core")] = 0,
    keep: Annotated[Path | None, typer.Option(help="The file that keeps what is done")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON")] = False,
) -> None:
    """Count how many deals can be won. Ctrl-C keeps what is done; the next call goes on there."""
    from app.config import Settings
    from app.solving import Survey, cores

    variant = variant_named(game)
    survey = Survey(variant.rule, keep or Settings().data_dir / f"winnability-{variant.key}.jsonl")
    todo = len(survey.missing(start, deals))
    stopped = False
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        task = progress.add_task(variant.name, total=deals, completed=deals - todo)
        try:
            for _ in survey.solve(start, deals, seconds, processes or cores(), memory):
                progress.advance(task)
        except KeyboardInterrupt:
            stopped = True
    answer = _summary(survey, variant.key, start, deals)
    typer.echo(json.dumps(answer) if as_json else _told(answer))
    if stopped:
        raise typer.Exit(130)


def _summary(survey: Any, key: str, start: int, deals: int) -> dict[str, Any]:
    from app.solving import interval

    rows = [survey.rows[n] for n in range(start, start + deals) if n in survey.rows]
    count = {
        verdict: sum(row.verdict == verdict for row in rows)
        for verdict in ("winnable", "unwinnable", "unproven")
    }
    lengths = [row.moves for row in rows if row.moves is not None]
    times = sorted(row.ms for row in rows)
    low, high = interval(count["winnable"], len(rows))
    return {
        "game": key,
        "start": start,
        "deals": len(rows),
        **count,
        "share": round(count["winnable"] / len(rows), 5) if rows else None,
        "interval_95": [round(low, 5), round(high, 5)],
        "median_moves": statistics.median(lengths) if lengths else None,
        "median_ms": round(statistics.median(times), 3) if times else None,
        "p99_ms": round(times[min(len(times) - 1, int(len(times) * 0.99))], 3) if times else None,
        "max_ms": round(times[-1], 3) if times else None,
    }


def _told(answer: dict[str, Any]) -> str:
    if not answer["deals"]:
        return f"{answer['game']}: no deal was decided"
    low, high = answer["interval_95"]
    return (
        f"{answer['game']}: of {answer['deals']} deals {answer['winnable']} winnable, "
        f"{answer['unwinnable']} unwinnable, {answer['unproven']} unproven "
        f"(winnable {low:.2%} to {high:.2%} at 95 %); median line {answer['median_moves']} moves; "
        f"median {answer['median_ms']} ms, p99 {answer['p99_ms']} ms, max {answer['max_ms']} ms"
    )


def worker_command(database: DatabaseOption = "") -> None:
    """Work off the solver's jobs of a server, from this machine, until Ctrl-C."""
    from app.jobs.worker import Worker

    name = f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(4)}"
    settings, store = open_database(database)
    store.close()
    worker = Worker(settings, name)
    signal.signal(signal.SIGTERM, worker.stop)
    signal.signal(signal.SIGINT, worker.stop)
    typer.echo(f"Worker {name} is compiling")
    worker.run(lambda: typer.echo("Ready"))


def add_to(cli: typer.Typer) -> None:
    """Add the commands to `yukon`."""
    cli.command("solve")(solve_command)
    cli.command("par")(par_command)
    cli.command("winnability")(winnability_command)
    cli.command("worker")(worker_command)
