"""Setting the virtual table as a game needs it, as two hands would with real coins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face
from tablecoin.mat import Circle, Rectangle
from tablecoin.mat.order import out_of_order
from tablecoin.rules.game import Layout, Pile
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.places import lines, packed
from tablecoin.virtual.table import Carry, TableError, VirtualCoin, VirtualTable

Stacks = Mapping[str, Sequence[Coin]]  # zone -> its coins, bottom to top


def arrange(table: VirtualTable, layout: Layout, stacks: Stacks | None = None, tossed: str | None = None) -> None:
    """Take away, put down and turn coins until every zone in `layout` holds its pile. Other zones stay as they are.

    In a round zone coins are stacked and the pile is the coin on top; `stacks` gives the coins below. For a zone not
    in `stacks` a coin is put on top, or coins are taken off until the right one is on top. Coins that may stay are not
    touched. Coins put down come from the zone `tossed` while it has such coins. Raises TableError: a zone has no room.
    """
    piles = {}
    for zone, pile in layout.items():
        if isinstance(table.mat.zone(zone).area, Circle):
            _stack(table, zone, pile, (stacks or {}).get(zone), tossed)
        else:
            piles[zone] = pile
    for zone, pile in piles.items():
        for wanted, kind in _wanted(pile):
            while _count(table, zone, kind) > wanted:
                _take(table, zone, kind)
    for zone, pile in piles.items():
        for wanted, kind in _wanted(pile):
            for _ in range(wanted - _count(table, zone, kind)):
                coin = kind if isinstance(kind, Coin) else Coin.of(kind, Face.HEADS)
                try:
                    _lay(table, coin, zone, tossed, _among(table, zone, coin, pile))
                except TableError:  # there is room, but not in one piece
                    _lay_anew(table, zone, coin)
    for zone, pile in piles.items():
        if pile.rises and out_of_order((coin.denomination, (coin.x_mm, coin.y_mm)) for coin in _lying(table, zone)):
            _line_up_by_value(table, zone)


def _among(table: VirtualTable, zone: str, coin: Coin, pile: Pile) -> int:
    """How many coins are to lie in the end where `coin` belongs: in its column of the zone, or in all of it."""
    return pile.heap[coin.denomination] if table.mat.zone(zone).columns else len(tuple(pile.heap))


def _lay_anew(table: VirtualTable, zone: str, coin: Coin) -> None:
    """Lay every coin of a zone, and one more, closely in lines. Raises TableError: there is no room."""
    lies = [one.coin for one in _lying(table, zone)]
    every = sorted((*lies, coin), key=lambda each: -each.denomination.diameter_mm)
    area = table.mat.zone(zone).area
    spots = packed(area, [one.denomination for one in every]) if isinstance(area, Rectangle) else None
    if spots is None:
        raise TableError(Message("virtual.room", {"coin": coin.denomination, "zone": zone}))
    table.collect(zone)
    for one, (x, y) in zip(every, spots, strict=True):
        table.lay_at(one, x, y)


def _line_up_by_value(table: VirtualTable, zone: str) -> None:
    """Lay the coins of a row in the order of their values. Coins that lie where one of their kind belongs stay."""
    area, lying = table.mat.zone(zone).area, _lying(table, zone)
    if not isinstance(area, Rectangle):
        return
    row = sorted((coin.denomination for coin in lying), key=BY_VALUE.index)
    widest_mm = max(kind.diameter_mm for kind in row)
    spots = list(islice(lines(area, widest_mm, len(row)), len(row)))
    if len(spots) < len(row):
        spots = packed(area, row) or []
    free = [(kind, (round(x, 2), round(y, 2))) for kind, (x, y) in zip(row, spots, strict=False)]
    astray = []
    for coin in lying:
        if (here := (coin.denomination, (coin.x_mm, coin.y_mm))) in free:
            free.remove(here)
        else:
            astray.append(coin)
    for coin in astray:
        place = next((each for each in free if each[0] is coin.denomination), None)
        if place:
            free.remove(place)
            table.move(table.scene.coins.index(coin), *place[1])


def _lying(table: VirtualTable, zone: str) -> list[VirtualCoin]:
    return [coin for coin in table.scene.coins if table.mat.zone_at(coin.x_mm, coin.y_mm) == zone]


def moves(table: VirtualTable, layout: Layout, stacks: Stacks | None = None, tossed: str | None = None) -> list[Carry]:
    """The moves by which `arrange` would set the table, which stays as it is. Raises TableError: a zone has no room.

    A coin that goes elsewhere is carried there: it is told by its design, which it keeps.
    """
    tried = table.copy()
    arrange(tried, layout, stacks, tossed)
    lifted = [coin for coin in table.scene.coins if coin not in tried.scene.coins]
    laid = []
    for coin in tried.scene.coins:
        if coin not in table.scene.coins:
            same = (one for one in lifted if (one.denomination, one.design) == (coin.denomination, coin.design))
            source = next(same, None)
            if source:
                lifted.remove(source)
            laid.append(Carry(source, coin))
    return [*(Carry(coin, None) for coin in lifted), *laid]


def _stack(table: VirtualTable, zone: str, pile: Pile, stack: Sequence[Coin] | None, tossed: str | None) -> None:
    lies = [coin.coin for coin in _lying(table, zone)]
    if stack is None:
        top = next((kind for wanted, kind in _wanted(pile) if wanted), None)
        coin = Coin.of(top, Face.HEADS) if isinstance(top, Denomination) else top
        beneath = max((k for k, one in enumerate(lies) if one is coin), default=None)
        stack = () if coin is None else (*lies, coin) if beneath is None else lies[: beneath + 1]
    common = 0
    while common < min(len(lies), len(stack)) and lies[common] is stack[common]:
        common += 1
    for coin in reversed(lies[common:]):
        _take(table, zone, coin)
    for coin in stack[common:]:
        _lay(table, coin, zone, tossed)


def _lay(table: VirtualTable, coin: Coin, zone: str, tossed: str | None, among: int = 1) -> None:
    if tossed is not None:
        _take(table, tossed, coin.denomination)
    table.line_up(coin, zone, among)


def _wanted(pile: Pile) -> Iterator[tuple[int, Denomination | Coin]]:
    """(count, kind) for each denomination, or for each coin where faces matter."""
    for kind in BY_VALUE:
        if pile.heads is None:
            yield pile.heap[kind], kind
        else:
            yield pile.heads[kind], Coin.of(kind, Face.HEADS)
            yield pile.heap[kind] - pile.heads[kind], Coin.of(kind, Face.TAILS)


def _count(table: VirtualTable, zone: str, what: Denomination | Coin) -> int:
    return sum(what in (one.coin, one.denomination) for one in _lying(table, zone))


def _take(table: VirtualTable, zone: str, what: Denomination | Coin) -> None:
    number = table.find(zone, what)
    if number is not None:
        table.remove(number)
