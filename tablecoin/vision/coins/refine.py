"""Circles fitted to their rims, to a fraction of a pixel.

Along each of 48 rays the strongest change of colour near the rim is found. The shift (dx, dy) and growth dr that
explain these places best, dx cos a + dy sin a + dr, are fitted by iteratively reweighted least squares with Tukey's
biweight, so a neighbour, a shadow or print under the coin spoils some rays only. Where the coin's shape is known from
a plane, the rim is searched once more, around the circle found; without one, on 1922 coins of real photos, that gained
nothing.

On the side away from the lamp the edge of a coin's shadow is stronger than its own. A shadow of d millimetres in
direction f moves the rim outwards there, by d max(0, cos(a - f)). The fit takes half the cosine for a shift; the rest,
d |cos(a - f)| / 2 = d (1/pi + 2/(3 pi) cos 2(a - f) - ...), makes the circle too wide by d / pi and leaves a bulge of
2 d / (3 pi) at both ends. So the circle is too wide by one and a half times the bulge. The bulge of one coin is mostly
noise, but all coins of a picture cast like shadows, and show a tilted camera like side walls: the median is used. This
needs a plane, because without one a tilt alone makes ellipses of circles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place.plane import Plane

RAYS = 48
REACH = 0.16  # in radii: the rim is searched so far inside and outside the circle proposed
STEPS = 33  # samples along a ray
BELIEF = 0.09  # in radii: standard deviation of the proposed circle's error, a Gaussian prior on where the rim is
ROUNDS = 4  # of reweighted least squares
LOOKS = 2  # searches for the rim on a known plane, the second around the circle found by the first
WIDENING = 1.5  # a shadow makes a circle too wide by so many bulges (derived above)
ON_RIM = 0.04  # in radii: a ray agrees with the fit when its place is this near
LEAST_AGREE = 0.4  # share of the rays that must agree for a fit to be used
TUKEY = 3  # spreads at which a ray's weight reaches 0
LEAST_SPREAD = 0.012  # in radii: spreads are not taken to be smaller
# A rim stands out where the colour averaged along circles changes by so many grey levels, and by that share of it.
CLEAR, CLEAR_SHARE = 3.0, 0.027
FAINT = 1.0  # grey levels a sample, summed over the channels: a weaker change of colour is no rim

Array = NDArray[np.float64]
Bulge = tuple[float, float]  # its parts cos 2a and sin 2a (above), in mm

_ANGLES = np.arange(RAYS) * (2 * np.pi / RAYS)
_RAYS = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])  # (RAYS, 2)
_DESIGN = np.column_stack([_RAYS, np.ones(RAYS)])
_BULGES = np.column_stack([_DESIGN, np.cos(2 * _ANGLES), np.sin(2 * _ANGLES)])
_ALONG = np.linspace(-REACH, REACH, STEPS)


def refine(image: Image, discs: Sequence[Disc], plane: Plane | None = None) -> list[Disc]:
    """`discs` moved onto the rims in `image`; a disc without a clear rim stays as it is.

    With `plane` the rim is the ellipse that a circle on the mat is seen as, and the disc has the same area. Without one
    it is a circle.
    """
    return fitted(image, discs, plane).discs


class Fitted(NamedTuple):
    """Discs moved onto their rims."""

    discs: list[Disc]
    held: Array  # (N,) the share of each disc's rays, 0..1, that meet a rim on the fitted circle
    bulge_mm: Bulge | None  # the median by which rims bulge, as shadows make them; None without a rim or a plane


def fitted(image: Image, discs: Sequence[Disc], plane: Plane | None = None, bulge_mm: Bulge | None = None) -> Fitted:
    """As `refine`. `bulge_mm`: that of more coins of this table than these; None: it is measured here."""
    if not discs:
        return Fitted([], np.empty(0), bulge_mm)
    seen_as, px_per_mm = _ellipses(discs, plane)
    circles = np.array([(disc.x_px, disc.y_px, disc.r_px) for disc in discs])
    change = _changes(image, circles, seen_as)
    step = np.zeros((len(discs), 3))
    for _ in range(LOOKS if plane else 1):
        places, strength = _rims(change, step @ _DESIGN.T)
        step, weight = _fit(places, strength, step)
    held = ((np.abs(places - step @ _DESIGN.T) < ON_RIM) & (strength > 0)).mean(axis=1)
    good = (held > LEAST_AGREE) & (np.abs(step) < REACH).all(axis=1)
    step[~good] = 0
    if plane is not None and good.any():
        mm = circles[good, 2] * (1 + step[good, 2]) / px_per_mm[good]  # of each radius
        bulge = _solved(_BULGES, weight[good], places[good])[:, 3:] * mm[:, None]
        if bulge_mm is None:
            across, down = np.median(bulge, axis=0)
            bulge_mm = float(across), float(down)
        step[good, 2] -= WIDENING * math.hypot(*bulge_mm) / mm
    step[:, :2] = np.einsum("dij,dj->di", seen_as, step[:, :2])
    moved = circles + step * circles[:, 2:3]
    moved_discs = [Disc(float(x), float(y), float(r)) for x, y, r in moved]
    return Fitted(moved_discs, np.where(good, held, 0.0), bulge_mm)


def _fit(places: Array, strength: Array, step: Array) -> tuple[Array, Array]:
    """(N, 3) the step that explains the rims' `places` (N, RAYS), iterated from `step`; (N, RAYS) the rays' weights."""
    spread = np.full(len(places), BELIEF)
    for _ in range(ROUNDS):
        off = (places - step @ _DESIGN.T) / (TUKEY * spread[:, None])
        weight = strength * np.clip(1 - off**2, 0, None) ** 2
        step = _solved(_DESIGN, weight, places)
        spread = np.clip(_medians(np.abs(places - step @ _DESIGN.T)) * 1.5, LEAST_SPREAD, BELIEF)
    return step, weight


def _medians(values: Array) -> Array:
    """The median of each row (N, RAYS); numpy's own takes ten times as long on so few."""
    middle = RAYS // 2 - 1, RAYS // 2
    return np.asarray(np.partition(values, middle, axis=1)[:, middle[0] : middle[1] + 1].mean(axis=1))


