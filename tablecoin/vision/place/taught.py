"""A player's own card found on the table by its picture, without markers.

Distinctive points of the card's picture are matched with the camera's (SIFT: Lowe, Distinctive Image Features from
Scale-Invariant Keypoints, 2004), and the homography that most matches agree on is the plane. Coins and hands hide some
points; the others are enough. While nothing moves, points are only tracked from frame to frame (optical flow by Lucas
and Kanade), at a hundredth of the cost.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.mat import Mat, MatError, coin_age
from tablecoin.rules.rulebook import Message
from tablecoin.storage import durable, mapfiles
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.frame import Grey, Image
from tablecoin.vision.place.lens import Lens, Points
from tablecoin.vision.place.plane import Matrix, Plane
from tablecoin.vision.place.radial import fitted_lens

log = logging.getLogger(__name__)

CARD_PX = 900  # long side at which points are found in the card's own picture
SEARCH_PX = 1500  # the same for a camera's picture, which shows more than the card
CARD_POINTS, SEARCH_POINTS = 1500, 5000  # points found at most
CONTRAST = 0.02  # SIFT's contrast threshold; its default, 0.04, finds too few on cards of one colour
DISTINCT = 0.8  # a match counts when it is nearer than this share of the second best's distance (Lowe's ratio test)
OFF_MM = 1.5  # distance from its place up to which a matched point agrees with a plane
LEAST_POINTS = 16  # that must agree
LEAST_HULL = 0.12  # share of the card's area that the convex hull of the agreeing points must have
CELLS = 20  # cells along the card's long side, in which points are counted
# Share of the cells in the picture with points of the card that must hold agreeing ones. Another card with the same
# words reaches 0.23.
LEAST_CELLS = 0.35
# Share of the best fit's points from which another portrait is of the same card, taught twice. Others hardly fit.
SAME_CARD = 0.5
LENS_POINTS = 80  # fewer do not determine the lens together with the plane
FOLLOW_PX = 900  # long side of the picture in which points are tracked
STILL_PX = 0.6  # a tracked point that moved less than this, in that picture, did not move
STILL_SHARE = 0.3  # share of the tracked points that must not have moved; a hand may cover the others
PAUSE = 8  # frames without a search after a search that found nothing: one takes as long as many frames


@dataclass(frozen=True)
class Features:
    """SIFT points of a picture: places (N, 2) in its own unit, and descriptors (N, 128) float32."""

    places: Points
    descriptors: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Portrait:
    """The mat of a card, and the card's points in millimetres on that mat."""

    mat: Mat
    features: Features


def portrait(mat: Mat) -> Portrait:
    """The portrait of a taught map's mat. MatError when the picture of its card is gone."""
    path = _path(mat)
    return _laid(mat, _on_disk(path, _changed_ns(path)))


def card_picture(mat: Mat) -> Image:
    """The rectified picture of a taught map's card, to its edges. MatError when it is gone."""
    path = _path(mat)
    return _picture(path, _changed_ns(path))


def own_portraits() -> list[Portrait]:
    """The portraits of all the players' own maps, the last taught first; broken ones are logged and skipped."""
    found = []
    for name in mapfiles.own():
        try:
            mat = coin_age(name)
            if mat.card:
                found.append((_changed_ns(_path(mat)), portrait(mat)))
        except MatError as error:
            log.warning("%s", error)
    return [one for _, one in sorted(found, key=lambda taught: taught[0], reverse=True)]


def portray(mat: Mat, picture: Grey) -> Portrait:
    """A portrait from the card's rectified picture, (H, W) grey, to its edges."""
    return _laid(mat, _shares(picture))


def _path(mat: Mat) -> Path:
    assert mat.card is not None
    return mapfiles.beside(mat.name.partition(":")[2], mat.card.picture)


def _changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        raise MatError(f"The picture of the map {path.stem} is gone ({path.name}): teach the map again.") from None


@lru_cache(maxsize=16)
def _on_disk(path: Path, changed_ns: int) -> Features:
    return _shares(np.asarray(cv2.cvtColor(_picture(path, changed_ns), cv2.COLOR_BGR2GRAY), np.uint8))


@lru_cache(maxsize=2)
def _picture(path: Path, changed_ns: int) -> Image:
    try:
        return load_picture(path, durable.read)
    except CameraError as error:
        raise MatError(f"The picture {path.name} cannot be read ({error}): teach the map again.") from None


def _shares(picture: Grey) -> Features:
    """The points of a card's picture, their places as shares of its width and height."""
    found = _features(picture, CARD_PX, CARD_POINTS)
    return Features((found.places + 0.5) / (picture.shape[1], picture.shape[0]), found.descriptors)


