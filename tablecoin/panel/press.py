"""Debounces a contact and tells a press from a hold. Pure: the caller gives the times.

The code is our own for two reasons: gpiozero's debouncing drops edges (its issues 550 and 1039), and lgpio's runs in
the driver, where tests cannot reach it. Contacts are sampled instead of waiting for edges, so no edge can be lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

OFF_AFTER_S = 4.5  # from a hold to switching off: 6 s in all by default
COUNTED_S = 3  # the last seconds before it are counted aloud
_ROUNDING_S = 1e-6  # in floats, 10.02 - 10.0 is less than 0.02


class Gesture(StrEnum):
    """What a person did with a button."""

    PRESS = "press"
    RIPE = "ripe"  # down long enough for a hold: whoever lets go now holds
    HOLD = "hold"
    COUNT = "count"  # down for longer than a hold: one more second counts towards switching off
    COUNTED = "counted"  # down long enough to switch off: whoever lets go now switches off
    GIVEN_UP = "given up"  # let go while the seconds were counted, or never let go: nothing is to be done
    OFF = "off"


class Contact:
    """One button. A level counts after it stood unchanged for `bounce_s`.

    With `hold_s` None, a press is reported when the button goes down. Otherwise it is reported when the button comes
    up, as a hold where it was down for `hold_s`. With `off_s`, the last `COUNTED_S` seconds before it are counted:
    who lets go meanwhile does nothing, who lets go after them switches off.

    A button that nobody lets go of therefore does nothing. One that is down for `STUCK_S` counts as shorted: its end
    reports nothing. A button that is down from the start reports nothing until it came up.
    """

    STUCK_S = 15.0  # nobody presses for that long
    OPEN_WITHIN_S = 3.0  # after the start; a finger may lie on a button then, but not for that long

    def __init__(self, bounce_s: float = 0.02, hold_s: float | None = None, off_s: float | None = None) -> None:
        self._bounce_s = bounce_s - _ROUNDING_S
        self._hold_s = hold_s
        self._marks = () if hold_s is None else tuple(_marks(hold_s, off_s, self.STUCK_S))
        self._passed = 0  # how many of the marks this press has passed
        self._raw = self._down = False
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
        if self._down and self._passed < len(self._marks):
            at_s, mark = self._marks[self._passed]
            if self._for_s(now_s) >= at_s - _ROUNDING_S:
                self._passed += 1
                return mark
        return None

    def stuck(self, now_s: float) -> bool:
        """Whether it seems to be shorted: it never opened since the start, or has been down for `STUCK_S`."""
        if self._began_s is not None and not self._opened:
            return now_s - self._began_s >= self.OPEN_WITHIN_S
        return self._down and self._for_s(now_s) >= self.STUCK_S

    def _went_down(self) -> Gesture | None:
        self._down_since_s, self._passed = self._raw_since_s, 0
        return Gesture.PRESS if self._hold_s is None else None

    def _came_up(self, now_s: float) -> Gesture | None:
        if self._hold_s is None or self._for_s(now_s) >= self.STUCK_S:
            return None
        last = self._marks[self._passed - 1][1] if self._passed else None
        return _ENDS[last]

    def _for_s(self, now_s: float) -> float:
        return now_s - self._down_since_s


# What letting go means, by the last mark that the press passed.
_ENDS = {
    None: Gesture.PRESS,
    Gesture.RIPE: Gesture.HOLD,
    Gesture.COUNT: Gesture.GIVEN_UP,
    Gesture.COUNTED: Gesture.OFF,
    Gesture.GIVEN_UP: None,
}


def _marks(hold_s: float, off_s: float | None, stuck_s: float) -> Iterator[tuple[float, Gesture]]:
    """(seconds down, what is reported then), in order of time."""
    yield hold_s, Gesture.RIPE
    if off_s is not None:
        for left in range(COUNTED_S, 0, -1):
            yield off_s - left, Gesture.COUNT
        yield off_s, Gesture.COUNTED
        yield stuck_s, Gesture.GIVEN_UP
