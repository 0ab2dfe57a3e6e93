"""Whether the mat still lies where the last good plane has it, and what to do when it does not.

    moved by up to 1.5 mm               steady; hands and mugs may cover markers while any two are seen
    moved, and enough markers are seen  followed: the plane is fitted anew
    moved by more than 1.5 mm           off: a warning, and the last good plane stays
    moved by more than 4 mm             astray: nothing is ruled on until the mat is found again
    fewer than two markers are seen     lost: the same, because nothing proves where the mat lies
    the same in the dark                dark: the same, and a lamp helps
    the same in a mirrored picture      mirrored: the same, and the camera's setting helps
    a card of one's own is not seen     unseen: the same (tracker.py)

Enough are all the mat's markers, or at least five that enclose most of it, so that one spoilt marker does not stop a
table for ever.
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
from tablecoin.vision.place.fit import LEAST_MARKERS, find_plane, is_mirrored
from tablecoin.vision.place.lens import Lens
from tablecoin.vision.place.plane import Plane

EVERY_S = 1.0  # how often the markers are checked while nothing happens
WARN_MM = 1.5  # from which people are warned: small against any zone
STOP_MM = 4.0  # from which coins may be read into a wrong zone
FOLLOW_MARKERS = 5  # least number by which a moved mat is followed, where not all are seen
FOLLOW_SHARE = 0.5  # share of the area enclosed by all markers that these must enclose
FOLLOW_RESIDUAL_MM = 0.8  # root mean square; a worse fit does not prove where the mat lies
# Where hardly any part of the picture reaches so many grey levels it is dark: paper is lighter where markers are read.
DARK_LEVEL, DARK_SHARE = 40.0, 0.95
PARTS = (32, 24)  # of a picture, across and down, whose brightness counts

CARD_UNSEEN = Message("vision.card.unseen")


@dataclass(frozen=True, slots=True)
class Drift:
    """What the markers show. `off_mm` is the largest distance of one from where the last good plane has it."""

    state: Literal["steady", "followed", "off", "astray", "lost", "dark", "mirrored", "unseen"]
    off_mm: float = 0.0

    @property
    def is_lost(self) -> bool:
        """Whether nothing shows where the mat lies."""
        return self.state in ("lost", "dark", "mirrored", "unseen")

    @property
    def stops(self) -> bool:
        """Whether nothing may be ruled on."""
        return self.is_lost or self.state == "astray"

    @property
    def said(self) -> Message | None:
        """What people should know, and what to do; None while all is well."""
        if self.state == "steady":
            return None
        if self.state == "unseen":
            return CARD_UNSEEN
        return Message(f"vision.mat.{self.state}", {"off_mm": f"{self.off_mm:.1f}"})


STEADY = Drift("steady")


def follow(
    image: Image, mats: Sequence[Mat] | None, last: Plane | None, lens: Lens | None = None
) -> tuple[Plane | None, Drift]:
    """The plane to use for `image`, and how it differs from `last`, the last good one. `mats` as in `find_plane`."""
    found = find_plane(image, mats, last, lens)
    if last is None or (found is not None and found.mat != last.mat):
        return found, STEADY
    if found is None or len(found.marker_ids) < LEAST_MARKERS:
        lost = Drift("dark" if is_dark(image) else "mirrored" if is_mirrored(image, mats) else "lost")
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


def is_dark(image: Image) -> bool:
    """Whether there is hardly any light in the picture, whatever lies before the camera."""
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return float(np.quantile(cv2.resize(grey, PARTS, interpolation=cv2.INTER_AREA), DARK_SHARE)) < DARK_LEVEL


def _told(drift: Drift) -> tuple[Message, ...]:
    return (drift.said,) if drift.said else ()


def _off_mm(last: Plane, now: Plane) -> float:
    """The largest distance that a fitted marker moved since `last`; elsewhere the plane is only extrapolated."""
    corners = np.concatenate([marker.corners_mm for marker in now.mat.markers if marker.id in now.fitted_ids])
    return float(np.linalg.norm(last.to_mm(now.to_px(corners)) - corners, axis=1).max())


def _proves(plane: Plane) -> bool:
    """Whether enough of the mat is seen to trust the new plane everywhere on it."""
    if plane.residual_mm > FOLLOW_RESIDUAL_MM:
        return False
    if len(plane.fitted_ids) == len(plane.mat.markers):
        return True
    return len(plane.fitted_ids) >= FOLLOW_MARKERS and _hull(plane, plane.fitted_ids) >= FOLLOW_SHARE * _hull(
        plane, None
    )


def _hull(plane: Plane, ids: Sequence[int] | None) -> float:
    """The area in mm² of the convex hull of these markers' centres; of all markers' with None."""
    centres = [(m.x_mm, m.y_mm) for m in plane.mat.markers if ids is None or m.id in ids]
    return float(cv2.contourArea(cv2.convexHull(np.asarray(centres, np.float32))))
