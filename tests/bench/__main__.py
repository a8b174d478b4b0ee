"""`make bench`: every figure, or those named.

They are `engine`, `server`, `leaderboard`, `hints`, `races`, `browser`, `pace`.
"""

from __future__ import annotations

import sys

from tests.bench import (
    browser_figures,
    engine_figures,
    hint_figures,
    leaderboard_figures,
    pace_figures,
    race_figures,
    server_figures,
)

_FIGURES = {
    "engine": engine_figures.run,
    "server": server_figures.run,
    "leaderboard": leaderboard_figures.run,
    "hints": hint_figures.run,
    "races": race_figures.run,
    "browser": browser_figures.run,
    "pace": pace_figures.run,
}

for name in sys.argv[1:] or _FIGURES:
    _FIGURES[name]()
