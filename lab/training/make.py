"""The network coins.onnx made again from labelled photos and the virtual table, and those held out for the lab.

Crops and checkpoints lie in a run folder: a run that was stopped goes on from the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from lab import held_out
from lab.training import drawn, strangers
from lab.training.cropset import CropSet, build
from lab.training.folds import FOLDS
from lab.training.net import export
from lab.training.train import train

DEFAULT_OUT = Path("tablecoin/vision/coins/coins.onnx")


def make(photos: Path, run: Path, out: Path) -> str:
    """Train the network that ships and write it to `out`; one sentence. Raises LabelError, OSError."""
    export(train(_crops(photos, run), run / "final.pt"), out)
    return f"{out} is written: {out.stat().st_size / 1024:.0f} kB."


def make_held_out(photos: Path, run: Path) -> str:
    """Train a network for each fold without its photographers, and write it where the lab finds it; one sentence."""
    crops = _crops(photos, run)
    for number, fold in enumerate(FOLDS):
        away = np.isin(crops.photographer, fold)
        export(train(crops[~away], run / f"fold{number}.pt"), held_out.file(number))
    return f"The held-out networks, {held_out.name()}, are written: `read held-out` counts what they read."


def _crops(photos: Path, run: Path) -> CropSet:
    """All crops to learn from: cut out of photos, of the virtual table, and of drawn things that are no coins."""
    run.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)  # the batches are made in another process, which needs the other cores
    crops = _kept(run / "photos.npz", lambda: build(photos))
    crops += _kept(run / "drawn.npz", drawn.build)
    return crops + _kept(run / "strangers.npz", strangers.build)


def _kept(path: Path, make: Callable[[], CropSet]) -> CropSet:
    """The crop set in `path`, made and saved there if it is missing."""
    if not path.exists():
        make().save(path)
    return CropSet.load(path)
