"""Stack detection: the coin on top of another is a smaller circle inside the circle proposed.

In Coin Age smaller coins lie on larger ones. Seen from above, the lowest coin's rim is the strongest circle, and the
rims of those above lie inside it, with one of at most three radii that are known once the outer one is. For each radius
the places are found where most of the circle runs along an edge that faces its centre.

Exactly one of these circles is the upper face of a coin that nothing lies on; the others are rings of its design, or
partly covered. So they are compared by their log-odds: each by the network's odds of being a coin of the kind that fits
its size; an inner one also by its edge, and by the prior odds of a stack at that place. That a circle has a coin's size
is no evidence in itself: a covered coin has it too, and only such circles were searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_SIZE, BY_VALUE
from tablecoin.vision.coins import scale
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.looks import KINDS, OURS, Array, Looks
from tablecoin.vision.frame import Disc, Image

SIDE_PX = 72  # side of the patch in which a coin's inside is searched
ROUND_PX = 29.0  # the outer coin's radius in it
STRONG = 0.02  # gradient, as a share of the coin's brightness a pixel, from which an edge counts fully
SOFT_PX = 0.5  # standard deviation of the smoothing before
THICK_PX = 0.7  # standard deviation of the rings that edges are correlated with
RATIOS = np.arange(0.68, 0.985, 0.0125)  # radii searched, as shares of the outer coin's
ABOUT = 0.02  # log-distance of a radius from a coin's true one: a coin on a stack is nearer to the camera
SAME_RIM_PX = 1.5  # edges this near the outer rim belong to it and are ignored
LEAST_SEEN = 0.45  # share of an inner circle that must lie further in than that
# Places tried for each radius, and their least distance: in a blurred picture the best is not always the true one.
PEAKS, APART_PX = 2, 3
LEAST_EDGE = 0.72  # share of a circle that must run along an edge to be looked at; true rims in noise have 0.76
USUAL_EDGE = 0.85  # the share at which the edge is no evidence for or against a coin on top
# Circles wider than OWN_RIM outer diameters run along the outer coin's own raised rim: there OWN_EDGE is that share.
OWN_RIM, OWN_EDGE = 0.92, 0.95
EDGE_WEIGHT = 25.0  # growth of the log-odds of a coin on top with that share
MOST_FOR_EDGE = 4.0  # the most, in log-odds, that the edge may add or take
SMALLER = 0.965  # diameter of a coin on top, as a share of the one below, at most
PLAIN = 0.5  # probability of being one plain coin from which no stack is searched: 1 of 187 stacks had it
NOTHING = -7.0  # prior log-odds that none of the circles is a coin of ours
SETTLED = 4.0  # lead of the outer circle, in log-odds, from which one look at the inner one is enough

Rows = NDArray[np.signedinteger[Any]]

_MIDDLE = (SIDE_PX - 1) / 2
_FAR = np.hypot(*(np.mgrid[:SIDE_PX, :SIDE_PX] - _MIDDLE))
_INNER = np.clip(ROUND_PX - SAME_RIM_PX - _FAR + 0.5, 0, 1)  # 1 within the coin, 0 along its rim and outside


@dataclass(frozen=True, slots=True)
class Inner:
    """A circle inside a candidate's."""

    disc: Disc
    edge: float  # share of it, 0..1, that runs along an edge facing its centre


class Looker(Protocol):
    """The network, as far as it is needed here: `Identifier` is one."""

    def __call__(self, image: Image, discs: Sequence[Disc], /) -> Looks: ...

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, /) -> Looks: ...


