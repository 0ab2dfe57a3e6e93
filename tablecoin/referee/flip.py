"""Reading a flip: the coins due, tossed, complete and alone in their zones, and every result they may show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from tablecoin.coins import Coin, Face, Heap
from tablecoin.referee.belief import TableBelief, apart
from tablecoin.referee.desk import near
from tablecoin.referee.match import Match
from tablecoin.rules.game import Action
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import SeenCoin


def lacking(due: Mapping[str, Heap], belief: TableBelief) -> Message | None:
    """What is wrong with the coins thrown, for the thrower; None when exactly those due lie there."""
    for zone, heap in due.items():
        missing, extra = apart(heap, belief[zone].likeliest)
        if extra:
            return Message("referee.flip.less", {"coins": extra})
        if missing:
            return Message("referee.flip.more", {"coins": missing})
    return None


def untouched(coins: Sequence[SeenCoin], before: Sequence[SeenCoin]) -> tuple[SeenCoin, ...]:
    """Those of `coins` that lie as one of `before` lay: same place, same coin, same face. They were never tossed."""
    return tuple(
        coin
        for coin in coins
        if any(
            coin.place_mm and other.place_mm and near(coin.place_mm, other.place_mm) and coin.coin == other.coin
            for other in before
        )
    )


def results(match: Match, belief: TableBelief, due: Mapping[str, Heap]) -> list[tuple[Action, float]]:
    """Every result the flip may have with its share of the probability, likeliest first."""
    zones = [
        [(zone, _showing(heap, heads), p) for (seen, heads), p in belief[zone].piles.items() if seen == heap]
        for zone, heap in due.items()
    ]
    found = [
        (
            match.game.flip_action(match.state, {zone: coins for zone, coins, _ in combination}),
            prod(p for _, _, p in combination),
        )
        for combination in product(*zones)
    ]
    total = sum(p for _, p in found)
    return sorted(((action, p / total) for action, p in found), key=lambda result: -result[1])


def _showing(heap: Heap, heads: Heap) -> tuple[Coin, ...]:
    up = [Coin.of(kind, Face.HEADS) for kind in heads]
    return (*up, *(Coin.of(kind, Face.TAILS) for kind in heap - heads))
