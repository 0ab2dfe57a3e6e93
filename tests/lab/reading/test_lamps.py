"""Rows of the table of lamps: at the default rate a table comes to rest under each; at others the page says why not."""

from __future__ import annotations

import math

import pytest

from lab.reading.lamps import DEFAULT_FPS, GOAL_S, Film, Setting, Settled, grid, table
from tablecoin.settings import Settings
from tablecoin.vision.rest.unrest import FLICKERS


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(seed=4)


def test_the_default_rate_is_the_one_of_the_settings() -> None:
    assert Settings().camera.fps == DEFAULT_FPS


@pytest.mark.parametrize("shutter", ["rolling", "global"])
@pytest.mark.parametrize(
    ("ripple", "exposure_ms", "swings_hz"), [(0.3, 4.0, 100.0), (0.3, 14.2, 120.0), (1.0, 1.0, 100.0)]
)
def test_at_the_default_rate_the_table_is_at_rest_in_time(
    film: Film, ripple: float, exposure_ms: float, swings_hz: float, shutter: str
) -> None:
    assert film.settled(Setting(ripple, exposure_ms, shutter, DEFAULT_FPS, swings_hz)).after_s <= GOAL_S


@pytest.mark.parametrize(
    ("exposure_ms", "rests", "said"),
    [
        (10.0, True, None),  # whole swings of the light
        (4.0, False, FLICKERS.key),
    ],
)
def test_at_thirty_frames_only_whole_swings_help_and_else_the_flicker_is_named(
    film: Film, exposure_ms: float, rests: bool, said: str | None
) -> None:
    settled = film.settled(Setting(0.3, exposure_ms, "rolling", 30.0, 100.0))
    assert (settled.after_s <= GOAL_S) is rests
    assert settled.said == said


def test_the_table_holds_the_slowest_trial_of_each_cell() -> None:
    done = [Settled(setting, 0.7, None) for setting in grid((20.0,))]
    slow = done[0].setting
    lines = table([*done, Settled(slow, math.inf, FLICKERS.key)], fps=(20.0,))
    assert lines[1].split()[:6] == ["10%", "1.0", "ms", "rolling", "never", "0.70"]
    assert lines[-1].endswith("over 1.2 s 0, never 1, of these without a reason 0")
