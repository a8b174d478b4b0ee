"""What players of other solitaires have reported: each kind must not happen here."""

from random import Random
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.boardtext import pile_lines
from engine.cards import FACE_DOWN, NAMES, names
from engine.deals import deal, parse_code
from engine.errors import IllegalMoveError, ReplayError
from engine.game import Game, replay, replay_line
from engine.moves import OWN_FOUNDATION, Move, Place, parse_move
from engine.notation import parse_record, record_text
from engine.position import Position, encode
from engine.rules import Rules, get_rules
from engine.scoring import Score
from engine.view import board_view
from tests.engine.cases import CLEAN_WINS, DATA, RULE_LETTERS, WORRYING_BACK, read_cases, wins
from tests.engine.support import all_moves, board, cards, chosen, games, positions

BOARDS = read_cases(DATA / "deals.jsonl")
each_rule = pytest.mark.parametrize("rule", RULE_LETTERS)


@each_rule
@settings(max_examples=6)
@given(data=st.data())
def test_report_2_stuck_is_said_only_without_any_legal_move(rule: str, data: st.DataObject) -> None:
    rules, position = get_rules(rule), data.draw(positions(rule))
    playable = any(rules.is_legal(position, move) for move in all_moves(position))
    assert rules.is_stuck(position) is (not playable and not rules.is_won(position))


@each_rule
def test_report_2_worrying_back_and_the_stock_count_as_moves(rule: str) -> None:
    rules = get_rules(rule)
    six = "6H" if rule == "P" else "6S"
    back = board(rules, six, up="H5")
    assert rules.is_stuck(back) is (rule not in WORRYING_BACK)
    assert Game.new(rules, back).is_stuck is (rule not in WORRYING_BACK)
    dead = board(rules, six, "2D", "2C")
    assert rules.is_stuck(dead)
    if rule == "P":
        assert not rules.is_stuck(dead._replace(stock=cards("9D")))
        assert not rules.is_stuck(board(rules, "6H", "2C", waste="5H"))
        assert rules.is_stuck(board(rules, "6H", "2C", waste="9H"))


@each_rule
def test_report_3_an_unordered_group_from_a_piles_middle_moves(rule: str) -> None:
    rules = get_rules(rule)
    top = "8H" if rule in "SAP" else "8S"
    position = board(rules, "<2D> 9C 7H 2C KD 4S", top)
    move = parse_move("t1x4-t2")
    assert move in rules.legal_moves(position)
    after = rules.apply(position, move)
    assert after.tableau[:2] == (cards("<2D> 9C"), cards(f"{top} 7H 2C KD 4S"))


@each_rule
def test_report_3_real_deals_offer_such_groups(rule: str) -> None:
    rules = get_rules(rule)
    found = 0
    for number in range(1, 40):
        position = deal(parse_code(f"PSF-{rule}-{number}"))
        for move in rules.legal_moves(position):
            pile = position.tableau[move.source.pile]
            group = pile[-move.size :] if move.source.zone == "t" else b""
            unordered = any(
                group[i + 1] not in rules.accepts[group[i]] for i in range(len(group) - 1)
            )
            middle = len(pile) > move.size and not pile[-move.size - 1] & FACE_DOWN
            if unordered and middle:
                found += 1
                assert rules.apply(position, move).tableau[move.target.pile].endswith(group)
    assert found > 10


@each_rule
@settings(max_examples=10)
@given(data=st.data())
def test_report_4_face_down_cards_stay_put_and_unknown(rule: str, data: st.DataObject) -> None:
    rules, position = get_rules(rule), data.draw(positions(rule))
    for index, pile in enumerate(position.tableau):
        down = sum(1 for card in pile if card & FACE_DOWN)
        for size in range(len(pile) - down + 1, len(pile) + 1):
            for target in [OWN_FOUNDATION, *(Place("t", other) for other in range(7))]:
                move = Move(Place("t", index), size, target)
                refusal = rules.refusal(position, move)
                assert refusal is not None
                assert refusal.text == "A face-down card cannot be moved"
    hidden = {NAMES[card & ~FACE_DOWN] for pile in position.tableau for card in pile if card > 51}
    hidden |= set(names(position.stock))
    view = board_view(position)
    open_piles = (*view.tableau, *view.foundations, view.waste)
    seen = {card for pile in open_piles for card in pile if card}
    assert [name for name in hidden - seen if name in repr(view)] == []


@each_rule
@settings(max_examples=6)
@given(data=st.data())
def test_report_5_undo_restores_the_deal_byte_for_byte(rule: str, data: st.DataObject) -> None:
    game = data.draw(games(rule))
    if game.is_won:
        game = replay(game.rules, game.start, game.line[:-1])
    path = [game]
    while path[-1].can_undo:
        path.append(path[-1].undo())
    for undone, expected in zip(path[1:], shorter(game), strict=False):
        assert facts(undone) == expected
    if len(game.line) <= 100:
        assert path[-1].position == game.start
    back = path[-1]
    for earlier in reversed(path[:-1]):
        back = back.redo()
        assert facts(back) == facts(earlier)


Facts = tuple[bytes, Score, list[Move]]


def facts(game: Game) -> Facts:
    return encode(game.position), game.score, game.legal_moves()


def shorter(game: Game) -> list[Facts]:
    """The facts at each point of the game's line, the last but one first."""
    again, found = game.restart(), []
    for move in game.line:
        found.append(facts(again))
        again = again.play(move)
    return found[::-1]


