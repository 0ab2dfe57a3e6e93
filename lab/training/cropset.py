"""The crop set: labelled coins, false detections of the finder, foreign coins and background, with a wide margin.

Crops reach 2.4 radii from the centre, so that training can move, turn and resize the circle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.labels import Photo
from lab import labels
from tablecoin.coins import BY_VALUE
from tablecoin.vision.coins.crops import cut
from tablecoin.vision.coins.find import find
from tablecoin.vision.frame import Disc

SIDE_PX = 192  # side of a crop for the small network
LARGE_SIDE_PX = 272  # the same for the large network, which sees coins larger
REACH = 2.4  # half the crop's side, in radii
NONE = 4  # the fifth class: no US coin
UNKNOWN = -1  # a face that nobody could tell, or of something without faces
_KINDS = {str(kind): index for index, kind in enumerate(BY_VALUE)}
_HEADS = {"heads": 1, "tails": 0}


@dataclass(frozen=True, slots=True)
class CropSet:
    """Crops and their labels; row i of every array is one crop."""

    pixels: NDArray[np.uint8]  # (N, side, side, 3) BGR
    kind: NDArray[np.int64]  # index into BY_VALUE, or NONE
    heads: NDArray[np.int64]  # 1 heads, 0 tails, UNKNOWN
    source: NDArray[np.str_]  # the photographer, or `euro`, `farthing`, `invented`, `drawn` ...
    photographer: NDArray[np.str_]  # of the picture it comes from: decides the fold
    coin: NDArray[np.bool_]  # a whole coin: training may shift it to make a bad circle, or paste it beside another

    def __getitem__(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> CropSet:
        return CropSet(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))

    def __len__(self) -> int:
        return len(self.kind)

    def __add__(self, other: CropSet) -> CropSet:
        return CropSet(*(np.concatenate([getattr(self, n), getattr(other, n)]) for n in self.__dataclass_fields__))

    def save(self, path: Path) -> None:
        np.savez(path, **{name: getattr(self, name) for name in self.__dataclass_fields__})

    @classmethod
    def load(cls, path: Path) -> CropSet:
        with np.load(path) as stored:
            return cls(*(stored[name] for name in cls.__dataclass_fields__))


Row = tuple[NDArray[np.uint8], int, int, str, str, bool]


def build(coins: Path, side_px: int = SIDE_PX) -> CropSet:
    """The crop set of a folder with `scenes/labels.csv` and `negatives/`, `side_px` wide.

    Raises LabelError, FileNotFoundError.
    """
    rows: list[Row] = []
    for photo, picture in _photos(coins):
        rows += _from_photo(photo, picture, side_px)
    for source, pattern in (("euro", "euro_crops/*"), ("farthing", "farthing/*")):
        for path in sorted((coins / "negatives").glob(pattern)):
            if (image := cv2.imread(str(path))) is not None:
                height, width = image.shape[:2]
                disc = _whole(np.asarray(image, np.uint8)) or Disc(width / 2, height / 2, min(width, height) / 2)
                crop = cut(np.asarray(image, np.uint8), [disc], side_px, REACH)[0]
                photographer = "breakingit32" if source == "farthing" else source
                rows.append((crop, NONE, UNKNOWN, source, photographer, True))
    return stacked(rows)


def _photos(coins: Path) -> Iterator[tuple[Photo, NDArray[np.uint8]]]:
    """Every labelled photo and its picture. Raises LabelError, FileNotFoundError."""
    for photo in labels.read(coins):
        image = cv2.imread(str(coins / "scenes" / photo.name))
        if image is None:
            raise FileNotFoundError(f"{photo.name} is named in labels.csv but cannot be read: check the photo folder")
        yield photo, np.asarray(image, np.uint8)


def stacked(rows: Sequence[Row]) -> CropSet:
    """Rows of (crop, kind, heads, source, photographer, whole coin) as a CropSet."""
    pixels, kind, heads, sources, photographers, whole = zip(*rows, strict=True)
    return CropSet(
        np.stack(pixels),
        np.array(kind),
        np.array(heads),
        np.array(sources),
        np.array(photographers),
        np.array(whole),
    )


def _from_photo(photo: Photo, image: NDArray[np.uint8], side_px: int) -> list[Row]:
    found = find(image).discs
    discs, facts = [], []
    for label in photo.labels:
        # Where the finder's circle agrees, it is used: the network will get the finder's circles.
        near = [disc for disc in found if _agrees(disc, label.disc)]
        discs.append(min(near, key=lambda disc: _apart(disc, label.disc), default=label.disc))
        heads = _HEADS.get(label.face, UNKNOWN)
        kind = _KINDS.get(label.denomination, NONE)
        source = "odd" if kind == NONE else photo.photographer  # dollars, halves and foreign coins
        facts.append((kind, UNKNOWN if kind == NONE else heads, source, photo.photographer, True))
    if photo.complete:
        for disc in found:
            if all(
                _apart(disc, label.disc) > 0.3 or abs(disc.r_px / label.disc.r_px - 1) > 0.3 for label in photo.labels
            ):
                discs.append(disc)
                facts.append((NONE, UNKNOWN, "invented", photo.photographer, False))
        rng = np.random.default_rng(len(photo.name) + len(photo.labels))
        typical = float(np.median([label.disc.r_px for label in photo.labels]))
        for _ in range(3):
            disc = Disc(rng.uniform(0, image.shape[1]), rng.uniform(0, image.shape[0]), typical * rng.uniform(0.6, 1.6))
            if all(_apart(disc, label.disc) > 1 + disc.r_px / label.disc.r_px for label in photo.labels):
                discs.append(disc)
                facts.append((NONE, UNKNOWN, "background", photo.photographer, False))
    return [(crop, *fact) for crop, fact in zip(cut(image, discs, side_px, REACH), facts, strict=True)]


def _whole(image: NDArray[np.uint8]) -> Disc | None:
    """The large disc that fills a picture of a single coin; None: the finder does not find it."""
    large = [disc for disc in find(image).discs if disc.r_px > 0.3 * min(image.shape[:2])]
    return max(large, key=lambda disc: disc.r_px, default=None)


def _apart(disc: Disc, label: Disc) -> float:
    """Distance of the centres in radii of `label`."""
    return math.hypot(disc.x_px - label.x_px, disc.y_px - label.y_px) / label.r_px


def _agrees(disc: Disc, label: Disc) -> bool:
    return _apart(disc, label) < 0.2 and abs(disc.r_px / label.r_px - 1) < 0.12