def _laid(mat: Mat, card: Features) -> Portrait:
    assert mat.card is not None
    area = mat.card.area
    places = card.places * (area.width_mm, area.height_mm) + (area.x_mm, area.y_mm)
    return Portrait(mat, Features(places, card.descriptors))


def find_card(image: Image, portraits: Sequence[Portrait], lens: Lens | None = None) -> Plane | None:
    """The plane of the card that is seen, or None when none of them is. `lens` as in `fit.find_plane`.

    Of several portraits of the same card, the first in `portraits` is taken.
    """
    if not portraits:
        return None
    grey = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = _features(grey, SEARCH_PX, SEARCH_POINTS)
    found = [
        (plane, count) for one in portraits if (fit := _fit(one, seen, grey.shape, lens)) for plane, count in [fit]
    ]
    enough = SAME_CARD * max((count for _, count in found), default=0)
    return next((plane for plane, count in found if count >= enough), None)


def is_mirrored(image: Image, portraits: Sequence[Portrait]) -> bool:
    """Whether the picture is mirrored: one of the cards is found once it is flipped."""
    return find_card(np.asarray(cv2.flip(image, 1), np.uint8), portraits) is not None


class CardFollower:
    """Finds a card frame after frame: by tracking while it lies still, by a search when it or the camera moved."""

    def __init__(self, cards: Callable[[], Sequence[Portrait]]) -> None:
        """`cards` gives those to search for, at each search: players teach new ones while the program runs."""
        self.lost = False  # whether the newest picture does not show the card that was found before
        self.mirrored = False  # whether the last search found a card only once the picture was flipped
        self._cards = cards
        self._pause = 0
        self._plane: Plane | None = None
        self._lens: Lens | None = None
        self._grey: Grey | None = None  # the picture in which the plane was found, FOLLOW_PX long
        self._points: NDArray[np.float32] = np.empty((0, 1, 2), np.float32)  # in it

    def forget(self) -> None:
        """The next picture is searched as if it were the first."""
        self.lost, self.mirrored, self._plane, self._pause = False, False, None, 0

    def find(self, image: Image, lens: Lens | None = None) -> Plane | None:
        """The card's plane now; the last one with a warning when the card is not seen; None before it was seen."""
        scale = min(1.0, FOLLOW_PX / max(image.shape[:2]))
        grey = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        small = np.asarray(grey if grey.ndim == 2 else cv2.cvtColor(grey, cv2.COLOR_BGR2GRAY), np.uint8)
        if self._plane is not None and lens == self._lens and self._is_still(small):
            self.lost = False
            return self._plane
        self._pause -= 1
        cards = self._cards() if self._pause < 0 else ()
        found = find_card(image, cards, lens) if cards else None
        if cards:
            self.mirrored = found is None and is_mirrored(image, cards)
        self.lost = found is None and self._plane is not None
        if found is None:
            self._pause = PAUSE if self._pause < 0 else self._pause
            unseen = (Message("vision.card.unseen"),)
            return None if self._plane is None else replace(self._plane, warnings=unseen)
        features = next(card.features for card in cards if card.mat == found.mat)
        self._plane, self._lens, self._grey = found, lens, small
        _, strongest = np.unique(_cells(found.mat, features.places), axis=0, return_index=True)
        inside = found.to_px(features.places[strongest]) * scale  # one in each cell: a hand hides only some
        height, width = small.shape
        shown = (inside > 4).all(axis=1) & (inside < (width - 5, height - 5)).all(axis=1)
        self._points = inside[shown].astype(np.float32).reshape(-1, 1, 2)
        return found

    def _is_still(self, grey: Grey) -> bool:
        if self._grey is None or self._grey.shape != grey.shape or len(self._points) < LEAST_POINTS:
            return False
        moved, ok, _ = cv2.calcOpticalFlowPyrLK(self._grey, grey, self._points, np.empty_like(self._points))
        apart = np.linalg.norm(np.reshape(moved - self._points, (-1, 2)), axis=1)
        return bool((np.ravel(ok).astype(bool) & (apart < STILL_PX)).mean() >= STILL_SHARE)


