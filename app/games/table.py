"""What the table's template gets: a board view with names, places and forms' values.

Everything here comes from `engine.view`, so that no template can show what its player may not
see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.games import words
from app.games.cells import (
    FoundationCell,
    PileCell,
    StockCell,
    WasteCell,
    foundation_cells,
    pile_cells,
    targets_of,
    waste_cell,
)
from app.games.results import Standing
from app.games.steps import Change
from app.games.store import Stored
from app.i18n import gettext as _
from engine.deals import DealCode
from engine.finish import finishing_line, only_leads_back
from engine.game import Game
from engine.moves import Move, move_text, parse_move
from engine.position import Position
from engine.variants import Variant
from engine.view import board_view

_FEW = 4


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence over the table: `kind` refused, info or healed; `place` what refused."""

    kind: str
    text: str
    place: str | None = None
    move: str | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """How good a fair hint is: `wins` of `samples` ways the hidden cards can lie are won after it.

    `chance`: about so many such games in ten are won; None where that was not measured. Without
    samples nothing is hidden (`exact`), or the visible cards alone decided.
    """

    wins: int = 0
    samples: int = 0
    chance: int | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """What the solver has told, or is being asked: `ask` is `hint`, `fair` or `verdict`.

    `state`: `pending` (the page asks again), `winnable`, `lost`, `unproven`, `nobody` (no worker).
    `version` is the one that was asked on, `move` the hinted move; `back_to` the number of moves
    to go back to, None when unknown (`seeking`: being found out); `hopeless`: the deal itself is
    lost; `shares`: how good a fair hint is.
    """

    ask: str
    state: str
    version: int
    move: str | None = None
    back_to: int | None = None
    seeking: bool = False
    hopeless: bool = False
    shares: Shares | None = None

    @property
    def asks_again(self) -> bool:
        """Whether the page is to ask the same question again."""
        return self.state == "pending" or self.seeking


@dataclass(frozen=True, slots=True)
class Win:
    """The win panel.

    `par` is the length of the deal's best known line, None when not known; `sets_par` whether this
    game's line is that line; `review` what a review says of it (`flagged`, `out`).
    """

    score: int
    moves: int
    time_ms: int
    place: int | None
    of: int | None
    ask_name: bool
    code: str | None
    par: int | None
    sets_par: bool
    review: str | None = None


@dataclass(frozen=True, slots=True)
class Against:
    """What has come of a game with a ghost; `game_id` is the ghost's, None while it is sealed."""

    text: str
    game_id: str | None


@dataclass(frozen=True, slots=True)
class Tools:
    """What of the bar's buttons can be used. Hashable."""

    can_undo: bool
    can_redo: bool
    can_pause: bool
    can_hint: bool


@dataclass(frozen=True, slots=True)
class Table:
    """One game as its page shows it; see the fields' names in docs/formats.md.

    `can_go_back`: undo reaches the advice's `back_to`. `finish` are the moves that play the game
    out, `leads_back`: all moves left lead round and round. `can_ask`: the solver may be asked,
    which a sealed deal does not allow; `race_id`: the race that the game is played in; `is_board`:
    a board without a code is played; `home`: the cards on the foundations; `against`: what has
    come of it, where there is a ghost.
    """

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
    tools: Tools
    legal: str
    piles: list[PileCell]
    foundations: list[FoundationCell]
    stock: StockCell | None
    waste: WasteCell | None
    message: Message | None = None
    announce: str = ""
    last_move: str | None = None
    win: Win | None = None
    advice: Advice | None = None
    can_go_back: bool = False
    finish: tuple[str, ...] = ()
    leads_back: bool = False
    selected: str | None = None
    can_ask: bool = False
    race_id: str | None = None
    practice: bool = False
    is_board: bool = False
    home: int = 0
    against: Against | None = None


Status = Literal["playing", "won", "stuck", "ended"]


def status_of(stored: Stored, legal: list[Move]) -> Status:
    """`playing`, `won`, `ended`, or `stuck`: no legal move at all; won is tested first."""
    return "stuck" if stored.status == "playing" and not legal else stored.status


def told_deal(stored: Stored) -> DealCode | None:
    """The deal, or the board without a code, that a game's viewers may know; None for neither.

    A sealed deal is not told while it is being played, nor is a board: its record would show
    cards that lie face down.

    A sealed game that was left before its first move, or whose deal the player plays again, tells
    it no more than the one under way: otherwise leaving a game would be a look into the next.
    """
    if stored.code.is_board:
        return stored.code if stored.status != "playing" else None
    open_ = stored.status != "playing" and stored.game.moves > 0 and not stored.also_playing
    return stored.code if open_ or not stored.sealed else None


