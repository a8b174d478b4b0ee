"""The command `yukon`.

Errors are one line on standard error; unreadable input exits with 2, a record that does not
replay with 1.
"""

from __future__ import annotations

import json
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import track
from typer.exceptions import TyperException

from engine.boardtext import board_text, pile_lines
from engine.cards import names
from engine.deals import OPEN_DEALS, DealCode, deal, open_code, parse_code
from engine.errors import ReplayError, UnreadableError
from engine.game import Game, replay
from engine.notation import parse_record
from engine.perft import perft, perft_split
from engine.rules import get_rules
from engine.variants import BY_KEY, BY_RULE, VARIANTS

if TYPE_CHECKING:
    from app.config import Settings
    from app.db import Database

cli = typer.Typer(
    name="yukon",
    help="Yukon Solitaire and its family: serve it, deal it, check it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Code = Annotated[str, typer.Argument(metavar="CODE", help="A deal code, such as YU1-C-AAAAAAB")]
UNREADABLE, WRONG = 2, 1


def _fail(message: str, code: int = UNREADABLE) -> NoReturn:
    """One line on standard error, and the end."""
    sys.stderr.write(" ".join(message.split()) + "\n")
    raise typer.Exit(code)


def _code(text: str) -> DealCode:
    try:
        return parse_code(_typed(text))
    except UnreadableError as error:
        _fail(str(error))


def _typed(argument: str) -> str:
    """An argument, or standard input for `-`."""
    return _file(argument) if argument == "-" else argument


def _file(path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        _fail(f"{'Standard input' if path == '-' else path} cannot be read: {error}")


def _open(url: str) -> tuple[Settings, Database]:
    """The settings with this database URL, and the database brought up to date."""
    from alembic.util import CommandError
    from sqlalchemy.exc import SQLAlchemyError

    from app.config import Settings
    from app.db import Database

    try:
        settings = Settings(database_url=url) if url else Settings()
        database = Database(settings)
        database.migrate()
    except (SQLAlchemyError, CommandError, OSError, ValueError) as error:
        _fail(f"The database cannot be used: {error}")
    return settings, database


@cli.command()
def new(game: Annotated[str, typer.Argument(metavar="GAME", help="A game’s key or rule")]) -> None:
    """Print a fresh open deal code."""
    variant = BY_KEY.get(game.lower()) or BY_RULE.get(game.upper())
    if variant is None:
        _fail(f"“{game}” is no game; these are: {', '.join(v.key for v in VARIANTS)}")
    typer.echo(str(open_code(variant.rule, secrets.randbelow(OPEN_DEALS))))


@cli.command("deal")
def deal_command(
    code: Code, as_json: Annotated[bool, typer.Option("--json", help="As JSON")] = False
) -> None:
    """Print the board text of a deal."""
    parsed = _code(code)
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
    parsed = _code(code)
    try:
        game = replay(get_rules(parsed.rule), deal(parsed), moves.split())
    except ReplayError as error:
        _fail(str(error), UNREADABLE)
    for move in game.legal_moves():
        typer.echo(str(move))


@cli.command("perft")
def perft_command(
    code: Code,
    depth: Annotated[int, typer.Argument(min=0, max=12)],
    split: Annotated[bool, typer.Option("--split", help="Also by first move")] = False,
) -> None:
    """Print how many sequences of DEPTH legal moves there are."""
    parsed = _code(code)
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
    text = _file(file)
    try:
        game = parse_record(text).replay()
    except UnreadableError as error:
        _fail(str(error))
    except ReplayError as error:
        _fail(str(error), WRONG)
    typer.echo(f"{_result(game)} {game.score.points} {game.moves}")


def _result(game: Game) -> str:
    if game.is_won:
        return "won"
    return "stuck" if game.is_stuck else "playing"


@cli.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on")] = 8000,
    database: Annotated[
        str, typer.Option(metavar="URL", help="Database URL; default: YUKON_DATABASE_URL")
    ] = "",
) -> None:
    """Bring the database up to date and serve the game."""
    import uvicorn

    from app.main import create_app

    settings, store = _open(database)
    typer.echo(f"Database: {store.url.render_as_string(hide_password=True)}")
    store.close()
    typer.echo(f"Yukon Solitaire: http://{host}:{port}/")
    uvicorn.run(
        create_app(settings), host=host, port=port, log_level="warning", server_header=False
    )


@cli.command()
def check(
    database: Annotated[
        str, typer.Option(metavar="URL", help="Database URL; default: YUKON_DATABASE_URL")
    ] = "",
) -> None:
    """Replay every game's events and compare with what is stored."""
    from app.games import check as checking
    from app.games import store as games

    _, store = _open(database)
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
