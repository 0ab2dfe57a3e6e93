"""Millimetres a pixel from the coins themselves, and the posterior over kinds from looks and sizes together.

Every disc has a diameter in pixels and the network's probability of each kind; each kind has one true diameter. So each
scale explains the discs more or less well: a mixture likelihood on a grid of log scales, with Bayes' rule over it, and
over how far the sizes of this picture are off. A slight tilt of the camera shows as a scale that drifts across the
picture, and is fitted too. One coin alone says nothing about its size, and this needs no special case: each kind then
has a scale that suits it.

Discs that may not be coins get little weight in the scale estimate: otherwise the two hundred holes of a perforated
tray, each a coin with probability 0.4, outvote the five coins that lie on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tablecoin.coins import BY_VALUE
from tablecoin.vision.coins.looks import KINDS, NOT_A_COIN, OURS, Array
from tablecoin.vision.frame import Disc

LOG_DIAMETER = np.log([kind.diameter_mm for kind in BY_VALUE])
TAILS = 4.0  # degrees of freedom of Student's t, where nothing else is said: the heaviness of its tails
# Standard deviation of a measured log diameter on a photo, at most: blur, shadow, perspective, height. Each photo shows
# which of SPREADS is its own: a row of scanned coins agrees within 1 %.
SPREAD = 0.028
SPREADS = SPREAD / 4, SPREAD / 2, SPREAD
KNOWN_SPREAD = 0.018  # the same on a known plane, where perspective is corrected
# The part of it that differs from coin to coin. Of 1,224 on virtual mats (tilted, blurred, dim, touching) half are off
# by less than 0.0033, one in ten by more than 0.0103, one in a hundred by more than 0.031. Student's t with OWN_TAILS
# degrees of freedom fits with a scale of 0.003 (drawn coins) to 0.0055 (cut-outs); a real mat may bulge.
OWN_SPREAD, OWN_TAILS = 0.007, 3.0
SHARED_SPREAD = 0.015  # the part that all coins of a picture share: focus, light, shadow, height above the paper
STRANGER = 0.5  # density of the log diameter of other things, which come in any size
# What looks leave at least, where the diameter is known, to each kind (of the probability that it is a coin of ours),
# and to something else. A coin without colour or relief may look surely like another, but has its own size.
LEAST_KIND, LEAST_STRANGE = 0.002, 0.04
GRID = 0.006  # step of the grid of log scales
SHARED_GRID = np.linspace(-3, 3, 25) * SHARED_SPREAD  # the errors shared that are tried: three deviations each way
MAX_TILT = 0.5  # change of log scale across half the picture's diagonal: two standard deviations of its Gaussian prior
TRUST = 0.7  # weight of each coin's likelihood in the scale: the network's errors in one picture are correlated
DOUBTED = 6  # times this power of the probability that it is a coin at all


@dataclass(frozen=True, slots=True)
class Sized:
    """The posterior from sizes and looks."""

    kinds: Array  # (N, KINDS) probabilities
    mm_per_px: float | None  # at the middle of the picture; None without any coin


def of_known(diameters_mm: Array, looks: Array) -> Array:
    """(N, KINDS) probabilities from diameters (N,) in mm and the network's log-probabilities (N, KINDS)."""
    return _posterior(looks + _fit(np.log(diameters_mm), KNOWN_SPREAD))


def of_measured(diameters_mm: Array, looks: Array) -> Array:
    """As `of_known`, for all candidates of one picture: the error that their diameters share is estimated from all.

    Looks alone rule nothing out, so no coin is sure to be of a kind that its diameter contradicts.
    """
    if not len(diameters_mm):
        return np.empty((0, KINDS))
    off = np.log(diameters_mm)[None, :] - SHARED_GRID[:, None]
    joint = _doubting(looks)[None] + _fit(off, OWN_SPREAD, OWN_TAILS)
    return _averaged(joint, -0.5 * (SHARED_GRID / SHARED_SPREAD) ** 2, np.full(len(looks), TRUST))[0]


