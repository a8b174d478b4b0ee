"""What is said of a race; in the request's language."""

from __future__ import annotations

from app.days import clock
from app.i18n import gettext as _
from app.i18n import later, ngettext
from app.races.ghosts import GhostRace
from app.races.machine import LIMIT_MS
from app.races.standing import Runner

STRENGTHS = {
    "greedy": later("Novice"),
    "casual": later("Casual"),
    "strong": later("Strong"),
    "expert": later("Expert"),
}
STRENGTHS_TOLD = {
    "greedy": later("takes the first good move; wins one deal in four"),
    "casual": later("looks ahead now and then; wins two deals in five"),
    "strong": later("weighs a few ways the hidden cards can lie; wins three in five"),
    "expert": later("weighs many ways the hidden cards can lie; wins two in three"),
}
PACES = {
    "leisurely": later("Leisurely"),
    "steady": later("Steady"),
    "quick": later("Quick"),
}
_STATES = {
    "waiting": later("Not ready"),
    "ready": later("Ready"),
    "racing": later("Playing"),
    "won": later("Finished"),
    "ended": later("Gave up"),
}


def name(runner: Runner) -> str:
    """What a player is called."""
    if runner.strength:
        return _("Computer, %(strength)s") % {"strength": _(STRENGTHS[runner.strength])}
    return runner.name or _("Guest %(seat)s") % {"seat": runner.seat}


def state(runner: Runner) -> str:
    """How a player stands."""
    if runner.state == "ended" and not runner.is_ghost and runner.elapsed_ms >= LIMIT_MS:
        return _("Out of time")
    return _(_STATES[runner.state])


def against(race: GhostRace) -> str:
    """Who was faster, once a game with a ghost is over."""
    mine, ghost = race.mine, race.ghost
    facts = {"name": name(ghost), "time": clock(abs(mine.elapsed_ms - ghost.elapsed_ms))}
    if mine.state != "won":
        if ghost.state == "won":
            return _("%(name)s: finished in %(time)s") % {
                **facts,
                "time": clock(ghost.elapsed_ms),
            }
        return ngettext(
            "%(name)s: %(count)s card home", "%(name)s: %(count)s cards home", ghost.cards
        ) % {**facts, "count": ghost.cards}
    if ghost.state != "won":
        return _("%(name)s: not finished. You did!") % facts
    if mine.elapsed_ms // 1000 == ghost.elapsed_ms // 1000:
        return _("%(name)s: just as fast") % facts
    if mine.elapsed_ms < ghost.elapsed_ms:
        return _("%(name)s: you were faster by %(time)s") % facts
    return _("%(name)s: faster than you by %(time)s") % facts
