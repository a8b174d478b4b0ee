"""The server under load: the application, with a bare endpoint beside it to compare with."""

from __future__ import annotations

import os
import sys

import uvicorn
from starlette.responses import HTMLResponse

from app.config import Settings
from app.db import Database
from app.main import create_app

_BARE = "x" * 7168


def main() -> None:
    """Serve on the port given, with so many workers; without any, on one core."""
    workers = int(sys.argv[2])
    if hasattr(os, "sched_setaffinity") and not workers:
        os.sched_setaffinity(0, {0})
    settings = Settings()
    database = Database(settings)
    database.migrate()
    database.close()
    app = create_app(settings, workers=workers)

    @app.get("/bare", include_in_schema=False)
    async def bare() -> HTMLResponse:
        return HTMLResponse(_BARE)

    routes = app.router.routes
    routes.insert(0, routes.pop())  # found at once, so that no other route's cost is in it

    uvicorn.run(
        app,
        host="127.0.0.1",
        port=int(sys.argv[1]),
        log_level="warning",
        timeout_graceful_shutdown=2,
    )


if __name__ == "__main__":
    main()