def tops(candidates: Candidates, image: Image, prior: Callable[[Disc], float], identifier: Looker) -> Candidates:
    """`candidates`, each that may be a stack with the upper coin's disc and face, and the probabilities of both cases.

    Circles that look like one plain coin, or have no rim inside, stay as they are. `prior` gives the log-odds, before
    anything is seen there, that another coin lies on the coin at a disc.
    """
    circles, looks = candidates.circles, candidates.looks
    radii_px = np.array([circle.r_px for circle in circles])
    px_per_mm = 2 * radii_px / candidates.diameters_mm
    sizes_mm = 2 * radii_px / px_per_mm
    single = _whole(looks.kinds, sizes_mm)
    within = [(k, inner) for k in np.flatnonzero(single < PLAIN) for inner in inside(image, circles[k], px_per_mm[k])]
    if not within:
        return candidates
    outer = np.array([k for k, _ in within])
    rims = [inner.disc for _, inner in within]
    edges = np.array([inner.edge for _, inner in within])
    inner_mm = np.array([2 * rim.r_px / px_per_mm[k] for k, rim in zip(outer, rims, strict=True)])
    usual = np.where(inner_mm < OWN_RIM * sizes_mm[outer], USUAL_EDGE, OWN_EDGE)
    for_edge = np.clip(EDGE_WEIGHT * (edges - usual), -MOST_FOR_EDGE, MOST_FOR_EDGE)
    beforehand = for_edge + [prior(circles[k]) for k in outer]
    for_outer = _odds(single[:, None])
    fits = np.array([one.diameter_mm for one in BY_VALUE]) < SMALLER * sizes_mm[outer, None]
    seen = identifier(image, rims)
    agreed = fits * _agreed(seen.kinds, inner_mm)
    close = np.flatnonzero(_odds(agreed) + beforehand > for_outer[outer] - SETTLED)
    if len(close):
        again = identifier.again(image, [rims[n] for n in close], seen[close])
        seen = seen.put(close, again)
        agreed = fits * _agreed(seen.kinds, inner_mm)
    odds = _odds(agreed) + beforehand
    for k in dict.fromkeys(outer.tolist()):
        mine = np.flatnonzero(outer == k)
        share = agreed[mine] / np.maximum(agreed[mine].sum(axis=1, keepdims=True), 1e-9)
        inner = replace(
            candidates[np.full(len(mine), k)],
            discs=tuple(rims[n] for n in mine),
            kinds=np.column_stack([share, np.zeros(len(mine))]),
            heads=seen.heads[mine],
        )
        top = _weighed(candidates[[k]], float(for_outer[k]), inner, odds[mine])
        candidates = candidates.put([k], top)
    return candidates


def _weighed(single: Candidates, for_single: float, inner: Candidates, for_inner: Array) -> Candidates:
    """One candidate of a circle: by their log-odds the mixture of it as one coin, and of the rims within it.

    It has the disc of the likeliest. NOT_A_COIN gets the doubt whether there is any coin.
    """
    weights = np.exp(for_inner - np.logaddexp.reduce([*for_inner, for_single, NOTHING]))
    shares = np.array([1 - weights.sum(), *weights])
    kinds, heads = np.concatenate([single.kinds, inner.kinds]), np.concatenate([single.heads, inner.heads])
    coins = shares * kinds[:, OURS].sum(axis=1)
    return replace(
        single,
        discs=((*single.discs, *inner.discs)[int(coins.argmax())],),
        kinds=(shares @ kinds)[None],
        heads=np.array([coins @ heads / max(coins.sum(), 1e-9)]),
    )


def _agreed(log_looks: Array, diameters_mm: Array) -> Array:
    """(N, 4): the probability by looks of each of BY_VALUE, times how well the diameter (N,) fits it, 0..1."""
    sizes = scale.of_known(diameters_mm, np.zeros((len(diameters_mm), KINDS)))[:, OURS]
    return np.asarray(np.exp(log_looks[:, OURS]) * sizes / sizes.max(axis=1, keepdims=True))


def _whole(log_looks: Array, diameters_mm: Array) -> Array:
    """(N,) the probability that it is one coin with nothing on it.

    A circle that looks like a larger coin than it is was merely confused with it; one that looks like a smaller coin
    may have that coin on it, so there the size must fit.
    """
    larger = np.array([kind.diameter_mm for kind in BY_VALUE]) > diameters_mm[:, None]
    return np.asarray(np.where(larger, np.exp(log_looks[:, OURS]), _agreed(log_looks, diameters_mm)).sum(axis=1))


def _odds(kinds: Array) -> Array:
    """(N,) log-odds of being a coin of ours, from probabilities of some kinds (N, K)."""
    ours = np.clip(kinds.sum(axis=1), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(ours / (1 - ours)))


