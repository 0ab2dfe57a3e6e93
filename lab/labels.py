"""The labels of the photos, with the mistakes put right that were found in them.

Labels are made by eye and now and then wrong: up to one face in a hundred. A wrong one teaches the networks a mistake
and counts a right answer as wrong. Where networks that never saw a photographer contradict a label, a person looks.
Where the picture contradicts it plainly too, it stands below with what is seen (lab/log/2026-11-25-a-finer-look.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from calibration.labels import Label, Photo, read_labels

TABLE = "scenes/labels.csv"  # in the folder of photos
_NEAR_PX = 3.0  # a label this near is the one that is meant

T = TypeVar("T")
Place = tuple[str, float, float]  # a photo's name, and the centre of a circle in it

# The face that the picture shows, for labels that say the other one.
FACES: Mapping[Place, str] = {
    ("mbolaris/IMG_5858.jpg", 388.0, 521.5): "tails",  # a penny: the Memorial
    ("KewenLin/nickel7.jpg", 340.8, 1180.5): "tails",  # a nickel: Monticello
    ("ArthurGoshtasby/69.jpg", 581.4, 297.4): "tails",  # a quarter: the drummer of 1976
    # Quarters with an inner ring and words outside it, as only the tails of 2010 to 2021 have.
    ("ArthurGoshtasby/66.jpg", 131.3, 334.0): "tails",
    ("cwang04/coin1.jpg", 1051.2, 704.1): "tails",
    ("cwang04/coin2.jpg", 1072.5, 722.4): "tails",  # the same coin
}


# Where the coin lies, for labels that lie beside it.
PLACES: Mapping[Place, tuple[float, float]] = {
    ("KewenLin/coinRecognition13.jpg", 1616.5, 516.6): (1563.6, 552.5),  # a penny on the keys 0 and P
}


def read(photos: Path) -> list[Photo]:
    """All photos of the folder `photos`, with scenes/labels.csv. Raises LabelError."""
    return [corrected(photo) for photo in read_labels(photos / TABLE)]


def corrected(photo: Photo) -> Photo:
    """The photo with the right faces, where the coins lie."""
    return replace(photo, labels=tuple(_corrected(photo.name, label) for label in photo.labels))


def _corrected(name: str, label: Label) -> Label:
    face = _found(FACES, name, label) or label.face
    x_px, y_px = _found(PLACES, name, label) or (label.disc.x_px, label.disc.y_px)
    return replace(label, disc=replace(label.disc, x_px=x_px, y_px=y_px), face=face)


def _found(corrections: Mapping[Place, T], name: str, label: Label) -> T | None:
    """What stands in `corrections` for this label; None: nothing."""
    for (image, x_px, y_px), right in corrections.items():
        if image == name and math.hypot(label.disc.x_px - x_px, label.disc.y_px - y_px) < _NEAR_PX:
            return right
    return None
