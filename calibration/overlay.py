"""Drawings on the wizard's pictures: zones, markers, and what is wrong."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablecoin.mat import Circle
from tablecoin.vision.frame import Image
from tablecoin.vision.place.plane import Plane

GREEN_BGR, RED_BGR, BLUE_BGR = (90, 170, 40), (40, 40, 220), (200, 120, 30)
_ARC = np.linspace(0, 2 * np.pi, 49)


def tint(image: Image, where: NDArray[np.bool_], colour: tuple[int, int, int]) -> Image:
    """The picture with the pixels `where` (H, W) coloured and outlined; a new array."""
    drawn = image.copy()
    drawn[where] = (0.45 * drawn[where] + 0.55 * np.array(colour)).astype(np.uint8)
    outlines, _ = cv2.findContours(where.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.drawContours(drawn, outlines, -1, colour, _thick(image))
    return drawn


def mat_overlay(image: Image, plane: Plane, seen: Collection[int]) -> Image:
    """The picture with the mat's zones and markers drawn in: markers green where seen, else red; a new array."""
    drawn = image.copy()
    for zone in plane.mat.zones:
        area = zone.area
        if isinstance(area, Circle):
            rim = [(area.x_mm + area.radius_mm * np.cos(t), area.y_mm + area.radius_mm * np.sin(t)) for t in _ARC]
        else:
            left, top, right, bottom = area.bounds_mm
            rim = _edge((left, top), (right, top), (right, bottom), (left, bottom))
        outline(drawn, plane.to_px(rim), BLUE_BGR)
    for marker in plane.mat.markers:
        found = marker.id in seen
        rim = _edge(*marker.corners_mm)
        outline(drawn, plane.to_px(rim), GREEN_BGR if found else RED_BGR, extra=1 if found else 3)
    return drawn


def outline(drawn: Image, points_px: ArrayLike, colour: tuple[int, int, int], extra: int = 0) -> None:
    """Draw a closed line through these pixels (N, 2) into the array."""
    path = np.round(np.asarray(points_px)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(drawn, [path], True, colour, _thick(drawn) + extra, cv2.LINE_AA)


def _edge(*corners: tuple[float, float]) -> list[tuple[float, float]]:
    """A polygon's outline as many points, so that lens distortion shows in it."""
    path = []
    for k, (ax, ay) in enumerate(corners):
        bx, by = corners[(k + 1) % len(corners)]
        path += [(ax + t * (bx - ax), ay + t * (by - ay)) for t in np.linspace(0, 1, 9)[:-1]]
    return path


def _thick(image: Image) -> int:
    return max(1, round(float(max(image.shape[:2])) / 700))
