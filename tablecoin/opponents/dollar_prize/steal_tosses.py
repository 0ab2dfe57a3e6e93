"""What a toss of Steal can come to: only the coin that decides counts, so 5 results stand for 16."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tablecoin.coins import Coin, Face, Heap
from tablecoin.rules.dollar_prize.rows import PrizeState, Toss
from tablecoin.rules.dollar_prize.steal import GAME, StealState
from tablecoin.rules.toss import results_with_chances


def results(state: PrizeState, due: Heap) -> Sequence[tuple[tuple[Coin, ...], float]]:
    """What the toss due in `state` can come to. A tie-break is repeated until something is decided.

    With `tie_flips` "until" the results after which it is only repeated drop out; the others share their chance.
    """
    every = decisive_results(due)
    if not isinstance(state, StealState) or state.phase != "steal":
        return list(results_with_chances(due))
    if state.options.tie_flips != "until":
        return every
    last = [(coins, likely) for coins, likely in every if not GAME.toss_due(GAME.after(state, Toss(coins)))]
    decided = sum(likely for _, likely in last)
    return [(coins, likely / decided) for coins, likely in last]


@cache
def decisive_results(coins: Heap) -> tuple[tuple[tuple[Coin, ...], float], ...]:
    """The results of a steal's toss that differ in what they decide: the first heads, from the highest coin down.

    The i-th coin decides with chance 2**-i, none of n with 2**-n (rule 5.3).
    """
    kinds = list(reversed(list(coins)))
    results: list[tuple[tuple[Coin, ...], float]] = []
    for decisive in kinds:
        faces = [Face.HEADS if kind is decisive else Face.TAILS for kind in kinds]
        results.append((tuple(map(Coin.of, kinds, faces)), 0.5 ** (len(results) + 1)))
    return (*results, (tuple(Coin.of(kind, Face.TAILS) for kind in kinds), 0.5 ** len(kinds)))
