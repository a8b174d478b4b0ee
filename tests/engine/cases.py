"""The known cases, as the engine's tests read them."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.boardtext import parse_board
from engine.deals import deal, parse_code
from engine.moves import Move, parse_line
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.variants import (
    Build,
    Cells,
    DealStep,
    Foundations,
    Stock,
    Variant,
)

DATA = Path(__file__).parent.parent / "data"
HERE = Path(__file__).parent
RULE_LETTERS = "CRFSAPD"
WORRYING_BACK = "CRP"
CLEAN_WINS = {"C": 625, "R": 625, "F": 625, "S": 625, "A": 625, "P": 520, "D": 1260}


def read_cases(path: Path) -> list[dict[str, Any]]:
    """The entries of a file with one JSON object a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Win(NamedTuple):
    """A line of moves that wins, and where it starts."""

    name: str
    rules: Rules
    start: Position
    moves: tuple[Move, ...]
    score: int


def _win(case: dict[str, Any]) -> Win:
    rules = get_rules(case["rule"] if "board" in case else parse_code(case["code"]).rule)
    if "board" in case:
        name, start = "board", parse_board("\n".join(case["board"]), rules.variant)
    else:
        name, start = case["code"], deal(parse_code(case["code"]))
    return Win(name, rules, start, tuple(parse_line(case["solution"])), case["score"])


VERDICTS = read_cases(DATA / "verdicts.jsonl")
WINS = [
    _win(case)
    for case in (*VERDICTS, *read_cases(HERE / "wins.jsonl"))
    if case["verdict"] == "winnable"
]


@cache
def wins(rule: str) -> list[Win]:
    """Known wins under a rule. Under R a line of F wins too, where no group is too large."""
    if rule == "R":
        found = [win for win in wins("F") if all(move.size <= 20 for move in win.moves)]
        return [win._replace(rules=get_rules("R")) for win in found]
    return [win for win in WINS if win.rules.variant.rule == rule]


FAMILY: list[dict[str, Any]] = json.loads((DATA / "family.json").read_text(encoding="utf-8"))


def variant_of(entry: dict[str, Any]) -> Variant:
    """The family file's entry as data of the engine."""
    return Variant(
        key=entry["key"],
        name=entry["name"],
        rule=entry["rule"],
        deal=tuple(DealStep(*step) for step in entry["deal"]),
        columns=tuple((down, up) for down, up in entry["columns"]),
        decks=entry["decks"],
        build=Build(**entry["build"]),
        empty_pile=entry["empty_column"],
        foundations=Foundations(**entry["foundations"]),
        worrying_back=entry["worrying_back"],
        max_group=entry["max_group"],
        stock=Stock(**entry["stock"]) if "stock" in entry else None,
        cells=Cells(**entry["cells"]) if "cells" in entry else None,
        reserve=entry.get("reserve", 0),
        redeals=entry.get("redeals", 0),
        column_patterns=tuple(entry.get("column_patterns", ())),
        pysolfc_id=entry["pysolfc_id"],
    )


FAMILY_VARIANTS = {entry["key"]: variant_of(entry) for entry in FAMILY}
