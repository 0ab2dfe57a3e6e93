"""The networks made again from labelled photos, and those held out for the lab.

Crops and checkpoints lie in a run folder: a run that was stopped goes on from the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from lab import held_out
from lab.training import drawn, strangers, unmet
from lab.training.cropset import LARGE_SIDE_PX, SIDE_PX, UNKNOWN, CropSet, build
from lab.training.fine import FINE, FINE_AGAIN, FINE_FACES, FINE_UNMET
from lab.training.folds import FOLDS
from lab.training.large import DRAWN_TOO, FACES_FIRST, LARGE, LARGE_AGAIN, LARGE_UNMET, WORN_TOO
from lab.training.net import Net, export, midway
from lab.training.recipe import Recipe
from lab.training.small import SMALL, SMALL_UNMET
from lab.training.train import train

SMALL_OUT = Path("tablecoin/vision/coins/small.onnx")
LARGE_OUT = Path("tablecoin/vision/coins/large.onnx")
FINE_OUT = Path("tablecoin/vision/coins/fine.onnx")


def make_small(photos: Path, run: Path, out: Path) -> str:
    """Train the small network that ships and write it to `out`; one sentence. Raises LabelError, OSError."""
    return _small_trained(photos, run, (), run / "small.pt", out)


def make_large(photos: Path, run: Path, out: Path) -> str:
    """Train the large network that ships and write it to `out`; one sentence. Raises LabelError, OSError."""
    return _large_trained(photos, run, (), run / "large.pt", out)


def make_fine(photos: Path, run: Path, out: Path) -> str:
    """Train the fine network that ships and write it to `out`; one sentence. Raises LabelError, OSError."""
    return _fine_trained(photos, run, (), run / "fine.pt", out)


def make_held_out(photos: Path, run: Path) -> str:
    """Train the three networks for each fold without its photographers, and write them where the lab finds them.

    Returns one sentence. Raises LabelError, OSError.
    """
    for number, fold in enumerate(FOLDS):
        small, large, fine = held_out.small_file(number), held_out.large_file(number), held_out.fine_file(number)
        _small_trained(photos, run, fold, run / f"{small.stem}.pt", small)
        _large_trained(photos, run, fold, run / f"{large.stem}.pt", large)
        _fine_trained(photos, run, fold, run / f"{fine.stem}.pt", fine)
    return f"The held-out networks, {held_out.name()}, are written: `read held-out` counts what they read."


def _small_trained(photos: Path, run: Path, unseen: Sequence[str], checkpoint: Path, out: Path) -> str:
    """Train a small network without the photos of `unseen` photographers: unmet designs last."""
    crops = _crops(photos, run, SIDE_PX, unseen)
    small = train(SMALL, crops, checkpoint)
    return _written(train(SMALL_UNMET, crops, _beside(checkpoint, "unmet"), begun=small), SMALL, out)


def _large_trained(photos: Path, run: Path, unseen: Sequence[str], checkpoint: Path, out: Path) -> str:
    """Train a large network without the photos of `unseen` photographers: faces first, unmet designs last."""
    crops = _crops(photos, run, LARGE_SIDE_PX, unseen)
    faces = train(FACES_FIRST, _real_faces(crops), _beside(checkpoint, "faces"))
    begun = train(LARGE, crops, checkpoint, begun=faces)
    drawn_too = train(DRAWN_TOO, crops, _beside(checkpoint, "drawn"), begun=begun)
    worn_too = train(WORN_TOO, crops, _beside(checkpoint, "worn"), begun=drawn_too)
    unmet_too = train(LARGE_UNMET, crops, _beside(checkpoint, "unmet"), begun=midway(drawn_too, worn_too))
    again = train(LARGE_AGAIN, crops, _beside(checkpoint, "again"), begun=unmet_too)
    return _written(midway(unmet_too, again), LARGE, out)


def _fine_trained(photos: Path, run: Path, unseen: Sequence[str], checkpoint: Path, out: Path) -> str:
    """Train a fine network without the photos of `unseen` photographers: faces first, unmet designs last."""
    crops = _crops(photos, run, LARGE_SIDE_PX, unseen)
    faces = train(FINE_FACES, _real_faces(crops), _beside(checkpoint, "faces"))
    begun = train(FINE, crops, checkpoint, begun=faces)
    unmet_too = train(FINE_UNMET, crops, _beside(checkpoint, "unmet"), begun=begun)
    again = train(FINE_AGAIN, crops, _beside(checkpoint, "again"), begun=unmet_too)
    return _written(midway(unmet_too, again), FINE, out)


def _beside(checkpoint: Path, part: str) -> Path:
    return checkpoint.with_stem(f"{checkpoint.stem}-{part}")


def _real_faces(crops: CropSet) -> CropSet:
    """The coins of photos whose face is known."""
    return crops[(crops.heads != UNKNOWN) & ~np.isin(crops.source, ("drawn", "unmet"))]


def _written(net: Net, recipe: Recipe, out: Path) -> str:
    export(net, recipe, out)
    return f"{out} is written: {out.stat().st_size / 1024:.0f} kB."


def _without(crops: CropSet, photographers: Sequence[str]) -> CropSet:
    return crops[~np.isin(crops.photographer, photographers)]


def _crops(photos: Path, run: Path, side_px: int, unseen: Sequence[str]) -> CropSet:
    """All crops to learn from: cut out of photos but those of `unseen` photographers, of the virtual table, drawn
    things that are no coins, and quarters of unmet designs, made of those photos.
    """
    real = _without(_kept(run / f"photos{side_px}.npz", lambda: build(photos, side_px)), unseen)
    crops = real + _kept(run / f"drawn{side_px}.npz", lambda: drawn.build(side_px=side_px))
    return crops + _kept(run / f"strangers{side_px}.npz", lambda: strangers.build(side_px=side_px)) + unmet.build(real)


def _kept(path: Path, make: Callable[[], CropSet]) -> CropSet:
    """The crop set in `path`, made and saved there if it is missing."""
    cv2.setNumThreads(1)  # the batches are made in another process, which needs the other cores
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make().save(path)
    return CropSet.load(path)
