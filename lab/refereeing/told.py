"""A stage without pictures: the referee is told which coins lie on the table, as far as a camera could see them.

For hundreds of whole games, to test the referee alone, without the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from math import hypot

import numpy as np

from lab.reading.purses import DRAWN
from lab.refereeing.seated import Ruler
from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Face
from tablecoin.referee.events import Event
from tablecoin.referee.referee import Referee
from tablecoin.virtual.table import VirtualCoin, VirtualTable
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin, Sighting, whichever
from tablecoin.vision.rest.settle import Look

_COVERED_MM = 8.0  # a coin is covered by a later one whose centre is nearer than this
_SURE = 0.999
_FRAME = Frame(np.zeros((1, 1, 3), np.uint8), 0, 0.0)


class ToldStage:
    """A VirtualTable whose coins the referee is told."""

    def __init__(self, mat: str, seed: int, referee: Ruler | None = None) -> None:
        """`referee`: who rules; else one that keeps its events in `events`. Raises MatError: no such mat."""
        self.table = VirtualTable(mats.load(mat), seed, clock=count().__next__)
        self.events: list[Event] = []
        self.referee: Ruler = referee or Referee(self.events.extend)
        self.restarts = 0
        self.purse = DRAWN
        self._sightings = count(1)

    def settle(self) -> None:
        """Let a hand pass over the table, then tell the referee what lies there."""
        self.referee.see(Look(True, True, 0.0, read(self.table, hand=True, seen=self._seen), None))
        self.rest()

    def rest(self) -> None:
        """Tell the running program what lies there."""
        restarts = -1
        while restarts != self.restarts:
            restarts = self.restarts
            reading = read(self.table, seen=self._seen)
            sighting = Sighting(next(self._sightings), reading)
            self.referee.see(Look(False, False, 1.0, reading, sighting))

    def start_again(self) -> None:
        """Restart the program."""
        self.restarts += 1

    def _seen(self, coin: VirtualCoin, zone: str | None) -> SeenCoin:
        """How the reader sees a coin in a zone."""
        return sure(coin, zone)


def sure(coin: VirtualCoin, zone: str | None) -> SeenCoin:
    """A coin as a perfect reader sees it."""
    penny, nickel, dime, quarter = (_SURE if kind is coin.denomination else 0.0 for kind in BY_VALUE)
    heads = _SURE if coin.face is Face.HEADS else 1 - _SURE
    place = coin.x_mm, coin.y_mm
    disc = Disc(*place, coin.denomination.diameter_mm / 2)
    return SeenCoin(disc, (penny, nickel, dime, quarter), whichever(heads), True, place, zone)


def read(
    table: VirtualTable, hand: bool = False, seen: Callable[[VirtualCoin, str | None], SeenCoin] = sure
) -> Reading:
    """What a reader sees on the table: every coin that no later one covers, each as `seen` tells."""
    return Reading(_FRAME, tuple(_tops(table, seen)), 0.3, table.mat.name, hand=hand)


def _tops(table: VirtualTable, seen: Callable[[VirtualCoin, str | None], SeenCoin]) -> Iterator[SeenCoin]:
    coins = table.scene.coins
    for k, coin in enumerate(coins):
        if all(hypot(over.x_mm - coin.x_mm, over.y_mm - coin.y_mm) >= _COVERED_MM for over in coins[k + 1 :]):
            yield seen(coin, table.mat.zone_at(coin.x_mm, coin.y_mm))
