"""The networks coins.onnx and faces.onnx made again from labelled photos, and those held out for the lab.

Crops and checkpoints lie in a run folder: a run that was stopped goes on from the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from lab import held_out
from lab.training import drawn, strangers
from lab.training.coins import COINS
from lab.training.cropset import FACE_SIDE_PX, UNKNOWN, CropSet, build, build_faces
from lab.training.faces import DRAWN_TOO, FACES
from lab.training.folds import FOLDS, NEW_TO_SHIPPED
from lab.training.net import Net, export
from lab.training.recipe import Recipe
from lab.training.train import train

COINS_OUT = Path("tablecoin/vision/coins/coins.onnx")
FACES_OUT = Path("tablecoin/vision/coins/faces.onnx")


def make_coins(photos: Path, run: Path, out: Path) -> str:
    """Train the network of coins that ships and write it to `out`; one sentence. Raises LabelError, OSError."""
    return _trained(COINS, _coins(photos, run), run / "final.pt", out)


def make_faces(photos: Path, run: Path, out: Path) -> str:
    """Train the network of faces that ships and write it to `out`; one sentence. Raises LabelError, OSError."""
    return _faces_trained(photos, run, NEW_TO_SHIPPED, run / "faces.pt", out)


def make_held_out(photos: Path, run: Path) -> str:
    """Train both networks for each fold without its photographers, and write them where the lab finds them.

    Returns one sentence. Raises LabelError, OSError.
    """
    for number, fold in enumerate(FOLDS):
        coins, faces = held_out.coins_file(number), held_out.faces_file(number)
        _trained(COINS, _without(_coins(photos, run), fold), run / f"{coins.stem}.pt", coins)
        _faces_trained(photos, run, fold, run / f"{faces.stem}.pt", faces)
    return f"The held-out networks, {held_out.name()}, are written: `read held-out` counts what they read."


def _faces_trained(photos: Path, run: Path, unseen: Sequence[str], checkpoint: Path, out: Path) -> str:
    """Train a network of faces without the coins of `unseen` photographers."""
    crops = _without(_kept(run / "faces.npz", lambda: build_faces(photos)), unseen)
    drawn_too = crops + _kept(run / "drawn_faces.npz", _drawn_faces)
    begun = train(FACES, crops, checkpoint)
    return _trained(DRAWN_TOO, drawn_too, checkpoint.with_stem(f"{checkpoint.stem}-drawn"), out, begun)


def _trained(recipe: Recipe, crops: CropSet, checkpoint: Path, out: Path, begun: Net | None = None) -> str:
    export(train(recipe, crops, checkpoint, begun=begun), recipe, out)
    return f"{out} is written: {out.stat().st_size / 1024:.0f} kB."


def _without(crops: CropSet, photographers: Sequence[str]) -> CropSet:
    return crops[~np.isin(crops.photographer, photographers)]


def _coins(photos: Path, run: Path) -> CropSet:
    """All crops to learn coins from: cut out of photos, of the virtual table, and of drawn things that are no coins."""
    crops = _kept(run / "photos.npz", lambda: build(photos))
    crops += _kept(run / "drawn.npz", drawn.build)
    return crops + _kept(run / "strangers.npz", strangers.build)


def _drawn_faces() -> CropSet:
    """The coins of the virtual table whose face shows."""
    crops = drawn.build(side_px=FACE_SIDE_PX)
    return crops[crops.heads != UNKNOWN]


def _kept(path: Path, make: Callable[[], CropSet]) -> CropSet:
    """The crop set in `path`, made and saved there if it is missing."""
    cv2.setNumThreads(1)  # the batches are made in another process, which needs the other cores
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make().save(path)
    return CropSet.load(path)
