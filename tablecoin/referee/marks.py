"""What hands have to do now, coin by coin: which to take away, move or turn over, and which to put where.

The differences of a table count coins zone by zone. A picture of the table needs to know which coin of a zone it is:
of several alike it is the one that was put there last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import dist

from msgspec.structs import replace

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination, Face, Heap
from tablecoin.referee.belief import Difference, apart
from tablecoin.referee.desk import Desk
from tablecoin.referee.memory import UNTOUCHED_MM, near
from tablecoin.referee.prompt import Arrange, OnEdge, Paused, Refused, TossDue, Unfinished
from tablecoin.referee.snapshot import Mark
from tablecoin.rules.game import Pile
from tablecoin.rules.zones import ZoneKind, zone_kind
from tablecoin.vision.frame import SeenCoin
from tablecoin.vision.place.edges import across_edges

MOST_PUT = 70  # marks for missing coins in one zone: no row and no bank has room for more coins
_HANDS = Arrange | Paused | OnEdge | Refused | TossDue | Unfinished  # prompts that wait for hands


def marks(desk: Desk) -> tuple[Mark, ...]:
    """What hands have to do so that the table shows what the prompt asks for; () while nothing has to be done."""
    match = desk.match
    if match is None or desk.interlude or not isinstance(desk.prompt, _HANDS):
        return ()
    coins, layout = desk.coins(), match.game.layout(match.state)
    foreign = [
        Mark("take", number, None, None, coin.zone)
        for number, coin in enumerate(coins)
        if coin.zone and coin.denomination is None
    ]
    if isinstance(desk.prompt, OnEdge):
        astray = across_edges(coins, mats.load(match.mat))
        return tuple(Mark("move", coins.index(coin), coin.denomination, None, zone) for coin, zone in astray)
    taken, put, turned = list[Mark](), list[Mark](), list[Mark]()
    for difference in _differences(desk):
        zone, pile = difference.zone, layout.get(difference.zone, Pile())
        there = _newest_first(desk, coins, zone)
        for kind in difference.extra:
            found = _pick(there, kind)
            if found is not None:
                taken.append(Mark("take", found, kind, None, zone))
        if not (difference.extra and zone_kind(zone) is ZoneKind.SPACE):  # it may well lie beneath the one to take
            vacant = _vacant(desk, coins, zone)
            put += [_put(kind, zone, pile, vacant) for kind in islice(difference.missing, MOST_PUT)]
        turned += _turned(difference, pile, coins, there)
    return (*foreign, *_moved(taken, put), *turned)


def _differences(desk: Desk) -> Iterable[Difference]:
    """Those of the table, and the coins that are too many where a toss is due."""
    match = desk.match
    due = desk.falls.left(match) if match else {}
    if not isinstance(desk.prompt, TossDue):
        return desk.differences
    heaps = {zone: Heap.of(c.denomination for c in desk.coins() if c.zone == zone and c.denomination) for zone in due}
    return [Difference(zone, Heap(), apart(heap, heaps[zone])[1], Heap()) for zone, heap in due.items()]


def _newest_first(desk: Desk, coins: Sequence[SeenCoin], zone: str) -> list[tuple[int, SeenCoin]]:
    """The coins of a zone, those before the others that did not lie there when the table was last as it should be."""
    lay = [coin.place_mm for coin in desk.agreed.coins if coin.place_mm] if desk.agreed else []

    def untouched(coin: SeenCoin) -> bool:
        return coin.place_mm is not None and any(dist(coin.place_mm, place) <= UNTOUCHED_MM for place in lay)

    there = [(number, coin) for number, coin in enumerate(coins) if coin.zone == zone]
    return sorted(there, key=lambda one: untouched(one[1]))


def _pick(there: list[tuple[int, SeenCoin]], kind: Denomination) -> int | None:
    """The number of the first coin of that kind, which is taken out of `there`."""
    found = next((one for one in there if one[1].denomination == kind), None)
    if found is None:
        return None
    there.remove(found)
    return found[0]


def _vacant(desk: Desk, coins: Sequence[SeenCoin], zone: str) -> list[SeenCoin]:
    """The coins that lay in the zone when the table was last as it should be, and lie there no more."""
    here = [coin.place_mm for coin in coins if coin.place_mm]
    lay = [coin for coin in desk.agreed.coins if coin.zone == zone] if desk.agreed else []
    return [coin for coin in lay if coin.place_mm and not any(near(coin.place_mm, place) for place in here)]


def _put(kind: Denomination, zone: str, pile: Pile, vacant: list[SeenCoin]) -> Mark:
    lay = next((coin for coin in vacant if coin.denomination == kind), None)
    if lay:
        vacant.remove(lay)
    face = None  # where both sides are due, either may be the one that is missing
    if pile.heads is not None and pile.heads[kind] in (
        0,
        pile.heap[kind],
    ):
        face = Face.HEADS if pile.heads[kind] else Face.TAILS
    return Mark("put", None, kind, face, zone, _rounded(lay.place_mm) if lay and lay.place_mm else None)


def _turned(
    difference: Difference, pile: Pile, coins: Sequence[SeenCoin], there: list[tuple[int, SeenCoin]]
) -> Iterable[Mark]:
    """The coins that lie wrong side up: of each kind as many as there are too many heads, or too few."""
    for kind in BY_VALUE:
        if not difference.turned[kind] or pile.heads is None:
            continue
        zone = difference.zone
        alike = [(number, coin) for number, coin in there if coin.denomination == kind]
        too_many = sum(coin.face is Face.HEADS for _, coin in alike) - pile.heads[kind]
        wrong = Face.HEADS if too_many > 0 else Face.TAILS
        for number, _ in [one for one in alike if one[1].face is wrong][: abs(too_many)]:
            yield Mark("turn", number, kind, wrong.other, zone)


def _moved(taken: Sequence[Mark], put: Sequence[Mark]) -> Iterable[Mark]:
    """A coin to take away and one alike to put elsewhere are one coin to move."""
    left = list(put)
    for one in taken:
        goal = next((mark for mark in left if mark.denomination == one.denomination), None)
        if goal is None:
            yield one
            continue
        left.remove(goal)
        yield replace(goal, do="move", coin=one.coin)
    yield from left


def _rounded(place: tuple[float, float]) -> tuple[float, float]:
    return round(place[0], 1), round(place[1], 1)
