"""The decorator of this package's compiled functions."""

from pathlib import Path

from engine.solver import jit
from engine.solver.jit import compiler

kernel = compiler(Path(jit.__file__).parent, Path(__file__).parent)
