"""What a player may see of a position: the one place where face-down cards lose their identity."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import FACE_DOWN, NAMES
from engine.position import Position


@dataclass(frozen=True, slots=True)
class BoardView:
    """A position as its player sees it.

    Cards are names such as `KH`; a face-down card is None, and its identity is nowhere in the
    view. `stock` is a count. Piles run from the base card to the top card.
    """

    tableau: tuple[tuple[str | None, ...], ...]
    foundations: tuple[tuple[str, ...], ...]
    stock: int
    waste: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    reserve: tuple[str, ...]


_SEEN: tuple[str | None, ...] = (*NAMES, *(None for _ in range(256 - len(NAMES))))
assert all(_SEEN[card | FACE_DOWN] is None for card in range(52))


def board_view(position: Position) -> BoardView:
    """The view of a position."""
    return BoardView(
        tableau=tuple(tuple(map(_SEEN.__getitem__, pile)) for pile in position.tableau),
        foundations=tuple(_named(pile) for pile in position.foundations),
        stock=len(position.stock),
        waste=_named(position.waste),
        cells=tuple(_named(pile) for pile in position.cells),
        reserve=_named(position.reserve),
    )


def _named(pile: bytes) -> tuple[str, ...]:
    return tuple(NAMES[card] for card in pile)
