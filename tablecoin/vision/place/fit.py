"""The mat's plane, fitted to its printed markers.

Where no calibrated lens is given, one coefficient of radial distortion is fitted with the plane; five markers or more
determine both well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from operator import itemgetter

import cv2
import numpy as np

from tablecoin.mat import Mat, every
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Image
from tablecoin.vision.place.lens import Lens, Points
from tablecoin.vision.place.markers import Corners, detect_markers, finer, near, verified
from tablecoin.vision.place.plane import Plane, matrix_of, through
from tablecoin.vision.place.radial import fitted_lens

STILL_MM = 0.35  # median distance of the markers from the last plane, up to which neither mat nor camera moved
FEW_MARKERS_STILL_MM = 1.5  # the same where most are hidden: the old plane is then better than one from two markers
ONE_STILL_MM = 1.5  # the same of each single one: a camera that turned about one side of the mat leaves that side still
LEAST_MARKERS = 2  # fewer do not prove where the mat lies
TWICE = Message("vision.mat.twice")
_LENS_MARKERS = 5  # fewer do not determine the lens together with the plane
_OUTLIER_MM = 1.5  # a corner further than this from the fit is not used (RANSAC)


def find_plane(
    image: Image, mats: Sequence[Mat] | None = None, last: Plane | None = None, lens: Lens | None = None
) -> Plane | None:
    """The plane of the mat of which most markers are seen, or None when no marker of these mats is seen.

    `mats` None means every mat that comes with tablecoin. With `last`, markers are first looked for where they were,
    and the last plane is kept while they have not moved, even if a hand covers most of them. `lens` is the calibrated
    lens; without one the distortion is fitted, or taken from `last` where too few markers are seen for that. Where two
    mats of one kind are seen, it is the plane of one of them, and warns (TWICE).
    """
    grey = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    if last is not None:
        unmoved = verified(grey, last)
        nearby = {**near(grey, last, unmoved), **unmoved}  # those that are not where they were may have moved
        if nearby and (kept := _kept(last, nearby)):
            return kept
    seen = detect_markers(grey)
    ids = {k for k, _ in seen}
    choice = [last.mat] if last and any(last.mat.marker(k) for k in ids) else every() if mats is None else mats
    mat = max(choice, key=lambda m: sum(m.marker(k) is not None for k in ids), default=None)
    ours = [(k, corners) for k, corners in sorted(seen, key=itemgetter(0)) if mat is not None and mat.marker(k)]
    if mat is None or not ours:
        return None
    if last is not None and last.mat == mat and (kept := _kept(last, dict(ours))):
        return kept
    size_px = grey.shape[1], grey.shape[0]
    rough = _fit(mat, ours, lens, last, size_px)
    if rough is None:
        return None
    # A few of the detector's corners are pixels off; a second search from where the rough plane expects them is not.
    found = _fit(mat, list(finer(grey, rough).items()), lens, rough, size_px) or rough
    return replace(found, warnings=(*found.warnings, TWICE)) if len(ours) > len(dict(ours)) else found


def is_mirrored(image: Image, mats: Sequence[Mat] | None = None) -> bool:
    """Whether the picture is mirrored: two markers of one of these mats can be read once it is flipped."""
    found = find_plane(np.asarray(cv2.flip(image, 1), np.uint8), mats)
    return found is not None and len(found.marker_ids) >= LEAST_MARKERS


def _kept(last: Plane, seen: Corners) -> Plane | None:
    """The last plane, with the markers seen now, while they lie where it expects them; None: fit it anew."""
    if len(seen) > len(last.fitted_ids):
        return None
    off = last.to_mm(np.concatenate(list(seen.values()))) - _definition(last.mat, seen)
    by_marker = np.linalg.norm(off, axis=1).reshape(-1, 4).mean(axis=1)
    fitted = [off for k, off in zip(seen, by_marker, strict=True) if k in last.fitted_ids]
    if max(fitted, default=0.0) > ONE_STILL_MM:
        return None
    if np.median(by_marker) > (STILL_MM if len(seen) >= _LENS_MARKERS else FEW_MARKERS_STILL_MM):
        return None
    return replace(last, marker_ids=tuple(sorted(seen)), warnings=_warnings(last.mat, seen, last.fitted_ids))


def _warnings(mat: Mat, seen: Collection[int], fitted: Sequence[int]) -> tuple[Message, ...]:
    said = []
    if hidden := len(mat.markers) - len(seen):
        said.append(Message("vision.markers.hidden", {"hidden": hidden, "markers": len(mat.markers)}))
    if len(fitted) < 3:
        said.append(Message("vision.markers.few", {"seen": len(fitted)}))
    return tuple(said)


def _fit(
    mat: Mat,
    seen: Sequence[tuple[int, Points]],
    lens: Lens | None,
    last: Plane | None,
    size_px: tuple[int, int],
) -> Plane | None:
    """The homography, and the lens where none is given, that suit the markers best; None where none does.

    Of markers seen twice those that fit are used; no lens is fitted to them.
    """
    ids = [k for k, _ in seen]
    pixels, places = np.concatenate([corners for _, corners in seen]), _definition(mat, ids)
    if lens is None and len(seen) >= _LENS_MARKERS and len(set(ids)) == len(ids):
        start = Lens(size_px[0], size_px[0], (size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
        lens = fitted_lens(start, pixels, places)
    elif lens is None and last is not None:
        lens = last.lens
    straight = lens.straighten(pixels) if lens else pixels
    found, inside = cv2.findHomography(straight, places, cv2.RANSAC, _OUTLIER_MM)
    if found is None or abs(np.linalg.det(found)) < 1e-12:
        return None
    kept = np.ravel(inside).astype(bool)
    off = through(matrix_of(found), straight[kept]) - places[kept]
    residual = float(np.sqrt((off**2).sum(axis=1).mean()))
    fitted = tuple(k for number, k in enumerate(ids) if kept[4 * number : 4 * number + 4].any())
    there = tuple(dict.fromkeys(ids))
    return Plane(mat, matrix_of(found), lens, there, fitted, residual, _warnings(mat, there, fitted))


def _definition(mat: Mat, seen: Iterable[int]) -> Points:
    """The corners of the markers seen as the mat defines them, (4 N, 2) in millimetres."""
    by_id = {marker.id: marker for marker in mat.markers}
    return np.concatenate([np.asarray(by_id[k].corners_mm, float) for k in seen])
