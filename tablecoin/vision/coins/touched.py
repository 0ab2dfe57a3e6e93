"""Where the mat changed since it was last searched for circles: only there it must be searched again.

Both rectified pictures are compared, blurred and at one brightness. Where something changed, a window is searched that
holds every circle of a coin's size that touches the change. Circles elsewhere stay as they were, to the last digit,
except for coins as white as the paper: whether one was taken away cannot be seen as a change, so there it is searched
again. The whole mat is searched when too much of it changed, when its plane did, and now and then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tablecoin.vision.coins.find import Window, moved
from tablecoin.vision.frame import Disc, Grey
from tablecoin.vision.place.plane import Plane

COARSE = 2  # the pictures are compared at half their size: some 1.2 mm a pixel
# Grey levels by which a place changes at least, and the same as a share of the median. A coin turned by 20 degrees
# changes by more in many places; noise of 7 levels by less than the first nearly everywhere.
LEVELS, SHARE = 5.0, 0.05
BRIGHTER = 1.5  # times the light of the last search, from which it tells nothing: the dark hid what lies there
SPECK = np.ones((2, 2), np.uint8)  # smaller changes are noise
REACH = 2.5  # largest radii from a change to the end of a square around a circle that touches it
BESIDE_PX = 4.0  # a circle this near a change may be the same circle, fitted better
# Shares of the picture from which all of it is searched: changed, as by some fifteen coins turned in their places; and
# in windows, added up.
MOST_CHANGED, MOST_SEARCHED = 0.02, 0.5
IN_A_ROW = 10  # searches of parts, after which the whole mat is to be searched


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What the last search of a mat found."""

    plane: Plane
    votes: int
    size_px: tuple[int, ...]  # (height, width) of the rectified picture
    coarse: Grey  # a small copy of it, each part as it was last searched
    circles: tuple[Disc, ...]  # in pixels of the camera's picture
    faint: tuple[Disc, ...]  # those of them that the paper does not tell: their rim alone proves a coin
    bulge_mm: tuple[float, float] | None  # the shadows' (refine.py), measured when the whole mat was searched
    parts: int = 0  # searches of parts since then

    def changes(self, above: Grey, flat: Plane, plane: Plane, votes: int, r_px: float) -> Changes | None:
        """Where `above`, whose plane is `flat`, differs; None where the whole mat is to be searched.

        `r_px`: the largest radius of a circle.
        """
        same = plane.homography == self.plane.homography and plane.lens == self.plane.lens
        if not same or plane.mat != self.plane.mat or plane.mat.card is not None or votes != self.votes:
            return None
        if above.shape != self.size_px:
            return None
        now = coarse(above)
        changed = _changed(now, self.coarse)
        high, wide = now.shape
        if cv2.countNonZero(changed) > MOST_CHANGED * wide * high:
            return None
        for disc in moved(self.faint, plane, flat):
            middle = round(disc.x_px / COARSE), round(disc.y_px / COARSE)
            cv2.circle(changed, middle, max(1, round(disc.r_px / COARSE)), 255, cv2.FILLED)
        near = 2 * int(r_px / COARSE) + 1
        reach = int(REACH * r_px / COARSE) + 1
        _, _, boxes, _ = cv2.connectedComponentsWithStats(cv2.dilate(changed, np.ones((near, near), np.uint8)))
        windows = [
            (
                max(0, int(x) - reach),
                max(0, int(y) - reach),
                min(wide, int(x + w) + reach),
                min(high, int(y + h) + reach),
            )
            for x, y, w, h, _ in boxes[1:]
        ]
        if sum((right - left) * (bottom - top) for left, top, right, bottom in windows) > MOST_SEARCHED * wide * high:
            return None
        patched = self.coarse.copy()
        for left, top, right, bottom in windows:
            patched[top:bottom, left:right] = now[top:bottom, left:right]
        whole = [(COARSE * left, COARSE * top, COARSE * right, COARSE * bottom) for left, top, right, bottom in windows]
        return Changes(changed, flat, plane, whole, patched)

    def is_outshone(self, above: Grey) -> bool:
        """Whether there is so much more light now that this search counts for nothing.

        A coin that the dark hid then is no change: both pictures are compared at the brightness of the darker one.
        """
        return _median(coarse(above)) > BRIGHTER * max(_median(self.coarse), 1.0)

    def after(self, changes: Changes, circles: Sequence[Disc], faint: Sequence[Disc]) -> Search:
        """This search, after `changes` were searched and all `circles` are known."""
        return replace(self, coarse=changes.coarse, circles=tuple(circles), faint=tuple(faint), parts=self.parts + 1)


def coarse(above: Grey) -> Grey:
    """The small copy of a rectified picture."""
    size = above.shape[1] // COARSE, above.shape[0] // COARSE
    whole = above[: size[1] * COARSE, : size[0] * COARSE]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Where a mat changed."""

    changed: Grey  # (H, W) 255 where its small copy changed
    flat: Plane
    plane: Plane
    windows: list[Window]  # parts of the rectified picture that are to be searched
    coarse: Grey  # the small copy, as after that search

    def touch(self, discs: Sequence[Disc], beside_px: float = 0.0) -> list[bool]:
        """Whether each of `discs`, in pixels of the camera's picture, has a change in the square around it."""
        found = []
        for disc in moved(discs, self.plane, self.flat):
            reach = disc.r_px + beside_px
            left, right = (max(0, int((disc.x_px + far) / COARSE)) for far in (-reach, reach + COARSE))
            top, bottom = (max(0, int((disc.y_px + far) / COARSE)) for far in (-reach, reach + COARSE))
            found.append(bool(self.changed[top:bottom, left:right].any()))
        return found


def _changed(now: Grey, then: Grey) -> Grey:
    """(H, W) 255 where two small pictures differ, apart from the brightness of all."""
    middle = _median(then)
    gain = middle / max(_median(now), 1.0)
    apart = cv2.absdiff(cv2.convertScaleAbs(now, alpha=gain), then)
    _, different = cv2.threshold(apart, max(LEVELS, SHARE * middle), 255, cv2.THRESH_BINARY)
    return np.asarray(cv2.morphologyEx(different, cv2.MORPH_OPEN, SPECK), np.uint8)


def _median(grey: Grey) -> float:
    """The median of a grey picture: its histogram takes a tenth of the time of numpy's median."""
    levels = np.bincount(grey[::2, ::2].ravel(), minlength=256)
    return float(np.searchsorted(np.cumsum(levels), grey[::2, ::2].size / 2))
