"""What the table's template gets: a board view with names, places and forms' values.

Everything here comes from `engine.view`, so that no template can show what its player may not
see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.games import words
from app.games.results import Standing
from app.games.service import Change
from app.games.store import Stored
from engine.cards import RANKS
from engine.finish import finishing_line, only_leads_back
from engine.game import Game
from engine.moves import FOUNDATION, Move, Place
from engine.position import Position
from engine.variants import Variant
from engine.view import BoardView, board_view

_SUITS = "SHDC"
_FEW = 4


@dataclass(frozen=True, slots=True)
class CardCell:
    """A card of the table; `name` and `label` are None and a word while it lies face down.

    `pick` is the move source that lifts it (`t4x3`), `target_move` the move that plays the
    selected group onto it, each None where it does not apply.
    """

    name: str | None
    label: str
    index: int
    of: int
    pick: str | None
    selected: bool
    target_move: str | None


@dataclass(frozen=True, slots=True)
class PileCell:
    """A tableau pile, `n` from 1.

    Hashable, and made of nothing but what its template shows, so that the rendered pile can be
    kept: `names` of its cards (None: face down), `lifted`: how many top cards are selected,
    `target_move`: the move that plays the selected group here.
    """

    n: int
    names: tuple[str | None, ...]
    lifted: int = 0
    target_move: str | None = None

    @property
    def down(self) -> int:
        """How many cards lie face down."""
        return self.names.count(None)

    @property
    def up(self) -> int:
        """How many cards lie face up."""
        return len(self.names) - self.down

    @property
    def cards(self) -> list[CardCell]:
        """The cards, base card first."""
        size = len(self.names)
        return [self._card(name, index, size) for index, name in enumerate(self.names, 1)]

    def _card(self, name: str | None, index: int, size: int) -> CardCell:
        left = size - index + 1
        if name is None:
            return CardCell(None, words.FACE_DOWN, index, size, None, False, None)
        pick = f"t{self.n}" if left == 1 else f"t{self.n}x{left}"
        target = self.target_move if left == 1 else None
        return CardCell(name, words.CARDS[name], index, size, pick, left <= self.lifted, target)


@dataclass(frozen=True, slots=True)
class FoundationCell:
    """A foundation; `key` is its place as a move's source writes it (`fS`). Hashable."""

    n: int
    suit: str
    key: str
    cards: tuple[str, ...]
    selected: bool = False
    target_move: str | None = None

    @property
    def top(self) -> CardCell | None:
        """The top card."""
        if not self.cards:
            return None
        name, size = self.cards[-1], len(self.cards)
        return CardCell(
            name, words.CARDS[name], size, size, self.key, self.selected, self.target_move
        )


@dataclass(frozen=True, slots=True)
class StockCell:
    """The stock; `move` deals from it, None when it is empty."""

    count: int
    move: str | None


@dataclass(frozen=True, slots=True)
class WasteCell:
    """The waste."""

    cards: tuple[str, ...]
    top: CardCell | None


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence over the table: `kind` refused, info or healed; `place` what refused."""

    kind: str
    text: str
    place: str | None = None
    move: str | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What the solver has told, or is being asked: `ask` is `hint` or `verdict`.

    `state`: `pending` (the page asks again), `winnable`, `lost`, `unproven`, `nobody` (no worker).
    `move` is the hinted move; `back_to` the number of moves to go back to, None when unknown
    (`seeking`: being found out).
    """

    ask: str
    state: str
    move: str | None = None
    back_to: int | None = None
    seeking: bool = False


@dataclass(frozen=True, slots=True)
class Win:
    """The win panel."""

    score: int
    moves: int
    time_ms: int
    place: int | None
    of: int | None
    ask_name: bool
    code: str


@dataclass(frozen=True, slots=True)
class Table:
    """One game as its page shows it; see the fields' names in docs/formats.md."""

    id: str
    version: int
    status: str
    mine: bool
    variant: Variant
    code: str | None
    score: int
    moves: int
    undos: int
    hints: int
    elapsed_ms: int
    running: bool
    paused: bool
    can_undo: bool
    can_redo: bool
    has_moves: bool
    legal: list[str]
    piles: list[PileCell]
    foundations: list[FoundationCell]
    stock: StockCell | None
    waste: WasteCell | None
    message: Message | None = None
    announce: str = ""
    last_move: str | None = None
    win: Win | None = None
    advice: Advice | None = None
    can_finish: bool = False
    leads_back: bool = False
    selected: str | None = None


Status = Literal["playing", "won", "stuck", "ended"]


def status_of(stored: Stored, legal: list[Move]) -> Status:
    """`playing`, `won`, `ended`, or `stuck`: no legal move at all; won is tested first."""
    return "stuck" if stored.status == "playing" and not legal else stored.status


def shown_code(stored: Stored) -> str | None:
    """The deal's code, None while a sealed deal is being played."""
    return None if stored.sealed and stored.status == "playing" else str(stored.code)


