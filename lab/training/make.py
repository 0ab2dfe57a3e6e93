"""The network coins.onnx made again from labelled photos and the virtual table, or measured on held-out photographers.

Crops and checkpoints lie in a run folder: a run that was stopped goes on from the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.labels import Photo, read_labels
from calibration.scorecard import Card, compile_card, read_from, table
from lab.training import drawn, strangers
from lab.training.cropset import CropSet, build
from lab.training.folds import FOLDS
from lab.training.net import export
from lab.training.train import train
from tablecoin.vision.coins.network import Identifier

DEFAULT_OUT = Path("tablecoin/vision/coins/coins.onnx")


def make(photos: Path, run: Path, out: Path) -> str:
    """Train the network that ships and write it to `out`; one sentence. Raises LabelError, OSError."""
    export(train(_crops(photos, run), run / "final.pt"), out)
    return f"{out} is written: {out.stat().st_size / 1024:.0f} kB."


def measure_held_out(photos: Path, run: Path) -> str:
    """Train a network for each fold, and read each photo by the one that saw none of its photographer's: a table."""
    crops = _crops(photos, run)
    return table(held_out(crops, read_labels(photos / "scenes/labels.csv"), photos / "scenes", run))


def held_out(crops: CropSet, photos: Sequence[Photo], images: Path, run: Path) -> Card:
    """One scorecard over all photos, each read by the network that saw none of its photographer's."""
    readers = {}
    for number, fold in enumerate(FOLDS):
        away = np.isin(crops.photographer, fold)
        onnx = run / f"fold{number}.onnx"
        export(train(crops[~away], run / f"fold{number}.pt"), onnx)
        reader = read_from(images, Identifier(onnx.read_bytes()))
        readers.update(dict.fromkeys(fold, reader))
    counted = [photo for photo in photos if photo.photographer in readers]
    return compile_card(counted, lambda photo: readers[photo.photographer](photo))


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
