"""The held-out networks: `small0`, `large0` and `fine0` learned without the photographers of `FOLDS[0]`, and so on.

They do not ship.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from calibration.labels import Photo
from lab.training.folds import FOLDS
from tablecoin.vision.coins.network import Networks


class NotTrained(FileNotFoundError):
    """A held-out network is missing; `str()` says what to do."""


def small_file(fold: int) -> Path:
    """Where the fold's small network lies."""
    return Path(__file__).with_name(f"small{fold}.onnx")


def large_file(fold: int) -> Path:
    """Where the fold's large network lies."""
    return Path(__file__).with_name(f"large{fold}.onnx")


def fine_file(fold: int) -> Path:
    """Where the fold's fine network lies."""
    return Path(__file__).with_name(f"fine{fold}.onnx")


def networks(fold: int) -> Networks:
    """The networks that saw no photo of FOLDS[fold]. Raises NotTrained."""
    files = small_file(fold), large_file(fold), fine_file(fold)
    for missing in (file for file in files if not file.exists()):
        raise NotTrained(f"{missing.name} is missing in {missing.parent}: check it out, or run `train held-out`.")
    return Networks(*files)


def name() -> str:
    """The networks' common name: the first eight digits of a SHA-256 of the names of all. Raises NotTrained."""
    names = "".join(networks(fold).name for fold in range(len(FOLDS)))
    return hashlib.sha256(names.encode()).hexdigest()[:8]


def fold_of(photo: Photo) -> int | None:
    """The fold of the photo's photographer; None: all networks learned from these photos."""
    return next((fold for fold, names in enumerate(FOLDS) if photo.photographer in names), None)
