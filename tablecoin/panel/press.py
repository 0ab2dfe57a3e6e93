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
    RIPE = "ripe"  # down long enough for a hold: whoever lets go now holds
    HOLD = "hold"


class Contact:
    """One button. A level counts after it stood unchanged for `bounce_s`.

    With `hold_s` None, a press is reported when the button goes down. Otherwise it is reported when the button comes
    up, as a hold where it was down for `hold_s`. A button that nobody lets go of therefore never holds, and one that is
    down for `STUCK_S` counts as shorted: its end reports nothing. A button that is down from the start reports nothing
    until it came up.
    """

    STUCK_S = 15.0  # nobody presses for that long
    OPEN_WITHIN_S = 3.0  # after the start; a finger may lie on a button then, but not for that long

    def __init__(self, bounce_s: float = 0.02, hold_s: float | None = None) -> None:
        self._bounce_s = bounce_s - _ROUNDING_S
        self._hold_s = None if hold_s is None else hold_s - _ROUNDING_S
        self._raw = self._down = self._ripe = False
        self._opened = False  # whether it was ever seen up
        self._began_s: float | None = None
        self._raw_since_s = self._down_since_s = 0.0

    def sample(self, now_s: float, pressed: bool) -> Gesture | None:
        """Take the contact's level at `now_s`; the gesture it completes, or None. Call it in order of time."""
        if self._began_s is None:
            self._began_s = self._raw_since_s = now_s
        if pressed != self._raw:
            self._raw, self._raw_since_s = pressed, now_s
        steady = now_s - self._raw_since_s >= self._bounce_s
        if not self._opened:
            self._opened = steady and not pressed
            return None
        if steady and self._raw != self._down:
            self._down = self._raw
            return self._went_down() if self._down else self._came_up(now_s)
        if self._down and self._hold_s is not None and not self._ripe and self._for_s(now_s) >= self._hold_s:
            self._ripe = True
            return Gesture.RIPE
        return None

    def stuck(self, now_s: float) -> bool:
        """Whether it seems to be shorted: it never opened since the start, or has been down for `STUCK_S`."""
        if self._began_s is not None and not self._opened:
            return now_s - self._began_s >= self.OPEN_WITHIN_S
        return self._down and self._for_s(now_s) >= self.STUCK_S

    def _went_down(self) -> Gesture | None:
        self._down_since_s, self._ripe = self._raw_since_s, False
        return Gesture.PRESS if self._hold_s is None else None

    def _came_up(self, now_s: float) -> Gesture | None:
        if self._hold_s is None or self._for_s(now_s) >= self.STUCK_S:
            return None
        return Gesture.HOLD if self._ripe else Gesture.PRESS

    def _for_s(self, now_s: float) -> float:
        return now_s - self._down_since_s
