"""What the doctor says of a running table: by its own pictures, and without taking its camera or its pins."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

from tablecoin.checks import broker, buttons, machine, picture
from tablecoin.checks.calibration import calibration
from tablecoin.checks.disk import disk
from tablecoin.checks.finding import Finding, each, found
from tablecoin.panel.panel import Panel
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import Message
from tablecoin.settings import Settings
from tablecoin.vision.calibrated import FILE
from tablecoin.vision.frame import Frame
from tablecoin.vision.place.plane import Plane

KEPT_S = 10.0  # findings are this old at most; however many phones look, the table is examined once in that time
_PATIENCE_S = 2.0  # for all the pictures that are looked at
_AWAY_S = 5.0  # a newest picture older than this is of a camera that went away


class Table(Protocol):
    """What is asked of the running table. Every method may be called from any thread."""

    def snapshot(self) -> Snapshot: ...

    def frame(self, after: int, timeout_s: float) -> Frame | None: ...

    @property
    def plane(self) -> Plane | None: ...

    @property
    def virtual(self) -> object | None: ...

    @property
    def unread(self) -> Collection[Message]: ...

    def acknowledge(self, read: Collection[Message]) -> None: ...


class Publisher(Protocol):
    """What tells the broker of the table."""

    @property
    def trouble(self) -> Message | None: ...


class LiveHealth:
    """Examines a running table for its page."""

    def __init__(
        self,
        table: Table,
        panel: Panel,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        publisher: Publisher | None = None,
    ) -> None:
        self._table, self._panel, self._settings, self._clock = table, panel, settings, clock
        self._publisher = publisher
        self._examining = threading.Lock()
        self._newest: tuple[float, tuple[Finding, ...]] | None = None  # when, and what was found

    def findings(self) -> Sequence[Finding]:
        """What was found lately; the table is examined anew where that is older than KEPT_S. Never raises."""
        with self._examining:
            if self._newest is None or self._clock() - self._newest[0] > KEPT_S:
                self._newest = self._clock(), tuple(self._examine())
            return self._newest[1]

    def acknowledge(self) -> None:
        """The owner has read the losses of the journal that were found lately. Raises JournalError."""
        with self._examining:
            if self._newest:
                when, found = self._newest
                self._table.acknowledge([each.message for each in found if each.what == "journal"])
                self._newest = when, tuple(each for each in found if each.what != "journal")

    def _examine(self) -> Iterator[Finding]:
        settings = self._settings
        yield from each("table", self._said)
        yield from each("camera", self._camera)
        yield from each("buttons", lambda: iter([buttons.running(self._panel)]))
        yield from each("disk", lambda: disk(settings.data_dir, called=settings.data_dir.name))
        if publisher := self._publisher:
            yield broker.running(str(settings.mqtt.address), publisher.trouble)
        yield from each("versions", lambda: machine.machine(settings))

    def _said(self) -> Iterator[Finding]:
        """What the running table itself warns of; the panel has a line of its own."""
        unread = self._table.unread
        for message in unread:
            yield Finding("journal", "warn", message, Message("check.journal.lost.do"))
        apart = ("panel.", *(message.key for message in unread))
        warnings = [notice for notice in self._table.snapshot().health.said if not notice.code.startswith(apart)]
        if not warnings:
            yield found("table", "ok", "table")
        for notice in warnings:
            yield Finding("table", "warn", Message("check.table.warned", {"said": notice.texts}))

    def _camera(self) -> Iterator[Finding]:
        snapshot = self._table.snapshot()
        frames = list(self._pictures()) if snapshot.age_s < _AWAY_S else []
        if not frames:
            yield found("camera", "fail", "camera.away", "camera.away.do")
            yield found("mat", "warn", "mat.unchecked", "mat.unchecked.do")
            return
        seen = picture.Seen(snapshot.health.camera, frames, snapshot.health.fps, plane=self._table.plane)
        yield picture.camera(seen)
        if seen.plane is None:
            yield picture.no_mat(seen)
        else:
            height, width = seen.image.shape[:2]
            yield found("mat", "ok", "mat.seen", mat=seen.plane.mat.name)
            yield picture.scale(seen.plane.mm_per_px_at((width / 2, height / 2)))
        yield from picture.measured(seen)
        height, width = seen.image.shape[:2]
        yield calibration(
            self._settings.data_dir / FILE,
            seen.camera,
            (width, height),
            ring_light=self._settings.panel.ring_light,
            needed=self._table.virtual is None,
        )

    def _pictures(self) -> Iterator[Frame]:
        """Some pictures in a row, fewer from a slow camera."""
        end_s, newest = self._clock() + _PATIENCE_S, -1
        for _ in range(picture.FRAMES):
            frame = self._table.frame(newest, max(0.0, end_s - self._clock()))
            if frame is None:
                return
            newest = frame.number
            yield frame
