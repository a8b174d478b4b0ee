"""The fair player's compiled functions, in a package of their own: it names the cache they keep.

`samples` draws and solves the hidden cards; `ahead` looks at the visible ones; `trials` plays
whole games.
"""

from pathlib import Path

from engine.solver import jit
from engine.solver.jit import compiler

kernel = compiler(Path(jit.__file__).parent, Path(__file__).parent)
"""The decorator of this package's functions."""
