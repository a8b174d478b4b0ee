"""A player that sees only face-up cards.

`choose(rules, view, strength, seed, budget, should_stop)` says what to play on a board view: the
moves up to the next card that turns. It deals the hidden cards at random many times, solves each
such sample, takes the beginnings of the wins as plans, and plays the plan after which most samples
can be won. The view has no hidden identities, so it cannot peek.

The rooms, each standing on the ones before it::

    seen        from a board view to the kernels' form: visible cards, slots, the pool
    compiled    drawing and solving samples, plans and what they keep winnable; the look-ahead
    strengths   the four players, how each game's samples are solved
    chances     from shares to chances, measured
    decide      a decision
    play        a whole game
    difficulty  how hard a deal is, measured with whole games
"""

from engine.fair.decide import BUDGET, Decision, choose, warm_up
from engine.fair.strengths import STRENGTHS, Strength

__all__ = ["BUDGET", "STRENGTHS", "Decision", "Strength", "choose", "warm_up"]