def _doubting(looks: Array) -> Array:
    """The network's log-probabilities (N, KINDS) with at least what LEAST_KIND and LEAST_STRANGE leave."""
    least = np.logaddexp.reduce(looks[:, OURS], axis=1, keepdims=True) + math.log(LEAST_KIND)
    strange = np.maximum(looks[:, NOT_A_COIN:], math.log(LEAST_STRANGE))
    return np.concatenate([np.maximum(looks[:, OURS], least), strange], axis=1)


def of_unknown(discs: Sequence[Disc], looks: Array, size_px: tuple[int, int]) -> Sized:
    """Scale and probabilities of `discs` in a picture of `size_px` (width, height); `looks` as in `of_known`."""
    if not discs:
        return Sized(np.empty((0, KINDS)), None)
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
    ours = kinds[:, OURS].sum(axis=1).max() > 0.5
    return Sized(kinds, float(np.exp(log_scale)) if ours else None)


def _over_scales(log_px: Array, looks: Array) -> tuple[Array, float]:
    """Probabilities (N, KINDS) averaged over the posterior of scale and spread, and the likeliest log scale."""
    low = LOG_DIAMETER.min() - log_px.max() - 0.1
    high = LOG_DIAMETER.max() - log_px.min() + 0.1
    scales = np.arange(low, high + GRID, GRID)
    off = log_px[None, :] + scales[:, None]
    joint = looks[None] + np.concatenate([_fit(off, spread) for spread in SPREADS])
    weight = TRUST * (1 - np.exp(looks[:, NOT_A_COIN])) ** DOUBTED
    kinds, total = _averaged(joint, np.zeros(len(joint)), weight)
    return kinds, float(scales[int(np.argmax(total)) % len(scales)])


def _averaged(joint: Array, prior: Array, weight: Array) -> tuple[Array, Array]:
    """Probabilities (N, KINDS) averaged over the scales, and (S,) the log posterior of each scale, up to a constant.

    `joint` (S, N, KINDS) and `prior` (S,) are logarithms; `weight` (N,), 0 to 1, is each disc's in the scale.
    """
    best = joint.max(axis=2)  # log-sum-exp by hand: many times as fast as logaddexp over so short an axis
    each = weight * (best + np.log(np.exp(joint - best[..., None]).sum(axis=2)))  # (S, N)
    total = prior + each.sum(axis=1)
    # Each disc is judged by the scale's posterior from the others alone, so its own looks are not counted twice.
    others = total[:, None] - each
    posterior = others - np.logaddexp.reduce(others, axis=0)
    kinds = np.exp(np.logaddexp.reduce(joint + posterior[:, :, None], axis=0))
    return kinds / kinds.sum(axis=1, keepdims=True), total


def _fit(log_mm: Array, spread: float, tails: float = TAILS) -> Array:
    """(..., KINDS) log-density of measured log diameters (...) under each kind.

    Student's t with `tails` degrees of freedom: so heavy that one badly measured rim cannot rule a kind out.
    """
    apart = (log_mm[..., None] - LOG_DIAMETER) / spread
    peak = math.gamma((tails + 1) / 2) / (math.gamma(tails / 2) * math.sqrt(tails * math.pi) * spread)
    ours = math.log(peak) - (tails + 1) / 2 * np.log1p(apart**2 / tails)
    return np.concatenate([ours, np.full((*log_mm.shape, 1), math.log(STRANGER))], axis=-1)


def _tilt(places: Array, log_mm: Array, kinds: Array) -> Array:
    """(2,) the drift of log scale that makes the diameters fit the likely kinds best: ridge regression."""
    weight = kinds[:, OURS]
    target = (weight * (LOG_DIAMETER[None] - log_mm[:, None])).sum(axis=1)
    strength = weight.sum(axis=1)
    design = places - (strength @ places) / max(strength.sum(), 1e-9)
    square = design.T @ (design * strength[:, None]) / SPREAD**2
    ridge = np.eye(2) * 4 / MAX_TILT**2
    return np.asarray(np.linalg.solve(square + ridge, design.T @ target / SPREAD**2))


def _posterior(log_joint: Array) -> Array:
    return np.asarray(np.exp(log_joint - np.logaddexp.reduce(log_joint, axis=1, keepdims=True)))
