"""Each reason for a refusal, from a real position, with its sentence."""

from dataclasses import replace
from typing import NamedTuple

import pytest

from engine.errors import IllegalMoveError, ReplayError
from engine.game import Game, replay
from engine.moves import Move, Place, parse_move
from engine.position import Position
from engine.refusals import TEXTS, Refusal
from engine.rules import Rules, get_rules
from engine.variants import RUSSIAN, Build
from tests.engine.cases import FAMILY_VARIANTS, HERE
from tests.engine.support import board


class Case(NamedTuple):
    """A refused move, why it is refused, and the zones of its board."""

    rule: str
    move: str
    code: str
    text: str
    piles: list[str]
    zones: dict[str, str]


def read_cases() -> list[Case]:
    lines = (HERE / "refusals.txt").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    cases = []
    for head, zones in zip(lines[::2], lines[1::2], strict=True):
        asked, _, text = head.partition(": ")
        rule, move, code = asked.split()
        piles, *others = zones.split(" | ")
        named = {name: cards for name, _, cards in (other.partition(" ") for other in others)}
        columns = [pile.strip(" -") for pile in piles.split("/")]
        cases.append(Case(rule, move, code, text, columns, named))
    return cases


CASES = read_cases()


def refused(rules: Rules, position: Position, move: Move) -> Refusal:
    refusal = rules.refusal(position, move)
    assert refusal is not None
    return refusal


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.move}-{case.code}")
def test_a_refusal_names_the_rule_in_a_sentence(case: Case) -> None:
    rules = get_rules(case.rule)
    position = board(rules, *case.piles, **case.zones)
    move = parse_move(case.move)
    refusal = refused(rules, position, move)
    assert (refusal.code, refusal.text, refusal.move) == (case.code, case.text, move)
    for play in (rules.apply, rules.outcome):
        with pytest.raises(IllegalMoveError) as caught:
            play(position, move)
        assert caught.value.refusal == refusal
    with pytest.raises(IllegalMoveError) as caught:
        Game.new(rules, position).play(move)
    assert str(caught.value) == case.text
    with pytest.raises(ReplayError) as failed:
        replay(rules, position, [case.move])
    assert (failed.value.number, failed.value.reason) == (1, case.text)


def test_a_won_game_is_over() -> None:
    rules = get_rules("C")
    game = Game.new(rules, board(rules, "KC", up="S13 H13 D13 C12")).play(parse_move("t1-f"))
    assert rules.is_legal(game.position, parse_move("fS-t1"))
    with pytest.raises(IllegalMoveError) as caught:
        game.play(parse_move("fS-t1"))
    assert caught.value.refusal == Refusal("game-over", parse_move("fS-t1"), {})
    assert str(caught.value) == "The game is over"


def test_every_reason_is_met_above() -> None:
    assert {case.code for case in CASES} | {"game-over"} == set(TEXTS)


def test_no_sentence_ends_in_a_full_stop_or_starts_small() -> None:
    assert all(text[0] in "TPAOCI{" and text[-1] != "." for text in TEXTS.values())


@pytest.mark.parametrize(
    ("rules", "move", "text"),
    [
        (
            Rules(FAMILY_VARIANTS["moosehide"]),
            "t1-t2",
            "The five of hearts goes on a six that is no heart, not on the six of hearts",
        ),
        (
            Rules(FAMILY_VARIANTS["roslin"]),
            "t1-t2",
            "The five of hearts goes on a black six or a black four, not on the six of hearts",
        ),
        (
            Rules(replace(RUSSIAN, build=Build(match="same-suit", wrap=True))),
            "t3-t2",
            "The king of spades goes on the ace of spades, not on the six of hearts",
        ),
    ],
)
def test_other_builds_say_what_they_need(rules: Rules, move: str, text: str) -> None:
    position = board(rules, "5H", "6H", "KS")
    assert refused(rules, position, parse_move(move)).text == text


def test_places_that_only_a_program_can_name_are_refused_too() -> None:
    rules = get_rules("C")
    position = board(rules, "5H", "6S")
    own = Move(Place("f", -1), 1, Place("t", 0))
    assert refused(rules, position, own).code == "no-place"
    assert refused(rules, position, Move(Place("t", -1), 1, Place("t", 0))).code == "no-pile"
    assert refused(rules, position, Move(Place("t", 0), 1, Place("t", -1))).code == "no-pile"
    assert refused(rules, position, Move(Place("t", 0), 0, Place("t", 1))).code == "too-few"
