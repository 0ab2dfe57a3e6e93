"""The light on the empty mat: how uneven it is and of which colour. Then the camera's exposure and colour are locked.

The picture is divided into a coarse grid. In each cell that shows mat, the 80th percentile is taken as the paper, so
that thin lines and small print do not count. The gains bring every cell to the brightness of the brightest ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.markers import as_it_lies, found, no_mat
from calibration.overlay import RED_BGR, tint
from calibration.step import Outcome, Sight
from calibration.words import Said, joined, say, word
from tablecoin.vision.calibrated import GAIN_HIGH, GAIN_LOW, FlatField, Locks
from tablecoin.vision.frame import Image
from tablecoin.vision.place.plane import Plane

COLUMNS, ROWS = 16, 12
_LEAST_MAT = 0.5  # share of a cell that must show mat for the cell to count
_COVERED = 0.88  # a cell below this share of its predicted brightness is covered; bare hands are not very dark
_HAND_CELLS = 5  # from so many covered cells on, something larger than a coin lies there
_WORST_SHARE = 1 / GAIN_HIGH

Grid = NDArray[np.float64]


class LightStep:
    """Measures the light on the empty mat."""

    name, pictures, optional = "light", 5, False

    def run(self, sight: Sight) -> Outcome:
        plane = found(sight)
        if plane is None:
            return no_mat(sight)
        image = sight.frame.image
        paper = paper_grid([frame.image for frame in sight.frames], plane)
        grey = paper.mean(axis=2)
        hidden = _covered(grey)
        coins = sight.reader().read(sight.frame).coins
        if any(coin.sure for coin in coins) and hidden.sum() < _HAND_CELLS:  # fingertips look somewhat like coins
            return Outcome(False, say("light.coins", coins=len(coins)), image, say("light.coins.do"))
        if coins or hidden.any():
            height, width = image.shape[:2]
            where = cv2.resize(hidden.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
            return Outcome(False, say("light.covered"), tint(image, where, RED_BGR), say("light.covered.do"))
        darkest = float(np.nanmin(grey) / np.nanpercentile(grey, 95))
        figures: dict[str, float] = {
            "darkest_percent": round(100 * darkest),
            "white": round(float(np.nanpercentile(grey, 90))),
        }
        if darkest < _WORST_SHARE:
            said = say("light.uneven", darkest=100 * darkest)
            return Outcome(False, said, image, say("light.uneven.do"), figures)
        held = sight.lock()
        light = flat_field(paper)
        figures["unevenness"] = round(light.unevenness, 3)
        said = say("light.ok", darkest=100 * darkest, held=_held(held))
        changes = {"light": light, "locks": held, "plane": as_it_lies(plane, image)}
        return Outcome(True, said, image, figures=figures, changes=changes)


def paper_grid(images: Sequence[Image], plane: Plane) -> Grid:
    """The paper's colour in each cell over all pictures, (ROWS, COLUMNS, 3) BGR; NaN in cells without mat."""
    height, width = images[0].shape[:2]
    corners = [(0, 0), (plane.mat.width_mm, 0), (plane.mat.width_mm, plane.mat.height_mm), (0, plane.mat.height_mm)]
    mat = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mat, [np.round(plane.to_px(corners)).astype(np.int32)], 1)
    mean = np.mean(images, axis=0)
    grid = np.full((ROWS, COLUMNS, 3), np.nan)
    for row in range(ROWS):
        for column in range(COLUMNS):
            rows = slice(row * height // ROWS, (row + 1) * height // ROWS)
            columns = slice(column * width // COLUMNS, (column + 1) * width // COLUMNS)
            inside = mat[rows, columns] > 0
            if inside.mean() >= _LEAST_MAT:
                grid[row, column] = np.percentile(mean[rows, columns][inside], 80, axis=0)
    return grid


def flat_field(paper: Grid) -> FlatField:
    """The gains for a grid as `paper_grid` gives; a smooth surface (a quadratic in x and y) fills and tames it."""
    grey = paper.mean(axis=2)
    smooth = _surface(grey)
    gains = np.clip(np.percentile(smooth, 90) / smooth, GAIN_LOW, GAIN_HIGH)
    colours = np.nanmedian(paper.reshape(-1, 3), axis=0)
    blue, green, red = np.clip(colours.mean() / colours, GAIN_LOW, GAIN_HIGH)
    rows = tuple(tuple(round(float(gain), 3) for gain in row) for row in gains)
    return FlatField(rows, (round(float(blue), 3), round(float(green), 3), round(float(red), 3)))


def _surface(grey: Grid) -> Grid:
    """The quadratic through the cells that are known, fitted by least squares, for all cells."""
    y, x = np.mgrid[-1 : 1 : ROWS * 1j, -1 : 1 : COLUMNS * 1j]
    terms = np.stack((np.ones_like(x), x, y, x * x, x * y, y * y), axis=-1)
    known = ~np.isnan(grey)
    found_terms, *_ = np.linalg.lstsq(terms[known], grey[known], rcond=None)
    return np.asarray(np.clip(terms @ found_terms, 1, 255))


def _covered(grey: Grid) -> NDArray[np.bool_]:
    """Cells much darker than a smooth light predicts. Dark cells are left out of the prediction."""
    known = ~np.isnan(grey)
    trusted = grey.copy()
    trusted[known & (grey < 0.8 * np.nanpercentile(grey, 75))] = np.nan
    promised = _surface(trusted if (~np.isnan(trusted)).sum() >= 12 else grey)
    return np.asarray(known & (np.nan_to_num(grey, nan=255.0) < _COVERED * promised))


def _held(locks: Locks) -> Said:
    locked = [word(name) for name, value in msgspec.structs.asdict(locks).items() if value is not None]
    return say("light.held", what=joined(locked)) if locked else say("light.not_held")
