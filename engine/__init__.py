"""The rules of Yukon and its family, pure: no clock, no ambient randomness, no I/O, no web.

The rooms, each standing on the ones before it::

    errors      what can go wrong, as exceptions a caller can tell apart
    cards       cards as small ints, and their names
    variants    which games there are (data only)
    position    where every card lies; board text in and out; faults
    moves       one move, and its text
    rules       what is legal, why not, and what a move does
    deals       deal codes and the two shuffles
    scoring     score and ranked score
    game        play, undo, redo, replay
    view        what a player may see
    notation    game records
    perft       counting sequences of moves
"""
