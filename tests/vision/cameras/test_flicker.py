"""Exposures under mains lamps are whole swings of their light."""

from __future__ import annotations

import pytest

from tablecoin.vision.cameras.flicker import MainsHz, steady


@pytest.mark.parametrize(
    ("what", "exposure_us", "gain", "mains_hz", "expected"),
    [
        ("whole swings stay", 20_000, 2.0, 50, (20_000, 2.0)),
        ("the nearest whole swing, the gain makes up for it", 14_000, 2.0, 50, (10_000, 2.8)),
        ("longer, with less gain", 16_000, 2.5, 50, (20_000, 2.0)),
        ("never a gain below 1: shorter instead", 16_000, 1.1, 50, (10_000, 1.76)),
        ("a dark exposure below one swing grows", 4_000, 5.0, 50, (10_000, 2.0)),
        ("a bright one stays: whole swings would overexpose", 4_000, 1.0, 50, (4_000, 1.0)),
        ("60 Hz mains", 9_000, 1.5, 60, (8_333, 1.62)),
        ("lamps that do not flicker", 14_200, 1.5, 0, (14_200, 1.5)),
        ("a gain that may not change: cut a little", 11_000, None, 50, (10_000, None)),
        ("a gain that may not change: not by a third", 19_000, None, 50, (19_000, None)),
    ],
)
def test_an_exposure_becomes_whole_swings(
    what: str, exposure_us: int, gain: float | None, mains_hz: MainsHz, expected: tuple[int, float | None]
) -> None:
    found_us, found_gain = steady(exposure_us, gain, mains_hz)
    assert found_us == expected[0], what
    assert found_gain == (None if expected[1] is None else pytest.approx(expected[1], rel=1e-3)), what
