"""No state on a winning line is ever called dead, and every verdict known is reached."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.boardtext import parse_board
from engine.deals import deal, open_code, parse_code
from engine.moves import Move, parse_line
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.solver import board, refute, search, slots, solve
from engine.solver.deadend import hopeless
from engine.solver.encode import encode, moves_of
from engine.solver.model import BACK, MERGED, U8

DATA = Path(__file__).parents[1] / "data"
ROWS = [json.loads(line) for line in (DATA / "verdicts.jsonl").read_text().splitlines()]


def known(rule: str) -> Iterator[tuple[Position, dict[str, Any]]]:
    """The positions of verdicts.jsonl under a rule, with their rows."""
    for row in ROWS:
        if "code" in row:
            code = parse_code(row["code"])
            if code.rule == rule:
                yield deal(code), row
