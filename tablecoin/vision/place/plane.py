"""Pixels to millimetres on the mat and back: the plane found from the mat's printed markers.

The table is flat, so a homography maps the pixels of an ideal camera to the mat (Hartley and Zisserman, Multiple View
Geometry, ch. 2 and 4). Where no calibrated lens is given, one radial coefficient is fitted with it, which five or more
markers determine well. A coin's upper face lies 1.4 to 2 mm above the plane, so far from the camera's foot it is seen
up to a millimetre too far out: small against any zone, and left uncorrected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import ArrayLike, NDArray

from tablecoin.mat import Marker, Mat, every
from tablecoin.vision.frame import Grey, Image
from tablecoin.vision.place.lens import Lens, Points

Matrix = tuple[float, float, float, float, float, float, float, float, float]  # 3 x 3, row by row
Corners = Mapping[int, Points]  # AprilTag id -> its (4, 2) corners in pixels

STILL_MM = 0.35  # markers this near to where the last plane has them: neither mat nor camera moved
FEW_MARKERS_STILL_MM = 1.5  # the same where most are hidden: an old plane is then better than one from two markers
_SEARCH_PX = 1600  # larger pictures are searched at this length and refined at full size
_CONTRAST = 25  # grey levels between a marker's white and black, at least
_WRONG_FIELDS = 5  # of a marker's 36 that may be misread: two markers of the family differ in eleven or more
_LENS_MARKERS = 5  # fewer do not determine the lens as well as the plane
# What k1 times the square of the farthest corner's radius may be: below -4/27 no ray at all is seen there, the lens's
# image ends before (the greatest value of r (1 + k1 r^2)).
_BENDS = (-4 / 27, 0.09)
_RING = 8  # places looked at on a marker's border, and as many beside it


@dataclass(frozen=True)
class Plane:
    """Where the mat lies in the picture. All points are (N, 2); pixel centres are at whole numbers."""

    mat: Mat
    homography: Matrix  # pixels of an ideal camera -> millimetres on the mat
    lens: Lens | None  # None: the camera is ideal
    marker_ids: tuple[int, ...]  # the markers seen in the newest picture
    fitted_ids: tuple[int, ...]  # the markers the plane was fitted to
    residual_mm: float  # root mean square distance of the fitted markers' corners from the definition
    warnings: tuple[str, ...] = ()
    _inverse: Matrix = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        inverse = np.linalg.inv(np.reshape(self.homography, (3, 3)))
        object.__setattr__(self, "_inverse", _matrix(inverse))

    def to_mm(self, pixels: ArrayLike) -> Points:
        """Places on the mat, in millimetres, of points in the picture."""
        seen = np.reshape(np.asarray(pixels, float), (-1, 2))
        return _through(self.homography, self.lens.straighten(seen) if self.lens else seen)

    def to_px(self, places_mm: ArrayLike) -> Points:
        """Where places on the mat appear in the picture."""
        straight = _through(self._inverse, np.reshape(np.asarray(places_mm, float), (-1, 2)))
        return self.lens.bend(straight) if self.lens else straight

    def mm_per_px_at(self, pixel: ArrayLike) -> float:
        """The side of the square on the mat that has the same area as the pixel there."""
        x, y = np.ravel(np.asarray(pixel, float))
        here, right, below = self.to_mm(((x, y), (x + 1, y), (x, y + 1)))
        (a, b), (c, d) = right - here, below - here
        return float(np.sqrt(abs(a * d - b * c)))

    def distance_mm(self, other: Plane) -> float:
        """How far apart two planes put the same pixel, at worst over the mat: how far mat or camera moved."""
        axes = np.linspace(0, self.mat.width_mm, 5), np.linspace(0, self.mat.height_mm, 5)
        spots = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
        return float(np.linalg.norm(other.to_mm(self.to_px(spots)) - spots, axis=1).max())

    def rectify(self, image: Image, px_per_mm: float, margin_mm: float = 0.0) -> Image:
        """The mat from straight above: (x, y) mm lies at pixel (x + margin, y + margin) * px_per_mm - 0.5.

        `image` may be grey. Where it is finer than asked for its pixels are averaged, not picked.
        """
        shrink, places, fractions = _rectifying(
            self.homography, self.lens, (self.mat.width_mm, self.mat.height_mm), px_per_mm, margin_mm
        )
        if shrink > 1:  # whole blocks of pixels: OpenCV then takes plain means, its fast path
            height, width = (side // shrink for side in image.shape[:2])
            whole = image[: height * shrink, : width * shrink]
            image = np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.remap(image, places, fractions, interpolation=cv2.INTER_LINEAR), np.uint8)

    def flat(self, px_per_mm: float, margin_mm: float = 0.0) -> Plane:
        """The plane of the picture that `rectify` makes."""
        scale, corner = 1 / px_per_mm, 0.5 / px_per_mm - margin_mm
        return replace(self, homography=(scale, 0, corner, 0, scale, corner, 0, 0, 1), lens=None)

    def __hash__(self) -> int:
        return hash((self.mat.name, self.homography, self.lens))


def find_plane(
    image: Image, mats: Sequence[Mat] | None = None, last: Plane | None = None, lens: Lens | None = None
) -> Plane | None:
    """The plane of the mat whose markers are seen most, or None when none of these mats' markers is seen.

    `mats` None means every mat that comes with tablecoin. With `last`, markers are looked for where they were, and the
    last plane is kept while they have not moved: so a hand over most of them does no harm. `lens` is the calibrated
    lens; without one the distortion is fitted, or taken from `last` where too few markers are seen for that.
    """
    grey = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    if last is not None:
        verified = _verified(grey, last)
        if len(verified) >= 2 and (kept := _kept(last, verified)):
            return kept
        near = _near(grey, last)
        if near and (kept := _kept(last, near)):
            return kept
    seen = detect_markers(grey)
    choice = [last.mat] if last and any(last.mat.marker(k) for k in seen) else every() if mats is None else mats
    mat = max(choice, key=lambda m: sum(m.marker(k) is not None for k in seen), default=None)
    ours = {k: corners for k, corners in sorted(seen.items()) if mat is not None and mat.marker(k)}
    if mat is None or not ours:
        return None
    if last is not None and last.mat == mat and (kept := _kept(last, ours)):
        return kept
    size_px = grey.shape[1], grey.shape[0]
    rough = _fit(mat, ours, lens, last, size_px)
    # The detector's corners are now and then pixels off; from where the plane expects them they are found better.
    return _fit(mat, _finer(grey, rough), lens, rough, size_px) or rough if rough else None


def detect_markers(grey: Grey) -> dict[int, Points]:
    """Every AprilTag 36h11 in an (H, W) picture: id -> its corners in pixels, from the tag's top left clockwise."""
    longest = max(grey.shape)
    if longest <= _SEARCH_PX:
        return _detect(grey, 23)
    scale = _SEARCH_PX / longest
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = {}
    for number, corners in _detect(np.asarray(small, np.uint8), 23).items():
        rough = ((corners + 0.5) / scale - 0.5).astype(np.float32).reshape(-1, 1, 2)
        module = float(np.linalg.norm(rough[1] - rough[0])) / 8
        reach = max(2, round(0.3 * module))
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.01)
        fine = cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), stop)
        found[number] = np.reshape(fine, (4, 2)).astype(float)
    return found


