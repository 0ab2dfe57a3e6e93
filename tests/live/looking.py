"""A live table without threads: a test has it look at frame after frame, on a clock that only the test moves."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tablecoin.journal.journal import Journal
from tablecoin.live.referee_thread import NOBODY, Watchers
from tablecoin.live.table import LiveTable
from tablecoin.referee.snapshot import Snapshot
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.coins.reader import Reader
from tests.vision.cameras.clock import Clock

__all__ = ["FRAMES", "PATIENCE_S", "STEP_S", "Clock", "Rounds", "heard", "looked", "settled", "table_over"]

SIZE_PX = (800, 600)
STEP_S = 0.25  # between two frames
FRAMES = 40  # after so many frames everything is seen that a test waits for
PATIENCE_S = 60.0  # the longest a test waits for another thread


def table_over(
    table: VirtualTable, journal: Journal, clock: Clock, *, watchers: Watchers = NOBODY, still_s: float = 0.3
) -> LiveTable:
    """A live table without threads, which shows its newest game: `looked` makes it look. Stop it at the end."""
    view = View.over(table.mat, size_px=SIZE_PX)
    camera = VirtualCamera(table, view, fps=1 / STEP_S, clock=clock, sleep=clock.sleep)
    reader = Reader(table.mat.name)
    live = LiveTable(camera, reader, journal, still_s=still_s, virtual=table, watchers=watchers, clock=clock)
    live.restore()
    return live


def looked(live: LiveTable, wanted: Callable[[Snapshot], object]) -> Snapshot:
    """Look until a snapshot is as wanted."""
    for _ in range(FRAMES):
        live.look()
        shown = live.snapshot()
        if wanted(shown):
            return shown
    raise AssertionError(f"not in {FRAMES} frames: {shown.health}, settled {shown.table.settled}")


def settled(shown: Snapshot) -> bool:
    return shown.table.settled


def heard(live: LiveTable, wanted: Callable[[Snapshot], object]) -> Snapshot:
    """Wait until the threads of a started table show a snapshot as wanted."""
    news = threading.Event()
    stop_listening = live.snapshots.listen(news.set)
    while not wanted(shown := live.snapshot()):
        assert news.wait(PATIENCE_S), f"nothing is new: {shown.health}, {shown.prompt.text}"
        news.clear()
    stop_listening()
    return shown


class Rounds(threading.Event):
    """Ends a loop that the test runs on its own thread: each round begins with one of `acts`, the last one ends it."""

    def __init__(self, *acts: Callable[[], object]) -> None:
        super().__init__()
        self._acts = iter(acts)

    def is_set(self) -> bool:
        act = next(self._acts, None)
        if act:
            act()
        return act is None

    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set()
