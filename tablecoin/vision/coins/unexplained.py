"""The parts of a mat where circles must be searched: all but what the round things found there explain.

A coin that lies alone shows by what it covers (`bare.py`). Three kinds of places are left: coins that touch or lie on
one another; coins as white as the paper, which show by an edge where nothing is drawn; and places where so much is
drawn that nothing can be told.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tablecoin.mat import ZoneKind
from tablecoin.vision.coins.contrast import Window
from tablecoin.vision.frame import Disc, Grey
from tablecoin.vision.place.bare import Lying
from tablecoin.vision.place.plane import Plane

CELL_PX = 8  # the mat is judged in cells of so many pixels, some 5 mm
NEAR = (5, 5)  # cells (across, down) that hold a dime; a dime covers 530 pixels of them, and its rim is 82 long
# What a pixel counts that is covered, lies along an edge, or is drawn on too much to tell; and the mean over a dime's
# cells from which they are searched: a quarter of the dime covered, half its rim seen, or three cells in five drawn on.
COVERED, EDGED, BUSY, DOUBTFUL = 160, 250, 24, 14.0
STEP = 12  # grey levels between neighbours that make an edge; Hough wants more, before the contrast is raised
AROUND = 1.3  # radii of an explained coin within which its own shadow may fall
BESIDE_MARKER = 0.6  # of a marker's side: from its middle to where its drawing ends, with what strays
REACH = 2.2  # largest radii from such cells to the end of a circle that touches them
MOST = 0.8  # share of the picture in windows, from which all of it is searched as one

_NEIGHBOURS = np.ones((3, 3), np.uint8)


def windows(above: Grey, flat: Plane, paper: Lying, explained: Sequence[Disc], r_px: float) -> list[Window]:
    """The parts of the rectified picture `above`, whose plane is `flat`, to search.

    `explained`: the coins found in it, in its pixels; `r_px`: the largest radius of a circle, and the picture's margin.
    """
    margin = round(r_px)
    doubt = BUSY * (~paper.tells).view(np.uint8)  # too much drawn, or nothing known beside the mat
    doubt[:margin] = doubt[-margin:] = doubt[:, :margin] = doubt[:, -margin:] = 0
    steep = cv2.subtract(cv2.dilate(above, _NEIGHBOURS), cv2.erode(above, _NEIGHBOURS))
    np.copyto(doubt, EDGED, where=paper.even & (steep > STEP))
    np.copyto(doubt, COVERED, where=paper.lies & paper.tells)
    for disc in explained:
        cv2.circle(doubt, (round(disc.x_px), round(disc.y_px)), round(AROUND * disc.r_px), 0, -1)
    for left, top, right, bottom in _without_coins(flat):
        doubt[top:bottom, left:right] = 0
    high, wide = above.shape
    size = wide // CELL_PX, high // CELL_PX
    cells = cv2.resize(doubt[: size[1] * CELL_PX, : size[0] * CELL_PX], size, interpolation=cv2.INTER_AREA)
    near = cv2.blur(cells.astype(np.float32), NEAR, borderType=cv2.BORDER_CONSTANT)
    if near.max() <= DOUBTFUL:
        return []
    doubtful = cv2.dilate((near > DOUBTFUL).view(np.uint8), np.ones(NEAR, np.uint8))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(doubtful)
    found = [
        _clipped((CELL_PX * x, CELL_PX * y, CELL_PX * (x + w), CELL_PX * (y + h)), r_px, above)
        for x, y, w, h, _ in boxes[1:].tolist()
    ]
    searched = sum((right - left) * (bottom - top) for left, top, right, bottom in found)
    return found if searched < MOST * wide * high else [(0, 0, wide, high)]


def around(above: Grey, things: Sequence[Disc], r_px: float) -> list[Window]:
    """The parts of `above` to search for circles of at most this radius at `things` in it."""
    corners = [(round(one.x_px), round(one.y_px), round(one.x_px), round(one.y_px)) for one in things]
    return [_clipped(corner, r_px, above) for corner in corners]


def _clipped(box: Window, r_px: float, above: Grey) -> Window:
    """What a circle of at most this radius that touches the box lies in, as far as the picture goes."""
    reach, (high, wide) = round(REACH * r_px), above.shape
    left, top, right, bottom = box
    return max(0, left - reach), max(0, top - reach), min(wide, right + reach), min(high, bottom + reach)


def _without_coins(flat: Plane) -> list[Window]:
    """Where no coin lies: on the markers that are seen and on the prize's place; in pixels of the flat picture."""
    boxes = [zone.area.bounds_mm for zone in flat.mat.zones if zone.kind is ZoneKind.PRIZE]
    for marker in flat.mat.markers:
        if marker.id in flat.marker_ids:
            half = BESIDE_MARKER * marker.size_mm
            boxes.append((marker.x_mm - half, marker.y_mm - half, marker.x_mm + half, marker.y_mm + half))
    corners = np.maximum(np.round(flat.to_px(np.reshape(boxes, (-1, 2)))), 0).astype(int).reshape(-1, 4)
    return [(left, top, right, bottom) for left, top, right, bottom in corners.tolist()]
