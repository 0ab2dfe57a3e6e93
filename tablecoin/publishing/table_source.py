"""The running table and its panel as the publisher sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tablecoin.panel.panel import Panel
from tablecoin.publishing.standing import Shown, shown
from tablecoin.referee.snapshot import Snapshot
from tablecoin.vision.shown.preview import Picture


class Bell(Protocol):
    def listen(self, heard: Callable[[], None]) -> Callable[[], None]: ...


class Table(Protocol):
    """What is asked of the running table. Every method may be called from any thread."""

    def snapshot(self) -> Snapshot: ...

    @property
    def snapshots(self) -> Bell: ...

    def frame_jpeg(self, after: int, view: str) -> Picture | None: ...


class TableSource:
    """For any thread."""

    def __init__(self, table: Table, panel: Panel) -> None:
        self._table, self._panel = table, panel

    def shown(self) -> Shown:
        return shown(self._table.snapshot())

    def listen(self, heard: Callable[[], None]) -> Callable[[], None]:
        return self._table.snapshots.listen(heard)

    def picture(self, after: int) -> tuple[int, bytes] | None:
        newest = self._table.frame_jpeg(after, "mat")
        return (newest.number, newest.jpeg) if newest else None

    @property
    def light(self) -> float | None:
        return self._panel.light

    @property
    def dims(self) -> bool:
        return self._panel.dims

    def shine(self, share: float | None) -> None:
        self._panel.shine(share)