def _detect(grey: Grey, window_max_px: int) -> dict[int, Points]:
    corners, ids, _ = _detector(window_max_px).detectMarkers(grey)
    if ids is None or len(corners) == 0:
        return {}
    return {int(k): np.reshape(c, (4, 2)).astype(float) for k, c in zip(np.ravel(ids), corners, strict=True)}


@lru_cache(maxsize=4)
def _detector(window_max_px: int) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.adaptiveThreshWinSizeMin = 13 if window_max_px == 13 else 3
    settings.adaptiveThreshWinSizeMax = window_max_px
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), settings)


def _verified(grey: Grey, last: Plane) -> dict[int, Points]:
    """The markers that still show their black border and their own pattern where the last plane has them, refined.

    Much cheaper than detecting them anew, and enough while nothing moves. The pattern is looked at because another mat
    may have its markers in the very same places.
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
        module = float(np.linalg.norm(places[1] - places[0])) / 8
        reach = max(2, min(5, round(0.3 * module)))
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 15, 0.05)
        rough = places[:4].astype(np.float32).reshape(-1, 1, 2)
        fine = cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), stop)
        found[marker.id] = np.reshape(fine, (4, 2)).astype(float)
    return found


@lru_cache(maxsize=4)
def _expected(plane: Plane) -> Points:
    """(M, 4 + 2 * 8 + 36, 2): where each marker's corners, the places round its border and its fields are seen."""
    markers = plane.mat.markers
    spots = [place for marker in markers for place in (*marker.corners_mm, *_around(marker), *_fields(marker))]
    return plane.to_px(spots).reshape(len(markers), 4 + 2 * _RING + 36, 2)


