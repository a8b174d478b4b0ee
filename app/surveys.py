"""Work on many deals, kept in a file as it goes, so that it can go on later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

_AHEAD = 4  # deals given to each process before it has answered


class Numbered(Protocol):
    """A dataclass that says what came of one deal."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def number(self) -> int:
        """The deal's number."""


Row = TypeVar("Row", bound=Numbered)


class Kept(Generic[Row]):
    """A file with one JSON line a deal: the tags, which tell surveys in one file apart, and a row.

    `rows`: what the file holds under these tags, by the deals' numbers; a later line counts.
    """

    def __init__(self, path: Path, tags: dict[str, str], kind: Callable[..., Row]) -> None:
        self.path, self.tags = path, tags
        self.rows: dict[int, Row] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                row = self._read(line, kind)
                if row is not None:
                    self.rows[row.number] = row

    def _read(self, line: str, kind: Callable[..., Row]) -> Row | None:
        """A line of the file; None for another survey's, and for one that was cut short."""
        try:
            fields = json.loads(line)
            if {name: fields.pop(name) for name in self.tags} != self.tags:
                return None
            return kind(**fields)
        except (ValueError, TypeError, AttributeError, KeyError):
            return None

    def run(
        self,
        numbers: Iterable[int],
        processes: int,
        work: Callable[[int], Row],
        prepare: Callable[[], None],
    ) -> Iterator[Row]:
        """Do the work on each deal; each row as it is done, already in the file.

        `work` and `prepare` (called once in each process) must be picklable.
        """
        todo = iter(numbers)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        pool = ProcessPoolExecutor(processes, get_context("spawn"), prepare)
        running: set[Future[Row]] = set()
        workers: list[BaseProcess] = []
        with self.path.open("a", encoding="utf-8") as kept:
            if kept.tell():
                kept.write("\n")  # what an interruption cut short ends here
            try:
                while True:
                    for number in todo:
                        running.add(pool.submit(work, number))
                        if len(running) >= processes * _AHEAD:
                            break
                    if not running:
                        return
                    workers = list((pool._processes or {}).values())
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        row = future.result()
                        kept.write(json.dumps({**self.tags, **asdict(row)}) + "\n")
                        kept.flush()
                        self.rows[row.number] = row
                        yield row
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in workers:
                    process.terminate()
