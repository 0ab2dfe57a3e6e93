"""The mat's AprilTags in a picture: detected anew, or looked for where a plane has them, which is much cheaper."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.mat import Marker
from tablecoin.vision.frame import Grey
from tablecoin.vision.place.lens import Points
from tablecoin.vision.place.plane import Plane

Corners = Mapping[int, Points]  # AprilTag id -> its (4, 2) corners in pixels, from its top left clockwise

_SEARCH_PX = 1600  # larger pictures are searched at this length, and the corners refined at full size
_CONTRAST = 25  # least grey levels between a marker's white and black
_WRONG_FIELDS = 5  # of a marker's 36 that may be misread: two markers of the family differ in eleven or more
_MODULES = 8  # of a marker's side: 6 fields, and a black ring one module wide
_FIELDS = 36
_RING = 8  # places looked at on a marker's border, and as many beside it


def detect_markers(grey: Grey) -> list[tuple[int, Points]]:
    """Every AprilTag of the family 36h11 in an (H, W) picture, with its id; an id twice where two mats are in it."""
    longest = max(grey.shape)
    if longest <= _SEARCH_PX:
        return _detect(grey, 23)
    scale = _SEARCH_PX / longest
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = []
    for number, corners in _detect(np.asarray(small, np.uint8), 23):
        rough = ((corners + 0.5) / scale - 0.5).astype(np.float32).reshape(-1, 1, 2)
        module = float(np.linalg.norm(rough[1] - rough[0])) / _MODULES
        reach = max(2, round(0.3 * module))
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.01)
        fine = cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), stop)
        found.append((number, np.reshape(fine, (4, 2)).astype(float)))
    return found


def _detect(grey: Grey, window_max_px: int) -> list[tuple[int, Points]]:
    """OpenCV's detector with adaptive thresholds over windows of up to `window_max_px`."""
    corners, ids, _ = _detector(window_max_px).detectMarkers(grey)
    if ids is None or len(corners) == 0:
        return []
    return [(int(k), np.reshape(c, (4, 2)).astype(float)) for k, c in zip(np.ravel(ids), corners, strict=True)]


@lru_cache(maxsize=4)
def _detector(window_max_px: int) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.adaptiveThreshWinSizeMin = 13 if window_max_px == 13 else 3
    settings.adaptiveThreshWinSizeMax = window_max_px
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), settings)


def verified(grey: Grey, last: Plane) -> dict[int, Points]:
    """The markers that still show their black border and their own pattern where `last` expects them, refined.

    Much cheaper than detecting them anew, and enough while nothing moves. The pattern is checked because another mat
    may have its markers in the same places.
    """
    height, width = grey.shape
    found = {}
    for marker, places in zip(last.mat.markers, _expected(last), strict=True):
        if places.min() < 4 or (places.max(axis=0) > (width - 5, height - 5)).any():
            continue
        columns, rows = np.rint(places[4:]).astype(int).T
        tones = grey[rows, columns].astype(int)
        border, fields = tones[: 2 * _RING].reshape(2, -1), tones[2 * _RING :]
        wrong = (fields > border.mean()) != _pattern(marker.id)
        if border[1].min() - border[0].max() < _CONTRAST or np.count_nonzero(wrong) > _WRONG_FIELDS:
            continue
        module = float(np.linalg.norm(places[1] - places[0])) / _MODULES
        reach = max(2, min(5, round(0.3 * module)))
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 15, 0.05)
        rough = places[:4].astype(np.float32).reshape(-1, 1, 2)
        fine = cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), stop)
        found[marker.id] = np.reshape(fine, (4, 2)).astype(float)
    return found


@lru_cache(maxsize=4)
def _expected(plane: Plane) -> Points:
    """(M, 4 + 2 * _RING + _FIELDS, 2): pixels of each marker's corners, of places round its border, of its fields."""
    markers = plane.mat.markers
    spots = [place for marker in markers for place in (*marker.corners_mm, *_around(marker), *_fields(marker))]
    return plane.to_px(spots).reshape(len(markers), 4 + 2 * _RING + _FIELDS, 2)


def _fields(marker: Marker) -> list[tuple[float, float]]:
    """The centres of a marker's 36 fields, row by row, in millimetres."""
    cell = marker.size_mm / _MODULES
    steps = [(k - 2.5) * cell for k in range(6)]
    return [(marker.x_mm + across, marker.y_mm + down) for down in steps for across in steps]


@lru_cache(maxsize=128)
def _pattern(number: int) -> NDArray[np.bool_]:
    """(36,) which fields of the marker with this id are white, row by row."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 8)[1:7, 1:7].ravel() > 127)


def _around(marker: Marker) -> list[tuple[float, float]]:
    """Eight places on the black border of a marker, then eight just outside it in the white, in millimetres."""
    half, step = marker.size_mm / 2, marker.size_mm / _MODULES / 2
    ring = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    return [(marker.x_mm + a * r, marker.y_mm + b * r) for r in (half - step, half + step) for a, b in ring]


def finer(grey: Grey, plane: Plane) -> dict[int, Points]:
    """The corners of the markers that `plane` was found by, searched within 0.8 modules of where it expects them."""
    found = {}
    for marker in plane.mat.markers:
        if marker.id in plane.marker_ids:
            expected = plane.to_px(marker.corners_mm)
            module = float(np.linalg.norm(expected[1] - expected[0])) / _MODULES
            reach = max(2, round(0.8 * module))
            stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 0.01)
            rough = expected.astype(np.float32).reshape(-1, 1, 2)
            fine = cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), stop)
            found[marker.id] = np.reshape(fine, (4, 2)).astype(float)
    return found


def near(grey: Grey, last: Plane, known: Collection[int] = ()) -> dict[int, Points]:
    """The markers of the last plane's mat but the `known`, each detected only where it was and within half its size
    around."""
    height, width = grey.shape
    found = {}
    for marker in last.mat.markers:
        if marker.id in known:
            continue
        was = last.to_px(marker.corners_mm)
        spread = np.ptp(was, axis=0).max() / 2
        left, top = np.maximum(np.floor(was.min(axis=0) - spread), 0).astype(int)
        right, bottom = np.ceil(was.max(axis=0) + spread).astype(int)
        patch = grey[top : min(bottom, height), left : min(right, width)]
        if min(patch.shape) >= 16:
            seen = dict(_detect(np.ascontiguousarray(patch), 13))
            if marker.id in seen:
                found[marker.id] = seen[marker.id] + (left, top)
    return found
