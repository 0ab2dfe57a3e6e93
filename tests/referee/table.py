"""A table for referee tests: coins in zones, no pixels. `Table.look()` is what a settler would say of it."""

from __future__ import annotations

from itertools import count

import numpy as np

from tablecoin.coins import BY_VALUE, Denomination
from tablecoin.referee.snapshot import ActionJson, GameState, Ruling, Snapshot
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin, Sighting, whichever
from tablecoin.vision.rest.settle import Look

_FRAME = Frame(np.zeros((1, 1, 3), np.uint8), 0, 0.0)
SURE = 0.999
NO_CAMERA = Message("vision.camera", {"said": "no camera looks at the table"})  # play goes on by hand


def seen(
    text: str, zone: str, x_mm: float, also: dict[str, float] | None = None, heads: float | None = None
) -> SeenCoin:
    """A coin like "penny" or "penny:heads" in `zone`; `also` gives some of its probability to other denominations."""
    kind, _, face = text.partition(":")
    others = also or {}
    own = SURE - sum(others.values())
    penny, nickel, dime, quarter = (own if d == kind else others.get(d, 0.0) for d in BY_VALUE)
    if heads is None:
        heads = 0.999 if face != "tails" else 0.001
    return SeenCoin(Disc(x_mm, 0, 9), (penny, nickel, dime, quarter), whichever(heads), own > 0.9, (x_mm, 0.0), zone)


def game_of(snapshot: Snapshot) -> GameState:
    """The public state of the game that is played."""
    assert snapshot.game is not None
    return snapshot.game


def ruling_of(snapshot: Snapshot) -> Ruling:
    """The last ruling, of which there is one."""
    assert snapshot.ruling is not None
    return snapshot.ruling


def act_of(snapshot: Snapshot) -> ActionJson:
    """The act that was ruled on last."""
    action = ruling_of(snapshot).action
    assert action is not None
    return action


class Table:
    """Mutable: `put`, `take`, `toss`, then `look`. Every coin has a place of its own."""

    def __init__(self) -> None:
        self.coins: list[SeenCoin] = []
        self._places = count(0, 50)
        self._sightings = count(1)

    def put(self, zone: str, *coins: str, **how: object) -> Table:
        for coin in coins:
            self.coins.append(seen(coin, zone, float(next(self._places)), **how))  # type: ignore[arg-type]
        return self

    def take(self, zone: str, *coins: str) -> Table:
        for coin in coins:
            kind = Denomination(coin.partition(":")[0])
            self.coins.remove(next(c for c in self.coins if c.zone == zone and c.denomination == kind))
        return self

    def clear(self, zone: str) -> Table:
        self.coins = [c for c in self.coins if c.zone != zone]
        return self

    def toss(self, *coins: str, zone: str = "tray") -> Table:
        return self.clear(zone).put(zone, *coins)

    def look(self) -> Look:
        reading = Reading(_FRAME, tuple(self.coins), 0.3)
        return Look(False, False, 1.0, reading, Sighting(next(self._sightings), reading))

    def hand(self) -> Look:
        return Look(True, True, 0.0, Reading(_FRAME, tuple(self.coins), 0.3, hand=True), None)
