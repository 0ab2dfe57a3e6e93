"""`python -m lab chances`: games that computers play against each other, analysed and counted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from lab.chances import adventures, calibration, closing, page
from lab.chances.diagram import diagram
from lab.chances.selfplay import FIRST
from lab.refereeing import log as logs
from tablecoin import rules
from tablecoin.cli.progress import progress
from tablecoin.cli.sentences import UserError
from tablecoin.opponents import Level

_LOG = click.Path(dir_okay=False, path_type=Path)
Row = TypeVar("Row", closing.Closed, calibration.Told)


@click.group()
def chances() -> None:
    """Does luck and skill add up, and are the chances calibrated?"""


def _measured(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a command that plays and measures games."""
    options = [
        click.argument("game", type=click.Choice(rules.NAMES)),
        click.option("--games", type=click.IntRange(min=1), default=20, show_default=True, help="From --first on."),
        click.option("--first", default=FIRST, show_default=True, help="The first game's number."),
        click.option("--samples", type=click.IntRange(1, 100_000), default=64, show_default=True, help="A state."),
        click.option("--level", type=click.Choice([*map(str, Level)]), default="strong", show_default=True),
        click.option("--log", type=_LOG, required=True, help="A JSON line a game; games in it are not repeated."),
        click.option("--processes", type=click.IntRange(min=1), default=1, show_default=True, help="Games at once."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@chances.command()
@_measured
def close(game: str, log: Path, **how: Any) -> None:
    """Analyse self-played games of GAME: does result − start = luck − lost + others + rest leave a rest?"""
    _run(closing.analysed, closing.Closed, game, log, **how)
    click.echo(closing.table(logs.read(log, closing.Closed)))


@chances.command()
@_measured
@click.option("--picture", type=_LOG, help="Also draw the reliability diagram into this SVG.")
def calibrate(game: str, log: Path, picture: Path | None, **how: Any) -> None:
    """Brier score and reliability of the chances over self-played games of GAME."""
    _run(calibration.told, calibration.Told, game, log, **how)
    found = calibration.calibration([one for one in logs.read(log, calibration.Told) if one.game == game])
    click.echo(calibration.table(game, found))
    if picture:
        picture.write_text(diagram(rules.load(game).title["en"], found), "utf-8")


@chances.command("docs")
@click.argument("found", metavar="LOG...", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def write_docs(found: tuple[Path, ...]) -> None:
    """Write what the logs of close and calibrate say into docs/analysis.md, with its pictures."""
    told = [one for log in found for one in logs.read(log, calibration.Told)]
    closed = [one for log in found for one in logs.read(log, closing.Closed)]
    try:
        text = page.updated(page.PAGE.read_text("utf-8"), told, closed)
    except (OSError, ValueError) as error:
        raise UserError(f"{page.PAGE} was not written: {error}.") from None
    page.PAGE.write_text(text, "utf-8")
    for name, drawn in page.pictures(told):
        (page.PAGE.parent / "pictures" / name).write_text(drawn, "utf-8")
    for table in page.tables(told):
        click.echo(f"{table}\n")


@chances.command("adventures")
@click.option("--walks", type=click.IntRange(min=1), default=100, show_default=True, help="Of each adventure.")
@click.option("--new", type=click.IntRange(min=0), default=0, show_default=True, help="Made ones of each kind.")
@click.option("--seed", default=1, show_default=True, help="Of the made ones.")
@click.option("--level", type=click.Choice([*map(str, Level)]), default="middle", show_default=True)
def walk_adventures(walks: int, new: int, seed: int, level: str) -> None:
    """Walk every adventure of the book to its end: are the chances within what it promises?"""
    found = [adventures.walked(name, walks, Level(level)) for name in adventures.names(new, seed)]
    click.echo(adventures.table(found))
    if broken := [one.name for one in found if not one.keeps_its_promise]:
        raise UserError(f"outside the promised range: {', '.join(broken)}.")


def _run(
    measure: Callable[[str, int, str, int], Row],
    kind: type[Row],
    game: str,
    log: Path,
    games: int,
    first: int,
    samples: int,
    level: str,
    processes: int,
) -> None:
    """Measure the games that are not in the log yet, and add them to it."""
    if not log.parent.is_dir():
        raise UserError(f"there is no folder {log.parent}: make it first, or give another place after --log.")
    known = {(one.game, one.number, one.samples, one.level) for one in logs.read(log, kind)}
    numbers = [n for n in range(first, first + games) if (game, n, samples, level) not in known]
    each = partial(measure, game, samples, level)
    with ProcessPoolExecutor(processes) as pool, progress(pool.map(each, numbers), game, len(numbers)) as bar:
        for one in bar:
            logs.add(log, one)