def _fields(marker: Marker) -> list[tuple[float, float]]:
    """The middles of a marker's 36 fields, row by row."""
    cell = marker.size_mm / 8
    steps = [(k - 2.5) * cell for k in range(6)]
    return [(marker.x_mm + across, marker.y_mm + down) for down in steps for across in steps]


@lru_cache(maxsize=128)
def _pattern(number: int) -> NDArray[np.bool_]:
    """(36,) which fields of a marker are white, row by row."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 8)[1:7, 1:7].ravel() > 127)


def _finer(grey: Grey, plane: Plane) -> dict[int, Points]:
    """The corners of the markers seen, looked for again round where `plane` has them, nearly a module about."""
    found = {}
    for marker in plane.mat.markers:
        if marker.id in plane.marker_ids:
            expected = plane.to_px(marker.corners_mm)
            module = float(np.linalg.norm(expected[1] - expected[0])) / 8
            reach = max(2, round(0.8 * module))
            stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 0.01)
            rough = expected.astype(np.float32).reshape(-1, 1, 2)
            fine = cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), stop)
            found[marker.id] = np.reshape(fine, (4, 2)).astype(float)
    return found


def _around(marker: Marker) -> list[tuple[float, float]]:
    """Eight places on the black border of a marker, then the eight just outside in the white."""
    half, step = marker.size_mm / 2, marker.size_mm / 16
    ring = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    return [(marker.x_mm + a * r, marker.y_mm + b * r) for r in (half - step, half + step) for a, b in ring]


def _near(grey: Grey, last: Plane) -> dict[int, Points]:
    """The last plane's mat's markers, each looked for only where it was and half its size around."""
    height, width = grey.shape
    found = {}
    for marker in last.mat.markers:
        was = last.to_px(marker.corners_mm)
        spread = np.ptp(was, axis=0).max() / 2
        left, top = np.maximum(np.floor(was.min(axis=0) - spread), 0).astype(int)
        right, bottom = np.ceil(was.max(axis=0) + spread).astype(int)
        patch = grey[top : min(bottom, height), left : min(right, width)]
        if min(patch.shape) >= 16:
            seen = _detect(np.ascontiguousarray(patch), 13)
            if marker.id in seen:
                found[marker.id] = seen[marker.id] + (left, top)
    return found


def _kept(last: Plane, seen: Corners) -> Plane | None:
    """The last plane with what is seen now, while the markers seen lie where it has them; None: it must be refitted."""
    if len(seen) > len(last.fitted_ids):
        return None
    off = last.to_mm(np.concatenate(list(seen.values()))) - _definition(last.mat, seen)
    by_marker = np.linalg.norm(off, axis=1).reshape(-1, 4).mean(axis=1)
    if np.median(by_marker) > (STILL_MM if len(seen) >= _LENS_MARKERS else FEW_MARKERS_STILL_MM):
        return None
    return replace(last, marker_ids=tuple(sorted(seen)), warnings=_warnings(last.mat, seen, last.fitted_ids))


def _warnings(mat: Mat, seen: Corners, fitted: Sequence[int]) -> tuple[str, ...]:
    said = []
    if hidden := len(mat.markers) - len(seen):
        said.append(f"{hidden} of {len(mat.markers)} markers are hidden.")
    if len(fitted) < 3:
        said.append(f"The table is known by {len(fitted)} marker(s) only: places may be millimetres off; uncover more.")
    return tuple(said)


def _fit(mat: Mat, seen: Corners, lens: Lens | None, last: Plane | None, size_px: tuple[int, int]) -> Plane | None:
    pixels, places = np.concatenate(list(seen.values())), _definition(mat, seen)
    if lens is None and len(seen) >= _LENS_MARKERS:
        start = Lens(size_px[0], size_px[0], (size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
        lens = fitted_lens(start, pixels, places)
    elif lens is None and last is not None:
        lens = last.lens
    straight = lens.straighten(pixels) if lens else pixels
    found, inside = cv2.findHomography(straight, places, cv2.RANSAC, 1.5)
    if found is None or abs(np.linalg.det(found)) < 1e-12:
        return None
    kept = np.ravel(inside).astype(bool)
    off = _through(_matrix(found), straight[kept]) - places[kept]
    residual = float(np.sqrt((off**2).sum(axis=1).mean()))
    fitted = tuple(k for number, k in enumerate(seen) if kept[4 * number : 4 * number + 4].any())
    return Plane(mat, _matrix(found), lens, tuple(seen), fitted, residual, _warnings(mat, seen, fitted))


def fitted_lens(ideal: Lens, pixels: Points, places: Points) -> Lens:
    """The lens with the k1 for which the straightened corners fit a homography best.

    For each k1 the best homography is had directly, so the search is along one line: a coarse scan, then golden
    sections. Corners that fit badly (a marker half under a coin) are left out of the second step. How much a lens bends
    is told at the farthest corner, k1 times its radius squared, since the true focal length is not known: a wide lens
    that bends by k1 = -0.25 does so by -0.75 to one who takes it for a longer one.
    """
    reach = float(np.square((pixels - (ideal.cx_px, ideal.cy_px)) / (ideal.fx_px, ideal.fy_px)).sum(axis=1).max())

    def off(k1: float, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        straight = structs.replace(ideal, k1=k1).straighten(pixels[chosen])
        found, _ = cv2.findHomography(straight, places[chosen], 0)
        if found is None:
            return np.full(int(chosen.sum()), np.inf)
        return np.asarray(np.linalg.norm(_through(_matrix(found), straight) - places[chosen], axis=1))

    all_of_them = np.ones(len(pixels), bool)
    scan = np.linspace(*_BENDS, 13) / max(reach, 1e-6)
    start = min(scan, key=lambda k1: float(np.minimum(off(k1, all_of_them), 3.0).mean()))
    apart = off(start, all_of_them)
    good = apart <= max(1.0, 3 * float(np.median(apart)))
    if good.sum() < 8:  # two markers' worth: nothing to fit a lens to
        return structs.replace(ideal, k1=float(start))
    low, high = max(start - (scan[1] - scan[0]), scan[0]), start + (scan[1] - scan[0])
    share = (np.sqrt(5) - 1) / 2
    while (high - low) * reach > 1e-4:
        one, other = high - share * (high - low), low + share * (high - low)
        if (off(one, good) ** 2).sum() < (off(other, good) ** 2).sum():
            high = other
        else:
            low = one
    return structs.replace(ideal, k1=float(low + high) / 2)


def _definition(mat: Mat, seen: Corners) -> Points:
    """The seen markers' corners as the mat defines them, (4 N, 2) millimetres."""
    by_id = {marker.id: marker for marker in mat.markers}
    return np.concatenate([np.asarray(by_id[k].corners_mm, float) for k in seen])


