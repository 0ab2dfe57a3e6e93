"""A stage for people at the virtual table: rendered pictures, the real reader and settler, a referee, one thread.

Time is the stage's own and runs as fast as the pictures can be read. Nothing passes from the virtual coins to the
referee but pictures.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin import mat as mats
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.referee.scribe import Recorder
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.render import Light
from tablecoin.virtual.table import VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.reader import Reader
from tablecoin.vision.settle import Areas, Look, Settler

_FRAME_S = 0.31  # between pictures: as few of them as the settler needs for two readings in its stillness
_PATIENCE = 60  # pictures to wait for a table to come to rest


class Restless(RuntimeError):
    """The settler never found the table at rest; `str()` says what it saw last."""


class PictureStage:
    """A referee that sees a VirtualTable through a camera. `light` and `faults` make the pictures worse on purpose."""

    def __init__(
        self,
        mat: str,
        seed: int,
        light: Light | None = None,
        view: View | None = None,
        faults: Sequence[str] = (),
        record: Recorder | None = None,
    ) -> None:
        """Raises MatError: no such mat; TableError: no such fault."""
        self._now_s = 0.0
        self.events: list[Event] = []
        self.table = VirtualTable(mats.load(mat), seed, clock=lambda: self._now_s)
        self.table.fault(**dict.fromkeys(faults, True))
        self.camera = VirtualCamera(
            self.table, view, light, fps=1 / _FRAME_S, seed=seed, clock=lambda: self._now_s, sleep=self._pass_time
        )
        self.referee = Referee(record or self.events.extend)
        self.reader = Reader(mat)
        self._settler = Settler(self.reader.read, areas=lambda _: Areas.over(self.reader.plane))

    def settle(self) -> None:
        """A hand passes over the table and goes away; the referee sees all of it, to the sighting. Raises Restless."""
        mat = self.table.mat
        self.table.hand((mat.width_mm / 2, mat.height_mm / 2))
        self.watch()
        self.table.hand(None)
        for _ in range(_PATIENCE):
            look = self.watch()
            if look.sighting:
                return
        raise Restless(f"the table did not come to rest: moving {look.moving}, hand {look.hand}")

    def watch(self) -> Look:
        """One more picture, seen and passed to the referee."""
        look = self._settler.see(self.camera.read(1.0))
        self.referee.see(look)
        return look

    def _pass_time(self, seconds: float) -> None:
        self._now_s += seconds
