"""A coin that shows no relief keeps its face in doubt, whatever the light and the size of the picture.

Drawn coins lie on paper, as struck or blurred until nothing is left of their relief; then come light and noise.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.art import draw_coin
from tablecoin.vision.coins import relief
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.looks import KINDS
from tablecoin.vision.coins.sureness import FACE_SURE
from tablecoin.vision.frame import Disc, Image

SHARP, SMOOTH = 0.003, 0.16  # standard deviation of the blur of a coin's picture, in radii
LIGHTS = {"good": (1.0, 2.0), "dim": (0.45, 4.0), "grainy": (0.7, 7.0), "still": (1.0, 0.0)}  # brightness and noise


def laid(kind: Denomination, face: Face, blur: float, r_px: int, light: str) -> tuple[Halvings, Disc]:
    """A picture of one coin of radius `r_px`, and where it lies in it."""
    coin = draw_coin(kind, face, 0, 2 * r_px)
    metal, alpha = cv2.GaussianBlur(coin[..., :3], (0, 0), blur * r_px), coin[..., 3:] / 255
    picture = np.full((3 * r_px, 3 * r_px, 3), 235.0)
    at = slice(r_px // 2, r_px // 2 + 2 * r_px)
    picture[at, at] += alpha * (metal - picture[at, at])
    brightness, noise = LIGHTS[light]
    grain = np.random.default_rng(r_px).normal(0, noise, picture.shape)
    seen: Image = np.clip(brightness * picture + grain, 0, 255).astype(np.uint8)
    return Halvings(seen), Disc(r_px // 2 + r_px - 0.5, r_px // 2 + r_px - 0.5, r_px)


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


def sure_of(disc: Disc, heads_if: float) -> Candidates:
    """A penny for certain, and heads with this probability."""
    kinds = np.eye(KINDS)[:1]
    return replace(Candidates.proposed([disc]), kinds=kinds, heads_if=np.full((1, len(BY_VALUE)), heads_if))


@pytest.mark.parametrize("heads", [0.9999, 0.0001])
def test_only_the_face_of_a_smooth_coin_is_left_open(heads: float) -> None:
    for blur, is_sure in ((SHARP, True), (SMOOTH, False)):
        picture, disc = laid(BY_VALUE[0], Face.HEADS, blur, 32, "good")
        seen = sure_of(disc, heads)
        left = relief.faces_left_open(seen, picture)
        assert (left.certainty[1][0] >= FACE_SURE) == is_sure
        assert (left.heads_if > 0.5).all() == (heads > 0.5), "it still tells what the networks lean to"
        assert left.certainty[0] == seen.certainty[0]


def test_a_face_in_doubt_stays_as_it_is() -> None:
    picture, disc = laid(BY_VALUE[0], Face.HEADS, SMOOTH, 32, "good")
    assert relief.faces_left_open(sure_of(disc, 0.6), picture).heads_if.tolist() == [[0.6] * len(BY_VALUE)]


def test_three_looks_without_relief_do_not_make_a_face_sure_together() -> None:
    odds = relief.OPEN / (1 - relief.OPEN)
    assert odds**3 / (1 + odds**3) < FACE_SURE


def test_discs_at_and_beyond_the_border_are_measured() -> None:
    picture, disc = laid(BY_VALUE[0], Face.HEADS, SHARP, 32, "good")
    corner, gone = replace(disc, x_px=0.0, y_px=0.0), replace(disc, x_px=-500.0)
    assert relief.shown(picture, [corner, gone])[1] == 0
    assert relief.shown(picture, []).shape == (0,)
