"""A real live table without threads, camera and pixels, for the web's tests.

Each call is ruled on at once, on the thread that makes it. `see` tells the referee what lies on the virtual table, as a
perfect reader would. What is hard to reach is put on the board by `shows`, until the referee shows something else.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from copy import copy
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from lab.refereeing.told import read
from tablecoin import mat as mats
from tablecoin.coins import Coin, Face, Heap
from tablecoin.journal.journal import Journal
from tablecoin.journal.played import Counted
from tablecoin.live.eye import Away
from tablecoin.live.inbox import Answer
from tablecoin.live.table import LiveTable
from tablecoin.photos.counting import Score
from tablecoin.photos.doubts import Candidate, Doubt
from tablecoin.photos.score import ScoreError
from tablecoin.referee.events import Started
from tablecoin.referee.prompt import Close
from tablecoin.referee.snapshot import Odds
from tablecoin.rules.coin_age.score import RegionTally
from tablecoin.rules.game import Seat
from tablecoin.rules.random_play import random_action
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.sent import decode_sent
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Reading, Sighting, whichever
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.settle import Look
from tablecoin.vision.shown.preview import Preview

MAT = mats.load("two-row")
PX_PER_MM = 2.0
NO_CAMERA = Message("vision.camera", {"said": "no camera looks at the table"})


DOUBTS = (  # of every photo
    Doubt("M1", (Candidate(Coin.PENNY_HEADS, 0.7), Candidate(Coin.DIME_HEADS, 0.3)), (0, 0, 44, 44), (4, 4, 40, 40)),
    Doubt("bank.tails", (), (0, 150, 250, 190), (0, 40, 50, 50)),
)


@cache
def _networks() -> Identifier:
    """The networks, loaded once. What a table remembers or learned belongs to its copy."""
    return Identifier()


class _NoCamera:
    """Pictures come from `QuietTable.film` alone."""

    name = "virtual table"

    def read(self, timeout_s: float) -> Frame:
        raise CameraError(NO_CAMERA)

    def close(self) -> None:
        pass


class QuietTable(LiveTable):
    def __init__(self, folder: Path) -> None:
        """`folder`: for its journal."""
        self.table = VirtualTable(MAT, seed=1, clock=count().__next__)  # no hand stays longer than a look
        self.journal = Journal(folder / "journal.sqlite")
        reader = Reader(identifier=copy(_networks()))
        super().__init__(_NoCamera(), reader, self.journal, virtual=self.table)
        self._referee._forecast._ask = lambda question, replied: None  # no process thinks about the odds
        self.commands: list[tuple[str, object, str | None]] = []
        self.plane_seen: Plane | None = laid(MAT.name)
        self._eye.pictures = Preview(lambda: self.plane_seen)
        self._sighted, self._filmed, self._news = count(1), count(1), count(1)
        self.restore()
        self.film()

    def command(self, command: Mapping[str, object], seat: Seat | None) -> Answer:
        """As the live table does it; kept in `commands`."""
        ((kind, body),) = command.items()
        self.commands.append((kind, body, seat))
        return super().command(command, seat)

    @property
    def playing(self) -> str | None:
        """The game under way."""
        _, match = self._board.newest
        return match.game.name if match else None

    def see(self, reading: Reading | None = None, moving: bool = False, **parts: Any) -> None:
        """Have the referee see this, or what lies on the virtual table, at rest. `parts`: of the reading, instead."""
        told = dataclasses.replace(_pictured(reading or read(self.table, self.table.scene.hand)), **parts)
        rests = not (moving or told.hand)
        sighting = Sighting(next(self._sighted), told) if rests else None
        self._inbox.post(Look(moving or told.hand, told.hand, 1.0 if rests else 0.0, told, sighting))

    def see_doubtful(self, number: int) -> None:
        """The same, where nobody can tell which side of that coin is up."""
        coins = list(read(self.table).coins)
        coins[number] = dataclasses.replace(coins[number], heads_if=whichever(0.6), sure=False)
        self.see(coins=tuple(coins))

    def play_out(self, seed: int) -> None:
        """Play the game to its end by hand, with legal acts at random."""
        self._inbox.post(Away(NO_CAMERA))
        dice = Random(seed)
        while (match := self._board.newest[1]) and not match.outcome:
            act = random_action(match.game, match.state, dice)
            assert self.command({"act": match.game.write_action(act)}, None) == (True, None)
        self.commands.clear()
        self.see()

    def shows(self, questioned: Close | None = None, **parts: Any) -> None:
        """Put these parts of the snapshot on the board. `questioned`: the coin that its prompt asks about."""
        shown, match = self._board.newest
        self._board.show(replace(shown, **parts), match, questioned)

    def remembers(self, *games: Counted) -> None:
        """Write games of the past into the journal: their starts, and what was counted of each, before anybody asks."""
        self.journal.append([Started(0, "steal", {}, {}) for _ in games])
        last, body = self.journal.last_events(), msgspec.json.encode
        self.journal.keep_counts({number: (last[number], body(one)) for number, one in enumerate(games, 1)})

    def blind(self) -> None:
        """No picture has come yet."""
        self._eye.pictures = Preview(lambda: self.plane_seen)

    def score(self, image: bytes, map_name: str | None) -> Score:
        """The photo is said to show M1, a penny or a dime, and a bank that was not read, whatever it shows."""
        try:
            decode_sent(image, Message("picture.sent"))
        except CameraError as error:
            raise ScoreError(error.message) from None
        return Score(
            map=map_name or "classic",
            spaces={"M1": (Coin.PENNY_HEADS,), "M2": ()},
            banks={Face.HEADS: Heap(dime=1), Face.TAILS: Heap()},
            regions={"M": RegionTally(2, 1, Face.HEADS)},
            score={Face.HEADS: 19, Face.TAILS: 14},
            winner=Face.HEADS,
            tie_break=None,
            doubts=DOUBTS,
            boxes_px={"M1": (0, 0, 44, 44)},
            unsure=("M1", "bank.tails"),
            warnings=(),
            warnings_texts=(),
        )

    def news(self) -> None:
        """A newer snapshot, in which nothing but the chances is new."""
        self.shows(odds=Odds(0, {"heads": 0.5}, next(self._news) / 1000, ()))

    def film(self, stirs: bool = True) -> None:
        """A new picture, of a grey table."""
        grey = np.full((round(MAT.height_mm * PX_PER_MM), round(MAT.width_mm * PX_PER_MM), 3), 210, np.uint8)
        self._eye.pictures.put(Frame(grey, next(self._filmed), time.monotonic()), stirs)
        self._eye.pictured.ring()


def _pictured(reading: Reading) -> Reading:
    """`reading` in a picture of a grey table, a pixel for each millimetre."""
    grey = np.full((round(MAT.height_mm), round(MAT.width_mm), 3), 210, np.uint8)
    return dataclasses.replace(reading, frame=Frame(grey, 0, 0.0))


def laid(mat: str) -> Plane:
    """A mat that fills the picture of `film`."""
    scale = 1 / PX_PER_MM
    return Plane(mats.load(mat), (scale, 0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0, 1.0), None, (), (), 0.0)
