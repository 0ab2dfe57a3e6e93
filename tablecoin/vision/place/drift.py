"""Whether the mat still lies where the last good plane has it, and what follows when it does not.

    nearer than 1.5 mm            steady; markers may be covered by hands and mugs while any two are left to see
    moved, enough markers seen    followed: the plane is fitted anew
    beyond 1.5 mm otherwise       a warning; the last good plane stays
    beyond 4 mm otherwise         nothing is ruled on until the mat is found again
    fewer than two markers        the same: nothing proves where the mat lies

Enough are all the mat's markers, or at least five that lie round most of it: one marker spoilt for good must not hold
up a table for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from tablecoin.mat import Mat
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Image
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.lens import Lens
from tablecoin.vision.place.plane import Plane

EVERY_S = 1.0  # how often the markers are looked at while nothing happens
WARN_MM = 1.5
STOP_MM = 4.0
LEAST_MARKERS = 2
FOLLOW_MARKERS = 5
FOLLOW_SHARE = 0.5  # of the area that all the markers lie round
FOLLOW_RESIDUAL_MM = 0.8  # worse fits are no proof of where the mat lies now


@dataclass(frozen=True, slots=True)
class Drift:
    """What the markers said. `off_mm` is how far they lie, at worst, from where the last good plane had them."""

    state: Literal["steady", "followed", "off", "astray", "lost"]
    off_mm: float = 0.0

    @property
    def stops(self) -> bool:
        """Whether nothing may be ruled on."""
        return self.state in ("astray", "lost")

    @property
    def said(self) -> Message | None:
        """What people should know, and what to do; None while all is well."""
        if self.state == "steady":
            return None
        return Message(f"vision.mat.{self.state}", {"off_mm": f"{self.off_mm:.1f}"})


STEADY = Drift("steady")


def follow(
    image: Image, mats: Sequence[Mat] | None, last: Plane | None, lens: Lens | None = None
) -> tuple[Plane | None, Drift]:
    """The plane to go by in `image`, and how it stands to `last`, the last good one. `mats` as in `find_plane`."""
    found = find_plane(image, mats, last, lens)
    if last is None or (found is not None and found.mat != last.mat):
        return found, STEADY
    if found is None or len(found.marker_ids) < LEAST_MARKERS:
        lost = Drift("lost")
        return replace(last, marker_ids=found.marker_ids if found else (), warnings=_told(lost)), lost
    if found.homography == last.homography:
        return found, STEADY
    off_mm = _off_mm(last, found)
    if _proves(found):
        return found, Drift("followed", off_mm) if off_mm > WARN_MM else STEADY
    kept = replace(last, marker_ids=found.marker_ids, warnings=found.warnings)
    if off_mm <= WARN_MM:
        return kept, STEADY
    drift = Drift("off" if off_mm <= STOP_MM else "astray", off_mm)
    return replace(kept, warnings=(*kept.warnings, *_told(drift))), drift


def _told(drift: Drift) -> tuple[Message, ...]:
    return (drift.said,) if drift.said else ()


def _off_mm(last: Plane, now: Plane) -> float:
    """How far the fitted markers moved since `last`, at worst: only they say something, the rest is extrapolated."""
    corners = np.concatenate([marker.corners_mm for marker in now.mat.markers if marker.id in now.fitted_ids])
    return float(np.linalg.norm(last.to_mm(now.to_px(corners)) - corners, axis=1).max())


def _proves(plane: Plane) -> bool:
    """Whether enough of the mat was seen to believe the new plane all over it."""
    if plane.residual_mm > FOLLOW_RESIDUAL_MM:
        return False
    if len(plane.fitted_ids) == len(plane.mat.markers):
        return True
    return len(plane.fitted_ids) >= FOLLOW_MARKERS and _hull(plane, plane.fitted_ids) >= FOLLOW_SHARE * _hull(
        plane, None
    )


def _hull(plane: Plane, ids: Sequence[int] | None) -> float:
    """The area, in square millimetres, of the hull of these markers' centres; of all with None."""
    centres = [(m.x_mm, m.y_mm) for m in plane.mat.markers if ids is None or m.id in ids]
    return float(cv2.contourArea(cv2.convexHull(np.asarray(centres, np.float32))))
