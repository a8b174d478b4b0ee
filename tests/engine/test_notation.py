import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.boardtext import board_text
from engine.deals import DealCode, board_code, deal, kept_code, parse_code
from engine.errors import CodeError, RecordError, ReplayError
from engine.game import Game
from engine.moves import parse_line
from engine.notation import Record, parse_record, record_text
from engine.rules import get_rules
from tests.engine.cases import RULE_LETTERS, wins
from tests.engine.support import chosen, codes, positions

ONE = parse_code("YU1-C-AAAAAAB")
TAG = '[Deal "YU1-C-AAAAAAB"]'


def won(rule: str) -> tuple[Game, DealCode]:
    win = wins(rule)[0]
    game = Game.new(win.rules, win.start)
    for move in win.moves:
        game = game.play(move)
    return game, parse_code(win.name).under(rule)


def test_a_record_is_tags_then_moves() -> None:
    game = Game.new(get_rules("C"), deal(ONE)).play(parse_line("t4-t6")[0]).undo()
    game = game.play(parse_line("t4-t6")[0])
    assert record_text(game, ONE, "playing", 412_649) == (
        '[Game "Yukon"]\n'
        '[Deal "YU1-C-AAAAAAB"]\n'
        '[Result "playing"]\n'
        f'[Score "{game.score.points}"]\n'
        '[Moves "2"]\n'
        '[Undos "1"]\n'
        '[Time "412.6"]\n'
        "\n"
        "1. t4-t6\n"
    )


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_the_record_of_a_win_replays_to_it(rule: str) -> None:
    game, code = won(rule)
    text = record_text(game, code, "won", 0)
    assert max(map(len, text.splitlines())) <= 100
    record = parse_record(text)
    assert record.code == code
    assert record.tags == {
        "Game": game.rules.variant.name,
        "Deal": str(code),
        "Result": "won",
        "Undos": "0",
        "Score": str(game.score.points),
        "Moves": str(game.moves),
        "Time": "0.0",
    }
    again = record.replay()
    assert again.is_won
    assert (again.line, again.position, again.score) == (game.line, game.position, game.score)


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=10)
@given(data=st.data(), choices=st.lists(st.integers(0, 9999), max_size=30))
def test_any_record_reads_back(rule: str, data: st.DataObject, choices: list[int]) -> None:
    code = data.draw(codes(rule))
    game = Game.new(get_rules(rule), deal(code))
    for choice in choices:
        if game.legal_moves():
            game = game.play(chosen(game.legal_moves(), choice))
    record = parse_record(record_text(game, code, "ended", 1000, undos=7))
    assert record.moves == tuple(str(move) for move in game.line)
    assert (record.code, record.tags["Undos"]) == (code, "7")
    assert record.replay().position == game.position


def test_a_sealed_deal_is_not_named_while_it_is_played() -> None:
    text = record_text(Game.new(get_rules("C"), deal(ONE)), None, "playing", 0)
    assert '[Deal "sealed"]' in text
    assert text.endswith('"]\n\n')
    with pytest.raises(CodeError, match=r"^The record's deal: A deal code starts with YU1 or PSF"):
        parse_record(text)


@pytest.mark.parametrize(
    "body",
    [
        "t4x3-t3 t4-t6",
        "1. t4x3-t3 2. t4-t6",
        "1.t4x3-t3 2.t4-t6 won",
        "1. t4x3-t3\n\n  2... t4-t6\n*",
        "7. t4x3-t3 7. t4-t6 ended",
        "t4x3-t3\tt4-t6 playing",
    ],
)
def test_numbers_line_breaks_and_a_result_at_the_end_are_the_writers_choice(body: str) -> None:
    for text in (f"{TAG}\n\n{body}\n", f"\n  {TAG}  \r\n{body}", f"{body}\n{TAG}"):
        assert parse_record(text) == Record(ONE, ("t4x3-t3", "t4-t6"), {"Deal": "YU1-C-AAAAAAB"})


def test_other_tags_stand_as_they_are() -> None:
    record = parse_record(f'[ Player   "A \\"B\\" C" ]\n{TAG}\n')
    assert record == Record(ONE, (), {"Player": 'A \\"B\\" C', "Deal": "YU1-C-AAAAAAB"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'The record names no deal; it needs a line such as [Deal "YU1-C-AAAAAAB"]'),
        ("t4-t6", 'The record names no deal; it needs a line such as [Deal "YU1-C-AAAAAAB"]'),
        (f"{TAG}\n[Result won]", 'Line 2 is no tag; tags are written [Deal "…"]'),
        ('[Deal "YU1-C-AAAAAAB" t4-t6', 'Line 1 is no tag; tags are written [Deal "…"]'),
        (f"{TAG}\n" + "t4-t6 " * 40_000, "A game record has at most 200000 characters"),
    ],
    ids=["empty", "no deal", "no quotes", "open", "long"],
)
def test_a_form_that_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert str(caught.value) == message


