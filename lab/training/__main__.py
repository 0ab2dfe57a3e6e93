"""`python -m lab.training`: make coins.onnx again from the labelled photos and the virtual table.

    python -m lab.training --photos ../shared/coins                 the network that ships
    python -m lab.training --photos ../shared/coins --held-out      how good it is on photographers it never met

Stop it at any time; the same command goes on from the last checkpoint in the run folder.
"""

from __future__ import annotations

import argparse
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
from tablecoin.vision.coins.identify import Identifier

DEFAULT_OUT = Path("tablecoin/vision/coins/coins.onnx")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.training", description=__doc__.split("\n")[0])
    parser.add_argument("--photos", type=Path, required=True, help="the folder with scenes/labels.csv and negatives/")
    parser.add_argument("--run", type=Path, default=Path("training-run"), help="crops and checkpoints are kept here")
    parser.add_argument("--held-out", action="store_true", help="train and measure the folds only")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where the final network goes")
    chosen = parser.parse_args(arguments)
    chosen.run.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)  # the batches are made in a process of their own; OpenCV's threads would only get in the way
    crops = _kept(chosen.run / "photos.npz", lambda: build(chosen.photos))
    crops += _kept(chosen.run / "drawn.npz", drawn.build)
    crops += _kept(chosen.run / "strangers.npz", strangers.build)
    if chosen.held_out:
        photos = read_labels(chosen.photos / "scenes/labels.csv")
        print(table(held_out(crops, photos, chosen.photos / "scenes", chosen.run)))
    else:
        export(train(crops, chosen.run / "final.pt"), chosen.out)
        print(f"{chosen.out} is written: {chosen.out.stat().st_size / 1024:.0f} kB.")


def held_out(crops: CropSet, photos: Sequence[Photo], images: Path, run: Path) -> Card:
    """One card over all photos, each read by the network that saw none of its photographer's."""
    readers = {}
    for number, fold in enumerate(FOLDS):
        away = np.isin(crops.photographer, fold)
        onnx = run / f"fold{number}.onnx"
        export(train(crops[~away], run / f"fold{number}.pt"), onnx)
        reader = read_from(images, Identifier(onnx.read_bytes()))
        readers.update(dict.fromkeys(fold, reader))
    return compile_card(photos, lambda photo: readers[photo.photographer](photo))


def _kept(path: Path, make: Callable[[], CropSet]) -> CropSet:
    if not path.exists():
        make().save(path)
    return CropSet.load(path)


if __name__ == "__main__":
    main()
