"""The Chromium that the browser tests drive: found, or installed, or asked for in one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's, the better first: the shell has no window, whose pages cost each profile a process."""
NAMES = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ASK = (
    "The browser tests need Chromium: install it (Debian: `apt-get install chromium`) "
    "or name it in YUKON_CHROMIUM."
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
"""How it is started: alone, and without looking for anything outside."""


def find() -> str | None:
    """The path of a Chromium, or None."""
    named = os.environ.get("YUKON_CHROMIUM")
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


def _apt_get(*command: str) -> None:
    """Run it; what comes of it is looked at afterwards."""
    subprocess.run(
        ["apt-get", "-qq", *command],
        check=False,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )


def ensure() -> str:
    """The path of a Chromium, installed from Debian's packages where that is allowed.

    Exits with one line that says how to get one when there is none.
    """
    path = find()
    if path is None and shutil.which("apt-get") and os.geteuid() == 0:
        _apt_get("update")
        for package in PACKAGES:
            if find() is None:
                _apt_get("install", "-y", package)
        path = find()
    if path is None:
        sys.exit(ASK)
    return path


if __name__ == "__main__":
    sys.stdout.write(f"Chromium: {ensure()}\n")