def test_a_deal_that_is_wrong_is_named() -> None:
    with pytest.raises(CodeError, match=r"^The record's deal: .*7 letters"):
        parse_record('[Deal "YU1-C-AAAA"]')


@pytest.mark.parametrize(
    ("body", "number", "reason"),
    [
        ("t4-t6 t1-f", 2, "The foundation of"),
        ("1. t4-t6 2. hello 3. t1-f", 2, "“hello” is no move"),
        ("won t4-t6", 1, "“won” is no move"),
        ("fS-t2", 1, "The foundation of spades is empty"),
    ],
)
def test_a_record_that_does_not_replay_names_its_first_bad_move(
    body: str, number: int, reason: str
) -> None:
    with pytest.raises(ReplayError) as caught:
        parse_record(f"{TAG}\n\n{body}\n").replay()
    assert caught.value.number == number
    assert caught.value.reason.startswith(reason)


def test_undone_moves_are_counted_but_not_listed() -> None:
    game, code = won("C")
    longer = Game.new(game.rules, game.start)
    for move in game.line:
        longer = longer.play(move)
        if not longer.is_won:
            longer = longer.undo().redo()
    record = parse_record(record_text(longer, code, "won", 0))
    assert len(record.moves) == len(game.line)
    assert record.tags["Undos"] == str(len(game.line) - 1)
    assert record.tags["Moves"] == str(len(game.line))


PIECES = st.sampled_from(
    [TAG, "[Deal", '"]', "[", "\n", "1.", "t4-t6", "won", '[A "b"]', "\\", " "]
)


@given(st.text(max_size=60) | st.lists(PIECES, max_size=12).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        record = parse_record(text)
    except (RecordError, CodeError) as error:
        said = str(error)
    else:
        assert record.code == parse_code(record.tags["Deal"])
        assert 0 <= _replayed(record) <= len(record.moves)
        return
    assert said


def _replayed(record: Record) -> int:
    """How many of its moves are played, or the number of the one that cannot be."""
    try:
        return len(record.replay().line)
    except ReplayError as error:
        return error.number


BOARD = " / ".join(board_text(deal(ONE)).splitlines())
BOARD_TAGS = f'[Game "Yukon"]\n[Board "{BOARD}"]\n'


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=10)
@given(data=st.data(), choices=st.lists(st.integers(0, 9999), max_size=12))
def test_the_record_of_a_board_holds_the_board(
    rule: str, data: st.DataObject, choices: list[int]
) -> None:
    code = board_code(rule, data.draw(positions(rule)))
    assert kept_code(str(code)) == code
    assert len(str(code)) <= 208
    game = Game.new(get_rules(rule), deal(code))
    for choice in choices:
        if game.legal_moves():
            game = game.play(chosen(game.legal_moves(), choice))
    record = parse_record(record_text(game, code, "won" if game.is_won else "ended", 1000))
    assert (record.code, record.tags.get("Deal")) == (code, None)
    assert record.replay().position == game.position


def test_a_code_of_a_board_is_kept_and_never_typed() -> None:
    code = board_code("C", deal(ONE))
    assert code.is_board
    assert not code.sealed
    assert not ONE.is_board
    assert kept_code(str(ONE)) == ONE
    with pytest.raises(CodeError, match=r"^A deal code starts with YU1 or PSF"):
        parse_code(str(code))
    with pytest.raises(CodeError):
        parse_record(f'[Deal "{code}"]')


def test_a_board_may_be_written_with_any_spaces_around_its_strokes() -> None:
    text = BOARD_TAGS.replace(" / ", "/").replace("Yukon", "yukon")
    assert parse_record(text).code == parse_record(BOARD_TAGS).code == board_code("C", deal(ONE))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{TAG}\n[Game "Alaska"]', "The record's game is Alaska, but its deal is one of Yukon"),
        (f'{TAG}\n[Game "Chess"]', "The record's game, “Chess”, is none of this family"),
        (f'{TAG}\n[Deal "YU1-C-AAAAAAC"]', "The tag Deal is there twice, and says two things"),
        (f"{TAG}\n{BOARD_TAGS}", "A record has a deal or a board, not both"),
        (
            f'[Board "{BOARD}"]',
            'A record with a board needs a line with its game, such as [Game "Yukon"]',
        ),
        (
            BOARD_TAGS.replace("6H", "6Z"),
            "The record's board: line 1: “6Z” is no card; cards are written like 7H, TS or KD; "
            "6H is missing",
        ),
    ],
    ids=["game", "family", "twice", "both", "no game", "board"],
)
def test_tags_that_contradict_one_another_are_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert str(caught.value) == message


def test_tags_that_fit_one_another_are_taken() -> None:
    tags = '[Game "yukon"]\n[Moves "3"]\n[Undos "2"]\n[Result "stuck"]'
    assert len(parse_record(f"{TAG}\n{TAG}\n{tags}\n\nt4-t6").replay().line) == 1
