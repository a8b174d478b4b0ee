"""Who watches races here: one look at the database for all of them, and a stream for each.

A stream holds no database session. What it sends is a race's whole standing as everybody may see
it, so a stream that begins again, or one that was slow, has missed nothing: only the last standing
is ever sent. Streams are counted, for each race and for each player.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from starlette.requests import Request

from app.bus import Bus, race_topic
from app.db import Database
from app.errors import TooManyStreams
from app.i18n import gettext as _
from app.players.service import token_of
from app.races.machine import SPECTATORS
from app.races.service import RaceService
from app.races.view import RaceView

BEAT_S = 15.0
"""After so much silence a stream sends a comment, so that nobody between takes it for dead."""
PER_PLAYER = 6
"""A player's streams here; the oldest ends when there is one more."""
STREAMS = 5_000
_LOOK_ANYHOW_S = 20.0
_GATHER_S = 0.02  # moves that come together are shown together
_AGAIN_S = 1.0
_RETRY_MS = 2_000

HEADERS = {
    "cache-control": "no-cache, no-store, no-transform",
    "x-accel-buffering": "no",
}
"""For proxies: keep nothing, change nothing, hold nothing back."""


def watcher_of(request: Request) -> str:
    """Whose stream it is: the player's, or whoever's at this address."""
    return token_of(request) or (request.client.host if request.client else "")


Render = Callable[[RaceView], str]


@dataclass(eq=False)
class _Stream:
    who: str
    plays: bool
    wakes: asyncio.Event = field(default_factory=asyncio.Event)
    is_ended: bool = False


@dataclass(eq=False)
class _Channel:
    """The streams of one race, what they were last shown, and its texts by format."""

    heard: asyncio.Event = field(default_factory=asyncio.Event)
    streams: set[_Stream] = field(default_factory=set)
    view: RaceView | None = None
    texts: dict[str, bytes] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None


class Hub:
    """The streams of one server process."""

    def __init__(self, database: Database, races: RaceService, bus: Bus) -> None:
        self._database = database
        self._races = races
        self._channels: dict[str, _Channel] = {}
        self._of: dict[str, list[_Stream]] = {}
        self._stopped = False
        bus.listen(self._hear)

    def _hear(self, topic: str | None) -> None:
        if topic is None:
            for channel in self._channels.values():
                channel.heard.set()
            return
        channel_of = self._channels.get(topic.removeprefix(race_topic("")))
        if channel_of is not None:
            channel_of.heard.set()

    def watch(self, view: RaceView, who: str, kind: str, render: Render) -> AsyncIterator[bytes]:
        """A stream of a race's standing for `who` (a player, or an address).

        `view` is the race as it was just seen; `kind` names the format and the language, whose
        text `render` makes, once for all streams of that kind. Raises TooManyStreams.
        """
        stream = _Stream(who, view.me is not None)
        self._check(stream, view.id)
        return self._sent(stream, view.id, kind, render)

    async def _sent(
        self, stream: _Stream, race_id: str, kind: str, render: Render
    ) -> AsyncIterator[bytes]:
        channel = self._entered(stream, race_id)
        try:
            yield b"retry: %d\n\n" % _RETRY_MS
            seen: RaceView | None = None
            while not stream.is_ended:
                if channel.view is not None and channel.view is not seen:
                    seen = channel.view
                    if kind not in channel.texts:
                        channel.texts[kind] = _event(seen, render(seen))
                    yield channel.texts[kind]
                    continue
                stream.wakes.clear()
                try:
                    await asyncio.wait_for(stream.wakes.wait(), BEAT_S)
                except TimeoutError:
                    yield b": beat\n\n"
            if not self._stopped:
                yield b"event: bye\ndata:\n\n"
        finally:
            self._left(channel, stream, race_id)

    def _check(self, stream: _Stream, race_id: str) -> None:
        channel = self._channels.get(race_id)
        watching = sum(not each.plays for each in channel.streams) if channel else 0
        total = sum(len(each.streams) for each in self._channels.values())
        if (not stream.plays and watching >= SPECTATORS) or total >= STREAMS:
            raise TooManyStreams(_("So many watch this race already that no more can be served"))

    def _entered(self, stream: _Stream, race_id: str) -> _Channel:
        channel = self._channels.setdefault(race_id, _Channel())
        channel.streams.add(stream)
        mine = self._of.setdefault(stream.who, [])
        mine.append(stream)
        if len(mine) > PER_PLAYER:
            oldest = next(each for each in mine if not each.is_ended)
            oldest.is_ended = True
            oldest.wakes.set()
            mine.remove(oldest)
        if channel.task is None:
            channel.task = asyncio.create_task(self._look(channel, race_id))
            channel.heard.set()
        return channel

    def _left(self, channel: _Channel, stream: _Stream, race_id: str) -> None:
        channel.streams.discard(stream)
        mine = self._of.get(stream.who, [])
        if stream in mine:
            mine.remove(stream)
        if not mine:
            self._of.pop(stream.who, None)
        if not channel.streams:
            if channel.task is not None:
                channel.task.cancel()
            if self._channels.get(race_id) is channel:
                del self._channels[race_id]

    async def _look(self, channel: _Channel, race_id: str) -> None:
        """Look at the race whenever it is heard of, and now and then anyhow."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(channel.heard.wait(), _LOOK_ANYHOW_S)
            channel.heard.clear()
            try:
                view = await self._database.run(self._races.shared, race_id)
            except Exception:  # the database is away for a moment: the streams stay
                await asyncio.sleep(_AGAIN_S)
                channel.heard.set()
                continue
            if channel.view is None or _mark(view) != _mark(channel.view):
                channel.view, channel.texts = view, {}
                for stream in channel.streams:
                    stream.wakes.set()
            await asyncio.sleep(_GATHER_S)

    def stop(self) -> None:
        """End every stream, without a goodbye: pages come back, to the server's next start."""
        self._stopped = True
        for channel in list(self._channels.values()):
            if channel.task is not None:
                channel.task.cancel()
            for stream in channel.streams:
                stream.is_ended = True
                stream.wakes.set()


def _mark(view: RaceView) -> tuple[str, int]:
    return view.state, view.event


def _event(view: RaceView, text: str) -> bytes:
    data = "".join(f"data: {line}\n" for line in text.splitlines() if line.strip())
    return f"id: {view.event}\n{data}\n".encode()
