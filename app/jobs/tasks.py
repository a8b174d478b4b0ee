"""What workers can do: each kind of job, from its payload to what is stored and answered.

- `verdict`: `{"rule", "position"}` → the verdict on a position, and its line.
- `deal`: `{"code"}` → the verdict on a deal, and par; a winnable one is followed by `par`.
- `par`: `{"code", "line"}` → a shorter line than this one, if one is found, and a lower bound.
- `lost`: `{"code", "line"}` → how long the line was when it could last be won.
- `opponent`: `{"rule", "position", "strength", "seed"}` → the moves that a fair player plays next,
  from the face-up cards alone; none when it sees nothing to do.
- `race`: `{"rule", "race"}` → a sealed deal that can be won, for a race before its cards are dealt;
  the answer and the job say nothing of it.
- `analysis`: `{"rule", "positions"}` → the verdict on each of some positions of a finished game.
- `fair`: `{"rule", "position"}` → what the fair player plays on what is visible of a position.
- `tries`: `{"code"}` → in how many of `TRIES` games the fair player wins a deal.
- `daily`: `{"day", "rule"}` → a sealed deal for the day is chosen and stored; the answer and the
  job say nothing of it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any, cast

from sqlalchemy import Connection

from app.daily import store as dailies
from app.daily.choice import Candidate, choose_for_weekday
from app.days import as_date
from app.jobs import proofs, store
from app.jobs.proofs import UNPROVEN, UNWINNABLE, WINNABLE, DealProof, Verdict, VerdictName
from app.jobs.service import LATER, QUEUE_LIMIT
from app.jobs.store import Job
from app.races import store as races
from engine.deals import SEALED_DEALS, DealCode, deal, kept_code, parse_code, sealed_code
from engine.fair import STRENGTHS, choose
from engine.fair import warm_up as warm_up_fair
from engine.fair.decide import EXACT
from engine.fair.difficulty import Examiner, Trials
from engine.moves import parse_line
from engine.position import Position, decode
from engine.rules import Rules, get_rules
from engine.solver import POSITIONS_A_SECOND, Solution, shorten, solve
from engine.view import board_view

Stop = Callable[[], bool]
Keep = Callable[[Connection, int], None]
Done = tuple[Keep, dict[str, Any]]

LONGEST_MS = 60_000
"""No job may run longer."""

_SECONDS = {
    "analysis": 20.0,
    "verdict": 20.0,
    "deal": 40.0,
    "par": 6.0,
    "lost": 40.0,
    "opponent": 20.0,
    "race": 20.0,
    "daily": 45.0,
    "fair": 3.0,
    "tries": 20.0,
}
_STEP_SECONDS = 6.0  # for each of the positions of a lost game
_CANDIDATE_SECONDS = 5.0  # for each deal that may become a daily one
_CANDIDATES = 13
_RACE_CANDIDATE_SECONDS = 1.0  # the players are gathering
_BUDGET = 20_000_000
_THOUGHT_SECONDS = 0.25  # a fair hint; the best of what is known then is told
TRIES = 16
PAR_BUDGET = 2 * POSITIONS_A_SECOND


def seconds_for(job: Job) -> float:
    """How long a job may take."""
    return _SECONDS[job.kind]


def warm_up() -> None:
    """Compile the solver, by solving a deal of each game."""
    warm_up_fair()
    for rule in "CRFSAPD":
        code = parse_code(f"YU1-{rule}-AAAAAAB")
        found = solve(get_rules(rule), deal(code), 2_000)
        if found.moves:
            shorten(get_rules(rule), deal(code), found.moves, 200)


def do(job: Job, should_stop: Stop) -> Done:
    """Do a job: how to store what was found, and the answer. Raises what the solver raises."""
    return _KINDS[job.kind](job.payload, should_stop)


def _solved(rules: Rules, position: Position, should_stop: Stop) -> Verdict:
    found: Solution = solve(rules, position, _BUDGET, should_stop)
    return Verdict(
        cast(VerdictName, found.verdict), " ".join(map(str, found.moves)), found.positions
    )


def _verdict(payload: dict[str, Any], should_stop: Stop) -> Done:
    rule, position = payload["rule"], decode(bytes.fromhex(payload["position"]))
    verdict = _solved(get_rules(rule), position, should_stop)

    def keep(connection: Connection, now: int) -> None:
        proofs.keep_verdict(connection, rule, position, verdict, now)

    return keep, {"verdict": verdict.verdict}


def _deal(payload: dict[str, Any], should_stop: Stop) -> Done:
    code = parse_code(payload["code"])
    start = deal(code)
    verdict = _solved(get_rules(code.rule), start, should_stop)
    proof = _proof(code, verdict)

    def keep(connection: Connection, now: int) -> None:
        proofs.keep_verdict(connection, code.rule, start, verdict, now)
        proofs.keep_deal(connection, proof, code.rule, now)
        if proof.par is not None and store.waiting(connection) < QUEUE_LIMIT:
            payload = {"code": str(code), "line": proof.line}
            store.add(connection, "par", str(code), payload, LATER, now)

    return keep, {"verdict": verdict.verdict, "par": proof.par}


def _par(payload: dict[str, Any], should_stop: Stop) -> Done:
    code, line = parse_code(payload["code"]), parse_line(payload["line"])
    found = shorten(get_rules(code.rule), deal(code), line, PAR_BUDGET, should_stop)
    proof = proofs.short_line(str(code), found.moves, found.bound)

    def keep(connection: Connection, now: int) -> None:
        proofs.keep_deal(connection, proof, code.rule, now)

    return keep, {"par": proof.par, "bound": proof.bound}


def _proof(code: DealCode, verdict: Verdict) -> DealProof:
    par = len(verdict.line.split()) if verdict.verdict == WINNABLE else None
    return DealProof(str(code), verdict.verdict, verdict.line, par, None, "solver")


def _lost(payload: dict[str, Any], should_stop: Stop) -> Done:
    """The longest part of a line from whose end the deal can still be won.

    What can be reached from a lost position is lost too, so along a line the winnable positions
    come first, and halving finds the last one. A position that stays unproven is not claimed:
    it counts as lost, for as long as it is not known better.
    """
    code = kept_code(payload["code"])
    rules, positions = get_rules(code.rule), [deal(code)]
    for move in parse_line(payload["line"]):
        positions.append(rules.apply(positions[-1], move))
    found: dict[int, Verdict] = {}
    low, high = -1, len(positions)  # positions up to low can be won, from high on they cannot
    while high - low > 1 and not should_stop():
        middle = (low + high) // 2
        found[middle] = _solved(rules, positions[middle], _within(should_stop, _STEP_SECONDS))
        if found[middle].verdict == WINNABLE:
            low = middle
        else:
            high = middle

    def keep(connection: Connection, now: int) -> None:
        for at, verdict in found.items():
            if verdict.verdict != UNPROVEN:  # a longer search may prove it
                proofs.keep_verdict(connection, code.rule, positions[at], verdict, now)
                if at == 0 and not code.is_board:  # a board is no deal that anybody looks up
                    proofs.keep_deal(connection, _proof(code, verdict), code.rule, now)

    hopeless = 0 in found and found[0].verdict == UNWINNABLE
    return keep, {"winnable_at": low if low >= 0 else None, "hopeless": hopeless}


def _opponent(payload: dict[str, Any], should_stop: Stop) -> Done:
    view = board_view(decode(bytes.fromhex(payload["position"])))
    decision = choose(
        get_rules(payload["rule"]),
        view,
        STRENGTHS[payload["strength"]],
        payload["seed"],
        should_stop=should_stop,
    )
    return _nothing, {"moves": " ".join(map(str, decision.moves))}


def _race(payload: dict[str, Any], should_stop: Stop) -> Done:
    rules = get_rules(payload["rule"])
    found: tuple[DealCode, Verdict] | None = None
    while found is None and not should_stop():
        code = sealed_code(payload["rule"], secrets.randbelow(SEALED_DEALS))
        verdict = _solved(rules, deal(code), _within(should_stop, _RACE_CANDIDATE_SECONDS))
        if verdict.verdict == WINNABLE:
            found = code, verdict

    def keep(connection: Connection, now: int) -> None:
        if found is not None and races.choose_deal(connection, payload["race"], found[0]):
            code, verdict = found
            proofs.keep_verdict(connection, code.rule, deal(code), verdict, now)
            proofs.keep_deal(connection, _proof(code, verdict), code.rule, now)

    return keep, {}


def _analysis(payload: dict[str, Any], should_stop: Stop) -> Done:
    rule = payload["rule"]
    found = []
    for text in payload["positions"]:
        position = decode(bytes.fromhex(text))
        seconds = _within(should_stop, _STEP_SECONDS)
        found.append((position, _solved(get_rules(rule), position, seconds)))

    def keep(connection: Connection, now: int) -> None:
        for position, verdict in found:
            proofs.keep_verdict(connection, rule, position, verdict, now)

    return keep, {"verdicts": [verdict.verdict for _, verdict in found]}


def _nothing(_connection: Connection, _now: int) -> None:
    """For answers that the job alone keeps."""


def _fair(payload: dict[str, Any], should_stop: Stop) -> Done:
    """The fair player's plan; it is given a board view, which holds no hidden card."""
    view = board_view(decode(bytes.fromhex(payload["position"])))
    until = _within(should_stop, _THOUGHT_SECONDS)
    made = choose(get_rules(payload["rule"]), view, STRENGTHS["expert"], should_stop=until)
    return _nothing, {
        "moves": " ".join(map(str, made.moves)),
        "exact": made.how == EXACT,
        "wins": made.wins,
        "samples": made.samples,
        "chance": made.chance,
        "lost": made.lost,
    }


