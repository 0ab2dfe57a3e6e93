"""Tables of a solved game: a whole number of `step`s of chance for every pair of rows, packed small.

Rows that differ by one conversion are worth nearly the same. So a row of the table is kept as its difference from that
of the row with one nickel more in pennies (or a penny less, a dime more in nickels…), and most of it is zeros.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablecoin.opponents.dollar_prize.bare import Counts, rows_up_to

Steps = NDArray[np.uint8]
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 4, "pb": 0}]  # 4, 0: found smallest for these tables


@dataclass(frozen=True)
class Table:
    """Chances of the first player when a round begins, for all rows worth less than `goal` cents."""

    goal: int
    step: float
    name: str

    @property
    def error(self) -> float:
        """The largest error of a chance: half a step, or none where every chance is a whole number of steps."""
        return self.step / 2

    @cached_property
    def place(self) -> dict[Counts, int]:
        """The place of each row in the table: by quarters, dimes, nickels and pennies."""
        return {row: k for k, row in enumerate(sorted(rows_up_to(self.goal - 1), key=lambda row: row[::-1]))}

    @cached_property
    def steps(self) -> Steps:
        """[first player's row, other's row]: the first player's chance in steps. Unpacked when first asked for."""
        packed = (files(__package__) / self.name).read_bytes()
        size = len(self.place)
        raw = lzma.decompress(packed, lzma.FORMAT_RAW, filters=_FILTERS)
        steps = np.frombuffer(bytearray(raw), np.uint8).reshape(size, size)
        for place, like in enumerate(self._likes()):
            steps[place] += steps[like] if like < place else 0
        return steps

    def write(self, folder: Path, steps: Steps) -> None:
        """Pack `steps`, indexed by places, into the table's file."""
        likes = self._likes()
        packed = np.stack([steps[place] - (steps[like] if like < place else 0) for place, like in enumerate(likes)])
        raw = packed.astype(np.uint8).tobytes()
        (folder / self.name).write_bytes(lzma.compress(raw, lzma.FORMAT_RAW, filters=_FILTERS))

    def chance(self, first: Counts, other: Counts) -> float:
        """The first player's chance when a round begins with these rows."""
        return float(self.steps[self.place[first], self.place[other]]) * self.step

    def _likes(self) -> list[int]:
        """For each place an earlier one whose row is much alike; its own place for the empty row."""
        likes = []
        for row, place in self.place.items():
            penny, nickel, dime, quarter = row
            alike = [
                (penny + 5, nickel - 1, dime, quarter),
                (penny - 1, nickel, dime, quarter),
                (penny, nickel + 2, dime - 1, quarter),
                (penny, nickel + 1, dime + 2, quarter - 1),
            ]
            likes.append(next((self.place[other] for other in alike if other in self.place), place))
        return likes


STEAL = Table(100, 1 / 50, "steal.xz")
EXACT = Table(100, 1 / 2, "exact.xz")  # every chance is 0, 1/2 or 1: the game has no luck after the setup
