"""Reading a flip: the coins due, tossed, complete and alone in their zones, and every result they may show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import dist, prod

from tablecoin.coins import BY_VALUE, EMPTY, Coin, Face, Heap
from tablecoin.mat import Mat
from tablecoin.referee.belief import Piles, TableBelief, apart
from tablecoin.referee.explain import FITS, PRIOR_IMAGINED
from tablecoin.referee.match import Match
from tablecoin.referee.memory import UNTOUCHED_MM
from tablecoin.referee.voice import zone_name
from tablecoin.rules.game import Action, IllegalAction, Pile
from tablecoin.rules.rulebook import Message
from tablecoin.rules.zones import ZoneKind
from tablecoin.vision.coins.find import hidden_share
from tablecoin.vision.frame import SeenCoin

_COVERED = 0.06  # of the smaller of two discs; less is their circles' inexactness
_REACHES_IN_MM = 2.0  # a rim that reaches this far into a zone makes it doubtful where the coin is meant to lie


def lacking(due: Mapping[str, Heap], belief: TableBelief) -> Message | None:
    """What is wrong with the coins thrown, for the thrower; None when exactly those due may lie there."""
    for zone, heap in due.items():
        if belief[zone].ratio(Pile(heap)) >= FITS:
            continue
        missing, extra = apart(heap, belief[zone].likeliest)
        if any(coin.denomination is None for coin in belief[zone].coins):
            return Message("referee.toss.unread")
        if extra:
            return Message("referee.toss.less", {"coins": extra, "zone": zone_name(zone)})
        if missing:
            return Message("referee.toss.more", {"coins": missing, "zone": zone_name(zone)})
    return None


def wrong_coins(match: Match, belief: TableBelief, due: Mapping[str, Heap]) -> tuple[Action, IllegalAction] | None:
    """The toss of coins that are not due, and what the rules say to it; None while some may only lack: they may still
    be thrown."""
    if all(any(part in heap for part in belief[zone].likely(FITS)) for zone, heap in due.items()):
        return None
    return _refused(match, {zone: _likeliest(belief[zone].piles)[0] for zone in due})


def other_coins(match: Match, belief: TableBelief, due: Mapping[str, Heap]) -> tuple[Action, IllegalAction] | None:
    """The likeliest toss of coins that are not due, where those may lie there too; None where it only lacks some."""
    best = {zone: _likeliest(belief[zone].piles) for zone in due}
    if all(piles[0] == due[zone] for zone, (piles, _) in best.items()):
        others = {zone: _likeliest(belief[zone].piles, without=heap) for zone, heap in due.items()}
        zone = max(due, key=lambda zone: others[zone][1] / best[zone][1])
        best[zone] = others[zone]
    if all(piles[0] in due[zone] for zone, (piles, _) in best.items()):
        return None
    return _refused(match, {zone: piles for zone, (piles, _) in best.items()})


def fallen_badly(coins: Sequence[SeenCoin], due: Mapping[str, Heap], mat: Mat, again: str) -> Message | None:
    """A coin that does not lie flat, apart and inside, for the thrower; None when all do.

    Told from above: a coin across the edge, coins that cover one another. `again` is what is thrown again, "alone" or
    "all".
    """
    facts = {"again": Message(f"referee.toss.again.{again}")}
    outside = [coin for coin, zone in across_edges(coins, mat) if zone in due]
    if outside:
        return Message("referee.toss.edge", {"coins": _heap(outside), **facts})
    inside = [coin for coin in coins if coin.zone in due]
    stacked = [c for c in inside if any(c is not o and hidden_share(c.disc, o.disc) > _COVERED for o in inside)]
    if stacked:
        return Message("referee.toss.overlap", {"coins": _heap(stacked), **facts})
    return None


def across_edges(coins: Sequence[SeenCoin], mat: Mat) -> list[tuple[SeenCoin, str]]:
    """Coins that lie in no zone but reach over the edge of one, and which."""
    found = []
    for coin in coins:
        if coin.zone is None and coin.place_mm and coin.denomination:
            reach = coin.denomination.diameter_mm / 2 - _REACHES_IN_MM
            stakes = (zone for zone in mat.zones if zone.kind is not ZoneKind.PRIZE)
            near_by = (zone.name for zone in stakes if zone.area.holds(*coin.place_mm, -reach))
            found += [(coin, zone) for zone in list(near_by)[:1]]
    return found


def untouched(coins: Sequence[SeenCoin], before: Sequence[SeenCoin]) -> tuple[SeenCoin, ...]:
    """Those of `coins` that lie as one of `before` lay: same place, same coin, same face. They were never tossed."""
    return tuple(
        coin
        for coin in coins
        if any(
            coin.place_mm
            and other.place_mm
            and dist(coin.place_mm, other.place_mm) <= UNTOUCHED_MM
            and coin.coin == other.coin
            for other in before
        )
    )


def results(match: Match, belief: TableBelief, due: Mapping[str, Heap]) -> list[tuple[Action, float]]:
    """Every result the flip may have with its share of the probability, likeliest first.

    What the shares lack of 1 is that of other coins than those due. People mostly throw the right ones, so a coin the
    reader is not sure of counts as the one due unless it looks a good deal more like another.
    """
    zones = [
        [(zone, _showing(heap, heads), p) for (seen, heads), p in belief[zone].piles.items() if seen == heap]
        for zone, heap in due.items()
    ]
    found = [
        (
            match.game.toss_action(match.state, {zone: coins for zone, coins, _ in combination}),
            prod(p for _, _, p in combination),
        )
        for combination in product(*zones)
    ]
    right = sum(p for _, p in found)
    total = right + PRIOR_IMAGINED * (1 - right)
    return sorted(((action, p / total) for action, p in found), key=lambda result: -result[1])


def _likeliest(piles: Mapping[Piles, float], without: Heap | None = None) -> tuple[Piles, float]:
    """The most probable (heap, its heads), leaving out the heap `without`; nothing, where that leaves none."""
    left = [one for one in piles.items() if one[0][0] != without]
    return max(left, key=lambda one: one[1], default=((EMPTY, EMPTY), 0.0))


def _refused(match: Match, thrown: Mapping[str, Piles]) -> tuple[Action, IllegalAction] | None:
    """The toss that shows `thrown`, (heap, its heads) by zone, and the clause that refuses it; None where none does."""
    shown = {zone: _showing(heap, heads) for zone, (heap, heads) in thrown.items()}
    action: Action = match.game.toss_action(match.state, shown)
    try:
        match.game.apply(match.state, action)
    except IllegalAction as broken:
        return action, broken
    return None


def _heap(coins: Sequence[SeenCoin]) -> Heap:
    return Heap.of(coin.denomination for coin in coins if coin.denomination)


def _showing(heap: Heap, heads: Heap) -> tuple[Coin, ...]:
    """By denomination, so that of two answers to a question one sees where they differ."""
    up = [Coin.of(kind, Face.HEADS) for kind in heads]
    coins = [*up, *(Coin.of(kind, Face.TAILS) for kind in heap - heads)]
    return tuple(sorted(coins, key=lambda coin: BY_VALUE.index(coin.denomination)))
