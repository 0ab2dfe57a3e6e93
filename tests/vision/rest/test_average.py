"""Means of a table at rest: noise and sway cancel, slow light adds up to nothing, and a step is seen at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tablecoin.vision.frame import Frame, Image
from tablecoin.vision.rest.average import SPAN_S, Average, MeanFrame
from tablecoin.vision.rest.change import Field

FPS = 10.0
PLAIN = np.zeros((40, 60), np.float32)


def compared(levels: list[Field], average: Average | None = None) -> list[tuple[Field, Field]]:
    """The pairs of means that come out of a film of `levels`."""
    average = average or Average()
    pairs = (average.add(level, n / FPS) for n, level in enumerate(levels))
    return [pair for pair in pairs if pair is not None]


def test_the_first_mean_is_compared_with_nothing_and_each_later_one_with_it() -> None:
    spans = round(SPAN_S * FPS) + 1  # pictures of one mean
    assert not compared([PLAIN] * spans)
    assert len(compared([PLAIN] * 3 * spans)) == 2


def test_noise_falls_by_the_root_of_the_number_of_pictures() -> None:
    chance = np.random.default_rng(1)
    ((mean, first),) = compared([chance.normal(0, 0.05, PLAIN.shape).astype(np.float32) for _ in range(22)])
    assert mean.std() == pytest.approx(0.05 / math.sqrt(11), rel=0.1)
    assert first.std() == pytest.approx(0.05 / math.sqrt(11), rel=0.1)


def test_a_step_is_seen_whole_and_a_slow_change_stays_small() -> None:
    step = compared([PLAIN] * 11 + [PLAIN + 0.1] * 11)
    assert np.mean(step[-1][0] - step[-1][1]) == pytest.approx(0.1)
    slow = compared([PLAIN + np.float32(0.002 * n / FPS) for n in range(600)])
    assert max(float(np.mean(mean - first)) for mean, first in slow) < 0.012


def test_after_a_motion_nothing_of_before_is_left() -> None:
    average = Average()
    assert len(compared([PLAIN] * 22, average)) == 1
    average.clear()
    assert not compared([PLAIN + 1] * 11, average)


def noisy(count: int) -> list[Image]:
    """Pictures of grey paper with a noise of four levels, (40, 60, 3) each."""
    chance = np.random.default_rng(2)
    return [np.asarray(chance.normal(120, 4, (40, 60, 3)).round(), np.uint8) for _ in range(count)]


def mean_of(pictures: list[Image], mean: MeanFrame | None = None) -> Frame:
    """The last of `pictures`, as a reader gets it."""
    mean = mean or MeanFrame()
    for picture in pictures:
        mean.add(picture)
    return mean.take(Frame(pictures[-1], 7, 1.5))


def test_four_pictures_have_half_the_noise_of_one() -> None:
    frame = mean_of(noisy(4))
    assert (frame.number, frame.taken_s) == (7, 1.5)
    assert frame.image.std() == pytest.approx(2.0, rel=0.1)
    assert frame.image.mean() == pytest.approx(120, abs=0.2)


def test_one_picture_is_its_own_mean() -> None:
    (picture,) = noisy(1)
    assert mean_of([picture]).image is picture


def test_no_picture_counts_twice_and_none_from_before_a_motion() -> None:
    mean = MeanFrame()
    first, second, third = noisy(3)
    mean_of([first], mean)
    assert mean_of([second], mean).image is second
    mean.add(first)
    mean.clear()
    assert mean_of([third], mean).image is third
