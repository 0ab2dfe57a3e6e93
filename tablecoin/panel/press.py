"""Debounces a contact and tells a press from a hold. Pure: the caller gives the times.

The code is our own for two reasons: gpiozero's debouncing drops edges (its issues 550 and 1039), and lgpio's runs in
the driver, where tests cannot reach it. Contacts are sampled instead of waiting for edges, so no edge can be lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from enum import StrEnum

OFF_AFTER_S = 4.5  # from a hold to switching off: 6 s in all by default
COUNTED_S = 3  # the last seconds before it are counted aloud
_ROUNDING_S = 1e-6  # in floats, 10.02 - 10.0 is less than 0.02
_LONGEST_SAMPLE_S = 0.02  # of chatter; a busy computer may sample later, and one change then proves nothing


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

    With `hold_s` None, a press counts when the button goes down. Otherwise it counts when the button comes up, as a
    hold where it was down for `hold_s`. With `off_s`, the last `COUNTED_S` seconds before it are counted: who lets go
    meanwhile does nothing, who lets go after them switches off.

    A press is reported once the level has not changed for `CALM_S`. A contact that chatters has no such pause, so the
    chatter is recognised before a press of it is reported.

    A button that nobody lets go of therefore does nothing. One that is down for `STUCK_S` counts as shorted: its end
    reports nothing. A button that is down from the start reports nothing until it came up. The same holds after
    `LOST_S` without a reading and after chatter: the press under way is dropped, and a release must be read first.
    """

    STUCK_S = 15.0  # nobody presses for that long
    OPEN_WITHIN_S = 3.0  # after the start; a finger may lie on a button then, but not for that long
    LOST_S = 0.5  # without a reading for this long, nobody knows what the finger did meanwhile
    CALM_S = 0.15  # 1,400 changes a second gave no press in 300 chatters of 5 s; with 0.12 s, 2 gave one
    CHATTER_S = 1 / 3  # of the last second: no finger changes so many samples

    def __init__(self, bounce_s: float = 0.02, hold_s: float | None = None, off_s: float | None = None) -> None:
        self._bounce_s = bounce_s - _ROUNDING_S
        self._hold_s = hold_s
        self._marks = () if hold_s is None else tuple(_marks(hold_s, off_s, self.STUCK_S))
        self._passed = 0  # how many of the marks this press has passed
        self._raw = self._down = False
        self._opened = False  # whether it was seen up since the start, the last loss or the last chatter
        self._began_s: float | None = None  # the first reading since then
        self._raw_since_s = self._down_since_s = self._read_s = self._sampled_s = 0.0
        self._waiting = 0  # presses that wait for calm
        self._changes: deque[tuple[float, float]] = (
            deque()
        )  # (when, seconds since the sample before) of changed samples
        self.chattering = False

    def sample(self, now_s: float, pressed: bool | None) -> Gesture | None:
        """Take the contact's level at `now_s`; the gesture it completes, or None. Call it in order of time.

        `pressed` is None where the contact could not be read: the last level that was read is repeated.
        """
        if self._began_s is not None and now_s - self._read_s >= self.LOST_S - _ROUNDING_S:
            return self._drop()
        if self._began_s is None:
            if pressed is None:
                return None
            self._began_s = self._raw_since_s = self._sampled_s = now_s
        if pressed is not None:
            self._read_s = now_s
        level = self._raw if pressed is None else pressed
        if level != self._raw:
            self._raw, self._raw_since_s = level, now_s
            self._changes.append((now_s, min(now_s - self._sampled_s, _LONGEST_SAMPLE_S)))
        self._sampled_s = now_s
        if self._chatters(now_s):
            gesture = self._drop()
            self._began_s = now_s
            return gesture
        return self._settle(now_s, pressed)

    def _settle(self, now_s: float, pressed: bool | None) -> Gesture | None:
        """The gesture that the level completes by having stood unchanged until now."""
        unchanged_s = now_s - self._raw_since_s
        steady = unchanged_s >= self._bounce_s
        if not self._opened:
            self._opened = steady and not self._raw
            return None
        if steady and self._raw != self._down:
            self._down = self._raw
            gesture = self._went_down() if self._down else self._came_up(now_s)
            if gesture is not Gesture.PRESS:
                return gesture
            self._waiting += 1
        if self._waiting and unchanged_s >= self.CALM_S - _ROUNDING_S:
            self._waiting -= 1
            return Gesture.PRESS
        if pressed and self._down and self._passed < len(self._marks):  # a level that is only repeated passes no mark
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

    def _chatters(self, now_s: float) -> bool:
        """Whether its samples change too often for a finger. Chatter ends at half that rate, so it does not flicker."""
        if not self._changes:
            return self.chattering
        while self._changes and self._changes[0][0] <= now_s - 1.0:
            self._changes.popleft()
        changing_s = sum(seconds for _, seconds in self._changes)
        self.chattering = changing_s > (self.CHATTER_S / 2 if self.chattering else self.CHATTER_S)
        return self.chattering

    def _drop(self) -> Gesture | None:
        """Forget the press under way, and want a release before the next. GIVEN_UP where seconds were being counted."""
        counting = self._down and self._last_mark() in (Gesture.COUNT, Gesture.COUNTED)
        self._down = self._opened = False
        self._began_s, self._waiting = None, 0
        return Gesture.GIVEN_UP if counting else None

    def _went_down(self) -> Gesture | None:
        self._down_since_s, self._passed = self._raw_since_s, 0
        return Gesture.PRESS if self._hold_s is None else None

    def _came_up(self, now_s: float) -> Gesture | None:
        if self._hold_s is None or self._for_s(now_s) >= self.STUCK_S:
            return None
        return _ENDS[self._last_mark()]

    def _last_mark(self) -> Gesture | None:
        return self._marks[self._passed - 1][1] if self._passed else None

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
