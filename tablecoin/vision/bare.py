"""Bare card: a circle in which nothing is seen but what the card's own picture shows there is no coin.

People draw rings and words on their cards, and a drawn ring may pass for a rim. What is seen within such a circle goes
up and down as the card's picture does, whatever the light; under a coin it does not. On 40 photos of the virtual
table's drawn card 331 coins were like the drawing by 0.40 at most, 13 drawn circles that had passed for coins by 0.88
at least.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.mapfiles import MapFileError
from tablecoin.mat import MatError
from tablecoin.vision import taught
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.plane import Plane

AS_DRAWN = 0.7  # correlation with the card's picture from which nothing lies there
PX_PER_MM = 2
ASIDE_PX = 3  # how far the plane may be off, in pixels of PX_PER_MM

Grey = NDArray[np.float32]


def likeness(image: Image, plane: Plane, discs: Sequence[Disc]) -> NDArray[np.float64]:
    """(N,) how well the card's own picture explains what is seen in each disc: its correlation, -1 to 1.

    0 where the mat is no card, the disc does not lie wholly on it, or there is nothing to compare.
    """
    card = plane.mat.card
    found = np.zeros(len(discs))
    if card is None or not discs:
        return found
    try:
        picture = cv2.cvtColor(taught.card_picture(plane.mat), cv2.COLOR_BGR2GRAY)
    except (MatError, MapFileError):  # the file was taken away meanwhile: nothing is known of what is drawn
        return found
    drawn = np.zeros((round(plane.mat.height_mm * PX_PER_MM), round(plane.mat.width_mm * PX_PER_MM)), np.float32)
    left, top, width, height = (
        round(v * PX_PER_MM) for v in (card.area.x_mm, card.area.y_mm, card.area.width_mm, card.area.height_mm)
    )
    drawn[top : top + height, left : left + width] = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    fine = cv2.cvtColor(plane.rectify(image, 2 * PX_PER_MM), cv2.COLOR_BGR2GRAY)
    seen = cv2.resize(fine, drawn.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    middles = plane.to_mm([(disc.x_px, disc.y_px) for disc in discs]) * PX_PER_MM - 0.5
    rims = plane.to_mm([(disc.x_px + disc.r_px, disc.y_px) for disc in discs]) * PX_PER_MM - 0.5
    radii = np.linalg.norm(rims - middles, axis=1)
    for k, ((x, y), r) in enumerate(zip(middles.round().astype(int), radii, strict=True)):
        reach = round(r) + ASIDE_PX
        if left + reach <= x < left + width - reach and top + reach <= y < top + height - reach:
            here = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
            found[k] = _correlation(seen[here], drawn[here])
    return found


def _correlation(seen: Grey, drawn: Grey) -> float:
    """Of the circle that leaves ASIDE_PX free all round in `seen`, at its best place in `drawn`; both (K, K)."""
    inner = seen[ASIDE_PX:-ASIDE_PX, ASIDE_PX:-ASIDE_PX]
    half = len(inner) // 2
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    circle = np.hypot(x, y) <= half
    places = np.lib.stride_tricks.sliding_window_view(drawn, inner.shape)[:, :, circle]
    values, wanted = _standard(places.reshape(-1, places.shape[-1])), _standard(inner[circle][None])[0]
    return float((values @ wanted).max())


def _standard(rows: Grey) -> Grey:
    """Each row with mean 0 and length 1; what is flat stays near 0, and so like nothing."""
    away = rows - rows.mean(axis=1, keepdims=True)
    grain = 0.5 * rows.shape[1] ** 0.5  # half a grey level of spread is no drawing
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), grain), np.float32)
