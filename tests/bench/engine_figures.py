"""The engine's figures: perft, legal moves, replay."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path

from engine.deals import deal, parse_code
from engine.game import replay
from engine.perft import perft
from engine.rules import get_rules
from tests.bench.figures import median_seconds, show

_DATA = Path(__file__).resolve().parent.parent / "data"


def longest_lines(count: int = 1) -> list[tuple[str, list[str]]]:
    """The codes and moves of the longest known winning lines, the longest first."""
    rows = map(json.loads, (_DATA / "verdicts.jsonl").read_text().splitlines())
    known = [row for row in rows if row.get("code") and row.get("solution")]
    lines = [(row["code"], row["solution"].split()) for row in known]
    return sorted(lines, key=lambda line: -len(line[1]))[:count]


def run() -> None:
    """Measure and print."""
    for rule, depth in (("C", 4), ("R", 4), ("D", 3)):
        code = parse_code(f"YU1-{rule}-AAAAA7I")
        rules, start = get_rules(rule), deal(code)
        begun = time.perf_counter()
        leaves = perft(rules, start, depth)
        speed = leaves / (time.perf_counter() - begun)
        show(f"perft {depth} of {code}", f"{speed:,.0f} leaves/s")
    for rule in "CRFSAPD":
        rules, start = get_rules(rule), deal(parse_code(f"YU1-{rule}-AAAAAAB"))
        took = median_seconds(partial(rules.legal_moves, start), 21, 500)
        show(f"legal moves at the start, {rules.variant.name}", f"{took * 1e6:.1f} µs", "≤ 30 µs")
    ((text, moves),) = longest_lines()
    code = parse_code(text)
    rules, start = get_rules(code.rule), deal(code)
    took = median_seconds(lambda: replay(rules, start, moves), 21, 3)
    show(f"replay of {len(moves)} moves", f"{took * 1e3:.2f} ms")
    show("replay of 200 moves at that pace", f"{took * 1e3 * 200 / len(moves):.2f} ms", "≤ 5 ms")
