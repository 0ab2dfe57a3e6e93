"""The held-out networks: `fold0.onnx` was trained without the photographers of `FOLDS[0]`, and so on. Not shipped."""

from __future__ import annotations

import hashlib
from pathlib import Path

from calibration.labels import Photo
from lab.training.folds import FOLDS


class NotTrained(FileNotFoundError):
    """A held-out network is missing; `str()` says what to do."""


def file(fold: int) -> Path:
    """Where the network of a fold lies."""
    return Path(__file__).with_name(f"fold{fold}.onnx")


def network(fold: int) -> bytes:
    """The network, as ONNX, that saw no photo of FOLDS[fold]. Raises NotTrained."""
    try:
        return file(fold).read_bytes()
    except FileNotFoundError:
        raise NotTrained(
            f"{file(fold).name} is missing in {file(fold).parent}: check it out, or run `train held-out`."
        ) from None


def name() -> str:
    """The networks' common name: the first eight digits of the SHA-256 of all of them. Raises NotTrained."""
    return hashlib.sha256(b"".join(map(network, range(len(FOLDS))))).hexdigest()[:8]


def fold_of(photo: Photo) -> int | None:
    """The fold of the photo's photographer; None: all networks learned from these photos."""
    return next((fold for fold, names in enumerate(FOLDS) if photo.photographer in names), None)
