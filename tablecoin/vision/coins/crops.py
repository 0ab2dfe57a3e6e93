"""Discs cut out of a picture at one size: the networks' inputs, in training as at the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Disc, Image

CROP_PX = 80  # side of a crop for the small network
MARGIN = 1.2  # half the crop's side, in radii: some background shows whether the circle is the rim
LARGE_PX, LARGE_MARGIN = 96, 1.1  # the same for the large network
FINE_PX, FINE_MARGIN = 112, 1.1  # and for the fine one

MIDDLE = 0.45  # mean brightness, 0..1, that every disc is scaled to
_DARKEST = 0.02  # added to the mean before, so that black discs are not amplified to noise
_SHARP = 0.25  # octaves by which a crop may be blurrier than needed, before a finer pyramid level is used

Crops = NDArray[np.uint8]  # (N, side, side, 3) uint8, BGR


class Halvings:
    """An image pyramid: a picture, and the same at a half, a quarter, …, each made when it is first needed."""

    def __init__(self, image: Image) -> None:
        self._sizes = [image]

    @property
    def image(self) -> Image:
        """The picture at its full size."""
        return self._sizes[0]

    def at(self, level: int) -> tuple[Image, int]:
        """The picture halved `level` times, or as often as its size allows; and that number of times."""
        while len(self._sizes) <= level and min(self._sizes[-1].shape[:2]) >= 2:
            height, width = self._sizes[-1].shape[:2]
            even = self._sizes[-1][: height // 2 * 2, : width // 2 * 2]
            half = cv2.resize(even, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            self._sizes.append(np.asarray(half, np.uint8))
        level = min(level, len(self._sizes) - 1)
        return self._sizes[level], level


def cut(image: Image | Halvings, discs: Sequence[Disc], side_px: int = CROP_PX, margin: float = MARGIN) -> Crops:
    """Square crops centred on `discs`, (N, side_px, side_px, 3) uint8 BGR; beyond the picture its border is repeated.

    Large discs are cut from a suitable level of the pyramid, so that no pixels are skipped (aliasing).
    """
    crops = np.empty((len(discs), side_px, side_px, 3), np.uint8)
    halvings = image if isinstance(image, Halvings) else Halvings(image)
    for crop, disc in zip(crops, discs, strict=True):
        step = 2 * margin * disc.r_px / side_px  # picture pixels a crop pixel
        level = max(0, math.floor(math.log2(step) + _SHARP)) if step > 0 else 0
        source, level = halvings.at(level)
        shrink = 2.0**-level
        step *= shrink
        x, y = (disc.x_px + 0.5) * shrink - 0.5, (disc.y_px + 0.5) * shrink - 0.5
        middle = (side_px - 1) / 2
        to_picture = np.array([[step, 0, x - step * middle], [0, step, y - step * middle]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cv2.warpAffine(source, to_picture, (side_px, side_px), crop, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return crops


@cache
def disc_mean(side_px: int, margin: float) -> NDArray[np.float32]:
    """(side, side): the weights that average a crop's three channels over its disc."""
    y, x = np.mgrid[:side_px, :side_px] - (side_px - 1) / 2
    inside = (np.hypot(x, y) < side_px / 2 / margin).astype(np.float32)
    return np.asarray(inside / (3 * inside.sum()))


DISC_MEAN = disc_mean(CROP_PX, MARGIN)


def evened(crops: Crops, margin: float = MARGIN) -> NDArray[np.float32]:
    """`crops` as (N, 3, side, side) float32, each disc scaled to one mean brightness; colours keep their ratios."""
    count, side_px = crops.shape[:2]
    channels = np.empty((count, 3, side_px, side_px), np.uint8)
    for crop, split in zip(crops, channels, strict=True):
        cv2.split(crop, list(split))  # a tenth of the time of numpy's transposing
    pixels = channels.reshape(count, -1).astype(np.float32)
    level = pixels @ np.tile(disc_mean(side_px, margin).ravel(), 3) / 255
    pixels *= (MIDDLE / (level + _DARKEST) / 255)[:, None]
    return pixels.reshape(channels.shape)
