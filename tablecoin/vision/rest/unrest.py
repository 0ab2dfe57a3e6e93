"""Why a table does not come to rest, so that people can be told what to do about it.

Every quarter of a second a frame that shows motion is put down to one cause; after RESTLESS_S without rest the most
frequent one is said.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from tablecoin.rules.rulebook import Message
from tablecoin.vision.rest.change import Field, change, levels, noise, sway

RESTLESS_S = 3.0  # without rest, after which people are told why
SWAYS, FLICKERS, GRAINY, MOVES = (Message(f"vision.restless.{why}") for why in ("sway", "flicker", "grain", "moving"))

_ASKS_S = 0.25  # between frames that are put down to a cause: that costs as much as all the rest of a frame
_LIGHT = 0.03  # mean change of the light between two frames, as a fraction, from which a lamp flickers
_BANDS = 0.5  # least share of the remaining change, as a root mean square, that differs by rows alone: bands of a lamp
_SWAY_PX = 0.15  # movement of the whole picture in small pixels, from which it sways
_EXPLAINED = 0.8  # such a movement leaves at most this share of the change
_GRAIN_LEVELS = 6.0  # standard deviation of the noise between two small pictures; a webcam's is about 1


class Unrest:
    """Follows the frames of one camera, in the order in which they were taken."""

    def __init__(self) -> None:
        self._since_s: float | None = None  # the first motion after the last rest; None: the table is at rest
        self._asked_s = -_ASKS_S
        self._causes = Counter[str]()  # by the key of the sentence

    def moved(self, now: Field, then: Field, taken_s: float) -> None:
        """A frame taken at `taken_s` shows motion: `now` differs from `then`, logarithms of small pictures."""
        if self._since_s is None:
            self._since_s = taken_s
        elif now.shape == then.shape and taken_s - self._asked_s >= _ASKS_S:
            # the first motion is somebody's hand, or a lamp that is switched on
            self._asked_s = taken_s
            self._causes[cause(now, then).key] += 1

    def rested(self) -> None:
        """The table is at rest."""
        self._since_s = None
        self._causes.clear()

    def said(self, now_s: float) -> Message | None:
        """Why the table has not come to rest for RESTLESS_S; None where it has."""
        if self._since_s is None or now_s - self._since_s < RESTLESS_S or not self._causes:
            return None
        return Message(self._causes.most_common(1)[0][0])


def cause(now: Field, then: Field) -> Message:
    """What most likely changed the picture from `then` to `now`: SWAYS, FLICKERS, GRAINY or MOVES."""
    left = change(now, then)
    changed = _size(left)
    explained, movement_px = sway(left, now, then)
    if movement_px > _SWAY_PX and _size(left - explained) < _EXPLAINED * changed:
        return SWAYS
    if np.abs(now - then - left).mean() > _LIGHT or _size(left.mean(axis=1)) > _BANDS * changed:
        return FLICKERS
    return GRAINY if noise(left * levels(now, then)) > _GRAIN_LEVELS else MOVES


def _size(field: NDArray[np.float32]) -> float:
    """The root mean square."""
    return float(np.sqrt(np.mean(np.square(field))))
