"""The networks made again from labelled photos, and those held out for the lab.

Crops and checkpoints lie in a run folder: a run that was stopped goes on from the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from lab import held_out
from lab.training import drawn, strangers
from lab.training.cropset import LARGE_SIDE_PX, SIDE_PX, UNKNOWN, CropSet, build
from lab.training.fine import FINE, FINE_FACES
from lab.training.folds import FOLDS
from lab.training.large import DRAWN_TOO, FACES_FIRST, LARGE, WORN_TOO
from lab.training.net import Net, export, midway
from lab.training.recipe import Recipe
from lab.training.small import SMALL
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
    """Train a small network without the photos of `unseen` photographers."""
    return _written(train(SMALL, _without(_crops(photos, run, SIDE_PX), unseen), checkpoint), SMALL, out)


def _large_trained(photos: Path, run: Path, unseen: Sequence[str], checkpoint: Path, out: Path) -> str:
    """Train a large network without the photos of `unseen` photographers: faces first, worn coins last."""
    crops = _without(_crops(photos, run, LARGE_SIDE_PX), unseen)
    faces = train(FACES_FIRST, _real_faces(crops), checkpoint.with_stem(f"{checkpoint.stem}-faces"))
    begun = train(LARGE, crops, checkpoint, begun=faces)
    drawn_too = train(DRAWN_TOO, crops, checkpoint.with_stem(f"{checkpoint.stem}-drawn"), begun=begun)
    worn_too = train(WORN_TOO, crops, checkpoint.with_stem(f"{checkpoint.stem}-worn"), begun=drawn_too)
    return _written(midway(drawn_too, worn_too), LARGE, out)


def _fine_trained(photos: Path, run: Path, unseen: Sequence[str], checkpoint: Path, out: Path) -> str:
    """Train a fine network without the photos of `unseen` photographers: faces first."""
    crops = _without(_crops(photos, run, LARGE_SIDE_PX), unseen)
    faces = train(FINE_FACES, _real_faces(crops), checkpoint.with_stem(f"{checkpoint.stem}-faces"))
    return _written(train(FINE, crops, checkpoint, begun=faces), FINE, out)


def _real_faces(crops: CropSet) -> CropSet:
    """The coins of photos whose face is known."""
    return crops[(crops.heads != UNKNOWN) & (crops.source != "drawn")]


def _written(net: Net, recipe: Recipe, out: Path) -> str:
    export(net, recipe, out)
    return f"{out} is written: {out.stat().st_size / 1024:.0f} kB."


def _without(crops: CropSet, photographers: Sequence[str]) -> CropSet:
    return crops[~np.isin(crops.photographer, photographers)]


def _crops(photos: Path, run: Path, side_px: int) -> CropSet:
    """All crops to learn from: cut out of photos, of the virtual table, and of drawn things that are no coins."""
    crops = _kept(run / f"photos{side_px}.npz", lambda: build(photos, side_px))
    crops += _kept(run / f"drawn{side_px}.npz", lambda: drawn.build(side_px=side_px))
    return crops + _kept(run / f"strangers{side_px}.npz", lambda: strangers.build(side_px=side_px))


def _kept(path: Path, make: Callable[[], CropSet]) -> CropSet:
    """The crop set in `path`, made and saved there if it is missing."""
    cv2.setNumThreads(1)  # the batches are made in another process, which needs the other cores
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make().save(path)
    return CropSet.load(path)
