"""What the server refuses, each with its status and a stable code; one place renders them."""

from __future__ import annotations

from typing import Any, Self

from app.i18n import later


class Problem(Exception):
    """A refused request (RFC 9457): `status`, a stable `code`, and a sentence for people.

    `extra` are further members of the problem document; `about` is what the answer shows beside
    it (for a game's refusals the game as it stands), None where there is nothing to show.
    """

    status = 400
    code = "bad-request"
    title = later("This request cannot be answered")
    retry_after: int | None = None
    """After how many seconds it may go better."""

    def __init__(self, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra = extra
        self.about: Any = None

    def on(self, about: Any) -> Self:
        """This problem, with what its answer shows."""
        self.about = about
        return self


class CodeUnreadable(Problem):
    """A deal code that cannot be read."""

    status, code, title = 422, "code-unreadable", later("This deal code cannot be read")


class BoardUnreadable(Problem):
    """A pasted text that is nothing to play; `faults` are all that is wrong with it."""

    status, code, title = 422, "board-unreadable", later("This cannot be played")


class GameUnknown(Problem):
    """A kind of game that does not exist."""

    status, code, title = 422, "game-unknown", later("There is no such kind of game")


class DifficultyUnknown(Problem):
    """A difficulty that does not exist, or of which no deal is left."""

    status, code, title = 422, "difficulty-unknown", later("There is no such deal")


class GameNotFound(Problem):
    """A game id that names no game."""

    status, code, title = 404, "game-not-found", later("There is no such game")


class SolutionUnknown(Problem):
    """A deal of which no winning line is known."""

    status, code, title = 404, "solution-unknown", later("There is no solution on file")


class NotYourGame(Problem):
    """A write to another player's game."""

    status, code, title = 403, "not-your-game", later("This is another player’s game")


class StaleVersion(Problem):
    """A write made on an older version."""

    status, code, title = 409, "version-stale", later("The table had moved on")


class MoveUnreadable(Problem):
    """A move's text that is no move."""

    status, code, title = 422, "move-unreadable", later("This is no move")


class MoveIllegal(Problem):
    """A move that the rules refuse."""

    status, code, title = 422, "move-illegal", later("The rules refuse this move")


class NothingToUndo(Problem):
    """Undo or redo without a move for it."""

    status, code, title = 422, "nothing-to-undo", later("There is no move for this")


class GameOver(Problem):
    """A write to a game that has ended."""

    status, code, title = 422, "game-over", later("This game is over")


class GameUnderWay(Problem):
    """Asked of a finished game, but this one is still being played."""

    status, code, title = 409, "game-under-way", later("This game is still being played")


class NameInvalid(Problem):
    """A display name that cannot be taken."""

    status, code, title = 422, "name-invalid", later("This name cannot be taken")


class NameTaken(NameInvalid):
    """A display name that another player has."""

    status, code, title = 409, "name-taken", later("This name is taken")


class LinkUnknown(Problem):
    """A one-time link that was used, is over, or never was."""

    status, code, title = 404, "link-unknown", later("This link leads nowhere any more")


class FriendLinkUnknown(Problem):
    """A friends' link that has ended, or never was."""

    status, code, title = 404, "friend-link-unknown", later("This link leads nowhere any more")


class FriendUnknown(Problem):
    """A friend whom the player does not have."""

    status, code, title = 404, "friend-unknown", later("There is no such friend")


class TooManyFriends(Problem):
    """One of the two has as many friends as fit."""

    status, code, title = 409, "too-many-friends", later("There are too many friends")


class PasswordInvalid(Problem):
    """A password that cannot be taken."""

    status, code, title = 422, "password-invalid", later("This password cannot be taken")


class SignInRefused(Problem):
    """A name and a password that do not go together."""

    status, code, title = 403, "sign-in-refused", later("This name and password do not fit")


class PasskeyRefused(Problem):
    """A passkey's answer that is not believed, or comes too late."""

    status, code, title = 403, "passkey-refused", later("This passkey does not fit")


class PasskeyUnknown(Problem):
    """A passkey that nobody here has, or not this player."""

    status, code, title = 404, "passkey-unknown", later("There is no such passkey")


class TooManyAttempts(Problem):
    """More attempts to sign in than are let through."""

    status, code, title = 429, "too-many-attempts", later("Too many attempts")
    retry_after = 15 * 60


class RequestInvalid(Problem):
    """A request whose form is wrong."""

    status, code, title = 422, "request-invalid", later("This request has the wrong form")


class CrossSite(Problem):
    """A write that a browser marks as coming from another site."""

    status, code, title = 403, "cross-site", later("This came from another site")


class BodyTooLarge(Problem):
    """A request with too large a body."""

    status, code, title = 413, "body-too-large", later("This request is too large")


class ServerError(Problem):
    """A fault of the server's own."""

    status, code, title = 500, "server-error", later("The server has a fault")


class DealSealed(Problem):
    """Asked of a sealed deal's game what only open deals answer."""

    status, code, title = 422, "deal-sealed", later("This deal is sealed")


class DailyNotReady(Problem):
    """Today's deal has not been chosen yet."""

    status, code, title = 503, "daily-not-ready", later("Today’s deal is not ready yet")


class Busy(Problem):
    """More work than the solver can take."""

    status, code, title = 503, "busy", later("The solver is busy")


class NoGhost(Problem):
    """A game that cannot be raced against: without a move, or begun in the middle of another."""

    status, code, title = 422, "no-ghost", later("This game cannot be raced")


class GameInRace(Problem):
    """Asked of a race's game what only other games can do."""

    status, code, title = 409, "game-in-race", later("This game belongs to a race")


class RaceNotFound(Problem):
    """An id or letters that name no race."""

    status, code, title = 404, "race-not-found", later("There is no such race")


class RaceUnderWay(Problem):
    """What can be done only before a race begins, or an answer that came too late for it."""

    status, code, title = 409, "race-under-way", later("This race has begun")


class RaceNotOver(Problem):
    """What can be done only after a race."""

    status, code, title = 409, "race-not-over", later("This race is not over")


class RaceClosed(Problem):
    """A room that everybody has left."""

    status, code, title = 409, "race-closed", later("This room is closed")


class RaceFull(Problem):
    """A room without a free place."""

    status, code, title = 409, "race-full", later("This room is full")


class NotInRace(Problem):
    """Done by somebody who is not a player of the race."""

    status, code, title = 403, "not-in-race", later("You are not a player of this race")


class NotTheHost(Problem):
    """What only the room's host may do."""

    status, code, title = 403, "not-the-host", later("Only the host can do this")


class TooManyStreams(Problem):
    """More watchers, or more streams of one player, than a server serves."""

    status, code, title = 503, "too-many-streams", later("Too many are watching")
