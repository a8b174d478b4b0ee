"""No face-down card's identity is in anything that is sent for a game under way."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from app.db import Database
from app.games.words import CARDS
from engine.cards import FACE_DOWN, NAMES
from engine.deals import deal, parse_code
from engine.position import Position
from engine.rules import get_rules
from engine.variants import VARIANTS, Variant
from engine.view import board_view
from tests.app.html import Html
from tests.app.support import Client, Json, choose, load
from tests.engine.support import all_moves

WORDS = {words: name for name, words in CARDS.items()}


def _hidden(database: Database, game: Json) -> Counter[str]:
    """The cards that lie face down, in the tableau and in the stock."""
    position = load(database, game["id"]).game.position
    down = [card & ~FACE_DOWN for pile in position.tableau for card in pile if card & FACE_DOWN]
    return Counter(NAMES[card] for card in (*down, *position.stock))


def _strings(node: Any) -> list[str]:
    if isinstance(node, dict):
        return [text for key, value in node.items() for text in (key, *_strings(value))]
    if isinstance(node, list):
        return [text for value in node for text in _strings(value)]
    return [node] if isinstance(node, str) else []


def _json_tells_nothing(database: Database, game: Json, decks: int) -> None:
    hidden = _hidden(database, game)
    shown = Counter(text for text in _strings(game) if text in WORDS.values())
    for name in NAMES:
        assert shown[name] == decks - hidden[name], name
    stored = load(database, game["id"]).game.position
    for pile, cards in zip(game["tableau"], stored.tableau, strict=True):
        for name, card in zip(pile, cards, strict=True):
            assert name == ("??" if card & FACE_DOWN else NAMES[card])
    said = " ".join(_strings({**game, "id": "", "code": ""})).lower()
    for name in hidden:
        if hidden[name] == decks:
            assert CARDS[name] not in said


def _html_tells_nothing(database: Database, game: Json, source: str, decks: int) -> None:
    hidden = {name for name, times in _hidden(database, game).items() if times == decks}
    page = Html(source)
    for tag in page.tags:
        if "sprite" in tag.within or tag.name == "symbol" or "symbol" in tag.within:
            continue
        for name, value in tag.attributes.items():
            if name in ("id", "d", "value", "action") and tag.name in ("symbol", "path"):
                continue
            assert value not in hidden, tag
            assert value.removeprefix("#card-").upper() not in hidden, tag
            for word, card in WORDS.items():
                assert not (card in hidden and word in value.lower()), tag
    text = page.text.lower()
    for word, card in WORDS.items():
        assert not (card in hidden and word in text), word
    down = [tag for tag in page.all("span") if tag.attributes.get("class") == "card down"]
    assert len({tuple(tag.attributes.items()) for tag in down}) <= 1


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_a_random_game_tells_nothing(client: Client, database: Database, variant: Variant) -> None:
    random = Random(f"hidden {variant.key}")
    game = client.start(f"YU1-{variant.rule}-AAAAAAH")
    page = f"/games/{game['id']}"
    for turn in range(15):
        if not game["legal_moves"]:
            break
        stored = load(database, game["id"]).game
        move = str(choose(stored.legal_moves(), random))
        if turn % 5 == 4:
            game = client.redo(client.undo(game))
        elif turn % 2:
            form = {"move": move, "version": game["version"]}
            answer = client.htmx(page + "/moves", form)
            assert answer.status_code == 200
            game = client.see(game)
            _html_tells_nothing(database, game, answer.text, variant.decks)
        else:
            game = client.move(game, move)
        _json_tells_nothing(database, game, variant.decks)
    refusal = client.write(game, "moves", move="t2x9-t1").json()
    _json_tells_nothing(database, refusal["game"], variant.decks)
    for form in ({"move": "t7x9-t1", "version": game["version"]}, {"move": "t1-f", "version": 0}):
        answer = client.htmx(page + "/moves", form)
        assert answer.status_code in (409, 422)
        _html_tells_nothing(database, game, answer.text, variant.decks)
    for path in (page, f"{page}?pick=t1", f"{page}?pick=t2x9", "/"):
        _html_tells_nothing(database, game, client.get(path).text, variant.decks)
    record = client.get(page + "/record").text
    assert not any(word in record.lower() for word in WORDS)


def _with_hidden_cards_turned_round(position: Position) -> Position:
    """A position that looks the same: its face-down cards lie in another order."""
    down = [card for pile in position.tableau for card in pile if card & FACE_DOWN]
    down += [card | FACE_DOWN for card in position.stock]
    piles = [
        bytes(down.pop() if card & FACE_DOWN else card for card in pile)
        for pile in position.tableau
    ]
    stock = bytes(down.pop() & ~FACE_DOWN for _ in position.stock)
    return position._replace(tableau=tuple(piles), stock=stock)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_what_is_legal_and_why_not_hangs_on_no_face_down_card(variant: Variant) -> None:
    rules = get_rules(variant.rule)
    position = deal(parse_code(f"YU1-{variant.rule}-AAAAAAB"))
    other = _with_hidden_cards_turned_round(position)
    assert other != position
    assert board_view(other) == board_view(position)
    for move in all_moves(position):
        assert rules.refusal(position, move) == rules.refusal(other, move)


def test_a_deal_s_answers_tell_nothing(client: Client, database: Database) -> None:
    for variant in VARIANTS:
        code = f"YU1-{variant.rule}-AAAAAAB"
        game = client.start(code)
        deal = client.get(f"/api/v1/deals/{code}").json()
        assert deal["tableau"] == game["tableau"]
        _html_tells_nothing(database, game, client.get(f"/d/{code}").text, variant.decks)
        shown = Counter(text for text in _strings(deal) if text in WORDS.values())
        assert not any(
            times == variant.decks and shown[name]
            for name, times in _hidden(database, game).items()
        )