def _features(grey: Grey, long_side: int, most: int) -> Features:
    """The points of a picture in its pixels, strongest first."""
    scale = min(1.0, long_side / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    points, descriptors = _sift(most).detectAndCompute(small, None)
    if descriptors is None or len(points) == 0:
        return Features(np.empty((0, 2)), np.empty((0, 128), np.float32))
    order = np.argsort([-point.response for point in points], kind="stable")
    places = (np.array([point.pt for point in points])[order] + 0.5) / scale - 0.5
    return Features(places, np.asarray(descriptors[order], np.float32))


@lru_cache(maxsize=2)
def _sift(most: int) -> cv2.SIFT:
    return cv2.SIFT.create(nfeatures=most, contrastThreshold=CONTRAST)


def _fit(known: Portrait, seen: Features, shape: tuple[int, ...], lens: Lens | None) -> tuple[Plane, int] | None:
    """The card's plane, and the number of points that agree on it; None when the card is not seen."""
    ours, theirs, ratio = _matches(known.features, seen)
    sharp = ratio < DISTINCT
    if sharp.sum() < LEAST_POINTS:
        return None
    pixels, places = seen.places[theirs], known.features.places[ours]
    straight = lens.straighten(pixels) if lens else pixels
    rough, inside = cv2.findHomography(straight[sharp], places[sharp], cv2.USAC_MAGSAC, 2 * OFF_MM, maxIters=3000)
    if rough is None or np.ravel(inside).sum() < LEAST_POINTS:
        return None
    near = _off(np.asarray(rough, float), straight, places) < 2 * OFF_MM
    if lens is None and near.sum() >= LENS_POINTS:
        height, width = shape[:2]
        ideal = Lens(max(shape), max(shape), (width - 1) / 2, (height - 1) / 2)
        lens = fitted_lens(ideal, pixels[near], places[near])
        straight = lens.straighten(pixels)
    fitted, inside = cv2.findHomography(straight[near], places[near], cv2.RANSAC, OFF_MM)
    if fitted is None or abs(np.linalg.det(fitted)) < 1e-12:
        return None
    matrix = np.asarray(fitted, float)
    agree = np.flatnonzero(near)[np.ravel(inside).astype(bool)]
    if len(agree) < LEAST_POINTS or not _believable(known.mat, matrix, straight[agree], places[agree]):
        return None
    a, b, c, d, e, f, g, h, i = (float(number) for number in np.ravel(matrix))
    homography: Matrix = (a, b, c, d, e, f, g, h, i)
    off = _off(matrix, straight[agree], places[agree])
    plane = Plane(known.mat, homography, lens, (), (), float(np.sqrt((off**2).mean())))
    return (plane, len(agree)) if _all_over(plane, known.features.places, places[agree], shape) else None


def _matches(known: Features, seen: Features) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """For each known point its best match: the indices of both, and its distance as a share of the second best's."""
    if len(known.places) == 0 or len(seen.places) < 2:
        none = np.empty(0, np.int64)
        return none, none, np.empty(0)
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(known.descriptors, seen.descriptors, k=2)
    ours = np.array([first.queryIdx for first, _ in pairs])
    theirs = np.array([first.trainIdx for first, _ in pairs])
    return ours, theirs, np.array([first.distance / max(second.distance, 1e-6) for first, second in pairs])


def _off(matrix: NDArray[np.float64], pixels: Points, places: Points) -> NDArray[np.float64]:
    found = np.reshape(cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), matrix), (-1, 2))
    return np.asarray(np.linalg.norm(found - places, axis=1))


def _believable(mat: Mat, matrix: NDArray[np.float64], pixels: Points, places: Points) -> bool:
    """Whether the points enclose enough of the card, and it is seen from above, not mirrored."""
    assert mat.card is not None
    hull = cv2.contourArea(cv2.convexHull(places.astype(np.float32)))
    depth = pixels @ matrix[2, :2] + matrix[2, 2]
    upright = np.linalg.det(matrix) * float(np.median(depth)) > 0 and bool((np.sign(depth) == np.sign(depth[0])).all())
    return upright and hull >= LEAST_HULL * mat.card.area.width_mm * mat.card.area.height_mm


def _all_over(plane: Plane, known: Points, agree: Points, shape: tuple[int, ...]) -> bool:
    """Whether points agree all over the part of the card in the picture: a few equal words are not the card."""
    pixels = plane.to_px(known)
    shown = known[((pixels >= 0) & (pixels < (shape[1], shape[0]))).all(axis=1)]
    ours, theirs = (len(np.unique(_cells(plane.mat, places), axis=0)) for places in (shown, agree))
    return theirs >= LEAST_CELLS * ours


def _cells(mat: Mat, places: Points) -> NDArray[np.int64]:
    """(N, 2): the cell of the card in which each place lies."""
    assert mat.card is not None
    area = mat.card.area
    return np.floor(places / max(area.width_mm, area.height_mm) * CELLS).astype(np.int64)
