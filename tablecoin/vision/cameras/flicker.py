"""Exposure times under mains lamps. Such a lamp's brightness swings twice in each period of the mains.

A picture exposed for whole swings gets the same light whenever it is taken, and shows no bands under a rolling
shutter. Shorter or longer exposures get more light at one time than at another, which looks like movement.
"""

from __future__ import annotations

from typing import Literal

MainsHz = Literal[0, 50, 60]  # 0: no lamp that flickers


def swing_us(mains_hz: MainsHz) -> int | None:
    """How long one swing of a lamp's brightness lasts: 10,000 us at 50 Hz, 8,333 at 60; None: it does not swing."""
    return round(1e6 / (2 * mains_hz)) if mains_hz else None


def steady(exposure_us: int, gain: float | None, mains_hz: MainsHz) -> tuple[int, float | None]:
    """The nearest exposure of whole swings, and the gain that keeps the picture as bright.

    The gain stays 1 or more, so an exposure becomes longer only where there is gain to give up. An exposure too short
    for one whole swing stays as it is: the picture would be overexposed. With gain None the exposure is only ever cut,
    and only where that loses less than a third of the light.
    """
    swing = swing_us(mains_hz)
    if swing is None:
        return exposure_us, gain
    whole = exposure_us // swing
    if gain is None:
        return (whole * swing, None) if 3 * whole * swing >= 2 * exposure_us else (exposure_us, None)
    swings = max(1, round(exposure_us / swing))
    light = exposure_us * gain
    if light < swings * swing:  # the gain would fall below 1
        swings = whole
    if swings == 0:
        return exposure_us, gain
    return swings * swing, light / (swings * swing)
