"""Spectators over several server processes: their number, their limit, what a dead process leaves.

A hub stands for a process: all of them share nothing but the database.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from fastapi import FastAPI

from app.db import Database
from app.errors import TooManyStreams
from app.races import hub as hub_module
from app.races import spectators
from app.races.hub import Hub
from tests.app.races import gather
from tests.app.support import Client, Clock, Json, count, services_of
from tests.app.test_race_streams import Stream, Streams


@asynccontextmanager
async def servers(app: FastAPI) -> AsyncIterator[tuple[Streams, Streams]]:
    """Two server processes."""
    both, database = (Streams(app), Streams(app)), services_of(app).database
    heard = database.on_told
    if database.is_sqlite:  # one process serves it: here each of the two hears what is told

        def told(topic: str) -> None:
            for each in both:
                each.bus._told(topic)

        database.on_told = told
    for each in both:
        each.bus.start()
    yield both
    database.on_told = heard
    for each in both:
        for stream in each.opened:
            await stream.close()
        await each.hub.stop()
        await each.bus.stop()


async def watching(server: Streams, race: Json, who: str, token: str | None = None) -> Stream:
    """A stream that has begun, and goes on for as long as its server does."""
    stream = await server.open(race, who, token)
    server.opened.append(stream)
    await stream.next()
    return stream


def watched(app: FastAPI, race: Json) -> int:
    """How many watch a race, as everybody is told."""
    return services_of(app).races.shared(race["id"]).spectators


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.02)


def run(work: Awaitable[None]) -> None:
    async def main() -> None:
        await work

    asyncio.run(main())


def test_the_limit_is_one_for_all_processes(
    client: Client, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = gather(client)
    monkeypatch.setattr(spectators, "SPECTATORS", 2)

    async def work() -> None:
        async with servers(app) as (one, two):
            first = await watching(one, race, "kate")
            await watching(two, race, "leo")
            for server in (one, two):
                with pytest.raises(TooManyStreams):
                    await server.open(race, "mia")
            await watching(two, race, "host", client.token)  # who plays is no spectator
            assert watched(app, race) == 2
            await first.close()
            with pytest.raises(TooManyStreams):  # the other process knows it from `keep` on
                await two.open(race, "mia")
            await one.hub._keep()
            await watching(two, race, "mia")

    run(work())


def test_a_place_that_has_just_become_free_here_is_given_at_once(
    client: Client, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = gather(client)
    monkeypatch.setattr(spectators, "SPECTATORS", 1)

    async def work() -> None:
        async with servers(app) as (one, _two):
            stream = await watching(one, race, "kate")
            await stream.close()
            await watching(one, race, "leo")

    run(work())


def test_with_several_pages_open_one_is_one_spectator(
    client: Client, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = gather(client)
    monkeypatch.setattr(spectators, "SPECTATORS", 1)

    async def work() -> None:
        async with servers(app) as (one, two):
            pages = [await watching(each, race, "kate") for each in (one, one, two)]
            assert watched(app, race) == 1
            for page in pages[:2]:
                await page.close()
            await one.hub._keep()
            assert watched(app, race) == 1
            await pages[2].close()
            await two.hub._keep()
            assert watched(app, race) == 0

    run(work())


def test_everybody_is_shown_how_many_watch(client: Client, app: FastAPI) -> None:
    race = gather(client)

    async def work() -> None:
        async with servers(app) as (one, two):
            stream = await one.open(race, "kate")
            assert (await stream.next())["spectators"] == 1
            other = await watching(two, race, "leo")
            assert (await stream.next())["spectators"] == 2
            await other.close()
            await two.hub._keep()
            assert (await stream.next())["spectators"] == 1

    run(work())


def test_the_page_shows_it(client: Client, app: FastAPI) -> None:
    race = gather(client)

    async def page() -> str:
        return (await asyncio.to_thread(client.get, f"/races/{race['id']}")).text

    async def work() -> None:
        async with servers(app) as (one, _two):
            assert 'id="watched" hidden' in await page()
            await watching(one, race, "kate")
            assert ">1 is watching</p>" in await page()
            assert 'id="watched" hidden' not in await page()

    run(work())


def test_what_a_dead_process_has_left_ends_by_itself(
    client: Client, app: FastAPI, clock: Clock, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = gather(client)
    monkeypatch.setattr(spectators, "SPECTATORS", 2)

    async def work() -> None:
        async with servers(app) as (one, two):
            await watching(two, race, "leo")
            dead = spectators.Spectators(database, services_of(app).now)
            assert dead.enter(race["id"], "kate")
            for _ in range(2):
                clock.pass_by(spectators.KEEP_S)
                await two.hub._keep()
                assert watched(app, race) == 2
                assert not dead.enter(race["id"], "mia")
            clock.pass_by(spectators.LEASE_MS / 1000 - 2 * spectators.KEEP_S + 1)
            assert watched(app, race) == 1
            await watching(one, race, "mia")
            assert watched(app, race) == 2

    run(work())
    assert count(database, "spectators") == 0


def test_another_process_clears_up_and_a_late_one_says_it_all_anew(
    client: Client, app: FastAPI, clock: Clock, database: Database
) -> None:
    race = gather(client)

    async def work() -> None:
        async with servers(app) as (one, two):
            await watching(one, race, "kate")
            clock.pass_by(spectators.LEASE_MS / 1000 + 1)  # its process stood still
            assert watched(app, race) == 0
            await two.hub._keep()
            assert count(database, "spectators") == 0
            await one.hub._keep()
            assert watched(app, race) == 1

    run(work())


def test_a_hub_keeps_its_spectators_by_itself(
    client: Client, app: FastAPI, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = gather(client)
    monkeypatch.setattr(hub_module, "KEEP_S", 0.02)
    monkeypatch.setattr(hub_module, "_AGAIN_S", 0.02)

    async def work() -> None:
        async with servers(app) as (one, _two):
            kept, faults = Hub._keep, 0

            async def away(hub: Hub) -> None:
                nonlocal faults
                faults += 1
                if faults == 1:
                    raise OSError("the database is away")
                await kept(hub)

            monkeypatch.setattr(Hub, "_keep", away)
            one.hub.start()
            stream = await watching(one, race, "kate")
            clock.pass_by(spectators.LEASE_MS / 1000 - 1)
            seen = faults
            await until(lambda: faults > seen + 2)
            clock.pass_by(spectators.LEASE_MS / 1000 - 1)
            assert watched(app, race) == 1
            await stream.close()
            await until(lambda: watched(app, race) == 0)

    run(work())