def _through(matrix: Matrix, points: Points) -> Points:
    a, b, c, d, e, f, g, h, i = matrix
    x, y = points[:, 0], points[:, 1]
    depth = g * x + h * y + i
    return np.stack(((a * x + b * y + c) / depth, (d * x + e * y + f) / depth), axis=1)


def _matrix(array: ArrayLike) -> Matrix:
    a, b, c, d, e, f, g, h, i = (float(number) for number in np.ravel(np.asarray(array, float)))
    return a, b, c, d, e, f, g, h, i


@lru_cache(maxsize=8)
def _rectifying(
    homography: Matrix, lens: Lens | None, size_mm: tuple[float, float], px_per_mm: float, margin_mm: float
) -> tuple[int, NDArray[np.int16], NDArray[np.uint16]]:
    """By how much the picture may be shrunk first, and where each pixel of the rectified one lies in the shrunk one.

    Worked out every eighth pixel and interpolated: a tenth of the time, and hundredths of a pixel off.
    """
    inverse = _matrix(np.linalg.inv(np.reshape(homography, (3, 3))))

    def to_px(places: Points) -> Points:
        straight = _through(inverse, places)
        return lens.bend(straight) if lens else straight

    width_mm, height_mm = size_mm
    corners = np.array([(0, 0), (width_mm, 0), (0, height_mm), (width_mm, height_mm)])
    right, below = (to_px(corners + step) - to_px(corners) for step in ((1.0, 0.0), (0.0, 1.0)))
    finest = np.sqrt(np.abs(right[:, 0] * below[:, 1] - right[:, 1] * below[:, 0])).min()  # where it is coarsest
    shrink = max(1, int(finest / px_per_mm))
    width, height = (round((side + 2 * margin_mm) * px_per_mm) for side in size_mm)
    step = 8
    columns, rows = ((np.arange(-1, side // step + 2) + 0.5) * step for side in (width, height))
    coarse = np.stack(np.meshgrid(columns, rows), axis=-1)
    source = (to_px(coarse.reshape(-1, 2) / px_per_mm - margin_mm) + 0.5) / shrink - 0.5
    grid = source.astype(np.float32).reshape(coarse.shape)
    full = cv2.resize(grid, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR)
    full = np.asarray(full, np.float32)[step : step + height, step : step + width]
    fixed, fraction = cv2.convertMaps(full[..., 0], full[..., 1], cv2.CV_16SC2)
    return shrink, np.asarray(fixed, np.int16), np.asarray(fraction, np.uint16)
