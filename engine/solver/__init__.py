"""Deciding whether a position of the seven games can be won, every card known.

The public names are `solve`, `Solution`, the verdicts, and `warm_up`; for short lines `shorten`,
`prove`, `Par` and `lower_bound`. A verdict is WINNABLE (with
a line that the engine has replayed), UNWINNABLE (every possibility was exhausted) or UNPROVEN.

The rooms, each standing on the ones before it::

    jit       compilation, and a cache that cannot be stale
    model     kernel card ids, rows, the game's tables
    encode    from the engine's positions to rows, from links to the engine's moves
    board     a position as links
    safe      moves that can never hurt
    children  the moves to every child state
    deadend   the dead-end test of a position
    keys      what tells states apart; the closed set
    search    best-first search over positions
    slots     slot space: which cards are gone, how high the foundations stand; its dead-end test
    arrange   whether gone cards can be laid without a cycle
    refute    exhaustive search in slot space
    gone      the same by the gone cards alone, where any suit fits and cards come back
    tasks     both as tasks that run in slices
    solve     which tasks a game needs; the replay
    lower     how many moves a position needs at least
    beam      search in layers, for short wins
    par       the best line in a budget; proof that none is shorter

The method
==========

**Links.** Any face-up card may move with all that lies on it, so a position is, for each card,
the card below it (or the floor, a foundation, the stock, the waste), and a move changes one link.
Piles have no numbers: positions that differ in the order of their piles are one.

**Gone cards.** A card is *gone* once it has left where it lay at the start. A card that lies on a
fitting face-up card at the start is gone from the start; one on a fitting face-down card is not
(it has to leave once for that card to turn). Cards that are not gone have their first links; gone
cards in the tableau lie on a card that they fit, or are kings on the floor. A card is *cleared*
when the card that lay on it at the start is gone, or nothing did; cleared cards are face up.

**Finding wins.** Best-first search with random picks and short attempts (`search`, `tasks`).
States are told apart by all links (plain: an emptied search is a proof), or only by the gone cards
and the foundations (merged: smaller, and exact where a card has one parent). Alternate colours do
best with plain states and merged ones in turn: each finds in some hundred positions what the
other misses in a million.

**Proving losses in slot space.** Forget where the gone cards lie. Cards with the same parents form
a class (alternate colours: two twins under two twin parents; any suit: four under four), and all
that remains is a count: the placed cards of a class need distinct cleared parents. A state is
(gone cards, foundation heights); for any suit with worrying back the gone cards alone.

  Lemma. If no state with all cards out can be reached in slot space, the position cannot be won.
  Proof. Map each position of a winning line to its state. A move between positions either changes
  no state (a gone card moves from one parent to another of its class) or is a move of slot space:
  before it and after it the placed cards of every class lie on distinct cleared parents, so there
  are as many slots as kids (a card that goes out leaves its kids on the others; a card that is
  placed finds a slot that none of the kids holds); kings on the floor hold distinct piles. So the
  line maps to a line of slot space, and its last position to a state with all cards out. QED

The space has far fewer states than there are positions, because *which of two twins lies on which
parent* is erased. A few lost positions can reach the end in it; for those the strict form also
asks that the placed cards can be arranged without a cycle, both before and after a move. The real
arrangement is one, so the lemma stands.

**Worrying back** is a move of slot space like any other (it undoes playing a gone card up). The
limit on a group is checked on every move of a line and ignored by refutations: fewer limits, more
lines, so a proof stands.

**Dead ends.** A relaxation in which nothing is ever used up (`deadend` for positions, `slots` for
states): if even then not every card goes out, the state is dead.

**Lifting piles.** A refutation that leaves some piles out of account has fewer states, and what
it proves stands; in R most losses are due to some piles (`gone`, `tasks.Outlines`).

**Which game uses what.** F and C: wins and refutation in turn. R: the same, its refutation by the
gone cards alone. S and P: one search over merged states, which are exact there. A: one search over
plain states, with attempts in other orders beside it. D: attempts; plain ones can prove.
"""

from engine.solver.par import POSITIONS_A_SECOND, Par, lower_bound, prove, shorten
from engine.solver.solve import UNPROVEN, UNWINNABLE, WINNABLE, Solution, solve, warm_up
from engine.solver.tasks import MEMORY

__all__ = [
    "MEMORY",
    "POSITIONS_A_SECOND",
    "UNPROVEN",
    "UNWINNABLE",
    "WINNABLE",
    "Par",
    "Solution",
    "lower_bound",
    "prove",
    "shorten",
    "solve",
    "warm_up",
]
