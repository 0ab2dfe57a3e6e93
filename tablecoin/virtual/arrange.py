"""Setting the virtual table as a game wants it: what two obliging hands would do with real coins."""

from __future__ import annotations

from collections.abc import Iterator

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face
from tablecoin.rules.game import Layout, Pile
from tablecoin.virtual.table import VirtualTable


def arrange(table: VirtualTable, layout: Layout) -> None:
    """Take away, put down and turn coins until every zone `layout` names holds its pile; other zones stay as they are.

    Coins that may stay are not touched. TableError when a zone has no room.
    """
    for zone, pile in layout.items():
        for wanted, kind in _wanted(pile):
            while _count(table, zone, kind) > wanted:
                _take(table, zone, kind)
    for zone, pile in layout.items():
        for wanted, kind in _wanted(pile):
            while _count(table, zone, kind) < wanted:
                table.line_up(kind if isinstance(kind, Coin) else Coin.of(kind, Face.HEADS), zone)


def _wanted(pile: Pile) -> Iterator[tuple[int, Denomination | Coin]]:
    """How many of each denomination, or of each coin where faces matter."""
    for kind in BY_VALUE:
        if pile.heads is None:
            yield pile.heap[kind], kind
        else:
            yield pile.heads[kind], Coin.of(kind, Face.HEADS)
            yield pile.heap[kind] - pile.heads[kind], Coin.of(kind, Face.TAILS)


def _count(table: VirtualTable, zone: str, what: Denomination | Coin) -> int:
    coins = (c.coin for c in table.scene.coins if table.mat.zone_at(c.x_mm, c.y_mm) == zone)
    return sum(what in (coin, coin.denomination) for coin in coins)


def _take(table: VirtualTable, zone: str, what: Denomination | Coin) -> None:
    number = table.find(zone, what)
    if number is not None:
        table.remove(number)
