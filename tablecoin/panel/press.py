"""Debounces a contact and tells a press from a hold. Pure: the caller gives the times.

The code is our own for two reasons: gpiozero's debouncing drops edges (its issues 550 and 1039), and lgpio's runs in
the driver, where tests cannot reach it. Contacts are sampled instead of waiting for edges, so no edge can be lost.
"""

from __future__ import annotations

from enum import StrEnum

_ROUNDING_S = 1e-6  # in floats, 10.02 - 10.0 is less than 0.02


class Gesture(StrEnum):
    """What a person did with a button."""

    PRESS = "press"
    HOLD = "hold"


class Contact:
    """One button. A level counts after it stood unchanged for `bounce_s`. A button down for `hold_s` is held.

    With `hold_s` None, a press is reported when the button goes down. Otherwise it is reported when the button comes
    up, because only then is it known not to be a hold. A hold is reported once, as soon as `hold_s` is over.
    """

    def __init__(self, bounce_s: float = 0.02, hold_s: float | None = None) -> None:
        self._bounce_s = bounce_s - _ROUNDING_S
        self._hold_s = None if hold_s is None else hold_s - _ROUNDING_S
        self._raw = self._down = False
        self._raw_since_s = float("-inf")
        self._down_since_s = 0.0
        self._reported = True  # whether the current press was reported

    def sample(self, now_s: float, pressed: bool) -> Gesture | None:
        """Take the contact's level at `now_s`; the gesture it completes, or None. Call it in order of time."""
        if pressed != self._raw:
            self._raw, self._raw_since_s = pressed, now_s
        if self._raw != self._down and now_s - self._raw_since_s >= self._bounce_s:
            self._down = self._raw
            if self._down:
                self._down_since_s, self._reported = self._raw_since_s, False
            return self._report(Gesture.PRESS) if self._down == (self._hold_s is None) else None
        if self._down and self._hold_s is not None and now_s - self._down_since_s >= self._hold_s:
            return self._report(Gesture.HOLD)
        return None

    def _report(self, gesture: Gesture) -> Gesture | None:
        if self._reported:
            return None
        self._reported = True
        return gesture
