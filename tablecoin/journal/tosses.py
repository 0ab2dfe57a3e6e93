"""Every toss of every game, and whether the coins fell fairly: heads by player and by coin, with an exact test."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, lgamma, log

import msgspec

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face
from tablecoin.referee.events import Acted, Event, Started
from tablecoin.referee.match import Match
from tablecoin.rules.game import TABLE, RulesError, Seat

Lines = Sequence[tuple[str, Event]]


class Toss(msgspec.Struct, frozen=True):
    """One toss: in which game (counted from 1), when it was read, whose it was, what fell, and if it still stands."""

    game: int
    name: str
    at: str
    seat: str  # "table" where a toss is nobody's own
    coins: tuple[Coin, ...]
    stands: bool


class Fairness(msgspec.Struct, frozen=True):
    """Heads among tosses, and how often a fair coin would fall at least so unevenly, 0..1."""

    heads: int
    tosses: int
    p: float


def tosses(games: Iterable[Lines]) -> Iterator[Toss]:
    """The tosses in the journal's lines of each game, oldest first; those taken back or put right do not stand.

    A game that today's rules do not play any more (of an older version) is left out from where it departs.
    """
    for number, lines in enumerate(games, 1):
        match: Match | None = None
        thrown: list[tuple[int, str, str, tuple[Coin, ...], int]] = []  # line, at, seat, coins, plies before it
        fallen: list[tuple[int, Toss]] = []
        for line, (at, event) in enumerate(lines):
            try:
                if isinstance(event, Started):
                    match = Match.begin(event)
                    continue
                if match is None:
                    break
                if isinstance(event, Acted) and event.action.get("do") == "flip" and event.by != "computer":
                    thrown.append((line, at, _seat(match, event), _coins(event), len(match.plies)))
                match = match.take(event)
            except RulesError:
                break
            while thrown and thrown[-1][-1] >= len(match.plies):
                fallen.append(_toss(number, match, thrown.pop(), stands=False))
        if match:
            every = [*fallen, *(_toss(number, match, one, stands=True) for one in thrown)]
            yield from (toss for _, toss in sorted(every, key=lambda one: one[0]))  # a clock may be set back


class Summary(msgspec.Struct, frozen=True):
    """Every toss, and heads among those that stand; each coin of a toss is one trial."""

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
    """How probable it is that `total` fair coins fall at least as unevenly as `heads` of them showing heads, 0..1.

    The exact binomial test for one half: both tails are alike, so it is twice the smaller, never above 1. Each term
    is made from the one before, from the largest outwards, until they count no more: a journal grows for years.
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
    kinds = [(kind, [coin for coin in every if coin.denomination is kind]) for kind in BY_VALUE]
    return {kind: _fairness(fell) for kind, fell in kinds if fell}


def _toss(
    number: int, match: Match, one: tuple[int, str, str, tuple[Coin, ...], int], *, stands: bool
) -> tuple[int, Toss]:
    line, at, seat, coins, _ = one
    return line, Toss(number, match.started.game, at, seat, coins, stands)


def _seat(match: Match, event: Acted) -> str:
    """Whose toss it was: who is named in it, else the player on the move; in Dollar Prize it is nobody's."""
    named = event.action.get("name") or getattr(match.state, "mover", None)
    return str(named) if named else TABLE


def _coins(event: Acted) -> tuple[Coin, ...]:
    """The coins of a toss, of all its zones, in order."""
    lists = [value for value in event.action.values() if isinstance(value, list | tuple)]
    return tuple(Coin(coin) for shown in lists for coin in shown)
