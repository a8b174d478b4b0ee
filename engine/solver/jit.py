"""Compilation: a decorator over numba, two bit instructions, a cache that cannot be stale.

numba keys a cached function by the text of its own file only: when a function of another file
that was compiled into it changes, old code runs on. Here the cache lives in a directory that is
named by a hash of every source file of the packages concerned and by the versions of Python,
numba and numpy, so any change starts an empty directory.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

_F = TypeVar("_F", bound=Callable[..., Any])
_HERE = Path(__file__).parent


def source_key(*packages: Path) -> str:
    """16 hex digits that name the sources of the packages and what compiles them."""
    digest = hashlib.sha256()
    for package in packages or (_HERE,):
        for path in sorted(package.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    versions = (sys.version, numba.__version__, np.__version__, platform.machine())
    digest.update("\0".join(versions).encode())
    return digest.hexdigest()[:16]


def cache_directory(*packages: Path) -> Path:
    """Where compiled code is kept: beside the sources, or in the user's cache if they are not ours.

    `YUKON_SOLVER_CACHE` names another parent directory.
    """
    name = f"solver-{source_key(*packages)}"
    chosen = os.environ.get("YUKON_SOLVER_CACHE")
    if chosen:
        return Path(chosen) / name
    beside = _HERE / "__pycache__"
    if os.access(beside if beside.exists() else _HERE, os.W_OK):
        return beside / name
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if os.access(os.path.dirname(home) if not os.path.exists(home) else home, os.W_OK):
        return Path(home) / "yukon" / name
    return Path(tempfile.gettempdir()) / f"yukon-{os.getuid()}" / name


_config: Any = numba.config
_njit: Any = numba.njit


def compiler(*packages: Path) -> Callable[[_F], _F]:
    """A decorator that compiles a function at its first call and keeps the result on disk.

    `packages`: every package whose functions are compiled into it; the kept code is of these
    sources only. No bounds checks, integers divide as in C, the global interpreter lock is
    released, and nothing may be allocated: arrays are then passed on without counting
    references, which else takes nine tenths of the time.
    """
    directory = str(cache_directory(*packages))

    def compiled(function: _F) -> _F:
        before = _config.CACHE_DIR
        _config.CACHE_DIR = directory
        try:
            made: _F = _njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
        finally:
            _config.CACHE_DIR = before
        return made

    return compiled


kernel = compiler(_HERE)
"""The decorator of this package's functions."""


def _popcount(_context: Any, _x: Any) -> Any:
    def codegen(_c: Any, builder: Any, _s: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


def _lowest(_context: Any, _x: Any) -> Any:
    def codegen(context: Any, builder: Any, _s: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, 1))

    return types.int64(types.uint64), codegen


_intrinsic: Any = intrinsic
popcount: Any = _intrinsic(_popcount)
"""`popcount(x)`: the number of set bits of a uint64, as a uint64."""
lowest: Any = _intrinsic(_lowest)
"""`lowest(x)`: the index of the lowest set bit of a uint64 that is not 0, as an int64."""
