"""Photos of maps taken by hand: they show coins as sharply as their pixels allow."""

from __future__ import annotations

import pytest

from lab.reading.phone import finest_px_per_mm
from tablecoin import mat as mats
from tablecoin.virtual.view import View

MAT = mats.load("coin-age:classic")


@pytest.mark.parametrize("width_px", [1600, 3200])
def test_straight_from_above_every_side_has_the_same_scale(width_px: int) -> None:
    """The mat fills the picture but for its margin."""
    view = View.over(MAT, margin_mm=0.0, size_px=(width_px, 2 * width_px))
    assert finest_px_per_mm(view, MAT) == pytest.approx(width_px / MAT.width_mm, rel=0.01)


def test_of_a_tilted_view_the_nearest_side_counts() -> None:
    view = View.over(MAT, size_px=(2560, 1920), tilt_deg=30, towards_deg=90)
    (left, right), (far_left, far_right) = (
        view.to_px([(0, y), (MAT.width_mm, y)]).tolist() for y in (0, MAT.height_mm)
    )
    widths = [abs(b[0] - a[0]) / MAT.width_mm for a, b in ((left, right), (far_left, far_right))]
    assert min(widths) < 0.95 * max(widths)
    assert finest_px_per_mm(view, MAT) == pytest.approx(max(widths), rel=0.02)
