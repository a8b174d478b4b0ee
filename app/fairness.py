"""How often the fair players win: games over many deals, kept in a file as they are played."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.surveys import Kept
from engine.deals import deal, open_code
from engine.fair import STRENGTHS
from engine.fair.play import play
from engine.rules import get_rules
from engine.solver import solve

_BUDGET = 200_000
_SEED = 1


@dataclass(frozen=True, slots=True)
class Fair:
    """One deal played by a fair player.

    `verdict`: the solver's, every card known. `shares`: of each decision that tried samples the
    hidden cards, the samples won and the samples tried. `ms`: of each decision that was more than
    one look, processor time.
    """

    number: int
    verdict: str
    won: bool
    moves: int
    shares: list[list[int]]
    ms: list[float]


def play_number(rule: str, strength: str, number: int) -> Fair:
    """Play an open deal."""
    rules, start = get_rules(rule), deal(open_code(rule, number))
    verdict = solve(rules, start, _BUDGET).verdict
    played = play(rules, start, STRENGTHS[strength], _SEED, time.thread_time)
    shares = [[hidden, d.wins, d.samples] for hidden, d in played.decisions if d.samples]
    ms = [round(seconds * 1e3, 1) for seconds in played.seconds]
    return Fair(number, verdict, played.won, len(played.line), shares, ms)


class FairSurvey(Kept[Fair]):
    """A fair player's games of one game of the family."""

    def __init__(self, rule: str, strength: str, path: Path) -> None:
        super().__init__(path, {"rule": rule, "strength": strength}, Fair)
        self.rule, self.strength = rule, strength

    def missing(self, start: int, deals: int) -> list[int]:
        """The numbers that are still to be played."""
        return [number for number in range(start, start + deals) if number not in self.rows]

    def play(self, start: int, deals: int, processes: int) -> Iterator[Fair]:
        """Play what is missing; each deal as it is done, already in the file."""
        work = partial(play_number, self.rule, self.strength)
        prepare = partial(_prepare, self.rule, self.strength)
        return self.run(self.missing(start, deals), processes, work, prepare)


def _prepare(rule: str, strength: str) -> None:
    """In each process: compiled before the first deal, deaf to Ctrl-C (the parent hears it)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    play_number(rule, strength, 1)
