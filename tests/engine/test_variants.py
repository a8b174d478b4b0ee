"""The games as data: the whole family fits the axes, the seven are what the data says."""

from collections import Counter
from dataclasses import FrozenInstanceError, fields

import pytest

from engine.cards import FACE_DOWN
from engine.position import face_down_count
from engine.rules import Rules
from engine.variants import BY_KEY, BY_RULE, VARIANTS, Variant
from tests.engine.cases import DATA, FAMILY, FAMILY_VARIANTS, RULE_LETTERS
from tests.engine.support import shuffled

NOT_YET = {
    "grandfather": "redeals",
    "yukon-cells": "cells",
    "russian-cell": "cells",
    "yukon-kings": "the foundations",
    "yukonic-plague": "a reserve",
    "ten-across": "the foundations, cells",
    "panopticon": "cells",
    "canberra": "the stock",
    "tasmanian-patience": "the stock",
    "chinese-discipline": "the stock",
    "chinese-solitaire": "the stock",
    "queenie": "the stock",
    "rushdike": "the stock",
    "russian-point": "the stock",
    "abacus": "the build direction, the foundations, the stock",
    "triple-yukon": "more than two packs",
    "triple-russian-solitaire": "more than two packs",
    "quadruple-yukon": "more than two packs",
    "hawaiian": "a reserve",
    "wave": "the stock, pile patterns",
    "lexington-harp": "the stock",
    "brunswick": "the stock",
    "mississippi": "the stock",
    "griffon": "the stock",
    "russian-spider": "the foundations",
    "double-russian-spider": "the foundations",
    "kiev": "the foundations, the stock",
    "dnieper": "the foundations, the stock",
    "sevastopol": "the foundations, the stock",
    "ace-of-hearts": "the foundations, the stock",
}


def test_the_family_has_48_games() -> None:
    assert len(FAMILY) == len(FAMILY_VARIANTS) == 48
    assert len({variant.rule for variant in FAMILY_VARIANTS.values()}) == 48


@pytest.mark.parametrize("entry", FAMILY, ids=lambda entry: entry["key"])
def test_no_word_of_the_data_is_left_out(entry: dict[str, object]) -> None:
    renamed = {"empty_column": "empty_pile"}
    named = {renamed.get(word, word) for word in entry} - {"also", "note"}
    assert named <= {field.name for field in fields(Variant)}


@pytest.mark.parametrize("variant", FAMILY_VARIANTS.values(), ids=lambda variant: variant.key)
def test_every_game_of_the_family_deals_its_columns_and_its_whole_pack(variant: Variant) -> None:
    position = shuffled(variant, 7)
    shape = [(face_down_count(pile), len(pile)) for pile in position.tableau]
    assert shape == [(down, down + up) for down, up in variant.columns]
    for pile, (down, _) in zip(position.tableau, variant.columns, strict=True):
        turned = [bool(card & FACE_DOWN) for card in pile]
        assert turned == sorted(turned, reverse=True) or variant.column_patterns
        assert turned.count(True) == down
    others = (*position.foundations, *position.cells, position.waste, position.reserve)
    assert not any(card & FACE_DOWN for zone in (*others, position.stock) for card in zone)
    stock = variant.stock
    assert len(position.stock) == (stock.cards if stock else 0)
    assert len(position.waste) == (stock.waste_start if stock else 0)
    assert len(position.foundations) == variant.foundations.count
    assert sum(map(len, position.foundations)) == (4 if variant.key == "abacus" else 0)
    assert len(position.reserve) == variant.reserve
    cells = variant.cells
    assert len(position.cells) == (cells.count if cells else 0)
    assert sum(map(len, position.cells)) == (cells.filled if cells else 0)
    zones = (*position.tableau, *others, position.stock)
    held = Counter(card & ~FACE_DOWN for zone in zones for card in zone)
    assert held == dict.fromkeys(range(52), variant.decks)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_the_games_that_ship_are_what_the_data_says(variant: Variant) -> None:
    assert variant == FAMILY_VARIANTS[variant.key]
    assert BY_RULE[variant.rule] is BY_KEY[variant.key] is variant
    assert variant.piles == len(variant.columns)
    assert variant.cards == 52 * variant.decks
    dealt = sum(map(sum, variant.columns))
    stock = variant.stock
    assert dealt + (stock.cards + stock.waste_start if stock else 0) == variant.cards


def test_the_games_that_ship_stand_in_their_order() -> None:
    assert "".join(variant.rule for variant in VARIANTS) == "".join(BY_RULE) == RULE_LETTERS


@pytest.mark.parametrize(("key", "axes"), NOT_YET.items())
def test_what_cannot_be_played_yet_is_said_with_its_axes(key: str, axes: str) -> None:
    variant = FAMILY_VARIANTS[key]
    with pytest.raises(ValueError, match="which cannot be played yet") as caught:
        Rules(variant)
    assert str(caught.value) == f"{variant.name} uses {axes}, which cannot be played yet"


@pytest.mark.parametrize("key", [key for key in FAMILY_VARIANTS if key not in NOT_YET])
def test_the_rules_of_all_others_compile_and_give_moves(key: str) -> None:
    rules = Rules(FAMILY_VARIANTS[key])
    assert sum(len(rules.legal_moves(shuffled(rules.variant, seed))) for seed in range(5)) > 5


def test_a_variant_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        VARIANTS[0].__setattr__("max_group", 3)


def test_the_table_of_the_axes_says_which_games_are_played() -> None:
    table = (DATA.parent.parent / "docs" / "axes.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in table.splitlines() if line.count(" | ") == 4]
    said = {row[0].lstrip("| "): (row[1], row[3]) for row in rows[1:]}
    expected = {}
    for variant in FAMILY_VARIANTS.values():
        state = "data only" if variant.key in NOT_YET else "compiles"
        state = "playable" if variant.rule in BY_RULE else state
        expected[variant.rule] = (variant.name, state)
    assert said == expected
