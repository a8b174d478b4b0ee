"""Deciding whether a position can be won.

The public names are `solve`, `Solution` and the verdicts.
"""

from engine.solver.solve import UNPROVEN, UNWINNABLE, WINNABLE, Solution, solve

__all__ = ["UNPROVEN", "UNWINNABLE", "WINNABLE", "Solution", "solve"]