def _solved(design: Array, weight: Array, places: Array) -> Array:
    """(N, K) weighted least squares of each row of `places` (N, RAYS) on the columns of `design` (RAYS, K)."""
    products = np.einsum("ri,rj->rij", design, design).reshape(len(design), -1)
    square = (weight @ products).reshape(len(weight), design.shape[1], -1) + 1e-6 * np.eye(design.shape[1])
    return np.asarray(np.linalg.solve(square, ((weight * places) @ design)[..., None])[..., 0])


def _ellipses(discs: Sequence[Disc], plane: Plane | None) -> tuple[Array, Array]:
    """(N, 2, 2): the maps from a circle to the ellipse that it is seen as, of the same area; and (N,) pixels a mm.

    Without a plane the maps are the identity, and the scale is taken as 1.
    """
    if plane is None:
        return np.tile(np.eye(2), (len(discs), 1, 1)), np.ones(len(discs))
    at = np.array([(disc.x_px, disc.y_px) for disc in discs])
    corners = np.array([(0, 0), (1, 0), (0, 1)])[:, None] + at
    here, right, below = plane.to_mm(corners.reshape(-1, 2)).reshape(3, -1, 2)
    to_px = np.linalg.inv(np.stack([right - here, below - here], axis=2))
    # Of all maps from a circle to its ellipse the symmetric one, which does not rotate the rays: the root of J J^T.
    lengths, axes = np.linalg.eigh(to_px @ to_px.transpose(0, 2, 1))
    roots = axes @ (np.sqrt(lengths)[:, :, None] * axes.transpose(0, 2, 1))
    px_per_mm = np.sqrt(np.linalg.det(roots))
    return np.asarray(roots / px_per_mm[:, None, None]), np.asarray(px_per_mm)


