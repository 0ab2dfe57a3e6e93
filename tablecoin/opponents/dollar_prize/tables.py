"""Tables of a solved game: a whole number of `step`s of chance, or of the lead, for every pair of rows, packed small.

A table has 45 million chances, and a search needs few of them. So it is packed in blocks of first players' rows, each
unpacked when it is first asked for, and only those used last are kept. Rows that differ by one conversion are worth
nearly the same: a row is packed as its difference from one much like it in the same block, and most of it is zeros.

The file: the bytes of each block (4, little-endian), then the blocks.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablecoin.opponents.dollar_prize.bare import Counts, rows_up_to

Steps = NDArray[np.uint8]
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 4, "pb": 0}]  # 4, 0: found smallest for these tables
_BLOCK = 64  # rows: 430 kB unpacked, some 5 ms of a core
# Blocks, 28 MB. A turn of the strong player looks into 20 at most at Exact; at Steal mostly into 35, but into 60 where
# many conversions are open and into 90 where a stolen quarter may be broken in any way. All are of the chances' table:
# one who reads the leads' beside it asks for twice as many, and where that is more than are kept for ten times.
_KEPT = 64


@dataclass(frozen=True)
class Table:
    """What a round that begins is worth to the first player, for all rows worth less than `goal` cents.

    `least` is the least worth there is, above which there are at most 255 steps.
    """

    goal: int
    step: float
    name: str
    least: float = 0.0

    @property
    def error(self) -> float:
        """The largest error: half a step, or none where all that is kept is a whole number of steps."""
        return self.step / 2

    @cached_property
    def place(self) -> dict[Counts, int]:
        """The place of each row in the table: by quarters, dimes, nickels and pennies."""
        return {row: k for k, row in enumerate(sorted(rows_up_to(self.goal - 1), key=lambda row: row[::-1]))}

    def worth(self, first: Counts, other: Counts) -> float:
        """What it is worth to the first player when a round begins with these rows."""
        block, place = divmod(self.place[first], _BLOCK)
        return float(_unpacked(self, block)[place, self.place[other]]) * self.step + self.least

    def block(self, number: int) -> Steps:
        """[first player's row in this block, other's row]: steps above the least."""
        rows = np.frombuffer(
            bytearray(lzma.decompress(self._packed[number], lzma.FORMAT_RAW, filters=_FILTERS)), np.uint8
        )
        steps = rows.reshape(-1, len(self.place))
        for row, like in self._likes(number):
            steps[row] += steps[like]
        return steps

    def write(self, folder: Path, steps: Steps) -> None:
        """Pack `steps`, indexed by places, into the table's file."""
        packed = []
        for number, start in enumerate(range(0, len(steps), _BLOCK)):
            block = steps[start : start + _BLOCK].astype(np.uint8)
            differences = block.copy()
            for row, like in self._likes(number):
                differences[row] = block[row] - block[like]
            packed.append(lzma.compress(differences.tobytes(), lzma.FORMAT_RAW, filters=_FILTERS))
        sizes = np.array([len(block) for block in packed], "<u4")
        (folder / self.name).write_bytes(sizes.tobytes() + b"".join(packed))

    @cached_property
    def _packed(self) -> list[bytes]:
        data = (files(__package__) / self.name).read_bytes()
        count = -(-len(self.place) // _BLOCK)
        ends = np.cumsum(np.frombuffer(data[: 4 * count], "<u4")) + 4 * count
        return [data[start:end] for start, end in zip([4 * count, *ends[:-1]], ends, strict=True)]

    @cached_property
    def _rows(self) -> list[Counts]:
        return list(self.place)

    def _likes(self, number: int) -> Iterator[tuple[int, int]]:
        """(each row of a block but the first, an earlier one much alike), both counted from the block's start."""
        start = number * _BLOCK
        for row, (penny, nickel, dime, quarter) in enumerate(self._rows[start + 1 : start + _BLOCK], 1):
            alike = [
                (penny + 5, nickel - 1, dime, quarter),
                (penny - 1, nickel, dime, quarter),
                (penny, nickel + 2, dime - 1, quarter),
                (penny, nickel + 1, dime + 2, quarter - 1),
            ]
            found = (self.place[other] - start for other in alike if other in self.place)
            yield row, next((like for like in found if 0 <= like < row), row - 1)


@lru_cache(maxsize=_KEPT)
def _unpacked(table: Table, number: int) -> Steps:
    return table.block(number)


LARGEST_LEAD = 125.0  # cents: the richest row at the end is worth 124
STEAL = Table(100, 1 / 50, "steal.xz")
EXACT = Table(100, 1 / 2, "exact.xz")  # every chance is 0, 1/2 or 1: the game has no luck after the setup

# The expected final lead in cents, of equal chances the greatest (`induction.LEAD`): 2.3 and 3.6 MB. Steps of 2 cents
# would take twice as much.
EXACT_LEAD = Table(100, 5.0, "exact_lead.xz", -LARGEST_LEAD)
STEAL_LEAD = Table(100, 5.0, "steal_lead.xz", -LARGEST_LEAD)
