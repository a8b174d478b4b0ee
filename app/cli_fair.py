"""The commands of the fair player and the catalogue: `fair`, `catalogue`."""

from __future__ import annotations

import json
from collections.abc import Sequence, Sized
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from app.cli_common import WRONG, DatabaseOption, fail, open_database, variant_named
from engine.variants import VARIANTS, Variant

Game = Annotated[str, typer.Argument(metavar="GAME", help="A game’s key or rule")]
Games = Annotated[str, typer.Argument(metavar="[GAME]", help="A game’s key or rule; else all")]
Json = Annotated[bool, typer.Option("--json", help="As JSON")]


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def fair_command(
    game: Game,
    strength: Annotated[str, typer.Option(help="greedy, casual, strong or expert")] = "expert",
    deals: Annotated[int, typer.Option(min=1, help="How many deals")] = 500,
    start: Annotated[int, typer.Option(min=0, help="The first deal’s number")] = 1,
    processes: Annotated[int, typer.Option(min=0, help="0: one a core")] = 0,
    keep: Annotated[Path | None, typer.Option(help="The file that keeps what is done")] = None,
    as_json: Json = False,
) -> None:
    """Measure a player that sees only face-up cards. Ctrl-C keeps what is done, as winnability."""
    from app.config import Settings
    from app.fairness import FairSurvey
    from app.solving import cores
    from engine.fair import STRENGTHS

    variant = variant_named(game)
    if strength not in STRENGTHS:
        fail(f"“{strength}” is no strength; these are: {', '.join(STRENGTHS)}")
    file = keep or Settings().data_dir / f"fair-{variant.key}.jsonl"
    survey = FairSurvey(variant.rule, strength, file)
    todo = len(survey.missing(start, deals))
    stopped = False
    with _progress() as progress:
        task = progress.add_task(variant.name, total=deals, completed=deals - todo)
        try:
            for _ in survey.play(start, deals, processes or cores()):
                progress.advance(task)
        except KeyboardInterrupt:
            stopped = True
    answer = _summary(survey, variant, start, deals)
    typer.echo(json.dumps(answer) if as_json else _told(answer))
    if stopped:
        raise typer.Exit(130)


def _summary(survey: Any, variant: Variant, start: int, deals: int) -> dict[str, Any]:
    from app.solving import interval

    rows = [survey.rows[n] for n in range(start, start + deals) if n in survey.rows]
    winnable = [row for row in rows if row.verdict == "winnable"]
    won = sum(row.won for row in winnable)
    low, high = interval(won, len(winnable))
    times = sorted(ms for row in rows for ms in row.ms)
    return {
        "game": variant.key,
        "strength": survey.strength,
        "start": start,
        "deals": len(rows),
        "winnable": len(winnable),
        "unwinnable": sum(row.verdict == "unwinnable" for row in rows),
        "won": sum(row.won for row in rows),
        "won_unwinnable": sum(row.won for row in rows if row.verdict == "unwinnable"),
        "share_of_all": _share(sum(row.won for row in rows), rows),
        "share_of_winnable": _share(won, winnable),
        "interval_95": [round(low, 4), round(high, 4)],
        "median_ms": _part(times, 0.5),
        "p95_ms": _part(times, 0.95),
    }


def _share(count: int, of: Sized) -> float | None:
    return round(count / len(of), 4) if len(of) else None


def _part(ordered: list[float], part: float) -> float | None:
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else None


def _told(answer: dict[str, Any]) -> str:
    low, high = answer["interval_95"]
    return (
        f"{answer['game']}, {answer['strength']}: {answer['won']} of {answer['deals']} deals won; "
        f"of the {answer['winnable']} winnable ones {answer['share_of_winnable'] or 0:.1%} "
        f"({low:.1%} to {high:.1%} at 95 %); a decision takes {answer['median_ms']} ms, "
        f"at the 95th percentile {answer['p95_ms']} ms"
    )


catalogue = typer.Typer(help="The catalogue of graded winnable deals.", no_args_is_help=True)


def _variants(game: str) -> Sequence[Variant]:
    return (variant_named(game),) if game else VARIANTS


@catalogue.command()
def build(
    game: Games = "",
    per_level: Annotated[int, typer.Option(min=1, help="Deals of each level and game")] = 1000,
    processes: Annotated[int, typer.Option(min=0, help="0: one a core")] = 0,
    database: DatabaseOption = "",
) -> None:
    """Add deals until each level has enough. Ctrl-C keeps what is done; several may build at once.

    The deals go to the database; on PostgreSQL other machines may build into the same one.
    """
    from app.catalogue.build import build as building
    from app.catalogue.load import load
    from app.solving import cores

    variants = _variants(game)
    settings, store = open_database(database)
    load(store)
    try:
        for variant in variants:
            with _progress() as progress:
                task = progress.add_task(variant.name, total=3 * per_level)
                for counts in building(
                    settings, store, variant.rule, per_level, processes or cores()
                ):
                    done = sum(min(count, per_level) for count in counts.values())
                    progress.update(task, completed=done)
            _tell(store, variant)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        store.close()


def _tell(database: Any, variant: Variant) -> None:
    from app.catalogue import store
    from engine.levels import LEVELS

    with database.read() as connection:
        counts = store.counts(connection, variant.rule)
    told = ", ".join(f"{counts.get(name, 0)} {name}" for name in LEVELS)
    typer.echo(f"{variant.key}: {told}")


@catalogue.command()
def export(
    directory: Annotated[Path, typer.Argument(help="Where the files go")],
    game: Games = "",
    database: DatabaseOption = "",
) -> None:
    """Write the catalogue's files, one a game, from the database."""
    from app.catalogue import shipped, store

    variants = _variants(game)
    _, opened = open_database(database)
    for variant in variants:
        with opened.read() as connection:
            deals = list(store.every(connection, variant.rule))
        if deals:
            path = shipped.path_of(variant, directory)
            try:
                shipped.write(path, deals)
            except OSError as error:
                fail(f"{path} cannot be written: {error}")
            typer.echo(f"{path}: {len(deals)} deals, {path.stat().st_size} bytes")
    opened.close()


@catalogue.command()
def check(game: Games = "", database: DatabaseOption = "") -> None:
    """Replay the line of every deal of the catalogue; exit 1 if one does not win."""
    from app.catalogue import load, shipped, store

    variants = _variants(game)
    _, opened = open_database(database)
    load.load(opened)
    bad = 0
    for variant in variants:
        with opened.read() as connection:
            deals = list(store.every(connection, variant.rule))
        with _progress() as progress:
            for graded in progress.track(deals, description=variant.name):
                if not shipped.wins(variant.rule, graded):
                    typer.echo(f"{variant.key}: deal {graded.number} has a line that does not win")
                    bad += 1
        _tell(opened, variant)
    opened.close()
    typer.echo(f"{bad} lines do not win")
    if bad:
        raise typer.Exit(WRONG)


def add_to(cli: typer.Typer) -> None:
    """Add the commands to `yukon`."""
    cli.command("fair")(fair_command)
    cli.add_typer(catalogue, name="catalogue")
