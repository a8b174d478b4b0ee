"""A player that sees only face-up cards.

`choose(rules, view, strength, seed, budget, should_stop)` says what to play on a board view: the
moves up to the next card that turns. It deals the hidden cards at random many times, solves each
such sample, takes the beginnings of the wins as plans, and plays the plan after which most samples
can be won. The view has no hidden identities, so it cannot peek.

The rooms, each standing on the ones before it::

    kernels     compilation, as in the solver
    seen        from a board view to the kernels' form: visible cards, slots, the pool
    samples     drawing samples, solving them, plans and what they keep winnable
    ahead       the visible cards alone: the greedy move, the look-ahead
    strengths   the four players, how each game's samples are solved
    chances     from shares to chances, measured
    decide      a decision
    play        a whole game
    trials      whole games of the simplest sampling player in one compiled loop
    difficulty  how hard a deal is, measured with trials
"""

from engine.fair.decide import BUDGET, Decision, choose
from engine.fair.strengths import STRENGTHS, Strength

__all__ = ["BUDGET", "STRENGTHS", "Decision", "Strength", "choose"]
