"""Frame timing for sources that have none of their own: files and renders, which could be read at any speed."""

from __future__ import annotations

import time
from collections.abc import Callable


class Pace:
    """Ticks `fps` times a second. A reader that is late skips the ticks it missed, as with a camera."""

    def __init__(
        self,
        fps: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.fps = fps
        self._clock, self._sleep = clock, sleep
        self._start_s = clock()
        self._last = -1

    def wait(self, timeout_s: float) -> tuple[int, float] | None:
        """Wait for the next tick: its (index from 0, time in seconds), or None when `timeout_s` passes first."""
        due = max(self._last + 1, int((self._clock() - self._start_s) * self.fps))
        due_s = self._start_s + due / self.fps
        wait_s = due_s - self._clock()
        if wait_s > timeout_s:
            self._sleep(timeout_s)
            return None
        if wait_s > 0:
            self._sleep(wait_s)
        self._last = due
        return due, due_s
