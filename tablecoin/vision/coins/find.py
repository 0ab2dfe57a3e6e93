"""Circles in a picture that may be coins, as Discs. The network rejects those that are not.

On photos they come from OpenCV's Hough transform in its variant HOUGH_GRADIENT_ALT (Hough votes for centres, then the
share of each circle that runs along edges), on a locally equalised grey picture at two sizes; on the mat, where the
scale is known, from the plain HOUGH_GRADIENT. Recall matters here: a false circle costs one look of the network.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Disc, Grey, Image
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.place.shade import shaded

LEVELS = ((1000, 0.70), (600, 0.85))  # (long side in pixels, `param2`: how perfect a circle must be, 0..1)
SMALLEST_PX = 8  # least radius at the working size; a smaller coin's face cannot be read
FINE_BELOW_PX = 16  # when the median radius at the first level is below this, a finer picture is searched too
FINE_LEVEL = (2200, 0.80)
EDGE = 300  # least slope of an edge (Scharr), of which Canny's lower threshold is the half
KNOWN_RADIUS_PX = 12.0  # with a known scale: least radius of the smallest coin at the working size
UPRIGHT_RADIUS_PX = 13.0  # the same in the rectified picture of a mat
KNOWN_VOTES = 28  # least Hough votes for a centre there; the smallest circle has some 75, touching coins have fewer
PLAIN_VOTES = 32  # the same where coins do not touch: it lets fewer printed circles pass

# No table of coins has so many circles; dots on a cloth have thousands, which are not worth the time to compare.
MOST_CIRCLES = 1000


@dataclass(frozen=True, slots=True)
class Effort:
    """How much a search of a picture of unknown scale may cost."""

    work: float  # edge pixels times the searched picture's longest side, over all levels; 1e8 are some 0.7 s of a core
    circles: int  # more are refused before the network looks at them


# Of 413 real photos of coins the hardest took 2.8e8; of 120 none had 230 circles. Weaves, gravel and print take more.
PHOTO = Effort(3.2e8, 600)
LIVE = Effort(6e7, 150)  # for a frame of a running table, which plays only on a mat: at most some 0.5 s of a core

SAME_CENTRE = 6  # two circles are one when their centres are nearer than the radius divided by this,
SAME_SIZE = 0.15  # and the logarithms of their radii differ by less than this

Window = tuple[int, int, int, int]  # a part of a picture: left, top, right, bottom, the last two not included

_CORNERS = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])  # of a disc's centre, and one radius right and below it


class Found(NamedTuple):
    """Circles in a picture of unknown scale, best supported first."""

    discs: list[Disc]  # in pixels of the picture
    is_whole: bool  # False: a level was left out, because the effort did not suffice for it


def find(image: Image, effort: Effort = PHOTO) -> Found:
    """All circles that may be coins, of any size, on any background.

    A picture with more circles than `effort` allows is not searched to its end.
    """
    longest = max(image.shape[:2])
    left = effort.work
    is_whole = True
    discs: list[Disc] = []

    def searched(long_side: int, perfection: float) -> list[Disc]:
        nonlocal left, is_whole
        grey = _equalised(image, min(1.0, long_side / longest))
        work = _edges(grey) * max(grey.shape)
        if work > left:
            is_whole = False
            return []
        left -= work
        return _circles(grey, min(1.0, long_side / longest), perfection, (SMALLEST_PX, math.inf))

    for level in LEVELS:
        discs += searched(*level)
        if len(discs) > effort.circles:
            return Found(discs, is_whole)
    coarse = min(1.0, LEVELS[0][0] / longest)
    if coarse < 1 and (not discs or np.median([disc.r_px for disc in discs]) * coarse < FINE_BELOW_PX):
        # Circles found in the finer picture are more exact, so they come first: `distinct` keeps the first of two.
        discs = searched(*FINE_LEVEL) + discs
    return Found(distinct(discs) if len(discs) <= effort.circles else discs, is_whole)


def find_on(image: Image, plane: Plane, r_mm: tuple[float, float]) -> list[Disc]:
    """Circles on the mat whose radius lies between the two given, in pixels of `image`.

    The rectified picture is searched, where circles are round and have one scale everywhere. Under a tilted camera a
    search of the picture itself misses one coin in a hundred, gets the radius of one in ten wrong by a tenth, and
    invents as many circles as there are coins.
    """
    above, flat = upright(image, plane, r_mm)
    return find_upright(above, flat, plane, r_mm)


def upright(image: Image, plane: Plane, r_mm: tuple[float, float]) -> tuple[Grey, Plane]:
    """The mat rectified, in `shaded` grey, as fine as a search for such radii needs it; and that picture's plane."""
    px_per_mm = UPRIGHT_RADIUS_PX / r_mm[0]
    margin_mm = r_mm[1]  # a coin may hang over the mat's rim
    return plane.rectify(shaded(image), px_per_mm, margin_mm), plane.flat(px_per_mm, margin_mm)


