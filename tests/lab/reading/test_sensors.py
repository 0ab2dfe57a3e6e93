"""The sensor table: trials settle on an easy camera, do not on a hopeless one, and are counted."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lab.reading.sensors import ROWS, Trial, line_of, trial
from tablecoin import mat as mats
from tablecoin.vision.rest.unrest import SWAYS

ROW = {row.name: row for row in ROWS}
MAT = mats.load("two-row")


@pytest.mark.long
def test_a_change_before_a_webcam_is_settled_and_read() -> None:
    done = trial(ROW["a webcam's noise"], MAT, np.random.default_rng(5))
    assert done.settled_s < 1.2
    assert (done.right, done.said, done.early) == (True, None, 0)


@pytest.mark.long
@pytest.mark.parametrize("lamp", ["100 Hz, tube, 1/120 s", "120 Hz, tube, 1/100 s"])
def test_a_tube_filmed_for_the_other_mains_is_settled_and_read(lamp: str) -> None:
    """Its bands of 11 % run down the picture: before strips told them from things, every second table never settled."""
    done = trial(ROW[lamp], MAT, np.random.default_rng(5))
    assert done.settled_s < 1.2
    assert (done.right, done.said, done.early) == (True, None, 0)


@pytest.mark.long
def test_a_camera_that_sways_wildly_is_told_to_stand_still() -> None:
    done = trial(ROW["sway ±1.5 mm"], MAT, np.random.default_rng(5))
    assert math.isinf(done.settled_s)
    assert done.said == SWAYS.key


@pytest.mark.parametrize(
    ("settled_s", "words"),
    [
        ([0.6, 0.6, 0.7], "p50 0.60s  p95 0.70s  over 1.2 s  0  never  0  read right  3/3"),
        ([0.6, 1.3, math.inf], "p50 1.30s  p95     -  over 1.2 s  1  never  1  read right  2/2  says hand"),
        ([math.inf] * 3, "p50     -  p95     -  over 1.2 s  0  never  3  read right  0/0  says hand"),
    ],
)
def test_a_row_says_when_it_settled_what_was_read_and_what_is_said(settled_s: list[float], words: str) -> None:
    some = [Trial("any", s, math.isfinite(s), "hand" if s > 1.2 else None, 0) for s in settled_s]
    assert words in line_of(ROWS[0], some)
