"""Reading a toss: are exactly the coins due in their zones, and what may they show?"""

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
from tablecoin.vision.coins.find import hidden_share
from tablecoin.vision.frame import SeenCoin
from tablecoin.vision.place.edges import across_edges

_COVERED = 0.06  # two coins overlap when this share of the smaller disc is hidden; less is within the fit's error


def lacking(due: Mapping[str, Heap], belief: TableBelief) -> Message | None:
    """What is wrong with the coins tossed, for people; None when exactly those due may lie there."""
    for zone, heap in due.items():
        if belief[zone].ratio(Pile(heap)) >= FITS:
            continue
        missing, extra = apart(heap, belief[zone].likeliest)
        if any(coin.denomination is None for coin in belief[zone].coins):
            return Message("referee.toss.foreign", {"zone": zone_name(zone)})
        if extra:
            return Message("referee.toss.less", {"coins": extra, "zone": zone_name(zone)})
        if missing:
            return Message("referee.toss.more", {"coins": missing, "zone": zone_name(zone)})
    return None


def wrong_coins(match: Match, belief: TableBelief, due: Mapping[str, Heap]) -> tuple[Action, IllegalAction] | None:
    """The toss of coins that are not due, and the clause it breaks; None while coins may only be missing: those may
    still be tossed."""
    if all(any(part in heap for part in belief[zone].likely(FITS)) for zone, heap in due.items()):
        return None
    return _refused(match, {zone: _likeliest(belief[zone].piles)[0] for zone in due})


def other_coins(match: Match, belief: TableBelief, due: Mapping[str, Heap]) -> tuple[Action, IllegalAction] | None:
    """The likeliest toss of other coins than those due, and the clause it breaks; None when it only lacks some."""
    best = {zone: _likeliest(belief[zone].piles) for zone in due}
    if all(piles[0] == due[zone] for zone, (piles, _) in best.items()):
        others = {zone: _likeliest(belief[zone].piles, without=heap) for zone, heap in due.items()}
        zone = max(due, key=lambda zone: others[zone][1] / best[zone][1])
        best[zone] = others[zone]
    if all(piles[0] in due[zone] for zone, (piles, _) in best.items()):
        return None
    return _refused(match, {zone: piles for zone, (piles, _) in best.items()})


def fallen_badly(coins: Sequence[SeenCoin], due: Mapping[str, Heap], mat: Mat, again: str) -> Message | None:
    """What is wrong with how the coins fell, for people: across the edge, or overlapping. None when all lie well.

    `again` is what must be tossed again: the bad coin "alone", or "all".
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


def untouched(coins: Sequence[SeenCoin], before: Sequence[SeenCoin]) -> tuple[SeenCoin, ...]:
    """The `coins` that lie as one of `before` did: same place, same coin, same face. They were not tossed."""
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
    """Every result the toss may have and its posterior probability, likeliest first.

    The rest to 1 is the probability of other coins than those due, which have the prior PRIOR_IMAGINED: people mostly
    toss the right coins, so a doubtful coin counts as the one due unless it looks much more like another.
    """
    zones = [
        [(zone, showing(heap, heads), p) for (seen, heads), p in belief[zone].piles.items() if seen == heap]
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
    """The most probable (heap, its heads) other than the heap `without`; else (EMPTY, EMPTY) with probability 0."""
    left = [one for one in piles.items() if one[0][0] != without]
    return max(left, key=lambda one: one[1], default=((EMPTY, EMPTY), 0.0))


def _refused(match: Match, thrown: Mapping[str, Piles]) -> tuple[Action, IllegalAction] | None:
    """The toss that shows `thrown`, (heap, its heads) by zone, and the clause it breaks; None when it is legal."""
    shown = {zone: showing(heap, heads) for zone, (heap, heads) in thrown.items()}
    action: Action = match.game.toss_action(match.state, shown)
    try:
        match.game.apply(match.state, action)
    except IllegalAction as broken:
        return action, broken.with_traceback(None)
    return None


def _heap(coins: Sequence[SeenCoin]) -> Heap:
    return Heap.of(coin.denomination for coin in coins if coin.denomination)


def showing(heap: Heap, heads: Heap) -> tuple[Coin, ...]:
    """The coins of a pile in the order of BY_VALUE, so that two answers to a question are easy to compare."""
    up = [Coin.of(kind, Face.HEADS) for kind in heads]
    coins = [*up, *(Coin.of(kind, Face.TAILS) for kind in heap - heads)]
    return tuple(sorted(coins, key=lambda coin: BY_VALUE.index(coin.denomination)))
