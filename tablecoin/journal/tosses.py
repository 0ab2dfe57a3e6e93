"""Every toss of every game, and whether the coins fell fairly: heads by player and by coin, with an exact test."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, lgamma, log

import msgspec
from msgspec.structs import replace

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face
from tablecoin.journal.journal import Journal, Line
from tablecoin.referee.events import Acted, Started
from tablecoin.referee.match import Match
from tablecoin.rules.game import TABLE, RulesError, Seat


class Toss(msgspec.Struct, frozen=True):
    """One toss."""

    game: int  # the number of its game in the journal, from 1
    name: str  # of the game, such as "steal"
    at: str  # when it was written down: ISO 8601, UTC
    seat: Seat  # whose toss it was; "table" where nobody's
    coins: tuple[Coin, ...]
    stands: bool  # it was not taken back or corrected


class Fairness(msgspec.Struct, frozen=True):
    """Heads among `tosses` coins, and the p-value of a fair coin (`two_sided`), 0..1."""

    heads: int
    tosses: int
    p: float


class TossHistory:
    """Every toss of a journal. A game is replayed once, and again only when it has new events. For any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        # The last event looked at, and the tosses of each game up to it. Replaced as a whole, so it needs no lock: two
        # requests at once may both replay the newest game, with the same result.
        self._counted: tuple[int, Mapping[int, tuple[Toss, ...]]] = (0, {})

    def tosses(self) -> tuple[Toss, ...]:
        """The tosses of all games, oldest first. Raises JournalError."""
        seen, by_game = self._counted
        fresh = dict(by_game)
        for game, last in self._journal.games_after(seen):
            fresh[game] = tosses_of(game, self._journal.game(game))
            seen = max(seen, last)
        self._counted = seen, fresh
        return tuple(toss for game in sorted(fresh) for toss in fresh[game])


def tosses_of(game: int, lines: Sequence[Line]) -> tuple[Toss, ...]:
    """The tosses in the lines of game number `game`, oldest first. A toss taken back or corrected does not stand.

    An old game that today's rules refuse at some line is counted up to that line.
    """
    match: Match | None = None
    found: list[Toss] = []
    standing: list[tuple[int, int]] = []  # (index in `found`, plies before it) of each toss that stands
    for at, event in lines:
        try:
            if isinstance(event, Started):
                match = Match.begin(event)
                continue
            if match is None:
                break
            before, match = match, match.take(event)
        except RulesError:
            break
        if isinstance(event, Acted) and event.action.get("do") == "flip" and event.by != "computer":
            standing.append((len(found), len(before.plies)))
            found.append(Toss(game, match.started.game, at, _seat(before, event), _coins(event), stands=True))
        while standing and standing[-1][1] >= len(match.plies):
            index, _ = standing.pop()
            found[index] = replace(found[index], stands=False)
    return tuple(found)


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


def _seat(match: Match, event: Acted) -> str:
    """Whose toss it was: the player it names, else the player to move. In Dollar Prize it is nobody's."""
    named = event.action.get("name") or getattr(match.state, "mover", None)
    return str(named) if named else TABLE


def _coins(event: Acted) -> tuple[Coin, ...]:
    """The coins of a toss, zone by zone."""
    lists = [value for value in event.action.values() if isinstance(value, list | tuple)]
    return tuple(Coin(coin) for shown in lists for coin in shown)
