"""The files under `/static`: read once, compressed once, and then answered from memory."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_FIRST = "no-cache"  # scripts import one another by plain names: all old, or all new
_WORTH = 0.9
"""What is not smaller than so much of itself (pictures, fonts) is left as it is."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file's content, compressed as well where that is worth it, and its headers."""

    content: bytes
    compressed: bytes | None
    headers: dict[str, str]


def _keep(file: FileResponse) -> _Kept:
    content = Path(file.path).read_bytes()
    compressed = gzip.compress(content, mtime=0)
    headers = {name: value for name, value in file.headers.items() if name != "content-length"}
    return _Kept(content, compressed if len(compressed) < _WORTH * len(content) else None, headers)


class Files(StaticFiles):
    """Static files, kept for ever by browsers when the address carries the content's hash.

    They are the server's as it was started: what changes on the disk is seen by the next start.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self._kept: dict[str, _Kept] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file at a path. Raises HTTPException: 404 where there is none, 405."""
        asked = Headers(scope=scope)
        response = await self._answer(path, scope, asked)
        hashed = b"v=" in scope.get("query_string", b"")
        response.headers["cache-control"] = _FOR_EVER if hashed else _ASK_FIRST
        return response

    async def _answer(self, path: str, scope: Scope, asked: Headers) -> Response:
        if scope["method"] != "GET" or "range" in asked:
            return await super().get_response(path, scope)
        kept = self._kept.get(path)
        if kept is None:
            found = await super().get_response(path, scope)
            if not isinstance(found, FileResponse):
                return found
            kept = self._kept[path] = _keep(found)
        if self.is_not_modified(Headers(kept.headers), asked):
            return NotModifiedResponse(Headers(kept.headers))
        if kept.compressed is None or "gzip" not in asked.get("accept-encoding", ""):
            return Response(kept.content, headers=kept.headers)
        packed = {"content-encoding": "gzip", "vary": "Accept-Encoding"}
        return Response(kept.compressed, headers={**kept.headers, **packed})
