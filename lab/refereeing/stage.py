"""The virtual table with a referee that sees rendered pictures through the real reader and settler, on one thread.

The stage has its own clock, which runs as fast as pictures can be read. The referee gets nothing but pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from lab.reading.purses import DRAWN, Purse
from lab.refereeing.seated import Ruler
from tablecoin import mat as mats
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.render import Light
from tablecoin.virtual.table import VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.frame import Frame
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.settle import Look, Settler

_FRAME_S = 0.1  # between pictures: a camera gives ten a second
_PATIENCE = 200  # largest number of pictures until a table comes to rest; an object is one after eighty
_COMES_BACK = 0.1  # share of hands that come back before the table is at rest
_COVERS = 0.03  # share of times that something is left on one of the mat's markers


class Restless(RuntimeError):
    """The settler never found the table at rest; `str()` says what it last saw."""


class PictureStage:
    """A Ruler that sees a VirtualTable through a camera. `light` and `faults` make the pictures worse on purpose."""

    def __init__(
        self,
        mat: str,
        seed: int,
        light: Light | None = None,
        view: View | None = None,
        faults: Sequence[str] = (),
        referee: Ruler | None = None,
        purse: Purse = DRAWN,
    ) -> None:
        """`referee`: who rules; else one that keeps its events in `events`. `purse`: the coins, and who reads them.

        Raises MatError: no such mat; TableError: no such fault.
        """
        self._now_s = 0.0
        self._mat, self._dice = mat, Random(seed)
        self.purse = purse
        self.restarts = 0
        self._rested: int | None = None  # value of `restarts` when the table was last seen at rest
        self.events: list[Event] = []
        self.table = VirtualTable(mats.load(mat), seed, clock=lambda: self._now_s)
        self.table.fault(**dict.fromkeys(faults, True))
        self.camera = VirtualCamera(
            self.table,
            view,
            light,
            purse.skin,
            fps=1 / _FRAME_S,
            seed=seed,
            clock=lambda: self._now_s,
            sleep=self._pass_time,
        )
        self.referee: Ruler = referee or Referee(self.events.extend)
        self._identifier = Identifier(purse.networks)
        self._open_eyes()

    def recall(self, remembered: Remembered) -> None:
        """Let these remembered coins help to read from the next picture on."""
        self._identifier.recall(remembered)

    def settle(self) -> None:
        """Let hands pass over the table, and show the referee everything until the sighting. Raises Restless."""
        leaves_something = not self.table.scene.faults.marker_lost and self._dice.random() < _COVERS
        self._reach_in()
        while self._dice.random() < _COMES_BACK:
            self.table.hand(None)
            self.watch()
            self._reach_in()
        self.table.hand(None)
        if leaves_something:
            self.table.fault(marker_lost=True)
        self.rest()
        if leaves_something:
            self._reach_in()
            self.table.hand(None)
            self.table.fault(marker_lost=False)
            self.rest()

    def rest(self) -> None:
        """Wait until the running program has seen the table at rest. Raises Restless."""
        self._rested = None
        for _ in range(_PATIENCE):
            look = self.watch()
            if self._rested == self.restarts:
                return
        raise Restless(f"the table did not come to rest: moving {look.moving}, hand {look.hand}")

    def watch(self) -> Look:
        """Take one more picture and pass it to the referee."""
        return self.see(self.camera.read(1.0))

    def see(self, frame: Frame) -> Look:
        """Pass this picture to the referee."""
        look = self._settler.see(frame)
        if look.sighting:
            self._rested = self.restarts
        self.referee.see(look)
        return look

    def start_again(self) -> None:
        """Restart the program: reader and settler are new."""
        self.restarts += 1
        self._open_eyes()

    def _open_eyes(self) -> None:
        reader = Reader(self._mat, identifier=self._identifier)
        self._settler = Settler(reader.read, areas=lambda _: Areas.over(reader.plane))

    def _reach_in(self) -> None:
        """A hand reaches from either side to a random place over the mat."""
        mat = self.table.mat
        self.table.hand((self._dice.uniform(0, mat.width_mm), self._dice.uniform(0, mat.height_mm)))
        self.watch()

    def _pass_time(self, seconds: float) -> None:
        self._now_s += seconds
