"""Crops are the same from a picture and from its pyramid, and each is scaled to one brightness."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tablecoin.vision.coins.crops import CROP_PX, DISC_MEAN, MIDDLE, Halvings, cut, evened
from tablecoin.vision.frame import Disc

PICTURE = np.random.default_rng(1).integers(0, 255, (300, 400, 3)).astype(np.uint8)
DISCS = [Disc(100, 90, 20), Disc(200.5, 150.2, 75), Disc(330, 120, 140), Disc(-20, 310, 60)]


def test_halvings_are_made_once_and_give_the_same_crops() -> None:
    halvings = Halvings(PICTURE)
    assert (cut(halvings, DISCS) == cut(PICTURE, DISCS)).all()
    assert halvings.at(1)[0] is halvings.at(1)[0]
    assert halvings.at(0) == (PICTURE, 0)


def test_a_picture_is_halved_only_as_often_as_its_size_allows() -> None:
    smallest, level = Halvings(PICTURE[:5, :3]).at(7)
    assert (smallest.shape, level) == ((2, 1, 3), 1)


@pytest.mark.parametrize("light", [0.3, 1.0])
def test_every_disc_is_scaled_to_one_brightness_and_keeps_its_colours(light: float) -> None:
    crops = cut((PICTURE * light).astype(np.uint8), DISCS[:2])
    pixels = evened(crops)
    assert pixels.shape == (2, 3, CROP_PX, CROP_PX)
    assert pixels.flags.c_contiguous
    assert np.einsum("ncyx,yx->n", pixels, DISC_MEAN) == pytest.approx(MIDDLE, rel=0.15)
    assert pixels[0, 2, 40, 40] * crops[0, 40, 40, 0] == pytest.approx(pixels[0, 0, 40, 40] * crops[0, 40, 40, 2])


def test_a_crop_holds_its_disc_at_one_size_and_brightness() -> None:
    y, x = np.mgrid[:800, :800]
    for r_px, bright in ((20, 60), (55, 120), (210, 240)):
        image = np.where(np.hypot(x - 400, y - 390)[..., None] <= r_px, bright, 10).astype(np.uint8).repeat(3, axis=2)
        crop = cut(image, [Disc(400, 390, r_px)])
        inside = (crop[0, :, :, 0] > bright / 2).sum()
        assert inside == pytest.approx(math.pi * (CROP_PX / 2.4) ** 2, rel=0.06)
        assert evened(crop)[0, :, 28:36, 28:36].mean() == pytest.approx(0.45, rel=0.15)