def greyed(image: Image) -> Grey:
    """`image` in grey, by its brightness; the same array where it is grey already."""
    return np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def find_upright(
    above: Grey,
    flat: Plane,
    plane: Plane,
    r_mm: tuple[float, float],
    votes: int = KNOWN_VOTES,
    windows: Sequence[Window] | None = None,
    closely: Sequence[Window] | None = (),
) -> list[Disc]:
    """As `find_on`, from what `upright` returned; the discs are in pixels of the picture of `plane`.

    `windows`: the parts of `above` that are searched; `closely`: those that are also searched as photos are, which
    takes eight times as long. None: all of it.
    """
    px_per_mm = UPRIGHT_RADIUS_PX / r_mm[0]
    r_px = r_mm[0] * px_per_mm, r_mm[1] * px_per_mm
    equal = _equal(above)  # as a whole: a part of it would be equalised otherwise
    discs = distinct(_sized(equal, r_px, votes, windows) + _as_in_photos(equal, flat, r_px, closely))
    return moved(discs, flat, plane)


def _as_in_photos(equal: Grey, flat: Plane, r_px: tuple[float, float], windows: Sequence[Window] | None) -> list[Disc]:
    """Circles by the search for photos: on a mat in `windows`, beside a player's own card, on wood or cloth, anywhere.

    The plain transform alone misses coins as white as the paper within a printed ring, and one coin in twenty beside a
    card, where it takes a ring of the relief for the rim of as many.
    """
    card, discs = flat.mat.card, list[Disc]()
    for left, top, right, bottom in _parts(equal, None if card else windows):
        found = _circles(equal[top:bottom, left:right], 1.0, LEVELS[0][1], r_px)
        discs += [Disc(disc.x_px + left, disc.y_px + top, disc.r_px) for disc in found]
    if card is None or not discs:
        return discs
    places = flat.to_mm([(disc.x_px, disc.y_px) for disc in discs])
    return [disc for disc, (x, y) in zip(discs, places, strict=True) if not card.area.holds(x, y)]


def moved(discs: Sequence[Disc], one: Plane, other: Plane) -> list[Disc]:
    """`discs` of the picture of the plane `one`, in pixels of the picture of `other`."""
    if not discs:
        return []
    circles = np.array([(disc.x_px, disc.y_px, disc.r_px) for disc in discs])
    corners = circles[:, None, :2] + circles[:, None, 2:] * _CORNERS
    there = other.to_px(one.to_mm(corners.reshape(-1, 2))).reshape(corners.shape)
    right, below = there[:, 1] - there[:, 0], there[:, 2] - there[:, 0]
    radii = np.sqrt(np.abs(right[:, 0] * below[:, 1] - right[:, 1] * below[:, 0]))
    return [Disc(float(x), float(y), float(r)) for (x, y), r in zip(there[:, 0], radii, strict=True)]