def inside(image: Image, disc: Disc, px_per_mm: float) -> list[Inner]:
    """The circles of each smaller coin's size inside `disc` that run along edges most, if most of the circle does.

    All places and radii are tried at once: a Hough transform, computed as a correlation of the edges with rings.
    """
    sizes = [kind.diameter_mm / 2 / (disc.r_px / px_per_mm) for kind in BY_SIZE]
    near = [np.flatnonzero(np.abs(np.log(RATIOS / size)) < ABOUT) for size in sizes if size < SMALLER]
    rows = [some for some in near if len(some)]
    if not rows:
        return []
    zoom = disc.r_px / ROUND_PX
    edges = _edges(image, disc, zoom)
    found = []
    for some in rows:
        shares = _edge_shares(edges, some)
        for _ in range(PEAKS):
            size, y, x = np.unravel_index(int(shares.argmax()), shares.shape)
            share = float(shares[size, y, x])
            if share < LEAST_EDGE:
                break
            x_px, y_px = (
                float(v + _vertex(line))
                for v, line in ((x, shares[size, y, x - 1 : x + 2]), (y, shares[size, y - 1 : y + 2, x]))
            )
            at = Disc(
                disc.x_px + zoom * (x_px - _MIDDLE),
                disc.y_px + zoom * (y_px - _MIDDLE),
                float(disc.r_px * RATIOS[some[size]]),
            )
            found.append(Inner(at, share))
            shares[:, max(0, y - APART_PX) : y + APART_PX + 1, max(0, x - APART_PX) : x + APART_PX + 1] = 0.0
    return found


def _edges(image: Image, disc: Disc, zoom: float) -> Array:
    """(3, SIDE, SIDE): edge strength e of each pixel, 0..1, and e cos 2a, e sin 2a with a the gradient's direction.

    All are 0 along the outer coin's own rim.
    """
    corner = disc.x_px - zoom * _MIDDLE, disc.y_px - zoom * _MIDDLE
    cut = np.array([[zoom, 0, corner[0]], [0, zoom, corner[1]]])
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(image, cut, (SIDE_PX, SIDE_PX), flags=way, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(patch, (0, 0), SOFT_PX).astype(np.float32)
    across, down = (np.asarray(cv2.Scharr(soft, cv2.CV_32F, *axis) / 32, float) for axis in ((1, 0), (0, 1)))
    channel = (across**2 + down**2).argmax(axis=2)[..., None]
    across, down = (np.take_along_axis(slope, channel, axis=2)[..., 0] for slope in (across, down))
    steep = np.hypot(across, down) + 1e-6
    strong = STRONG * max(float(soft[_FAR < ROUND_PX].mean()), 1.0)
    edge = np.minimum(steep / strong, 1) * _INNER
    return np.stack([edge, edge * (across**2 - down**2) / steep**2, edge * 2 * across * down / steep**2])


def _edge_shares(edges: Array, rows: Rows) -> Array:
    """(R, SIDE, SIDE): the share along an edge of the circles around each pixel, for those rows of RATIOS.

    An edge counts by the squared cosine of the angle a between its gradient and the centre: (1 + cos 2a) / 2. The share
    is 0 where a circle leaves the coin.
    """
    rings, seen = _rings()
    shape = (SIDE_PX, SIDE_PX)
    votes = np.fft.irfft2((np.fft.rfft2(edges)[None] * rings[rows]).sum(axis=1) / 2, s=shape)
    within = _FAR[None] < ROUND_PX * (1 - RATIOS[rows, None, None]) + 1.5
    return np.where(within & (seen[rows] > LEAST_SEEN), votes / np.maximum(seen[rows], LEAST_SEEN), 0.0)


@cache
def _rings() -> tuple[NDArray[np.complex128], Array]:
    """(R, 3, ...): for each of RATIOS the Fourier transforms of the rings that `_edges` is correlated with.

    And (R, SIDE, SIDE): the share of a circle around each pixel that lies inside the coin's own rim.
    """
    steps = (np.arange(SIDE_PX) + SIDE_PX // 2) % SIDE_PX - SIDE_PX // 2
    x, y = np.meshgrid(steps, steps)
    turn, radii = 2 * np.arctan2(y, x), ROUND_PX * RATIOS[:, None, None]
    rings = np.exp(-0.5 * ((np.hypot(x, y) - radii) / THICK_PX) ** 2)
    rings /= rings.sum(axis=(1, 2), keepdims=True)
    waves = np.conj(np.fft.rfft2(np.stack([rings, rings * np.cos(turn), rings * np.sin(turn)], axis=1)))
    seen = np.fft.irfft2(np.fft.rfft2(_INNER) * waves[:, 0], s=_INNER.shape)
    return waves, seen


def _vertex(values: Array) -> float:
    """The vertex of the parabola through three values, the middle one the largest: -0.5 to 0.5 from it."""
    before, at, after = values
    bend = before - 2 * at + after
    return float(np.clip((before - after) / (2 * bend), -0.5, 0.5)) if bend < -1e-9 else 0.0
