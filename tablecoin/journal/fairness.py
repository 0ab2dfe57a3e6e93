"""Whether the coins fell fairly: heads by player and by coin, with an exact test."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, lgamma, log

import msgspec

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face
from tablecoin.journal.tosses import Toss
from tablecoin.rules.game import Seat


class Fairness(msgspec.Struct, frozen=True):
    """Heads among `tosses` coins, and the p-value of a fair coin (`two_sided`), 0..1."""

    heads: int
    tosses: int
    p: float


class Summary(msgspec.Struct, frozen=True):
    """Every toss, and the heads among those that stand. Each coin of a toss is one trial."""

    tosses: tuple[Toss, ...]
    total: Fairness = msgspec.field(name="all")
    seats: Mapping[Seat, Fairness]
    coins: Mapping[Denomination, Fairness]
    seats_coins: Mapping[Seat, Mapping[Denomination, Fairness]]


def summary(every: Sequence[Toss]) -> Summary:
    """What GET /api/flips answers."""
    falls = [(toss.seat, coin) for toss in every if toss.stands for coin in toss.coins]
    by_seat: dict[str, list[Coin]] = defaultdict(list)
    for seat, coin in falls:
        by_seat[seat].append(coin)
    return Summary(
        tosses=tuple(every),
        total=_fairness(coin for _, coin in falls),
        seats={seat: _fairness(coins) for seat, coins in sorted(by_seat.items())},
        coins=_by_kind(coin for _, coin in falls),
        seats_coins={seat: _by_kind(coins) for seat, coins in sorted(by_seat.items())},
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


def _fairness(coins: Iterable[Coin]) -> Fairness:
    faces = [coin.face for coin in coins]
    heads = faces.count(Face.HEADS)
    return Fairness(heads, len(faces), round(two_sided(heads, len(faces)), 6))


def _by_kind(coins: Iterable[Coin]) -> dict[Denomination, Fairness]:
    every = list(coins)
    of_kind = {kind: [coin for coin in every if coin.denomination is kind] for kind in BY_VALUE}
    return {kind: _fairness(tossed) for kind, tossed in of_kind.items() if tossed}
