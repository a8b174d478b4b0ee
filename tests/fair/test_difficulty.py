"""How hard a deal is: measured the same way every time, and in thirds of a game's deals."""

from __future__ import annotations

import pytest

from app.catalogue import shipped
from engine.deals import deal, open_code
from engine.fair import STRENGTHS
from engine.fair.chances import chance
from engine.fair.difficulty import GAMES, Examiner
from engine.fair.play import play
from engine.levels import CUTS, LEVELS, level, mark
from engine.rules import get_rules
from engine.variants import VARIANTS, Variant
from tests.fair.support import RULES

EACH = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)


def test_wins_come_first_in_a_mark() -> None:
    assert mark(52, [52] * 8) == 1000
    assert mark(52, [0] * 8) == 0
    assert mark(52, [51] * 8) < mark(52, [52] * 4 + [0] * 4) < mark(52, [52] * 4 + [9] * 4)
    assert mark(104, [104, 0]) == 500


def test_a_level_begins_at_its_cut() -> None:
    for rule, (medium, easy) in CUTS.items():
        assert 0 < medium < easy <= 1000
        found = [level(rule, at) for at in (0, medium - 1, medium, easy - 1, easy, 1000)]
        assert found == ["hard", "hard", "medium", "medium", "easy", "easy"]
    assert LEVELS == ("easy", "medium", "hard")
    assert set(CUTS) == {variant.rule for variant in VARIANTS}


@EACH
def test_a_shipped_mark_is_what_measuring_gives(variant: Variant) -> None:
    examiner = Examiner(get_rules(variant.rule))
    deals = list(shipped.read(shipped.path_of(variant)))
    for graded in deals[: 2 if variant.decks == 2 else 5]:
        start = deal(open_code(variant.rule, graded.number))
        measured = examiner.difficulty(start)
        assert measured.mark == graded.mark
        assert measured == examiner.difficulty(start)
        assert (measured.wins == GAMES) == (measured.mark == 1000)


def test_a_stronger_player_finds_the_same_deals_easy() -> None:
    """Of hard and easy deals in the catalogue the strong player wins few and most."""
    rules = get_rules("F")
    deals = list(shipped.read(shipped.path_of(rules.variant)))
    won = {
        name: sum(
            play(rules, deal(open_code("F", graded.number)), STRENGTHS["strong"], 9).won
            for graded in [it for it in deals if level("F", it.mark) == name][:12]
        )
        for name in LEVELS
    }
    assert won["easy"] >= 10 > won["medium"] > won["hard"]


@pytest.mark.parametrize("rule", RULES)
def test_a_chance_is_in_tenths_and_grows_with_the_share(rule: str) -> None:
    for hidden in (1, 7, 20):
        found = [chance(rule, hidden, share / 64) for share in range(65)]
        assert found == sorted(found)
        assert 0 <= found[0] < 7 < found[-1] <= 10


def test_at_the_beginning_a_share_says_less() -> None:
    early, late = (
        sum(chance("F", hidden, share / 10) for share in range(11)) for hidden in (20, 3)
    )
    assert early < late
