"""Coins cut out of labelled photos: whole ones only, all with one exposure."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.labels import Label, Photo
from lab.reading.cutouts import EXPOSED, WHITE, cut_out
from tablecoin import mat as mats
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.frame import Disc

MAT = mats.load("two-row")
COINS = (
    VirtualCoin(Denomination.QUARTER, Face.HEADS, 120, 250, 10),
    VirtualCoin(Denomination.PENNY, Face.TAILS, 170, 250, 60),
    VirtualCoin(Denomination.DIME, Face.HEADS, 230, 250, 200),
    VirtualCoin(Denomination.NICKEL, Face.HEADS, 300, 250, 0),
    VirtualCoin(Denomination.NICKEL, Face.HEADS, 320, 250, 0),  # these two touch: neither is cut out
)


def photographed(folder: Path, brightness: float) -> dict[str, float]:
    """The mean grey level of each cut-out of a photo in this light, by kind and face."""
    folder.mkdir()
    view = View.over(MAT, size_px=(2184, 1632))
    image = Renderer(MAT, view, Light(brightness=brightness)).picture(Scene(coins=COINS))
    cv2.imwrite(str(folder / "table.png"), image)
    labels = []
    for coin in COINS:
        reach = coin.denomination.diameter_mm / 2
        (x, y), (rim, _) = view.to_px([(coin.x_mm, coin.y_mm), (coin.x_mm + reach, coin.y_mm)])
        labels.append(Label(Disc(float(x), float(y), float(rim - x)), str(coin.denomination), str(coin.face)))
    photo = Photo("somebody/table.png", tuple(labels), complete=True)
    (folder / "somebody").mkdir()
    (folder / "table.png").rename(folder / photo.name)
    out = folder / "cut"
    out.mkdir()
    assert cut_out([photo], folder, {"somebody"}, out) == len(list(out.iterdir()))
    return {"_".join(one.name.split("_")[:2]): float(np.mean(load_picture(one))) for one in out.iterdir()}


@pytest.mark.long
def test_one_exposure_for_all_coins_of_a_photo(tmp_path: Path) -> None:
    day, dusk = (photographed(tmp_path / name, light) for name, light in (("day", 1.0), ("dusk", 0.5)))
    assert set(day) == set(dusk) == {"quarter_heads", "penny_tails", "dime_heads"}
    for levels in (day, dusk):
        assert np.median(list(levels.values())) == pytest.approx(EXPOSED, abs=2)
    assert dusk == pytest.approx(day, rel=0.04), "a coin darker than its neighbours stays darker"


def test_dark_coins_are_not_brightened_until_silver_ones_burn_out(tmp_path: Path) -> None:
    """Four pennies much darker than a quarter: their median alone would ask for a gain that leaves it white."""
    grey = {"quarter": 170, "penny": 60}
    image = np.full((300, 900, 3), 30, np.uint8)
    names = ("penny", "penny", "quarter", "penny", "penny")
    discs = [Disc(100 + 170 * k, 150, 60) for k in range(len(names))]
    for name, disc in zip(names, discs, strict=True):
        cv2.circle(image, (int(disc.x_px), 150), 60, (grey[name],) * 3, -1, cv2.LINE_AA)
    (tmp_path / "ann").mkdir()
    cv2.imwrite(str(tmp_path / "ann/table.png"), image)
    labels = tuple(Label(disc, name, "heads") for name, disc in zip(names, discs, strict=True))
    (tmp_path / "cut").mkdir()
    assert cut_out([Photo("ann/table.png", labels, complete=True)], tmp_path, {"ann"}, tmp_path / "cut") == 5
    levels = {one.name.split("_")[0]: load_picture(one)[60, 60].mean() for one in (tmp_path / "cut").iterdir()}
    assert levels["quarter"] == pytest.approx(WHITE, abs=2)
    assert levels["penny"] == pytest.approx(WHITE * grey["penny"] / grey["quarter"], abs=2)
