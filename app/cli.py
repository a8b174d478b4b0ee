"""The command `yukon`.

Errors are one line on standard error; unreadable input exits with 2, a record that does not
replay with 1.
"""

from __future__ import annotations

import contextlib
import gc
import json
import secrets
import socket
import sys
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from typer.exceptions import TyperException

from app import cli_fair, cli_results, cli_solver
from app.cli_common import (
    UNREADABLE,
    WRONG,
    DatabaseOption,
    fail,
    open_database,
    read_code,
    read_file,
    variant_named,
)
from engine.boardtext import board_text, pile_lines
from engine.cards import names
from engine.deals import OPEN_DEALS, deal, open_code
from engine.errors import ReplayError, UnreadableError
from engine.game import Game, replay
from engine.notation import parse_record
from engine.perft import perft, perft_split
from engine.rules import get_rules

cli = typer.Typer(
    name="yukon",
    help="Yukon Solitaire and its family: serve it, deal it, check it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

_GRACE_S = 2

Code = Annotated[str, typer.Argument(metavar="CODE", help="A deal code, such as YU1-C-AAAAAAB")]


@cli.command()
def new(game: Annotated[str, typer.Argument(metavar="GAME", help="A game’s key or rule")]) -> None:
    """Print a fresh open deal code."""
    variant = variant_named(game)
    typer.echo(str(open_code(variant.rule, secrets.randbelow(OPEN_DEALS))))


@cli.command("deal")
def deal_command(
    code: Code, as_json: Annotated[bool, typer.Option("--json", help="As JSON")] = False
) -> None:
    """Print the board text of a deal."""
    parsed = read_code(code)
    position = deal(parsed)
    if not as_json:
        typer.echo(board_text(position), nl=False)
        return
    typer.echo(
        json.dumps(
            {
                "code": str(parsed),
                "game": parsed.variant.key,
                "board": pile_lines(position),
                "waste": names(position.waste),
                "stock": names(position.stock),
            }
        )
    )


@cli.command()
def legal(
    code: Code,
    moves: Annotated[str, typer.Option(help="Moves to play first, separated by spaces")] = "",
) -> None:
    """Print the legal moves, one a line."""
    parsed = read_code(code)
    try:
        game = replay(get_rules(parsed.rule), deal(parsed), moves.split())
    except ReplayError as error:
        fail(str(error), UNREADABLE)
    for move in game.legal_moves():
        typer.echo(str(move))


@cli.command("perft")
def perft_command(
    code: Code,
    depth: Annotated[int, typer.Argument(min=0, max=12)],
    split: Annotated[bool, typer.Option("--split", help="Also by first move")] = False,
) -> None:
    """Print how many sequences of DEPTH legal moves there are."""
    parsed = read_code(code)
    rules, position = get_rules(parsed.rule), deal(parsed)
    if split and depth:
        for move, count in perft_split(rules, position, depth).items():
            typer.echo(f"{move} {count}")
    typer.echo(str(perft(rules, position, depth)))


@cli.command("replay")
def replay_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game record, or -")],
) -> None:
    """Replay a game record: result, score, moves; or the first bad move and its rule."""
    text = read_file(file)
    try:
        game = parse_record(text).replay()
    except UnreadableError as error:
        fail(str(error))
    except ReplayError as error:
        fail(str(error), WRONG)
    typer.echo(f"{_result(game)} {game.score.points} {game.moves}")


def _result(game: Game) -> str:
    if game.is_won:
        return "won"
    return "stuck" if game.is_stuck else "playing"


@cli.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on")] = 8000,
    database: DatabaseOption = "",
    workers: Annotated[
        int | None, typer.Option(min=0, max=64, help="Solver processes; default: YUKON_WORKERS")
    ] = None,
) -> None:
    """Bring the database up to date and serve the game."""
    with _lasting():
        import uvicorn

        from app.catalogue.load import load
        from app.main import create_app

        settings, store = open_database(database)
        typer.echo(f"Database: {store.url.render_as_string(hide_password=True)}")
        load(store)
        store.close()
        listening = _listen(host, port)  # port 0 becomes a free one, which is only known now
        app = create_app(settings, workers=settings.workers if workers is None else workers)

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """End the streams first: uvicorn would wait for them to end by themselves."""
            await app.state.services.hub.stop()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
    )
    address = f"[{host}]" if ":" in host else host
    typer.echo(f"Yukon Solitaire: http://{address}:{listening.getsockname()[1]}/")
    server = Server(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not server.started:
        raise typer.Exit(WRONG)


@contextlib.contextmanager
def _lasting() -> Iterator[None]:
    """What is made within stays: the collector looks for garbage neither then nor later in it."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; a port that is taken is said, and ends the command."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = str(error.strerror or error).partition(" (")[0]  # the address is said once
        fail(f"{host} port {port} cannot be used: {why}", WRONG)


@cli.command()
def check(
    database: DatabaseOption = "",
) -> None:
    """Replay every game's events and compare with what is stored."""
    from app.games import check as checking
    from app.games import store as games

    _, store = open_database(database)
    bad = 0
    with store.read() as connection:
        ids = games.all_ids(connection)
        for game_id in track(ids, "Replaying", console=Console(stderr=True), transient=True):
            for difference in checking.differences(connection, game_id):
                typer.echo(f"{game_id}: {difference}")
                bad += 1
    store.close()
    typer.echo(f"{len(ids)} games, {bad} differences")
    if bad:
        raise typer.Exit(WRONG)


cli_solver.add_to(cli)
cli_fair.add_to(cli)
cli_results.add_to(cli)


def main() -> None:
    """Run the command; what is wrong with its arguments is one line too."""
    try:
        code = cli(standalone_mode=False)
    except TyperException as error:
        if message := error.format_message():
            sys.stderr.write(" ".join(message.split()) + "\n")
        sys.exit(error.exit_code)
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
