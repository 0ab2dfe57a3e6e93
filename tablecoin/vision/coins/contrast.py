"""A grey picture of even contrast, in which circles are searched; or only some parts of it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tablecoin.vision.frame import Grey

CONTRAST, TILES = 3.0, 8  # of CLAHE: how much a histogram may steepen, and tiles across and down
MOST_IN_PARTS = 0.3  # share of the picture in windows, from which it is equalised as a whole

Window = tuple[int, int, int, int]  # a part of a picture: left, top, right, bottom, the last two not included


def equalised(grey: Grey) -> Grey:
    """Locally equalised (CLAHE) and a little smoothed."""
    return _smoothed(cv2.createCLAHE(CONTRAST, (TILES, TILES)).apply(grey))


def equalised_parts(grey: Grey, windows: Sequence[Window]) -> list[Grey]:
    """The `windows` of what `equalised` makes of `grey`, without making much of the rest."""
    if sum((right - left) * (bottom - top) for left, top, right, bottom in windows) > MOST_IN_PARTS * grey.size:
        whole = equalised(grey)
        return [whole[top:bottom, left:right] for left, top, right, bottom in windows]
    return [_part(grey, window) for window in windows]


def _part(grey: Grey, window: Window) -> Grey:
    """CLAHE weighs the histograms of the four tiles nearest to a pixel: a window's tiles and those around them do."""
    height, width = grey.shape
    # As OpenCV does it where tiles do not fit: it adds pixels below and on the right, even where one side needs none.
    fits = height % TILES == width % TILES == 0
    below, right_of = (0, 0) if fits else (TILES - height % TILES, TILES - width % TILES)
    tall, wide = (height + below) // TILES, (width + right_of) // TILES
    left, top, right, bottom = window
    x0, y0 = max(0, left // wide - 1), max(0, top // tall - 1)
    x1, y1 = min(TILES, -(-right // wide) + 1), min(TILES, -(-bottom // tall) + 1)
    whole = cv2.copyMakeBorder(grey, 0, below, 0, right_of, cv2.BORDER_REFLECT_101)
    tiles = whole[y0 * tall : y1 * tall, x0 * wide : x1 * wide]
    equal = _smoothed(cv2.createCLAHE(CONTRAST, (x1 - x0, y1 - y0)).apply(tiles))
    return equal[top - y0 * tall : bottom - y0 * tall, left - x0 * wide : right - x0 * wide]


def _smoothed(picture: cv2.typing.MatLike) -> Grey:
    return np.asarray(cv2.GaussianBlur(picture, (5, 5), 1), np.uint8)
