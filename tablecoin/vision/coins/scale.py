"""Millimetres a pixel from the coins themselves, and what the coins' sizes then say about which they are.

Every disc has a diameter in pixels and, from the network, probabilities of being each coin; each coin has one true
diameter. So each scale explains the discs more or less well, and the discs together choose the scale (a mixture
likelihood on a grid of log scales, Bayes' rule over it). A gentle tilt of the camera shows as a scale that drifts
across the picture; it is fitted too. One coin alone says nothing about its size, and this comes out by itself: every
coin then has a scale that suits it.

What may be no coin has little to say in this: the two hundred holes of a perforated tray, each of them a coin with two
in five, would else outvote the five coins that lie on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE
from tablecoin.vision.frame import Disc

Array = NDArray[np.float64]

LOG_DIAMETER = np.log([kind.diameter_mm for kind in BY_VALUE])
SPREAD = 0.028  # standard deviation of a measured log diameter: blur, shadow, perspective, coins standing a bit high
KNOWN_SPREAD = 0.018  # the same on a known plane, where no perspective is left over
OWN_SPREAD = 0.011  # of this, what each coin has of its own
SHARED_SPREAD = 0.015  # and what all have in common: focus, light and shadow at their rims, their height over the paper
STRANGER = 0.5  # density of the log diameter of things that are not our coins, which come in any size
GRID = 0.006  # step of the log scale
MAX_TILT = 0.5  # change of log scale across half the picture's diagonal that is still believed; soft limit
TRUST = 0.7  # the network's views of coins in one picture err together; each counts as this much of one
DOUBTED = 6  # and as much less as this power of the probability of being a coin at all


@dataclass(frozen=True, slots=True)
class Sized:
    """The discs, with size and looks put together."""

    kinds: Array  # (N, 5) probability of each of BY_VALUE, and of "not one of ours"
    mm_per_px: float | None  # at the middle of the picture; None without any coin


def of_known(diameters_mm: Array, looks: Array) -> Array:
    """(N, 5) probabilities from true diameters (N,) and the network's log probabilities (N, 5)."""
    return _posterior(looks + _fit(np.log(diameters_mm), KNOWN_SPREAD))


def of_measured(diameters_mm: Array, looks: Array) -> Array:
    """As `of_known`, for the coins of one picture: the error their diameters share is found from all of them."""
    if not len(diameters_mm):
        return np.empty((0, 5))
    shared = np.linspace(-3, 3, 25) * SHARED_SPREAD
    joint = looks[None] + _fit(np.log(diameters_mm)[None, :] - shared[:, None], OWN_SPREAD)
    return _averaged(joint, -0.5 * (shared / SHARED_SPREAD) ** 2, np.full(len(looks), TRUST))[0]


def of_unknown(discs: Sequence[Disc], looks: Array, size_px: tuple[int, int]) -> Sized:
    """Scale and probabilities of `discs` in a picture of `size_px` (width, height), given log probabilities (N, 5)."""
    if not discs:
        return Sized(np.empty((0, 5)), None)
    log_px = np.log([2 * disc.r_px for disc in discs])
    places = np.array([(disc.x_px, disc.y_px) for disc in discs])
    places = (places - np.array(size_px) / 2) / (np.hypot(*size_px) / 2)
    tilt = np.zeros(2)
    for _ in range(4):
        kinds, log_scale = _over_scales(log_px + places @ tilt, looks)
        step = _tilt(places, log_px + log_scale, kinds) - tilt
        tilt = tilt + step
        if np.abs(step).max() < 0.003:
            break
    kinds, log_scale = _over_scales(log_px + places @ tilt, looks)
    ours = kinds[:, :4].sum(axis=1).max() > 0.5
    return Sized(kinds, float(np.exp(log_scale)) if ours else None)


def _over_scales(log_px: Array, looks: Array) -> tuple[Array, float]:
    """Probabilities (N, 5) averaged over all scales as likely as the discs make them, and the likeliest log scale."""
    low = LOG_DIAMETER.min() - log_px.max() - 0.1
    high = LOG_DIAMETER.max() - log_px.min() + 0.1
    scales = np.arange(low, high + GRID, GRID)
    joint = looks[None] + _fit(log_px[None, :] + scales[:, None])
    kinds, total = _averaged(joint, np.zeros(len(scales)), TRUST * (1 - np.exp(looks[:, 4])) ** DOUBTED)
    return kinds, float(scales[int(np.argmax(total))])


def _averaged(joint: Array, prior: Array, say: Array) -> tuple[Array, Array]:
    """Probabilities (N, 5) over all scales, and how likely each scale is (S,).

    Given are logs, joint (S, N, 5) and prior (S,), and how much each disc has to say (N,), 0 to 1.
    """
    best = joint.max(axis=2)  # taken out by hand: many times as quick as logaddexp over so short an axis
    each = say * (best + np.log(np.exp(joint - best[..., None]).sum(axis=2)))  # (S, N)
    total = prior + each.sum(axis=1)
    # Each disc is judged by the scales the others believe in, so its own looks are not counted twice.
    others = total[:, None] - each
    weight = others - np.logaddexp.reduce(others, axis=0)
    kinds = np.exp(np.logaddexp.reduce(joint + weight[:, :, None], axis=0))
    return kinds / kinds.sum(axis=1, keepdims=True), total


def _fit(log_mm: Array, spread: float = SPREAD) -> Array:
    """(..., 5) log density of measured log diameters (...) under each coin, and under "not one of ours"."""
    apart = (log_mm[..., None] - LOG_DIAMETER) / spread
    # Student's t, four degrees: a badly measured rim costs, but not everything.
    ours = -2.5 * np.log1p(apart**2 / 4) + np.log(0.375 / spread)
    return np.concatenate([ours, np.full((*log_mm.shape, 1), np.log(STRANGER))], axis=-1)


def _tilt(places: Array, log_mm: Array, kinds: Array) -> Array:
    """The drift (2,) that makes measured diameters agree with the coins they likely are: ridge regression."""
    weight = kinds[:, :4]
    target = (weight * (LOG_DIAMETER[None] - log_mm[:, None])).sum(axis=1)
    strength = weight.sum(axis=1)
    design = places - (strength @ places) / max(strength.sum(), 1e-9)
    square = design.T @ (design * strength[:, None]) / SPREAD**2
    ridge = np.eye(2) * 4 / MAX_TILT**2
    return np.asarray(np.linalg.solve(square + ridge, design.T @ target / SPREAD**2))


def _posterior(log_joint: Array) -> Array:
    return np.asarray(np.exp(log_joint - np.logaddexp.reduce(log_joint, axis=1, keepdims=True)))
