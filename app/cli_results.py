"""The command `results`: what an operator decides about results that came too fast."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from app.cli_common import WRONG, DatabaseOption, fail, open_database

results = typer.Typer(no_args_is_help=True, help="Results of games that were impossibly fast.")


@results.command()
def review(
    clear: Annotated[
        str, typer.Option(metavar="GAME", help="Put this game’s result on the leaderboards")
    ] = "",
    keep_out: Annotated[
        str, typer.Option(metavar="GAME", help="Keep this game’s result off the leaderboards")
    ] = "",
    everything: Annotated[
        bool, typer.Option("--all", help="List what has been decided as well")
    ] = False,
    database: DatabaseOption = "",
) -> None:
    """List the results under review, or decide about one; a decision can be changed."""
    from app.games import review as reviews
    from app.games.results import CLEARED, KEPT_OUT

    if clear and keep_out:
        fail("Either --clear or --keep-out")
    _, store = open_database(database)
    if game_id := clear or keep_out:
        with store.write() as connection:
            decision = CLEARED if clear else KEPT_OUT
            is_known = reviews.decide(connection, game_id, decision)
        store.close()
        if not is_known:
            fail(f"No result of a game “{game_id}” has been under review", WRONG)
        typer.echo(f"{game_id} {decision}")
        return
    with store.read() as connection:
        found = reviews.flagged(connection, decided=everything)
        for row in found:
            at = datetime.fromtimestamp(row.finished_at / 1000, UTC).isoformat(timespec="seconds")
            typer.echo(
                f"{row.game_id} {row.review} {row.code} {'won' if row.won else 'ended'} "
                f"{at} {row.pace_ms} ms a move, {row.name or 'guest'}"
            )
    store.close()
    typer.echo(f"{len(found)} results")


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(results, name="results")
