"""The options of commands that use real coins.

The photos lie where `--photos` says, else TABLECOIN_PHOTOS, else in ../shared/coins beside the checkout.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, get_args

import click

from calibration.labels import LabelError
from lab import held_out
from lab.reading import cutouts
from lab.reading.purses import Coins, Pockets
from tablecoin.cli.sentences import UserError
from tablecoin.vision.cameras.camera import CameraError

VARIABLE = "TABLECOIN_PHOTOS"
BESIDE = Path(__file__).parents[2] / "shared" / "coins"
MISSING = f"There are no photos of real coins: name their folder, with scenes/labels.csv, by --photos or {VARIABLE}."

photos_option = click.option(
    "--photos",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar=VARIABLE,
    default=lambda: str(BESIDE) if BESIDE.is_dir() else None,
    help=f"Real coins: the folder with scenes/labels.csv; by default {VARIABLE}, or ../shared/coins.",
)
_COINS = click.option(
    "--coins",
    type=click.Choice(get_args(Coins)),
    default="drawn",
    show_default=True,
    help="Drawn coins, or real ones read by the held-out networks: each table with one owner's, or mixed.",
)
_KEPT = click.option(
    "--kept",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for the cut-outs, so that they are made once; by default the user's cache.",
)


def needed(photos: Path | None) -> Path:
    """The folder that `photos_option` gave. Raises UserError where it found none."""
    if photos is None:
        raise UserError(MISSING)
    return photos


def coins_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command --coins, --photos and --kept; it gets them as `pockets`."""

    @wraps(command)
    def run(*args: Any, coins: Coins, photos: Path | None, kept: Path | None, **others: Any) -> None:
        sides = () if coins == "drawn" else sides_of(needed(photos), kept)
        command(*args, pockets=Pockets(coins, sides), **others)

    return _COINS(photos_option(_KEPT(run)))


def sides_of(photos: Path, kept: Path | None = None) -> list[cutouts.Side]:
    """The cut-outs of these photos. Raises UserError: the photos, or a network that saw none of them, are missing."""
    try:
        held_out.name()
        return cutouts.sides(photos, kept)
    except (LabelError, CameraError, held_out.NotTrained) as error:
        raise UserError(str(error)) from None
