"""The move endpoint over real HTTP against the same server's bare endpoint."""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from tests.bench.engine_figures import longest_lines
from tests.bench.figures import percentile, show
from tests.bench.load import Connection, cpu_seconds, server, timed

_CONNECTIONS = 16
_ROUNDS = 6
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"


async def _at_the_table(port: int, code: str) -> Connection:
    """A new player whose game on a deal is begun, and its table shown; `location` is the game's."""
    connection = Connection(port)
    await connection.open()
    await connection.request("POST", "/games", f"code={code}", _FORM)
    await connection.request("GET", connection.location.decode())
    return connection


async def _moves(connection: Connection, line: list[str], *, html: bool) -> AsyncIterator[float]:
    """A player who plays the line, from its first move to the win."""
    game = connection.location.decode()
    for version, move in enumerate(line):
        start = time.perf_counter()
        if html:
            status, _ = await connection.request(
                "POST", f"{game}/moves", f"move={move}&version={version}", _FORM, htmx=True
            )
        else:
            status, _ = await connection.request(
                "POST", f"/api/v1{game}/moves", f'{{"move":"{move}","version":{version}}}', _JSON
            )
        yield time.perf_counter() - start
        assert status == 200, status
    connection.close()


async def _bare(port: int, count: int) -> AsyncIterator[float]:
    connection = Connection(port)
    await connection.open()
    for _ in range(count):
        start = time.perf_counter()
        await connection.request("GET", "/bare")
        yield time.perf_counter() - start
    connection.close()


async def _measure(port: int) -> None:
    lines = longest_lines(_CONNECTIONS)  # of different lengths: their wins do not fall together
    speeds: dict[str, list[float]] = {"bare": [], "html": [], "json": []}
    spent: dict[str, list[float]] = {"bare": [], "html": [], "json": []}
    costs: dict[str, list[float]] = {"bare": [], "html": [], "json": []}
    for html in (True, False):  # what is made once is made
        code, line = lines[0]
        await timed([_moves(await _at_the_table(port, code), line, html=html)])
    for _ in range(_ROUNDS):
        for kind in speeds:
            players = [
                _bare(port, len(line))
                if kind == "bare"
                else _moves(await _at_the_table(port, code), line, html=kind == "html")
                for code, line in lines
            ]
            used = cpu_seconds(port)
            speed, takes = await timed(players)
            costs[kind].append((cpu_seconds(port) - used) / len(takes))
            speeds[kind].append(speed)
            spent[kind] += takes
    bare = statistics.median(speeds["bare"])
    show("bare endpoint, 7 KB, 16 connections, one core", f"{bare:,.0f} requests/s")
    cost = {kind: statistics.median(costs[kind]) for kind in costs}
    show("the same, by the server's processor time", f"{cost['bare'] * 1e6:,.0f} µs a request")
    for kind in ("html", "json"):
        show(
            f"move endpoint ({kind}), by processor time",
            f"{cost[kind] * 1e6:,.0f} µs, {cost['bare'] / cost[kind]:.2f} of bare",
            "≥ 0.2",
        )
        speed = statistics.median(speeds[kind])
        show(f"move endpoint ({kind}), with its commit", f"{speed:,.0f} moves/s", "≥ 1,000")
        show(f"move endpoint ({kind}) against the bare one", f"{speed / bare:.2f}", "≥ 0.2")
        p50, p99 = percentile(spent[kind], 0.5), percentile(spent[kind], 0.99)
        show(
            f"move endpoint ({kind}), median and p99",
            f"{p50 * 1e3:.1f} ms, {p99 * 1e3:.1f} ms",
            "p99 ≤ 25 ms",
        )


async def _run() -> None:
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {1})  # the server has core 0 to itself
    with tempfile.TemporaryDirectory() as folder:
        async with server(Path(folder)) as port:
            await _measure(port)


def run() -> None:
    """Measure and print."""
    asyncio.run(_run())
