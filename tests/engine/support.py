"""Boards, walks and moves for the engine's tests."""

from collections.abc import Iterator
from functools import cache
from random import Random

from hypothesis import strategies as st

from engine.cards import FACE_DOWN, NAMES, SUITS
from engine.deals import OPEN_DEALS, PSF_LAST, DealCode, deal, deal_pack, open_code, sealed_code
from engine.game import Game, replay
from engine.moves import OWN_FOUNDATION, Move, parse_move
from engine.position import Position
from engine.rules import Rules, get_rules
from engine.variants import Variant
from tests.engine.cases import wins

CHOICES = st.lists(st.integers(0, 9999), min_size=10, max_size=45)


def cards(text: str) -> bytes:
    """Cards by name; face-down ones in `<…>`."""
    return bytes(
        NAMES.index(word.strip("<>")) | (FACE_DOWN if word.startswith("<") else 0)
        for word in text.split()
    )


def board(
    rules: Rules, *piles: str, up: str = "S0 H0 D0 C0", waste: str = "", stock: str = ""
) -> Position:
    """A position with these piles, the others empty; it need not hold the whole pack.

    `up` gives the heights of foundations, such as `S13 H2`; a suit's second in a double pack is
    its second mention.
    """
    decks = rules.variant.decks
    foundations = [b""] * (4 * decks)
    seen = dict.fromkeys(SUITS, 0)
    for word in up.split():
        suit = SUITS.index(word[0])
        foundations[suit * decks + seen[word[0]]] = bytes(
            range(suit * 13, suit * 13 + int(word[1:]))
        )
        seen[word[0]] += 1
    tableau = [cards(pile) for pile in piles] + [b""] * (rules.variant.piles - len(piles))
    return Position(tuple(tableau), tuple(foundations), stock=cards(stock), waste=cards(waste))


def chosen(moves: list[Move], choice: int) -> Move:
    """One of the moves; every third choice puts a card up where that is possible."""
    ups = [move for move in moves if move.target == OWN_FOUNDATION]
    among = ups if ups and choice % 3 == 0 else moves
    return among[choice // 3 % len(among)]


def walk(rules: Rules, position: Position, choices: list[int]) -> Iterator[tuple[Move, Position]]:
    """Random moves from a position, each with the position after it, as long as there are any."""
    for choice in choices:
        moves = [] if rules.is_won(position) else rules.legal_moves(position)
        if not moves:
            return
        move = chosen(moves, choice)
        position = rules.apply(position, move)
        yield move, position


def codes(rule: str) -> st.SearchStrategy[DealCode]:
    """Deal codes of every kind."""
    return st.one_of(
        st.integers(0, OPEN_DEALS - 1).map(lambda number: open_code(rule, number)),
        st.integers(0, 2**130 - 1).map(lambda secret: sealed_code(rule, secret)),
        st.integers(1, 40000).map(lambda number: DealCode("PSF", rule, str(number))),
        st.integers(1, PSF_LAST).map(lambda number: DealCode("PSF", rule, str(number))),
    )


def shuffled(variant: Variant, seed: int) -> Position:
    """A deal of any game of the family."""
    pack = [*range(52)] * variant.decks
    Random(seed).shuffle(pack)
    return deal_pack(variant, pack)


@st.composite
def starts(draw: st.DrawFn, rule: str) -> Position:
    """A deal, or a position on the way of a known win."""
    if draw(st.booleans()):
        return deal(draw(codes(rule)))
    win = draw(st.sampled_from(wins(rule)))
    position = win.start
    for move in win.moves[: draw(st.integers(0, len(win.moves)))]:
        position = win.rules.apply_legal(position, move)
    return position


@st.composite
def positions(draw: st.DrawFn, rule: str) -> Position:
    """A position that play can reach."""
    position = draw(starts(rule))
    for _, after in walk(get_rules(rule), position, draw(CHOICES)):
        position = after
    return position


@st.composite
def games(draw: st.DrawFn, rule: str) -> Game:
    """A game some moves after its deal."""
    if draw(st.booleans()):
        game = Game.new(get_rules(rule), deal(draw(codes(rule))))
    else:
        win = draw(st.sampled_from(wins(rule)))
        game = replay(win.rules, win.start, win.moves[: draw(st.integers(0, len(win.moves)))])
    for choice in draw(CHOICES):
        moves = game.legal_moves()
        if moves:
            game = game.play(chosen(moves, choice))
    return game


@cache
def _all_moves(piles: int, longest: int) -> list[Move]:
    targets = ["f", "w", "c1", *(f"t{number}" for number in range(1, piles + 2))]
    groups = [f"t{pile}x{size}" for pile in range(1, piles + 2) for size in range(1, longest + 2)]
    others = ["s", "w", "r", "c1", "wx2", "sx2", "rx2", "fSx2"]
    others += [f"f{suit}{copy}" for suit in SUITS for copy in ("", "2")]
    moves = [parse_move(f"{source}-{target}") for source in groups + others for target in targets]
    return [*moves, parse_move("s-t")]


def all_moves(position: Position) -> list[Move]:
    """Every move that the notation can write about this many piles: all places, all counts."""
    return _all_moves(len(position.tableau), max(map(len, position.tableau)))
