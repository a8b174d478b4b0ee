"""Bringing the shipped files into the database."""

from __future__ import annotations

from pathlib import Path

from app.catalogue import shipped, store
from app.db import Database
from engine.variants import VARIANTS


def load(database: Database, directory: Path = shipped.DIRECTORY) -> int:
    """Load the shipped files that have not been loaded; how many deals they held.

    What a database has beyond them stays. Raises ValueError for a file that is none of ours.
    """
    count = 0
    for variant in VARIANTS:
        path = shipped.path_of(variant, directory)
        if not path.exists():
            continue
        digest = shipped.digest(path)
        with database.read() as connection:
            if store.loaded(connection, variant.rule) == digest:
                continue
        deals = list(shipped.read(path))
        with database.write() as connection:
            count += store.add(connection, variant.rule, deals)
            store.set_loaded(connection, variant.rule, digest)
    return count
