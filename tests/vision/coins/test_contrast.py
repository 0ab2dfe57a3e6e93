"""A part of a picture is equalised as the whole is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablecoin.vision.coins.contrast import equalised, equalised_parts


@pytest.mark.parametrize(("high", "wide"), [(532, 734), (536, 736), (301, 411), (536, 735)])
def test_a_part_is_equalised_as_the_whole_is(high: int, wide: int) -> None:
    """But for rounding: OpenCV counts the distance from a tile in floats."""
    noise = np.random.default_rng(1).integers(0, 256, (high, wide)).astype(np.uint8)
    grey = np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), np.uint8)
    whole = equalised(grey)
    for left, top in ((0, 0), (130, 90), (wide - 120, high - 110)):
        (part,) = equalised_parts(grey, [(left, top, left + 120, top + 110)])
        assert cv2.absdiff(part, whole[top : top + 110, left : left + 120].copy()).max() <= 1


def test_no_window_needs_nothing() -> None:
    assert equalised_parts(np.zeros((80, 80), np.uint8), []) == []
