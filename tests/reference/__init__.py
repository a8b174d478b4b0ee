"""A second, slow and obvious engine for the Yukon family: the oracle of the tests.

It shares no code with the real engine and is written from the text of the rules alone, so
that a mistake has to be made twice, in two ways, to stay unseen. Cards are text ("KH"), a
pile is a list of (card, face up), a move is its notation ("t4x3-t2"). Nothing is precomputed.
"""

from tests.reference.boards import board_lines, board_text, read_board
from tests.reference.deals import UnreadableCodeError, deal, deal_pack, read_code, shuffled_pack
from tests.reference.moves import IllegalMoveError, apply, is_stuck, is_won, legal_moves
from tests.reference.play import Outcome, perft, ranked_score, replay, score, split_perft
from tests.reference.rules import DATA, RULE_LETTERS, Rules, load_rules
from tests.reference.table import Table, empty_table

__all__ = [
    "DATA",
    "RULE_LETTERS",
    "IllegalMoveError",
    "Outcome",
    "Rules",
    "Table",
    "UnreadableCodeError",
    "apply",
    "board_lines",
    "board_text",
    "deal",
    "deal_pack",
    "empty_table",
    "is_stuck",
    "is_won",
    "legal_moves",
    "load_rules",
    "perft",
    "ranked_score",
    "read_board",
    "read_code",
    "replay",
    "score",
    "shuffled_pack",
    "split_perft",
]
