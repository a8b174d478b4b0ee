"""Two players who turn out to be one: the games of one become the other's."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from app.account.store import leave_races
from app.friends import store as friends
from app.games import results as game_results
from app.games.service import GameService
from app.models import devices, entries, games, links, passkeys, players, results
from app.players.store import lock


def join(connection: Connection, service: GameService, guest: int, player: int) -> None:
    """Give the player (an id) all that the guest (an id) has; there is no such guest after it.

    On a sealed deal there is one game under way at a time: the guest's ends. Of two first tries
    on a deal the one that began first stays one. The player's own name and settings stay; where
    they have none, the guest's are taken.
    """
    for each in sorted((guest, player)):
        lock(connection, each)
    under_way = select(games.c.code).where(
        games.c.player_id == player, games.c.sealed, games.c.status == "playing"
    )
    doubled = select(games.c.id).where(
        games.c.player_id == guest,
        games.c.sealed,
        games.c.status == "playing",
        games.c.code.in_(under_way),
    )
    for game_id in connection.scalars(doubled).all():
        service.end_within(connection, game_id)
    theirs = select(games.c.code).where(games.c.player_id == player)
    shared = select(games.c.code).where(games.c.player_id == guest, games.c.code.in_(theirs))
    codes = set(connection.scalars(shared))
    leave_races(connection, guest, player)  # of two seats in a race the guest's is given up
    for table in (games, results, devices, entries, passkeys):
        connection.execute(update(table).where(table.c.player_id == guest).values(player_id=player))
    for code in sorted(codes):
        game_results.settle(connection, player, code)
    friends.merge(connection, guest, player)
    rows = {
        row.id: row
        for row in connection.execute(select(players).where(players.c.id.in_((guest, player))))
    }
    connection.execute(delete(links).where(links.c.player_id == guest))
    connection.execute(delete(players).where(players.c.id == guest))
    taken = {}
    if rows[player].name is None:
        taken = {"name": rows[guest].name, "name_key": rows[guest].name_key}
    if rows[player].prefs is None:
        taken["prefs"] = rows[guest].prefs
    if taken:
        connection.execute(update(players).where(players.c.id == player).values(taken))
