"""Why a move is refused: the rule it breaks, with the card and the target, in one sentence.

A refusal has a stable code and its facts, so that its sentence can be said in any language:
`said` puts the sentence and each phrase in it through a translation, `text` is the English.
A card's phrase brings its article, for languages in which that is not the same for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from engine.cards import FACE_DOWN, KING, RANK_WORDS, SUIT_WORDS, card_words, is_red
from engine.moves import FOUNDATION, STOCK, TABLEAU, WASTE, Move
from engine.position import Position

if TYPE_CHECKING:
    from engine.rules import Rules

TEXTS = {
    "no-place": "This game has no such place",
    "no-pile": "There is no pile {pile}",
    "empty-source": "Pile {pile} is empty",
    "face-down": "A face-down card cannot be moved",
    "too-few": "Pile {pile} does not have {count} cards, only {have}",
    "same-pile": "{card} already lies on pile {pile}",
    "group-limit": "At most {limit} cards move together; these are {count}",
    "one-at-a-time": "This place gives one card at a time",
    "king-needs-empty": "A king goes only on an empty pile, not on {top}",
    "build-rank": "{card} goes on {need}, not on {top}",
    "build-colour": "{card} goes on {need}, not on {top}",
    "build-suit": "{card} goes on {need}, not on {top}",
    "empty-pile": "Only a king goes on an empty pile, not {card}",
    "foundation-group": "Cards go to the foundations one at a time",
    "foundation-order": "The foundation of {suit} takes {next} next, not {card}",
    "foundation-stays": "In this game a card stays on its foundation",
    "foundation-empty": "The foundation of {suit} is empty",
    "foundation-moves": "A card goes from its foundation only to a pile",
    "waste-target": "Only the stock is dealt to the waste",
    "waste-empty": "The waste is empty",
    "stock-empty": "The stock is empty",
    "no-stock": "This game has no stock and no waste",
    "stock-target": "The stock is dealt to the waste",
    "game-over": "The game is over",
}
"""The English sentence of each refusal code, without the full stop."""


OR = "{one} or {other}"
Fact = int | str | tuple[str, ...]
"""A number, an English phrase, or several of which any would do."""


class Refusal(NamedTuple):
    """A refused move: the broken rule's `code` and the facts of its sentence.

    `move` is what was asked; `facts` are what the sentence names: `card`, `top`, `need`, `suit`,
    `next`, `pile`, `have`, `count`, `limit` (each only where it applies).
    """

    code: str
    move: Move
    facts: dict[str, Fact]

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.said(str)

    def said(self, say: Callable[[str], str]) -> str:
        """The sentence in the language of `say`, which translates a sentence or a phrase."""
        facts = {name: _said(fact, say) for name, fact in self.facts.items()}
        sentence = say(TEXTS[self.code]).format(**facts)
        return sentence[0].upper() + sentence[1:]


def _said(fact: Fact, say: Callable[[str], str]) -> str:
    if isinstance(fact, int):
        return str(fact)
    if isinstance(fact, str):
        return say(fact)
    said = say(fact[0])
    for phrase in fact[1:]:
        said = say(OR).format(one=said, other=say(phrase))
    return said


def phrases() -> Iterator[str]:
    """Every English sentence and phrase that `Refusal.said` may ask for."""
    yield from (*TEXTS.values(), OR, *SUIT_WORDS)
    for rank, word in enumerate(RANK_WORDS):
        yield f"the {word}"
        yield from (_need("any", rank, rank), _need("alternate-colour", 13, rank))
        yield _need("alternate-colour", 0, rank)
        for suit in range(4):
            yield card_words(suit * 13 + rank)
            yield _need("same-suit", suit * 13, rank)


def explain(rules: Rules, position: Position, move: Move) -> Refusal | None:
    """Why `rules` refuse `move` on `position`, or None when it is legal."""
    refused = _refused_source(rules, position, move)
    if refused is None and move.source.zone != STOCK:
        refused = _refused_target(rules, position, move)
    if refused is None:
        return None
    code, facts = refused
    return Refusal(code, move, facts)


_Refused = tuple[str, dict[str, Fact]]


def _refused_source(rules: Rules, position: Position, move: Move) -> _Refused | None:
    zone, index = move.source
    if zone == TABLEAU:
        return _refused_group(rules, position, move)
    if zone == FOUNDATION:
        if move.source.pile < 0 or index % 2 >= rules.variant.decks:
            return "no-place", {}
        if not rules.variant.worrying_back:
            return "foundation-stays", {}
        if not position.foundations[rules.foundation_index(move.source)]:
            return "foundation-empty", {"suit": SUIT_WORDS[index // 2]}
    elif zone in (STOCK, WASTE):
        if rules.variant.stock is None:
            return "no-stock", {}
        if zone == STOCK and move.target.zone != WASTE:
            return "stock-target", {}
        if not (position.stock if zone == STOCK else position.waste):
            return f"{'stock' if zone == STOCK else 'waste'}-empty", {}
    else:
        return "no-place", {}
    return ("one-at-a-time", {}) if move.size != 1 else None


def _refused_group(rules: Rules, position: Position, move: Move) -> _Refused | None:
    index, count = move.source.pile, move.size
    if not 0 <= index < len(position.tableau):
        return "no-pile", {"pile": index + 1}
    pile = position.tableau[index]
    if not pile:
        return "empty-source", {"pile": index + 1}
    if not 1 <= count <= len(pile):
        return "too-few", {"pile": index + 1, "have": len(pile), "count": count}
    if any(card & FACE_DOWN for card in pile[-count:]):
        return "face-down", {}
    limit = rules.variant.max_group
    if limit is not None and count > limit:
        return "group-limit", {"limit": limit, "count": count}
    return None


def _refused_target(rules: Rules, position: Position, move: Move) -> _Refused | None:
    zone, index = move.target
    card = _lead(rules, position, move)
    if zone == FOUNDATION:
        return _refused_foundation(rules, position, move, card)
    if zone != TABLEAU:
        return ("waste-target" if zone == WASTE and rules.variant.stock else "no-place"), {}
    if not 0 <= index < len(position.tableau):
        return "no-pile", {"pile": index + 1}
    if move.source == move.target:
        return "same-pile", {"card": _the(card), "pile": index + 1}
    pile = position.tableau[index]
    if not pile:
        return None if card in rules.on_empty else ("empty-pile", {"card": _the(card)})
    top = pile[-1]
    return None if card in rules.accepts[top] else _misfit(rules, card, top)


def _lead(rules: Rules, position: Position, move: Move) -> int:
    zone, index = move.source
    if zone == TABLEAU:
        return position.tableau[index][-move.size]
    if zone == WASTE:
        return position.waste[-1]
    return position.foundations[rules.foundation_index(move.source)][-1]


def _refused_foundation(rules: Rules, position: Position, move: Move, card: int) -> _Refused | None:
    if move.source.zone == FOUNDATION:
        return "foundation-moves", {}
    if move.size != 1:
        return "foundation-group", {}
    if rules.foundation_for(position, card) is not None:
        return None
    suit, decks = card // 13, rules.variant.decks
    heights = {len(pile) for pile in position.foundations[suit * decks : suit * decks + decks]}
    facts: dict[str, Fact] = {
        "suit": SUIT_WORDS[suit],
        "card": _the(card),
        "next": tuple(f"the {RANK_WORDS[height]}" for height in sorted(heights) if height < 13),
    }
    return "foundation-order", facts


def _misfit(rules: Rules, card: int, top: int) -> _Refused:
    rank, build = card % 13, rules.variant.build
    facts: dict[str, Fact] = {"card": _the(card), "top": _the(top)}
    steps = (1, -1) if build.direction == "up-or-down" else (1,)
    ranks = [(rank + step) % 13 for step in steps if build.wrap or 0 <= rank + step <= KING]
    if not ranks:
        return "king-needs-empty", facts
    facts["need"] = tuple(_need(build.match, card, wanted) for wanted in ranks)
    if top % 13 not in ranks:
        return "build-rank", facts
    return ("build-colour" if build.match == "alternate-colour" else "build-suit"), facts


def _the(card: int) -> str:
    return f"the {card_words(card)}"


def _need(match: str, card: int, rank: int) -> str:
    word = RANK_WORDS[rank]
    if match == "same-suit":
        return f"the {word} of {SUIT_WORDS[card // 13]}"
    if match == "alternate-colour":
        return f"a {'black' if is_red(card) else 'red'} {word}"
    other = f" that is no {SUIT_WORDS[card // 13][:-1]}" if match == "different-suit" else ""
    return f"{'an' if word[0] in 'ae' else 'a'} {word}{other}"


def game_over(move: Move) -> Refusal:
    """The refusal of any move in a game that has ended."""
    return Refusal("game-over", move, {})