def shown_code(stored: Stored) -> str | None:
    """The code of the deal that a game's viewers may know; None also for a board without one."""
    told = told_deal(stored)
    return None if told is None or told.is_board else str(told)


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
    par: int | None = None,
    sets_par: bool = False,
    advice: Advice | None = None,
    against: Against | None = None,
) -> Table:
    """The table of a game at `now`.

    `picked` is the source of the group selected without scripts; `change` the write that this
    answers, `standing` where its win stands on the deal, `par` the deal's, `sets_par` whether this
    game's line set it.
    """
    game, view = stored.game, board_view(stored.game.position)
    variant = game.rules.variant
    moves = game.legal_moves() if stored.status == "playing" else []
    playing = mine and stored.status == "playing"
    hinted = advice.move if advice else None
    if hinted:  # shown as a group that is picked, with the one place where it goes
        picked, _, place = hinted.partition("-")
        targets = {place: hinted}
    else:
        picked = picked if playing else None
        targets = targets_of(moves, picked) if picked else {}
    selected = picked if targets else None
    status = status_of(stored, moves)
    return Table(
        id=stored.id,
        version=stored.version,
        status=status,
        mine=mine,
        variant=variant,
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
        tools=Tools(
            playing and game.can_undo,
            playing and game.can_redo,
            game.moves > 0 and playing and bool(moves) and not stored.race_id,
            playing and not stored.race_id,
        ),
        legal=" ".join(map(move_text, moves)) if mine else "",
        piles=pile_cells(view, selected, targets),
        foundations=foundation_cells(view, variant.decks, selected, targets.get("f")),
        stock=StockCell(view.stock, "s-w" if view.stock and playing else None, selected == "s")
        if variant.stock
        else None,
        waste=waste_cell(view, selected, targets.get("w")) if variant.stock else None,
        message=message or _told(status, picked, selected),
        announce=_announced(stored, change, hinted),
        last_move=str(change.move) if change and change.move else None,
        win=_win(stored, standing, ask_name, par, sets_par)
        if mine and stored.status == "won" and not stored.race_id
        else None,
        advice=advice,
        can_go_back=playing
        and advice is not None
        and advice.back_to is not None
        and game.floor <= advice.back_to < len(game.line),
        finish=_finish(game) if playing else (),
        leads_back=playing and _leads_back(game, moves),
        selected=selected,
        can_ask=playing and not stored.sealed,
        race_id=stored.race_id,
        practice=stored.practice,
        is_board=stored.code.is_board,
        home=sum(map(len, game.position.foundations)),
        against=against,
    )


def _announced(stored: Stored, change: Change | None, hinted: str | None) -> str:
    if hinted:
        return words.hint(parse_move(hinted), stored.game)
    return words.announcement(change, stored) if change else ""


def _finish(game: Game) -> tuple[str, ...]:
    """The moves that play the game out, when those to the foundations do."""
    return tuple(map(str, finishing_line(game.rules, game.position) or ()))


def _leads_back(game: Game, moves: list[Move]) -> bool:
    """Whether all that is left leads round and round (looked for when few moves are left)."""
    return 0 < len(moves) <= _FEW and only_leads_back(game.rules, game.position)


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
        pile_cells(view),
        foundation_cells(view, variant.decks),
        StockCell(view.stock, None) if variant.stock else None,
        waste_cell(view) if variant.stock else None,
    )


def _told(status: str, picked: str | None, selected: str | None) -> Message | None:
    if status == "stuck":
        return Message("stuck", _(words.STUCK))
    if picked and not selected:
        return Message("refused", _(words.GOES_NOWHERE), place=picked)
    return None


def _win(
    stored: Stored, standing: Standing | None, ask_name: bool, par: int | None, sets_par: bool
) -> Win:
    return Win(
        score=stored.game.score.points,
        moves=stored.game.moves,
        time_ms=stored.clock.elapsed_ms,
        place=standing.place if standing else None,
        of=standing.of if standing else None,
        ask_name=ask_name,
        code=shown_code(stored),
        par=par,
        sets_par=sets_par,
        review=standing.review if standing else None,
    )
