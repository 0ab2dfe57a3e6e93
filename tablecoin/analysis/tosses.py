"""What a toss could have come to: every state it leads to, with its true chance.

Outcomes are enumerated, never sampled, as long as coins tossed together have at most MOST_RESULTS distinct results
(100 pennies have 101, nine pennies and nine nickels 100). Beyond that SAMPLED results are drawn, the same at each call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from random import Random
from typing import Any

from msgspec.structs import replace

from tablecoin.coins import BY_VALUE, Coin, Face, Heap
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.game import Game, State
from tablecoin.rules.toss import results_with_chances

MOST_RESULTS = 1000  # distinct results that are enumerated
SAMPLED = 400  # results drawn where there are more

Faces = Mapping[str, tuple[Coin, ...]]  # zone -> the coins as they fell


@dataclass(frozen=True)
class Outcomes:
    """The states that a toss may lead to, each once, with chances that add up to 1. Not `whole`: a sample."""

    states: tuple[tuple[State, float], ...]
    whole: bool


def outcomes(game: Game[Any, Any, Any], state: State) -> Outcomes:
    """The outcomes of the toss due in `state`; results that lead to the same state are one. ValueError: none is due."""
    due = game.tosses_due(state)
    if not due:
        raise ValueError("no toss is due")
    whole = prod(heap[kind] + 1 for heap in due.values() for kind in BY_VALUE) <= MOST_RESULTS
    found: dict[State, float] = {}
    for faces, chance in _every(due) if whole else _drawn(due):
        after = essence(game.apply(state, game.toss_action(state, faces)))
        found[after] = found.get(after, 0.0) + chance
    return Outcomes(tuple(found.items()), whole)


def essence(state: State) -> State:
    """The state without what no longer matters to play: in Coin Wars the coins of an exchange that is settled."""
    if isinstance(state, CoinWarsState) and not state.open:
        return replace(state, last=None)
    return state


def _every(due: Mapping[str, Heap]) -> Iterator[tuple[Faces, float]]:
    for results in product(*(results_with_chances(heap) for heap in due.values())):
        yield dict(zip(due, (coins for coins, _ in results), strict=True)), prod(chance for _, chance in results)


def _drawn(due: Mapping[str, Heap]) -> Iterator[tuple[Faces, float]]:
    dice = Random(0)  # common random numbers: tosses of the same coins meet the same results
    for _ in range(SAMPLED):
        faces = {zone: tuple(Coin.of(kind, dice.choice(list(Face))) for kind in heap) for zone, heap in due.items()}
        yield faces, 1 / SAMPLED
