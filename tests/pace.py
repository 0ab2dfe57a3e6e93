"""Time for a virtual table in tests: frames follow each other at once while something happens, and at rest they wait.

The camera's clock goes on by one step with each frame. A ruling takes as many frames as in real time, so the reader and
the settler do the same work, but nobody waits for the time between them.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from tablecoin.live.table import LiveTable
from tablecoin.virtual.camera import REAL_TIME, Simulation
from tablecoin.virtual.table import Scene, VirtualTable

STEP_S = 0.2  # between two frames, as their clock says
AWAKE_S = 2.6  # of that clock: after a change of the table, time to toss, settle, and read again in doubt
MORE = 6  # frames after a new snapshot: a command may have the table looked at again
REST_S = 0.25  # real seconds between two frames of a table at rest


class Pace:
    """The clock of one appliance: give it `simulation`, and then call `follow` with its live table."""

    def __init__(self) -> None:
        self._now_s = time.monotonic()
        self._stirred = threading.Event()
        self._more = 0
        self._table: VirtualTable | None = None

    @property
    def simulation(self) -> Simulation:
        return replace(REAL_TIME, fps=1 / STEP_S, clock=self._clock, sleep=self._sleep)

    def follow(self, live: LiveTable) -> None:
        """Wake the camera whenever this table or its referee changes."""
        assert live.virtual
        self._table, keep = live.virtual, live.virtual.on_change

        def changed(scene: Scene) -> None:
            keep(scene)
            self._stirred.set()

        live.virtual.on_change = changed
        live.snapshots.listen(self._stirred.set)

    def _clock(self) -> float:
        return self._now_s

    def _sleep(self, seconds: float) -> None:
        """Go on by `seconds`: at once while something happens, else after the next change, or REST_S."""
        awake = self._more > 0 or (self._table is not None and self._table.untouched_s() < AWAKE_S)
        if not awake:
            self._stirred.wait(REST_S)
        if self._stirred.is_set():
            self._stirred.clear()
            self._more = MORE
        self._more -= 1
        now_s = self._now_s + seconds
        self._now_s = now_s if awake else max(now_s, time.monotonic())  # what happens in real time is never ahead
