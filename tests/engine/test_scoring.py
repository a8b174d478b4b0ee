import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, replay, replay_line
from engine.moves import Move, parse_line, parse_move
from engine.position import Position, face_down_count
from engine.rules import Rules, get_rules
from engine.scoring import NO_SCORE, RAISED, TURNED, clean_win
from tests.engine.cases import CLEAN_WINS, FAMILY_VARIANTS, RULE_LETTERS, WORRYING_BACK, wins
from tests.engine.support import CHOICES, board, games, shuffled, walk

OUTBACK = Rules(FAMILY_VARIANTS["outback-patience"])


def up_and_down(position: Position) -> tuple[int, int]:
    up = sum(map(len, position.foundations))
    return up, sum(map(face_down_count, position.tableau))


def copies_up(position: Position) -> list[int]:
    return [sum(card in pile for pile in position.foundations) for card in range(52)]


def check_the_score(rules: Rules, start: Position, line: list[Move]) -> None:
    """The score along a line, counted from the positions alone."""
    game, points, peaks = Game.new(rules, start), 0, copies_up(start)
    hidden_at_start = up_and_down(start)[1]
    assert not any(peaks)
    for move in line:
        up_before, hidden_before = up_and_down(game.position)
        game = game.play(move)
        up, hidden = up_and_down(game.position)
        points += 10 * max(0, up - up_before) + 5 * (hidden_before - hidden)
        peaks = list(map(max, peaks, copies_up(game.position)))
        assert game.score.points == points
        assert game.score.ranked == 10 * sum(peaks) + 5 * (hidden_at_start - hidden)
        assert list(game.score.peaks) == peaks
        assert game.score.ranked <= game.score.points
    assert replay_line(rules, start, line) == (game.position, game.score)


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=8)
@given(data=st.data())
def test_no_line_raises_the_ranked_score_twice_for_a_card(rule: str, data: st.DataObject) -> None:
    game = data.draw(games(rule))
    check_the_score(game.rules, game.start, list(game.line))


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), choices=CHOICES)
def test_two_packs_with_worrying_back_count_each_copy_once(seed: int, choices: list[int]) -> None:
    start = shuffled(OUTBACK.variant, seed)
    check_the_score(OUTBACK, start, [move for move, _ in walk(OUTBACK, start, choices)])


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_a_clean_win_scores_what_its_cards_and_faces_are_worth(rule: str) -> None:
    variant = get_rules(rule).variant
    best = clean_win(variant.cards, sum(down for down, _ in variant.columns))
    assert best == CLEAN_WINS[rule]
    for win in wins(rule):
        score = replay(win.rules, win.start, win.moves).score
        assert score.ranked == best
        assert score.points == best + RAISED * sum(move.source.zone == "f" for move in win.moves)


@pytest.mark.parametrize("rule", WORRYING_BACK)
@settings(max_examples=8)
@given(data=st.data())
def test_detours_down_and_up_again_gain_points_but_no_rank(rule: str, data: st.DataObject) -> None:
    """A won line with cards taken back and put up again anywhere on its way."""
    win = data.draw(st.sampled_from(wins(rule)))
    game = Game.new(win.rules, win.start)
    detours = sum(move.source.zone == "f" for move in win.moves)
    for move, wanted in zip(win.moves, data.draw(wishes(len(win.moves))), strict=True):
        backs = [move for move in game.legal_moves() if move.source.zone == "f"]
        if backs and wanted:
            back = backs[wanted % len(backs)]
            detour = game.play(back).play(parse_move(f"{back.target.text}-f"))
            assert detour.position == game.position
            assert detour.score.ranked == game.score.ranked
            game, detours = detour, detours + 1
        game = game.play(move)
    assert game.is_won
    assert game.score.ranked == CLEAN_WINS[rule]
    assert game.score.points == CLEAN_WINS[rule] + RAISED * detours


def wishes(length: int) -> st.SearchStrategy[list[int]]:
    """For each move 0, or which detour to make before it."""
    return st.lists(st.integers(0, 9), min_size=length, max_size=length)


def test_the_table() -> None:
    rules = get_rules("C")
    position = board(rules, "<AS> 2H", "3S", "<AH> 5S", "6D")
    values = []
    game = Game.new(rules, position)
    for move in parse_line("t1-t2 t1-f t3-t4 t3-f t2-f fH-t2 t2-f"):
        before = game.score.points
        game = game.play(move)
        values.append(game.score.points - before)
    assert values == [TURNED, RAISED, TURNED, RAISED, RAISED, 0, RAISED]
    assert (game.score.points, game.score.ranked) == (50, 40)


def test_a_card_put_up_turns_what_it_uncovers_for_both() -> None:
    rules = get_rules("F")
    game = Game.new(rules, board(rules, "<5H> AS")).play(parse_move("t1-f"))
    assert (game.score.points, game.score.ranked) == (15, 15)


def test_a_deal_from_the_stock_gives_nothing() -> None:
    rules = get_rules("P")
    game = Game.new(rules, board(rules, "5H", stock="4H AS")).play(parse_move("s-w"))
    assert game.score == NO_SCORE
    assert game.play(parse_move("w-f")).score.points == RAISED


def test_the_twin_of_a_card_does_not_earn_its_points_again() -> None:
    """One ace goes down, its twin comes up: only one copy was ever up at once."""
    start = board(OUTBACK, "AS", "AS", "2S", "2S")
    line = "t1-f fS-t3 t2-f fS-t4 t3-f"
    _, score = replay_line(OUTBACK, start, parse_line(line))
    assert (score.points, score.ranked) == (30, 10)
    _, score = replay_line(OUTBACK, start, parse_line(f"{line} t4-f"))
    assert (score.points, score.ranked) == (40, 20)
