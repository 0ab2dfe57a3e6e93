"""Quarters with reverses that no mint ever struck: a network that met few designs takes every other one for no coin.

Over a hundred reverses of quarters are in use, and labelled photos show some forty. Here a real quarter's relief is
taken off, its metal and light stay, and another relief is put on: drawn, or a collage of pieces of several coins'.
Euros and farthings get new ones too, and stay what they are: no US coins.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.cropset import NONE, REACH, CropSet
from lab.training.reliefs import Plane, device, lettering, smooth_field, struck, wordy
from tablecoin.coins import BY_VALUE, Denomination

COUNT = 1800
_OTHERS = 0.12  # share of them that are no US coins
# Whose reverses give pieces: no heads, which would teach that a portrait is tails, nor nickels, which are silvery too.
_DONORS = [BY_VALUE.index(kind) for kind in (Denomination.PENNY, Denomination.DIME, Denomination.QUARTER)]
_KEPT = (0.88, 0.95)  # radius beyond which the coin's own rim stays


def build(crops: CropSet, seed: int = 17, count: int = COUNT) -> CropSet:
    """`count` crops made of those of `crops`, whose photographers they keep; the same seed draws the same.

    Any of `crops` may give a piece to any of them: leave out whom a network is not to see before, not after.
    """
    rng = np.random.default_rng(seed)
    quarters = np.flatnonzero((crops.kind == BY_VALUE.index(Denomination.QUARTER)) & crops.coin)
    found = np.flatnonzero(np.isin(crops.source, ("euro", "farthing")))
    others = found if len(found) else quarters
    donors = np.flatnonzero(np.isin(crops.kind, _DONORS) & (crops.heads == 0) & crops.coin)
    rows = np.array([rng.choice(others if rng.random() < _OTHERS else quarters) for _ in range(count)])
    pixels = np.stack(
        [_restruck(crops.pixels[row], crops.heads[row] == 0, crops.pixels[rng.choice(donors, 4)], rng) for row in rows]
    )
    ours = crops.kind[rows] != NONE
    return CropSet(
        pixels,
        crops.kind[rows],
        np.where(ours, 0, crops.heads[rows]),
        np.where(ours, "unmet", crops.source[rows]),
        crops.photographer[rows],
        crops.coin[rows],
    )


def _restruck(
    crop: NDArray[np.uint8], is_tails: bool, donors: NDArray[np.uint8], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """(side, side, 3): `crop` with another relief: drawn, or of pieces of `donors` (N, side, side, 3)."""
    side = len(crop)
    radius, line = side / 2 / REACH, np.arange(side, dtype=np.float32) - (side - 1) / 2
    x, y = np.meshgrid(line / radius, line / radius)
    far = np.hypot(x, y)
    light = np.log(crop.astype(np.float32) + 4)
    metal = _metal(light, x, y, far)
    own = light - metal
    inside = far < 0.85
    edge = rng.uniform(*_KEPT)
    if rng.random() < 0.6:
        relief = _collage(donors[: int(rng.integers(2, len(donors) + 1))], x, y, rng)
        if is_tails and rng.random() < 0.5:  # the coin's own lettering stays
            edge = rng.uniform(0.66, 0.76)
        elif rng.random() < 0.6:
            relief = np.where(far < rng.uniform(0.6, 0.72), relief, 0) + 2 * struck(lettering(side, rng), rng)
    else:
        draw = device if rng.random() < 0.9 else wordy
        relief = struck(np.maximum(draw(side, rng), lettering(side, rng)), rng)
    relief -= float(relief[inside].mean())
    strength = float(own[inside].std()) * rng.uniform(0.6, 1.5) * (0.4 if rng.random() < 0.2 else 1)
    relief *= strength / max(float(relief[inside].std()), 1e-3)
    if rng.random() < 0.3:  # what is bright shines, and what is dark stays as it is
        relief = np.where(relief > 0, relief * rng.uniform(1, 1.8), relief * 0.8)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), float(rng.uniform(0.6, 1.5)))
    relief = relief + 0.25 * strength * grain
    cover = np.clip((edge - far) * radius / 2 + 0.5, 0, 1)[..., None]
    made = np.exp(np.where(cover > 0, np.minimum(metal + relief[..., None], 6), light)) - 4
    return np.asarray(np.clip(crop + (made - crop) * cover, 0, 255), np.uint8)


def _metal(light: NDArray[np.float32], x: Plane, y: Plane, far: Plane) -> NDArray[np.float32]:
    """(side, side, 3) the logarithm of what the metal would show without any relief: a quadratic in x and y."""
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)
    within = far < 0.9
    fitted, *_ = np.linalg.lstsq(terms[within], light[within], rcond=None)
    return np.asarray(np.where(within[..., None], terms @ fitted, light), np.float32)


def _collage(donors: NDArray[np.uint8], x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    """Relief of several coins (N, side, side, 3), each a patch from another place of another coin."""
    whole = np.zeros_like(x)
    for donor in donors:
        here = smooth_field(len(x), rng, int(rng.integers(3, 6)))
        mask = np.clip(here * 8 + rng.uniform(0, 3), 0, 1)
        whole += mask * (_piece(donor, x, y, rng) - whole)
    return whole


def _piece(donor: NDArray[np.uint8], x: Plane, y: Plane, rng: np.random.Generator) -> Plane:
    """The relief of `donor`, moved, bent, turned and half of the time mirrored, so that nobody knows it again."""
    side = len(donor)
    radius = side / 2 / REACH
    grey = np.log(cv2.cvtColor(donor, cv2.COLOR_BGR2GRAY).astype(np.float32) + 4)
    detail = grey - cv2.GaussianBlur(grey, (0, 0), 0.2 * radius)
    turn, size, away = rng.uniform(0, math.tau), rng.uniform(0.65, 1.05), rng.uniform(0.0, 0.35)
    angle = rng.uniform(0, math.tau)
    bent = [smooth_field(side, rng) * 0.1 for _ in range(2)]
    u, v = x * size + bent[0], y * size * rng.choice([-1, 1]) + bent[1]
    u, v = u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn)
    u, v = u + away * math.cos(angle), v + away * math.sin(angle)
    far = np.hypot(u, v)  # what would lie beyond the donor's rim is seen mirrored at it
    back = np.where(far > 0.85, np.clip(1.7 - far, 0, None) / np.maximum(far, 1e-6), 1)
    at_x, at_y = (u * back * radius + (side - 1) / 2, v * back * radius + (side - 1) / 2)
    seen = cv2.remap(detail, at_x.astype(np.float32), at_y.astype(np.float32), cv2.INTER_CUBIC)
    seen = np.clip(seen, -1, 1)
    return np.asarray(seen / max(float(seen[np.hypot(x, y) < 0.8].std()), 0.02), np.float32)