def find_sized(image: Image, r_px: tuple[float, float], votes: int = KNOWN_VOTES) -> list[Disc]:
    """Circles whose radius lies between the two given, in pixels of `image`: fast, for a picture of known scale.

    `image` may be grey.
    """
    shrink = max(1, int(r_px[0] / KNOWN_RADIUS_PX))
    height, width = (side // shrink for side in image.shape[:2])
    if not height or not width:
        return []
    grey = greyed(image[: height * shrink, : width * shrink])
    if shrink > 1:  # over whole blocks of pixels OpenCV takes plain means, its fast path
        grey = np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    found = _sized(_equal(grey), (r_px[0] / shrink, r_px[1] / shrink), votes, None)
    enlarged = (((disc.x_px + 0.5) * shrink - 0.5, (disc.y_px + 0.5) * shrink - 0.5, disc) for disc in found)
    return distinct(Disc(x, y, disc.r_px * shrink) for x, y, disc in enlarged)


def _sized(equal: Grey, r_px: tuple[float, float], votes: int, windows: Sequence[Window] | None) -> list[Disc]:
    """Circles of such radii in `windows` of an equalised picture; None: in all of it.

    In so narrow a range of radii the plain transform misses fewer coins than HOUGH_GRADIENT_ALT, in a fifth of the
    time. Its false circles have no rim and are dropped when rims are fitted (`refine.fitted`).
    """
    discs: list[Disc] = []
    for left, top, right, bottom in _parts(equal, windows):
        found = cv2.HoughCircles(
            equal[top:bottom, left:right],
            cv2.HOUGH_GRADIENT,
            dp=1.5,
            minDist=KNOWN_RADIUS_PX / 2,
            param1=200,
            param2=votes,
            minRadius=max(1, int(r_px[0])),
            maxRadius=math.ceil(r_px[1]),
        )
        discs += [Disc(disc.x_px + left, disc.y_px + top, disc.r_px) for disc in _discs(found, 1.0)]
    return discs


def _parts(grey: Grey, windows: Sequence[Window] | None) -> Sequence[Window]:
    """`windows`, or all of the picture."""
    return [(0, 0, grey.shape[1], grey.shape[0])] if windows is None else windows


def distinct(discs: Iterable[Disc]) -> list[Disc]:
    """`discs` without those that nearly repeat an earlier one in place and size; more than MOST_CIRCLES as they are."""
    every, kept = list(discs), list[Disc]()
    if len(every) > MOST_CIRCLES:
        return every
    for disc in every:
        if not any(_same(disc, other) for other in kept):
            kept.append(disc)
    return kept


def hidden_share(disc: Disc, other: Disc) -> float:
    """The share of the smaller of two discs that lies inside the larger, by area, 0..1 (the lens of two circles)."""
    small, large = sorted((disc.r_px, other.r_px))
    apart = math.hypot(disc.x_px - other.x_px, disc.y_px - other.y_px)
    if apart >= small + large:
        return 0.0
    if apart <= large - small:
        return 1.0
    alpha = math.acos((apart**2 + small**2 - large**2) / (2 * apart * small))
    beta = math.acos((apart**2 + large**2 - small**2) / (2 * apart * large))
    lens = small**2 * (alpha - math.sin(2 * alpha) / 2) + large**2 * (beta - math.sin(2 * beta) / 2)
    return lens / (math.pi * small**2)


def _same(disc: Disc, other: Disc) -> bool:
    apart = math.hypot(disc.x_px - other.x_px, disc.y_px - other.y_px)
    return apart < other.r_px / SAME_CENTRE and abs(math.log(disc.r_px / other.r_px)) < SAME_SIZE


def _edges(grey: Grey) -> int:
    """How many edge pixels HOUGH_GRADIENT_ALT will take from `grey`: its time grows with them."""
    across, down = cv2.Scharr(grey, cv2.CV_16S, 1, 0), cv2.Scharr(grey, cv2.CV_16S, 0, 1)
    return cv2.countNonZero(cv2.Canny(across, down, EDGE / 2, EDGE))


def _circles(grey: Grey, shrink: float, perfection: float, r_px: tuple[float, float]) -> list[Disc]:
    """Circles in `grey`, equalised and shrunk by `shrink`, in pixels of the full picture, as `r_px` is."""
    largest = min(r_px[1] * shrink, 0.52 * max(grey.shape))
    found = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT_ALT,
        dp=1.5,
        minDist=SMALLEST_PX,
        param1=EDGE,
        param2=perfection,
        minRadius=max(SMALLEST_PX, int(r_px[0] * shrink)),
        maxRadius=math.ceil(largest),
    )
    return _discs(found, shrink)


def _discs(found: NDArray[np.generic] | None, shrink: float) -> list[Disc]:
    """What OpenCV found in a picture shrunk by `shrink`, in pixels of the full one."""
    if found is None:
        return []
    circles: Sequence[Sequence[float]] = np.reshape(found, (-1, np.shape(found)[-1]))[:, :3].tolist()
    return [Disc((x + 0.5) / shrink - 0.5, (y + 0.5) / shrink - 0.5, r / shrink) for x, y, r in circles]


def _equalised(image: Image, shrink: float) -> Grey:
    if shrink < 1:
        image = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    return _equal(greyed(image))


def _equal(grey: Grey) -> Grey:
    """Locally equalised (CLAHE) and a little smoothed."""
    return np.asarray(cv2.GaussianBlur(cv2.createCLAHE(3, (8, 8)).apply(grey), (5, 5), 1), np.uint8)
