"""What virtual coins look like: drawn faces, or cut-outs of real coins from a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.storage import durable
from tablecoin.virtual.art import designs, draw_coin
from tablecoin.vision.cameras.picture import LARGEST_FILE

Cutout = NDArray[np.uint8]  # (S, S, 4) BGRA, the coin filling it
Cutouts = Mapping[tuple[Denomination, Face], Sequence[Cutout]]


class SkinError(ValueError):
    """A folder of cut-outs cannot be used; `str()` is one sentence."""


class Skin:
    """Pictures of the coins' sides by denomination and face; a side without any cut-out is drawn."""

    def __init__(self, cutouts: Cutouts | None = None) -> None:
        self.cutouts: Cutouts = dict(cutouts or {})
        self._turned = lru_cache(maxsize=256)(partial(_turn, self.cutouts))  # of no method: it would never be freed

    @classmethod
    def folder(cls, path: Path) -> Skin:
        """A skin from pictures named `penny_heads_anything.png` (or .jpg), square, the coin touching all four sides.

        Raises SkinError where the folder holds no such picture.
        """
        sides = ((kind, face) for kind in BY_VALUE for face in Face)
        skin = cls.pictures({(kind, face): sorted(path.glob(f"{kind}_{face}_*")) for kind, face in sides})
        if not skin.cutouts:
            raise SkinError(f"{path} holds no coin pictures: name them like penny_heads_1.png.")
        return skin

    @classmethod
    def pictures(cls, files: Mapping[tuple[Denomination, Face], Sequence[Path]]) -> Skin:
        """A skin from such pictures by side, in their order. What is no picture is left out."""
        found: dict[tuple[Denomination, Face], list[Cutout]] = {}
        for side, some in files.items():
            for file in some:
                if (picture := _picture(file)) is not None:
                    found.setdefault(side, []).append(_disc(picture))
        return cls(found)

    def designs(self, kind: Denomination, face: Face) -> int:
        """How many different pictures there are of this side."""
        return len(self.cutouts.get((kind, face), ())) or designs(kind, face)

    def coin(self, kind: Denomination, face: Face, design: int, size_px: int, turned_deg: float) -> Cutout:
        """The coin turned clockwise, (size_px, size_px, 4) uint8 BGRA. `design` counts modulo the number of designs."""
        design %= self.designs(kind, face)
        turned_deg = round(turned_deg) % 360  # whole degrees, so that the cache finds it again
        if (kind, face) in self.cutouts:
            return self._turned(kind, face, design, size_px, turned_deg)
        return draw_coin(kind, face, design, size_px, turned_deg)


def _picture(file: Path) -> NDArray[np.uint8] | None:
    """The picture with its alpha channel, if it has one; None where the file holds no picture."""
    try:
        data = np.frombuffer(durable.read(file, LARGEST_FILE), np.uint8)
    except OSError:
        return None
    picture = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if len(data) else None
    return None if picture is None else np.asarray(picture, np.uint8)


def _turn(cutouts: Cutouts, kind: Denomination, face: Face, design: int, size_px: int, turned_deg: float) -> Cutout:
    """The cut-out, resized to (size_px, size_px) and turned clockwise."""
    small = cv2.resize(cutouts[kind, face][design], (size_px, size_px), interpolation=cv2.INTER_AREA)
    middle = (size_px - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), -turned_deg, 1)
    return np.asarray(cv2.warpAffine(small, turn, (size_px, size_px), flags=cv2.INTER_LINEAR), np.uint8)


def _disc(picture: NDArray[np.uint8]) -> Cutout:
    """A square cut-out with everything outside the inscribed circle transparent."""
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    side = min(picture.shape[:2])
    top, left = (picture.shape[0] - side) // 2, (picture.shape[1] - side) // 2
    square = picture[top : top + side, left : left + side]
    axis = np.arange(side) - (side - 1) / 2
    edge = np.clip(side / 2 - np.hypot(axis[:, None], axis[None, :]), 0, 1)
    alpha = square[..., 3] / 255 if square.shape[2] == 4 else np.ones((side, side))
    return np.dstack((square[..., :3], np.asarray(255 * edge * alpha, np.uint8)))