def table_of(
    stored: Stored,
    now: int,
    *,
    mine: bool = True,
    picked: str | None = None,
    message: Message | None = None,
    change: Change | None = None,
    standing: Standing | None = None,
    ask_name: bool = False,
    advice: Advice | None = None,
) -> Table:
    """The table of a game at `now`.

    `picked` is the source of the group selected without scripts; `change` the write that this
    answers, `standing` where its win stands on the deal.
    """
    game, view = stored.game, board_view(stored.game.position)
    moves = game.legal_moves() if stored.status == "playing" else []
    legal = [str(move) for move in moves]
    targets = _targets(moves, picked) if picked else {}
    decks = game.rules.variant.decks
    selected = picked if targets else None
    playing = mine and stored.status == "playing"
    message = message or _told(status_of(stored, moves), picked, selected)
    return Table(
        id=stored.id,
        version=stored.version,
        status=status_of(stored, moves),
        mine=mine,
        variant=game.rules.variant,
        code=shown_code(stored),
        score=game.score.points,
        moves=game.moves,
        undos=game.undos,
        hints=stored.hints,
        elapsed_ms=stored.clock.at(now),
        running=stored.clock.running,
        paused=stored.clock.paused,
        can_undo=playing and game.can_undo,
        can_redo=playing and game.can_redo,
        has_moves=game.moves > 0,
        legal=legal if mine else [],
        piles=[
            PileCell(n, pile, _lifted(selected, f"t{n}"), targets.get(f"t{n}"))
            for n, pile in enumerate(view.tableau, 1)
        ],
        foundations=_foundations(view, decks, selected, targets.get("f")),
        stock=StockCell(view.stock, "s-w" if view.stock else None)
        if game.rules.variant.stock
        else None,
        waste=WasteCell(view.waste, _waste_top(view.waste, selected))
        if game.rules.variant.stock
        else None,
        message=message,
        announce=words.announcement(change, stored) if change else "",
        last_move=str(change.move) if change and change.move else None,
        win=_win(stored, standing, ask_name) if stored.status == "won" else None,
        advice=advice,
        can_finish=playing and finishing_line(game.rules, game.position) is not None,
        leads_back=playing and _leads_back(game, moves),
        selected=selected,
    )


def _leads_back(game: Game, moves: list[Move]) -> bool:
    """Whether all that is left leads round and round (looked for when few moves are left)."""
    return 0 < len(moves) <= _FEW and only_leads_back(game.rules, game.position)


def _card_of(selected: str | None, view: BoardView) -> str | None:
    """The selected top card of a pile or the waste as suit and rank from 0, such as `H3`."""
    if selected is None:
        return None
    pile = view.waste if selected == "w" else view.tableau[int(selected[1:]) - 1]
    name = pile[-1] if pile else None
    return f"{name[1]}{RANKS.index(name[0])}" if name else None


@dataclass(frozen=True, slots=True)
class Picture:
    """A board to look at: piles, foundations, stock and waste as a table has them."""

    variant: Variant
    piles: list[PileCell]
    foundations: list[FoundationCell]
    stock: StockCell | None
    waste: WasteCell | None


def picture_of(position: Position, variant: Variant) -> Picture:
    """A picture of a position as its player sees it."""
    view = board_view(position)
    return Picture(
        variant,
        [PileCell(n, pile) for n, pile in enumerate(view.tableau, 1)],
        _foundations(view, variant.decks),
        StockCell(view.stock, None) if variant.stock else None,
        WasteCell(view.waste, _waste_top(view.waste, None)) if variant.stock else None,
    )


def _told(status: str, picked: str | None, selected: str | None) -> Message | None:
    if status == "stuck":
        return Message("stuck", words.STUCK)
    if picked and not selected:
        return Message("refused", words.GOES_NOWHERE, place=picked)
    return None


def _targets(moves: list[Move], picked: str) -> dict[str, str]:
    """The legal moves of the picked group by target (`t2`, `f`)."""
    found = {}
    for move in moves:
        source, _, target = str(move).partition("-")
        if source == picked:
            found[target] = str(move)
    return found


def _lifted(selected: str | None, place: str) -> int:
    """How many top cards of the pile `place` are selected."""
    if selected is None:
        return 0
    source, _, count = selected.partition("x")
    return int(count or 1) if source == place else 0


def _foundations(
    view: BoardView, decks: int, selected: str | None = None, up_move: str | None = None
) -> list[FoundationCell]:
    """The foundations; `up_move` plays the selected card to the one that takes it next."""
    up = _card_of(selected, view) if up_move else None
    cells = []
    for index, pile in enumerate(view.foundations):
        suit, copy = divmod(index, decks)
        key = Place(FOUNDATION, suit * 2 + copy).text
        takes = up is not None and up == _SUITS[suit] + str(len(pile))
        cells.append(
            FoundationCell(
                index + 1, _SUITS[suit], key, pile, selected == key, up_move if takes else None
            )
        )
        up = None if takes else up
    return cells


def _waste_top(waste: tuple[str, ...], selected: str | None) -> CardCell | None:
    if not waste:
        return None
    name, size = waste[-1], len(waste)
    return CardCell(name, words.CARDS[name], size, size, "w", selected == "w", None)


def _win(stored: Stored, standing: Standing | None, ask_name: bool) -> Win:
    return Win(
        score=stored.game.score.points,
        moves=stored.game.moves,
        time_ms=stored.clock.elapsed_ms,
        place=standing.place if standing else None,
        of=standing.of if standing else None,
        ask_name=ask_name,
        code=str(stored.code),
    )
