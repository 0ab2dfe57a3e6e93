"""The virtual table that the bench looks at: any number of coins, the same each time."""

from __future__ import annotations

from tablecoin import mat
from tablecoin.coins import Coin
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.table import TableError, VirtualTable

MAT = "two-row"
ZONES = ("row.heads", "row.tails", "bank", "tray")


def laid(count: int) -> VirtualTable:
    """A table with `count` coins of all kinds, spread over the zones. Raises TableError: so many have no room."""
    table = VirtualTable(mat.load(MAT), seed=1)
    for k in range(count):
        for zone in (*ZONES[k % 4 :], *ZONES[: k % 4]):  # the next zone where this one is full
            try:
                table.place(list(Coin)[k % 8], zone)
                break
            except TableError:
                continue
        else:
            raise TableError(Message("virtual.full", {"count": count, "mat": MAT}))
    return table