def stands_out(image: Image, discs: Sequence[Disc], plane: Plane) -> NDArray[np.bool_]:
    """(N,) whether the colour changes across each disc's rim, averaged all around it, by CLEAR or CLEAR_SHARE at least.

    The noise of bare paper meets "rims" along many rays; averaged it makes up to 3 grey levels, and a coin as white as
    the paper 12.
    """
    if not discs:
        return np.empty(0, bool)
    seen_as, _ = _ellipses(discs, plane)
    circles = np.array([(disc.x_px, disc.y_px, disc.r_px) for disc in discs])
    rings = _lines(image, circles, seen_as).reshape(len(discs), RAYS, STEPS, 3).mean(axis=1)
    near = rings[:, STEPS // 4 : -(STEPS // 4)]
    change = (near.max(axis=1) - near.min(axis=1)).max(axis=1)
    return np.asarray(change >= np.maximum(CLEAR, CLEAR_SHARE * near.mean(axis=(1, 2))))


def _lines(image: Image, circles: Array, seen_as: Array) -> NDArray[np.float32]:
    """(N * RAYS, STEPS, 3): the picture along each ray."""
    x, y, r = (circles[:, k, None, None] for k in range(3))
    far = r * (1 + _ALONG)[None, None, :]
    ahead = np.einsum("dij,aj->dai", seen_as, _RAYS)  # (N, RAYS, 2)
    map_x = (x + far * ahead[:, :, 0, None]).astype(np.float32).reshape(len(circles), -1)
    map_y = (y + far * ahead[:, :, 1, None]).astype(np.float32).reshape(len(circles), -1)
    sampled = cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.reshape(sampled, (-1, STEPS, 3)).astype(np.float32)


def _changes(image: Image, circles: Array, seen_as: Array) -> Array:
    """(N, RAYS, STEPS): the change of colour along each ray, in grey levels a sample, summed over the channels."""
    lines = _lines(image, circles, seen_as)
    rays = np.reshape(cv2.GaussianBlur(lines, (5, 1), 1.0), (-1, STEPS * 3))
    change = np.empty_like(rays)
    cv2.absdiff(rays[:, 6:], rays[:, :-6], change[:, 3:-3])
    change[:, :3], change[:, -3:] = 2 * np.abs(rays[:, 3:6] - rays[:, :3]), 2 * np.abs(rays[:, -3:] - rays[:, -6:-3])
    halves = np.full((1, 3), 0.5, np.float32)
    return np.reshape(cv2.transform(change.reshape(-1, STEPS, 3), halves), (len(circles), RAYS, STEPS))


def _rims(change: Array, about: Array) -> tuple[Array, Array]:
    """(N, RAYS): the rim's place along each ray, in radii, by a prior centred on `about`; and its strength, 0..1."""
    off = (_ALONG.astype(np.float32) - about[..., None].astype(np.float32)) / BELIEF
    change = change * np.exp(-0.5 * off**2)
    best = change.argmax(axis=2)
    # Subsample place: the vertex of the parabola through the strongest sample and its neighbours.
    here = np.clip(best, 1, STEPS - 2)
    before, at, after = (np.take_along_axis(change, here[..., None] + k, axis=2)[..., 0] for k in (-1, 0, 1))
    bend = before - 2 * at + after
    fine = np.clip(np.where(bend < -1e-6, 0.5 * (before - after) / np.where(bend < -1e-6, bend, 1), 0), -0.5, 0.5)
    places = _ALONG[here] + fine * (_ALONG[1] - _ALONG[0])
    strength = np.where(at < FAINT, 0, at / np.maximum(at.max(axis=1, keepdims=True), FAINT))
    return places.astype(float), np.sqrt(strength).astype(float)
