"""A coin that shows no relief is told from a struck one, whatever the light and the size of the picture.

Drawn coins lie on paper, as struck or blurred until nothing is left of their relief; then come light and noise.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from itertools import product

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.art import draw_coin
from tablecoin.vision.coins import relief
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.frame import Disc, Image

SHARP, SMOOTH = 0.003, 0.16  # standard deviation of the blur of a coin's picture, in radii
LIGHTS = {"good": (1.0, 2.0), "dim": (0.45, 4.0), "grainy": (0.7, 7.0), "still": (1.0, 0.0)}  # brightness and noise


def laid(kind: Denomination, face: Face, blur: float, r_px: int, light: str) -> tuple[Halvings, Disc]:
    """A picture of one coin of radius `r_px`, and where it lies in it."""
    brightness, noise = LIGHTS[light]
    lit = brightness * on_paper(kind, face, blur, r_px) + noise * grain(r_px)
    seen: Image = np.clip(lit, 0, 255).astype(np.uint8)
    return Halvings(seen), Disc(r_px // 2 + r_px - 0.5, r_px // 2 + r_px - 0.5, r_px)


@lru_cache(maxsize=4)
def on_paper(kind: Denomination, face: Face, blur: float, r_px: int) -> NDArray[np.float64]:
    coin = draw_coin(kind, face, 0, 2 * r_px)
    metal, alpha = cv2.GaussianBlur(coin[..., :3], (0, 0), blur * r_px), coin[..., 3:] / 255
    picture = np.full((3 * r_px, 3 * r_px, 3), 235.0)
    at = slice(r_px // 2, r_px // 2 + 2 * r_px)
    picture[at, at] += alpha * (metal - picture[at, at])
    return picture


@cache
def grain(r_px: int) -> NDArray[np.float64]:
    """Noise of standard deviation 1 for a picture of a coin of that radius."""
    return np.random.default_rng(r_px).standard_normal((3 * r_px, 3 * r_px, 3))


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("r_px", [28, 40, 64, 150])
@pytest.mark.parametrize("kind", BY_VALUE)
def test_relief_tells_a_struck_coin_from_a_smooth_one(kind: Denomination, r_px: int, light: str) -> None:
    for face in Face:
        (struck,), (smooth,) = (
            relief.shown(picture, [disc])
            for picture, disc in (laid(kind, face, b, r_px, light) for b in (SHARP, SMOOTH))
        )
        assert smooth < relief.NONE < struck


def test_discs_at_and_beyond_the_border_are_measured() -> None:
    picture, disc = laid(BY_VALUE[0], Face.HEADS, SHARP, 32, "good")
    corner, gone = replace(disc, x_px=0.0, y_px=0.0), replace(disc, x_px=-500.0)
    assert relief.shown(picture, [corner, gone])[1] == 0
    assert relief.shown(picture, []).shape == (0,)


@pytest.mark.parametrize(("noise", "r_px"), [(0.5, 30), (0.5, 64), (2.0, 64), (6.0, 64)])
def test_bare_paper_in_a_ring_is_doubted(noise: float, r_px: int) -> None:
    paper = np.full((3 * r_px, 3 * r_px, 3), 225.0)
    middle = 3 * r_px // 2
    cv2.circle(paper, (middle, middle), round(0.92 * r_px), (40, 40, 40), r_px // 8)
    ring = np.clip(paper + np.random.default_rng(1).normal(0, noise, paper.shape), 0, 255).astype(np.uint8)
    assert relief.doubts(Halvings(ring), [Disc(middle, middle, r_px)]).all()


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("blur", [SHARP, SMOOTH / 2])
def test_no_coin_is_taken_for_bare_paper(blur: float, light: str) -> None:
    """Not one worn nearly smooth either, and none in noise that may hide what it shows."""
    for kind, face, r_px in product(BY_VALUE, Face, (28, 64)):
        picture, disc = laid(kind, face, blur, r_px, light)
        assert not relief.doubts(picture, [disc]).any()