@each_rule
def test_report_9_an_ace_that_goes_up_and_down_earns_its_points_once(rule: str) -> None:
    rules = get_rules(rule)
    game = Game.new(rules, board(rules, "AH", "2H" if rule == "P" else "2S"))
    game = game.play(parse_move("t1-f"))
    for cycle in range(50):
        if rule not in WORRYING_BACK:
            with pytest.raises(IllegalMoveError):
                game.play(parse_move("fH-t2"))
            continue
        game = game.play(parse_move("fH-t2"))
        assert (game.score.points, game.score.ranked) == (10 + 10 * cycle, 10)
        game = game.play(parse_move("t2-f"))
        assert (game.score.points, game.score.ranked) == (20 + 10 * cycle, 10)
    assert game.score.ranked == 10
    with pytest.raises(IllegalMoveError):
        game.play(parse_move("fH-f"))


@each_rule
@settings(max_examples=6)
@given(data=st.data())
def test_report_9_no_score_is_above_a_wins(rule: str, data: st.DataObject) -> None:
    game = data.draw(games(rule))
    assert 0 <= game.score.ranked <= min(CLEAN_WINS[rule], game.score.points)


@each_rule
def test_report_14_fifty_restarts_give_the_same_deal(rule: str) -> None:
    known = "F" if rule in "SA" else rule  # the same shuffle and the same piles
    case = next(case for case in BOARDS if f"-{known}-" in case["code"])
    code = parse_code(case["code"]).under(rule)
    game = Game.new(get_rules(rule), deal(code))
    random = Random(14)
    for _ in range(50):
        deal.cache_clear()
        for _ in range(5):
            if game.legal_moves():
                game = game.play(chosen(game.legal_moves(), random.randrange(9999)))
        game = game.restart()
        assert pile_lines(game.position) == case["board"]
        assert game == Game.new(get_rules(rule), deal(code))


@each_rule
@pytest.mark.parametrize("body", ["12345678901234567890", "9007199254740993", "1" + "0" * 20])
def test_report_16_large_deal_numbers_keep_their_last_digits(rule: str, body: str) -> None:
    text = f"PSF-{rule}-{body}"
    code = parse_code(text)
    assert (str(code), code.body) == (text, body)
    assert parse_code(f"https://example.org/d/{quote(text)}?utm=1") == code
    game = Game.new(get_rules(rule), deal(code))
    record = parse_record(record_text(game, code, "playing", 0))
    assert str(record.code) == text
    assert record.replay().position == deal(code)
    neighbour = code._replace(body=str(int(body) - 1))
    assert deal(neighbour) != deal(code)


def before_the_win(rule: str) -> list[tuple[Position, str]]:
    """Positions one move before the win, and the move, for every way to the foundations."""
    rules = get_rules(rule)
    up = " ".join(f"{suit}13" for suit in "SHD" * rules.variant.decks)
    up += " C12" if rules.variant.decks == 1 else " C13 C12"
    ways = [
        (board(rules, *[""] * pile, "KC", up=up), f"t{pile + 1}-f")
        for pile in range(rules.variant.piles)
    ]
    return [*ways, (board(rules, up=up, waste="KC"), "w-f")] if rule == "P" else ways


@each_rule
def test_report_23_the_win_is_seen_before_stuck_on_every_way_of_moving(rule: str) -> None:
    rules = get_rules(rule)
    for position, text in before_the_win(rule):
        move = parse_move(text)
        assert move in rules.legal_moves(position)
        before = Game.new(rules, position)
        assert not before.is_won
        played = before.play(move)
        won = [played, before.play_out(move)[0], replay(rules, position, [text])]
        for game in won:
            assert game.is_won
            assert not game.is_stuck
            assert game.legal_moves() == []
        for after in (
            rules.apply(position, move),
            rules.apply_legal(position, move),
            rules.outcome(position, move).position,
            replay_line(rules, position, [move])[0],
        ):
            assert rules.is_won(after)
            assert not rules.is_stuck(after)
        with pytest.raises(ReplayError, match="The game is over"):
            replay(rules, position, [text, "fC-t1"])


@each_rule
def test_report_23_real_wins_end_won(rule: str) -> None:
    for win in wins(rule)[:5]:
        game = Game.new(win.rules, win.start)
        for move in win.moves:
            assert not game.is_won
            game = game.play(move)
        assert game.is_won
        assert not game.is_stuck


@each_rule
def test_report_24_each_empty_pile_takes_kings_alone(rule: str) -> None:
    """By every source that the game has, at each pile, by every way of asking."""
    rules = get_rules(rule)
    count = rules.variant.piles
    for empty in range(count):
        others = [pile for pile in range(count) if pile != empty]
        for card in NAMES:
            piles = ["<2D> 3S"] * count
            piles[empty], piles[others[0]] = "", f"4D {card} 9C"
            check_an_empty_pile(rules, board(rules, *piles), f"t{others[0] + 1}x2", empty, card)
            if rule == "P":
                check_an_empty_pile(rules, board(rules, *piles, waste=card), "w", empty, card)
            if rule in WORRYING_BACK:
                height = f"{card[1]}{'A23456789TJQK'.index(card[0]) + 1}"
                position = board(rules, *piles, up=height)
                check_an_empty_pile(rules, position, f"f{card[1]}", empty, card)


def check_an_empty_pile(
    rules: Rules, position: Position, source: str, empty: int, card: str
) -> None:
    move = parse_move(f"{source}-t{empty + 1}")
    allowed = card[0] == "K"
    assert (move in rules.legal_moves(position)) is allowed
    assert rules.is_legal(position, move) is allowed
    if allowed:
        assert NAMES.index(card) in Game.new(rules, position).play(move).position.tableau[empty]
        return
    refusal = rules.refusal(position, move)
    assert refusal is not None
    assert refusal.code == "empty-pile"
    with pytest.raises(IllegalMoveError, match="Only a king goes on an empty pile"):
        Game.new(rules, position).play(move)
