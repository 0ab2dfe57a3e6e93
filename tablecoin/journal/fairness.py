"""Whether the coins fell fairly: heads by player and by coin, with an exact test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import exp, lgamma, log

import msgspec

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face
from tablecoin.journal.tosses import Toss, Tossed
from tablecoin.rules.game import Seat


class Fairness(msgspec.Struct, frozen=True):
    """Heads among `tosses` coins, and the p-value of a fair coin (`two_sided`), 0..1."""

    heads: int
    tosses: int
    p: float


class Summary(msgspec.Struct, frozen=True):
    """Every toss, and the heads among those that stand. Each coin of a toss is one trial.

    `uncounted`: events of the journal that are still to be counted, as after a journal was built anew.
    """

    tosses: tuple[Toss, ...]
    total: Fairness = msgspec.field(name="all")
    seats: Mapping[Seat, Fairness]
    coins: Mapping[Denomination, Fairness]
    seats_coins: Mapping[Seat, Mapping[Denomination, Fairness]]
    uncounted: int = 0


def summary(tossed: Tossed) -> Summary:
    """What GET /api/flips answers."""
    of_seats: dict[Seat, Counter[Coin]] = {seat: Counter() for seat in sorted({seat for seat, _ in tossed.falls})}
    for (seat, coin), times in tossed.falls.items():
        of_seats[seat][coin] += times
    every = sum(of_seats.values(), Counter[Coin]())
    return Summary(
        tosses=tossed.tosses,
        total=fairness_of(every),
        seats={seat: fairness_of(fell) for seat, fell in of_seats.items()},
        coins=by_kind(every),
        seats_coins={seat: by_kind(fell) for seat, fell in of_seats.items()},
        uncounted=tossed.uncounted,
    )


def two_sided(heads: int, total: int) -> float:
    """The p-value of the exact binomial test against 1/2: `heads` of `total` coins showed heads. 0..1.

    The distribution is symmetric, so p is twice the smaller tail, and at most 1. Each term of the tail follows from
    the one before it, largest first, until they no longer count: a journal may hold a million coins. Raises
    ValueError for more heads than coins.
    """
    if not 0 <= heads <= total:
        raise ValueError(f"{heads} heads of {total} cannot be")
    fewer = min(heads, total - heads)
    term = exp(lgamma(total + 1) - lgamma(fewer + 1) - lgamma(total - fewer + 1) - total * log(2))
    tail = 0.0
    for k in range(fewer, -1, -1):
        tail += term
        term *= k / (total - k + 1)
        if term < tail * 1e-16:
            break
    return min(1.0, 2 * tail)


def fairness_of(fell: Mapping[Coin, int]) -> Fairness:
    """How evenly these coins fell: how often each face of each kind."""
    heads, tosses = sum(n for coin, n in fell.items() if coin.face is Face.HEADS), sum(fell.values())
    return Fairness(heads, tosses, round(two_sided(heads, tosses), 6))


def by_kind(fell: Mapping[Coin, int]) -> dict[Denomination, Fairness]:
    """The same of each kind of coin that was tossed."""
    of_kind = {kind: {coin: n for coin, n in fell.items() if coin.denomination is kind} for kind in BY_VALUE}
    return {kind: fairness_of(tossed) for kind, tossed in of_kind.items() if tossed}
