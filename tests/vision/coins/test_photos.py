"""The whole reader on drawn tables, and on real photos where they lie beside the checkout.

The shipped network was trained on these photos too, so this shows that all parts work together, not how good they are:
that is measured on photographers kept out of the training (docs/model-card.md).
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.labels import Photo, read_labels
from calibration.scorecard import POOLED, compile_card
from lab.reading.scenes import scattered
from lab.reading.tally import tally
from tablecoin import mat as mats
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene
from tablecoin.virtual.view import View
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Reading

PHOTOS = Path(__file__).parents[4] / "shared" / "coins" / "scenes"
FOLDER = "ethanyzhang"  # cloths of five colours, buttons, coins that overlap
beside = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the real photos do not lie beside the checkout")


@beside
@pytest.mark.photos
@pytest.mark.parametrize(
    "count",
    [
        pytest.param(1, marks=pytest.mark.heavy),  # a whole photo
        pytest.param(13, marks=pytest.mark.long),
    ],
)
def test_coins_of_real_photos_are_found_and_none_is_wrong_and_sure(count: int) -> None:
    photos = [photo for photo in read_labels(PHOTOS / "labels.csv") if photo.folder == FOLDER]
    assert len(photos) == 13

    def read(photo: Photo) -> Reading:
        return Reader("none").read(Frame(load_picture(PHOTOS / photo.name), 0, 0.0))

    score = compile_card(photos[:count], read).folders[POOLED]
    assert score.pictures == count
    assert score.missed <= 1
    assert score.invented == score.wrong_and_sure == 0
    assert score.sure >= 0.9 * score.coins


LIGHTS = {"plain": Light(), "dim": Light(brightness=0.5, noise=4.0), "warm": Light(warmth=0.15)}


@pytest.mark.parametrize("light", LIGHTS)
def test_coins_of_drawn_tables_are_found_and_none_is_wrong_and_sure(light: str) -> None:
    mat = mats.load("two-row")
    coins = scattered(mat, Skin(), np.random.default_rng(4), count=12)
    picture = Renderer(mat, View.over(mat, size_px=(1092, 816)), LIGHTS[light]).picture(Scene(coins=coins))
    decoded = cv2.imdecode(cv2.imencode(".jpg", picture)[1], cv2.IMREAD_COLOR)
    found = tally(coins, Reader("two-row").read(Frame(np.asarray(decoded, np.uint8), 0, 0.0)))
    assert found.found == 12
    assert found.invented == found.wrong_and_sure == 0
    assert found.sure >= 10
