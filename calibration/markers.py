"""The marker step: are all markers of the mat seen, do they fit one plane, is the camera near enough?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.overlay import mat_overlay
from calibration.step import Outcome, Sight
from calibration.words import say
from tablecoin import mat as mats
from tablecoin.mat import Mat
from tablecoin.vision.calibrated import PlaneThen
from tablecoin.vision.frame import Image
from tablecoin.vision.place.fit import TWICE, find_plane, is_mirrored
from tablecoin.vision.place.markers import detect_markers
from tablecoin.vision.place.plane import Plane

COARSEST_MM_PER_PX = 0.5  # coarsest scale that still works (hardware.md)
WORST_RESIDUAL_MM = 0.8  # largest residual of the plane
WORST_MARKER_MM = 1.2  # largest error of one marker; a robust fit ignores an outlier, but there the mat lies wrong


@dataclass(frozen=True)
class MarkersStep:
    """`mats_known`: the mats to look for; None: every mat that comes with tablecoin."""

    mats_known: tuple[Mat, ...] | None = None
    name: str = "markers"
    pictures: int = 1
    optional: bool = False

    def run(self, sight: Sight) -> Outcome:
        image = sight.frame.image
        plane = find_plane(image, self.mats_known, lens=sight.known.lens)
        if plane is None:
            return self._unseen(image)
        height, width = image.shape[:2]
        astray = markers_off_mm(image, plane)
        facts: dict[str, float] = {
            "all": len(plane.mat.markers),
            "hidden": len(plane.mat.markers) - len(plane.marker_ids),
            "residual_mm": plane.residual_mm,
            "worst_mm": max(astray.values(), default=0.0),
            "mm_per_px": plane.mm_per_px_at((width / 2, height / 2)),
        }
        picture = mat_overlay(image, plane, [k for k in plane.marker_ids if astray.get(k, 0) <= WORST_MARKER_MM])
        figures = {name: round(facts[name], 3) for name in ("hidden", "residual_mm", "worst_mm", "mm_per_px")}
        fault, limit = _fault(plane, facts["mm_per_px"], facts["worst_mm"])
        if fault:
            return Outcome(
                False, say(fault, mat=plane.mat.name, limit=limit, **facts), picture, say(f"{fault}.do"), figures
            )
        changes = {"plane": as_it_lies(plane, image)}
        return Outcome(True, say("markers.ok", mat=plane.mat.name, **facts), picture, figures=figures, changes=changes)

    def _unseen(self, image: Image) -> Outcome:
        """Why no mat is found, and what to do."""
        if self.mats_known and (other := find_plane(image)):
            facts = {"mat": other.mat.name, "wanted": " / ".join(mat.name for mat in self.mats_known)}
            return Outcome(False, say("markers.other", **facts), image, say("markers.other.do", **facts))
        fault = "markers.mirrored" if is_mirrored(image, self.mats_known) else "markers.none"
        return Outcome(False, say(fault), image, say(f"{fault}.do"))


def markers_off_mm(image: Image, plane: Plane) -> dict[int, float]:
    """For each marker that is seen, the median distance in mm of its corners from where they belong."""
    seen = dict(detect_markers(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)))
    found = {}
    for marker in plane.mat.markers:
        if marker.id in seen:
            off = plane.to_mm(seen[marker.id]) - np.asarray(marker.corners_mm)
            found[marker.id] = float(np.median(np.linalg.norm(off, axis=1)))
    return found


def _fault(plane: Plane, mm_per_px: float, worst_mm: float) -> tuple[str | None, float]:
    if TWICE in plane.warnings:
        return "markers.twice", 0
    if len(plane.marker_ids) < len(plane.mat.markers):
        return "markers.hidden", 0
    if mm_per_px > COARSEST_MM_PER_PX:
        return "markers.coarse", COARSEST_MM_PER_PX
    bent = plane.residual_mm > WORST_RESIDUAL_MM or worst_mm > WORST_MARKER_MM
    return ("markers.bent" if bent else None), WORST_RESIDUAL_MM


def as_it_lies(plane: Plane, image: Image) -> PlaneThen:
    """The part of a plane that the calibration keeps."""
    height, width = image.shape[:2]
    mm_per_px = plane.mm_per_px_at((width / 2, height / 2))
    return PlaneThen(plane.mat.name, plane.homography, round(plane.residual_mm, 4), round(mm_per_px, 4))


def found(sight: Sight) -> Plane | None:
    """For later steps: the plane of the mat found before, in the newest picture; None where it is not seen."""
    then = sight.known.plane
    return find_plane(sight.frame.image, [mats.load(then.mat)], lens=sight.known.lens) if then else None


def no_mat(sight: Sight) -> Outcome:
    """The outcome of a step that needs the mat and does not see it."""
    return Outcome(False, say("no_mat"), sight.frame.image, say("no_mat.do"))
