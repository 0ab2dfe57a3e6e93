"""A coin turned over under no hand is noticed and read, and a table left alone is not read again."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lab.reading.sensors import ROWS
from lab.reading.touches import Touch, line_of, touch

SWAY = next(row for row in ROWS if row.name == "sway ±0.2 mm")


@pytest.mark.long
def test_before_a_swaying_camera_a_coin_turned_over_is_noticed_and_a_table_left_alone_stays_settled() -> None:
    done = touch(SWAY, "turned over", np.random.default_rng(4))
    assert done.noticed_s < 3
    assert done.right
    assert math.isinf(touch(SWAY, "left alone", np.random.default_rng(4)).noticed_s)


def test_a_row_counts_what_was_noticed_and_read_rightly() -> None:
    some = [
        Touch("any", "turned over", seconds, right) for seconds, right in ((1.0, True), (2.0, False), (math.inf, False))
    ]
    assert line_of(SWAY, "turned over", some).endswith("turned over             3  noticed  2  read right  1")
