"""From a contact that bounces to "pressed" and "held": pure, on times that are given.

Own code, because the libraries' debouncing drops edges (gpiozero issues 550, 1039) and lgpio's runs in the driver, out
of reach of tests. Contacts are sampled, not waited for: a sample cannot be lost.
"""

from __future__ import annotations

from enum import StrEnum

_ROUNDING_S = 1e-6  # seconds as floats: 10.02 - 10.0 is less than 0.02


class Gesture(StrEnum):
    """What a finger did."""

    PRESS = "press"
    HOLD = "hold"


class Contact:
    """One button. A level counts once it stood unchanged for `bounce_s`; held down for `hold_s`, it is a hold.

    Where `hold_s` is None a press is told when the button goes down, at once. Otherwise it is told when the button
    comes up again, for only then is it known not to be a hold; a hold is told as soon as it is one, and only once.
    """

    def __init__(self, bounce_s: float = 0.02, hold_s: float | None = None) -> None:
        self._bounce_s = bounce_s - _ROUNDING_S
        self._hold_s = None if hold_s is None else hold_s - _ROUNDING_S
        self._raw = self._down = False
        self._raw_since_s = float("-inf")
        self._down_since_s = 0.0
        self._told = True  # this press

    def sample(self, now_s: float, pressed: bool) -> Gesture | None:
        """The contact's level at `now_s`, in order of time; what that amounts to, or None."""
        if pressed != self._raw:
            self._raw, self._raw_since_s = pressed, now_s
        if self._raw != self._down and now_s - self._raw_since_s >= self._bounce_s:
            self._down = self._raw
            if self._down:
                self._down_since_s, self._told = self._raw_since_s, False
            return self._tell(Gesture.PRESS) if self._down == (self._hold_s is None) else None
        if self._down and self._hold_s is not None and now_s - self._down_since_s >= self._hold_s:
            return self._tell(Gesture.HOLD)
        return None

    def _tell(self, gesture: Gesture) -> Gesture | None:
        if self._told:
            return None
        self._told = True
        return gesture
