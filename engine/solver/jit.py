"""Compilation: a typed decorator over numba, two bit instructions, and a cache that cannot be stale.

numba keys a cached function by the text of its own file only: when a function of another file
that was compiled into it changes, old code runs on. Here the cache lives in a directory that is
named by a hash of every source file of this package and by the versions of Python, numba and
numpy, so any change starts an empty directory.
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
from numba.core import cgutils  # noqa: F401  (numba needs it loaded before its intrinsics)
from numba.extending import intrinsic

_F = TypeVar("_F", bound=Callable[..., Any])
_HERE = Path(__file__).parent


def source_key() -> str:
    """16 hex digits that name this package's sources and what compiles them."""
    digest = hashlib.sha256()
    for path in sorted(_HERE.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    versions = (sys.version, numba.__version__, np.__version__, platform.machine())
    digest.update("\0".join(versions).encode())
    return digest.hexdigest()[:16]


def cache_directory() -> Path:
    """Where compiled code is kept: beside the sources, or in the user's cache if they are not ours.

    `YUKON_SOLVER_CACHE` names another parent directory.
    """
    name = f"solver-{source_key()}"
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


_CACHE = str(cache_directory())


def kernel(function: _F) -> _F:
    """Compile `function` at its first call, without bounds checks, and keep the result on disk.

    Integers divide as in C (no zero check); the global interpreter lock is released.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _CACHE
    try:
        compiled: _F = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled


@intrinsic  # type: ignore[untyped-decorator]
def popcount(_context: Any, _x: Any) -> Any:
    """The number of set bits of a uint64, as a uint64."""

    def codegen(_c: Any, builder: Any, _s: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def lowest(_context: Any, _x: Any) -> Any:
    """The index of the lowest set bit of a uint64 that is not 0, as an int64."""

    def codegen(context: Any, builder: Any, _s: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, 1))

    return types.int64(types.uint64), codegen