def _tries(payload: dict[str, Any], should_stop: Stop) -> Done:
    code = parse_code(payload["code"])
    rules, start = get_rules(code.rule), deal(code)
    trials, cards = Trials(rules), rules.variant.cards
    won = played = 0
    while played < TRIES and not should_stop():
        played += 1
        won += trials.play(start, played) == cards
    return _nothing, {"won": won, "of": played}


def _daily(payload: dict[str, Any], should_stop: Stop) -> Done:
    """Choose a day's deal among candidates with winning lines. Raises ValueError without any."""
    day, rules = payload["day"], get_rules(payload["rule"])
    found: list[Candidate] = []
    examiner = Examiner(rules)
    while len(found) < _CANDIDATES and not should_stop():
        code = sealed_code(payload["rule"], secrets.randbelow(SEALED_DEALS))
        start = deal(code)
        verdict = _solved(rules, start, _within(should_stop, _CANDIDATE_SECONDS))
        if verdict.verdict == WINNABLE:
            mark = examiner.difficulty(start).mark
            found.append(Candidate(code, verdict.line, verdict.positions, mark))
    chosen = choose_for_weekday(found, as_date(day).weekday())
    verdict = Verdict(WINNABLE, chosen.line, chosen.positions)

    def keep(connection: Connection, now: int) -> None:
        proofs.keep_verdict(connection, chosen.code.rule, deal(chosen.code), verdict, now)
        proofs.keep_deal(connection, _proof(chosen.code, verdict), chosen.code.rule, now)
        dailies.keep(connection, day, chosen.code, chosen.positions, now)

    return keep, {"candidates": len(found)}


_KINDS: dict[str, Callable[[dict[str, Any], Stop], Done]] = {
    "verdict": _verdict,
    "deal": _deal,
    "par": _par,
    "lost": _lost,
    "analysis": _analysis,
    "fair": _fair,
    "tries": _tries,
    "opponent": _opponent,
    "race": _race,
    "daily": _daily,
}


def _within(should_stop: Stop, seconds: float) -> Stop:
    end = time.monotonic() + seconds
    return lambda: should_stop() or time.monotonic() > end
