"""The bus and the streams: who watches gets the whole standing, at once and after every change."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator

import pytest
from fastapi import FastAPI
from starlette.types import Message, Scope

from app.bus import Bus, race_topic, tell
from app.db import Database
from app.errors import TooManyStreams
from app.races import hub as hub_module
from app.races.hub import Hub
from app.races.schemas import race_out
from app.races.view import RaceView
from tests.app.races import do, game_of, gather, go
from tests.app.support import Client, Clock, Json, services_of
from tests.conftest import ON_POSTGRESQL

PATIENCE_S = 20


class Streams:
    """A hub of its own over the tests' database, as another server process would have."""

    def __init__(self, app: FastAPI) -> None:
        on = services_of(app)
        self.races = on.races
        self.bus = Bus(on.database)
        self.hub = Hub(on.database, self.races, self.bus)

    def open(self, race: Json, who: str, token: str | None = None) -> "Stream":
        view = self.races.see(race["id"], token)
        return Stream(self.hub.watch(view, who, "json", _json))


class Stream:
    """One stream's events."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self.chunks = chunks

    async def next(self) -> Json:
        """The next standing; comments and the like are passed over."""
        while True:
            text = (await self.chunk()).decode()
            if text.startswith("id: "):
                head, data = text.strip().split("\n", 1)
                found: Json = json.loads(data.removeprefix("data: "))
                assert head == f"id: {found['event']}"
                return found

    async def chunk(self) -> bytes:
        return await asyncio.wait_for(anext(self.chunks), PATIENCE_S)

    async def close(self) -> None:
        assert isinstance(self.chunks, AsyncGenerator)
        await self.chunks.aclose()


def _json(view: RaceView) -> str:
    return race_out(view).model_dump_json()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        await work()

    asyncio.run(main())


@pytest.fixture
def streams(app: FastAPI) -> Iterator[Streams]:
    heard = services_of(app).database.on_told
    yield Streams(app)
    services_of(app).database.on_told = heard


def test_a_stream_begins_with_the_whole_standing_and_follows(
    client: Client, other: Client, clock: Clock, streams: Streams
) -> None:
    race = go(clock, client, other)
    game = game_of(other, race)

    async def work() -> None:
        streams.bus.start()
        stream = streams.open(race, "kate")
        assert (await stream.chunk()).startswith(b"retry: ")
        first = await stream.next()
        assert [each["moves"] for each in first["players"]] == [0, 0]
        assert (first["me"], first["game_id"], first["code"]) == (None, None, None)
        await asyncio.to_thread(other.move, game, game["legal_moves"][0])
        later = await stream.next()
        assert later["event"] > first["event"]
        assert sorted(each["moves"] for each in later["players"]) == [0, 1]
        await stream.close()
        again = streams.open(race, "kate")  # a connection that was lost
        assert (await again.next())["players"] == later["players"]
        await again.close()
        await streams.bus.stop()

    run(work)


def test_what_is_rolled_back_is_not_heard(database: Database) -> None:
    heard: list[str | None] = []
    bus = Bus(database)
    bus.listen(heard.append)

    async def work() -> None:
        bus.start()
        await asyncio.sleep(0.5 if ON_POSTGRESQL else 0)
        with contextlib.suppress(RuntimeError), database.write() as connection:
            tell(connection, race_topic("lost"))
            raise RuntimeError
        with database.write() as connection:
            tell(connection, race_topic("kept"))
            assert race_topic("kept") not in heard
        for _ in range(200):
            if race_topic("kept") in heard:
                break
            await asyncio.sleep(0.02)
        await bus.stop()

    run(work)
    assert race_topic("kept") in heard
    assert race_topic("lost") not in heard


def test_an_idle_stream_is_kept_alive(
    client: Client, streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = gather(client)
    monkeypatch.setattr(hub_module, "BEAT_S", 0.05)

    async def work() -> None:
        stream = streams.open(race, "kate")
        await stream.next()
        assert await stream.chunk() == b": beat\n\n"
        await stream.close()

    run(work)


def test_a_player_s_oldest_stream_ends_when_there_are_too_many(
    client: Client, streams: Streams
) -> None:
    race = gather(client)

    async def work() -> None:
        mine = [streams.open(race, "kate") for _ in range(hub_module.PER_PLAYER)]
        for stream in mine:
            await stream.next()
        one_more = streams.open(race, "kate")
        await one_more.next()
        assert await mine[0].chunk() == b"event: bye\ndata:\n\n"
        with pytest.raises(StopAsyncIteration):
            await mine[0].chunk()
        for stream in (*mine, one_more):
            await stream.close()

    run(work)


def test_so_many_watch_and_no_more(
    client: Client, streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = gather(client)
    monkeypatch.setattr(hub_module, "SPECTATORS", 2)

    async def work() -> None:
        watching = [streams.open(race, f"{number}") for number in range(2)]
        for stream in watching:
            await stream.next()
        with pytest.raises(TooManyStreams):
            streams.open(race, "3")
        player = streams.open(race, "host", client.token)
        await player.next()
        await watching[0].close()
        other = streams.open(race, "3")
        await other.next()
        for stream in (watching[1], other, player):
            await stream.close()

    run(work)


def test_nothing_of_a_stream_is_kept_when_it_is_gone(
    client: Client, other: Client, streams: Streams
) -> None:
    race = gather(client, other)

    async def work() -> None:
        stream = streams.open(race, "kate")
        await stream.next()
        await stream.close()
        assert streams.hub._channels == {}
        assert streams.hub._of == {}
        stays = streams.open(race, "leo")
        await stays.next()
        streams.hub.stop()
        with pytest.raises(StopAsyncIteration):  # without a goodbye: its page is to come back
            await stays.chunk()
        await stays.close()

    run(work)


def test_a_stream_over_http(client: Client, other: Client, app: FastAPI) -> None:
    race = gather(client, other)

    async def work() -> None:
        started, body = [], asyncio.Queue[bytes]()
        gone = asyncio.Event()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append((message["status"], dict(message["headers"])))
            else:
                await body.put(message["body"])

        path = f"/races/{race['id']}/events"
        scope: Scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"host", b"yukon.test"), (b"accept-language", b"en")],
            "scheme": "http",
            "server": ("yukon.test", 80),
            "client": ("127.0.0.1", 1),
            "http_version": "1.1",
            "root_path": "",
        }
        serving = asyncio.create_task(app(scope, receive, send))
        text = b""
        while b"\n\n" not in text.partition(b"retry")[2].partition(b"\n\n")[2]:
            text += await asyncio.wait_for(body.get(), PATIENCE_S)
        ((status, headers),) = started
        assert status == 200
        assert headers[b"content-type"].startswith(b"text/event-stream")
        assert headers[b"x-accel-buffering"] == b"no"
        assert b"no-transform" in headers[b"cache-control"]
        assert b"content-encoding" not in headers
        assert b'data: <ol class="runners lobby"' in text
        gone.set()
        await asyncio.wait_for(serving, PATIENCE_S)

    run(work)


def test_the_streams_of_an_unknown_race(client: Client) -> None:
    assert client.get("/races/nosuchrace/events").status_code == 404
    do(client, gather(client), "leave")
