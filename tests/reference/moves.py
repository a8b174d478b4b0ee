"""Which moves are legal, and what a move does (the formats, "Moves"; the rules data).

t4x3-t2  a group onto a pile         t4-f  a top card to its foundation
fS-t2    worrying back               s-w   the stock to the waste
w-t3 w-f the waste's top card
"""

from collections.abc import Iterator

from tests.reference.cards import rank, suit
from tests.reference.table import Pile, Table


class IllegalMoveError(ValueError):
    """The move is not among the legal moves of the position."""


def legal_moves(table: Table) -> list[str]:
    """Every legal move, each once, in the text notation."""
    moves = list(_group_moves(table))
    moves += _moves_to_a_foundation(table)
    moves += _worrying_back_moves(table)
    moves += _stock_and_waste_moves(table)
    return moves


def is_won(table: Table) -> bool:
    """Won when every card lies on the foundations."""
    on_foundations = sum(len(cards) for cards in table.foundations.values())
    return on_foundations == 52 * table.rules.decks


def is_stuck(table: Table) -> bool:
    """Stuck when there is no legal move at all and the game is not won."""
    return not is_won(table) and not legal_moves(table)


def foundation_for(table: Table, card: str) -> str | None:
    """The foundation that takes this card, by name; the first where both of a suit would.

    A foundation starts with its suit's ace and goes up in suit, card by card.
    """
    for name, cards in table.foundations.items():
        if name[0] == suit(card) and len(cards) == rank(card) - 1:
            return name
    return None


def may_be_put_on(table: Table, card: str, pile: Pile) -> bool:
    """May this card, with whatever it carries, be put on the pile?"""
    if not pile:
        return table.rules.may_start_a_pile(card)
    top_card, _ = pile[-1]
    return table.rules.fits(card, top_card)


def _group_moves(table: Table) -> Iterator[str]:
    """Any face-up card moves with all cards on it, ordered or not; only it has to fit.

    A group that is a whole pile may go to an empty pile too.
    """
    for source, pile in enumerate(table.piles, start=1):
        for size in range(1, len(pile) + 1):
            base_card, face_up = pile[-size]
            if not face_up or not table.rules.may_be_lifted(size):
                continue
            for target, other_pile in enumerate(table.piles, start=1):
                if target != source and may_be_put_on(table, base_card, other_pile):
                    yield f"t{source}x{size}-t{target}" if size > 1 else f"t{source}-t{target}"


def _moves_to_a_foundation(table: Table) -> Iterator[str]:
    """The top card of a pile, when a foundation takes it; which of two is not a choice."""
    for number, pile in enumerate(table.piles, start=1):
        if pile and foundation_for(table, pile[-1][0]):
            yield f"t{number}-f"


def _worrying_back_moves(table: Table) -> Iterator[str]:
    """A foundation's top card back onto a pile, where the game allows it."""
    if not table.rules.worrying_back:
        return
    for name, cards in table.foundations.items():
        for number, pile in enumerate(table.piles, start=1):
            if cards and may_be_put_on(table, cards[-1], pile):
                yield f"f{name}-t{number}"


def _stock_and_waste_moves(table: Table) -> Iterator[str]:
    """One card at a time from the stock to the waste, one pass; the waste's top card plays."""
    if table.stock and table.rules.has_waste:
        yield "s-w"
    if table.waste:
        card = table.waste[-1]
        for number, pile in enumerate(table.piles, start=1):
            if may_be_put_on(table, card, pile):
                yield f"w-t{number}"
        if foundation_for(table, card):
            yield "w-f"


def apply(table: Table, move: str) -> Table:
    """The position after a legal move; the one before it stays as it is."""
    if move not in legal_moves(table):
        raise IllegalMoveError(f"{move!r} is not a legal move here")
    return after(table, move)


def after(table: Table, move: str) -> Table:
    """The position after a move that is known to be legal."""
    table = table.copy()
    source, target = move.split("-")
    group = _lift(table, source)
    if target == "w":
        table.waste += [card for card, _ in group]
    elif target == "f":
        ((card, _),) = group
        name = foundation_for(table, card)
        assert name is not None
        table.foundations[name].append(card)
    else:
        table.piles[int(target[1:]) - 1] += group
    return table


def _lift(table: Table, source: str) -> Pile:
    """Take the cards of a move from where they lie, and turn the card that this uncovers."""
    if source == "s":
        return [(table.stock.pop(), True)]
    if source == "w":
        return [(table.waste.pop(), True)]
    if source.startswith("f"):
        return [(table.foundations[source[1:]].pop(), True)]
    number, _, size = source[1:].partition("x")
    pile = table.piles[int(number) - 1]
    group = [pile.pop() for _ in range(int(size or "1"))]
    if pile:
        uncovered_card, _ = pile[-1]
        pile[-1] = (uncovered_card, True)
    return group[::-1]
