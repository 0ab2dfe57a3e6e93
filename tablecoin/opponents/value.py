"""What a state is worth to each seat. `load(name)` gives a game's value function.

There is one value function a game. The strong computer plays by it; the analysis, the live bar and the hint show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import sqrt
from typing import Any, Protocol

from tablecoin.rules.game import InputError, Outcome, Seat
from tablecoin.rules.rulebook import Message

# game -> the module whose `value` values it. Imported when first asked for.
_HOMES: dict[str, str] = {
    "steal": "tablecoin.opponents.dollar_prize.steal_value",
    "exact": "tablecoin.opponents.dollar_prize.exact_value",
    "goes-around": "tablecoin.opponents.goes_around.value",
    "coin-wars": "tablecoin.opponents.coin_wars.value",
    "coin-age": "tablecoin.opponents.coin_age.value",
}


@dataclass(frozen=True)
class Estimate:
    """How likely each seat is to win from a state, if everybody plays well from there on.

    `chance` is the expected share of the win: winners share evenly, and what nobody wins is missing from the sum of 1.
    `error` is the standard error of the least certain chance; 0 says that all are exact. `margin` is the expected
    final margin of each seat in the game's own unit, where a game has one.
    """

    chance: Mapping[Seat, float]
    error: float = 0.0
    margin: Mapping[Seat, float] | None = None


def decided(outcome: Outcome, seats: Iterable[Seat], margin: Mapping[Seat, float] | None = None) -> Estimate:
    """The exact worth of a finished game: the winners share evenly."""
    share = 1 / max(1, len(outcome.winners))
    return Estimate({seat: share if seat in outcome.winners else 0.0 for seat in seats}, margin=margin)


def standard_error(total: float, squares: float, games: int) -> float:
    """Of the mean of `games` shares, by their sum and the sum of their squares.

    One game won and one lost are added, so that a few games which all end alike are not taken for certainty.
    """
    mean = (total + 1) / (games + 2)
    return sqrt(max(0.0, (squares + 1) / (games + 2) - mean**2) / (games + 2))


class Valuer(Protocol):
    """The value function of one game."""

    def __call__(self, state: Any, *, samples: int, seed: int, margin: bool = True) -> Estimate:
        """The worth of any state, also in mid-turn, before a toss and at the end of the game.

        Depends on the arguments alone. Where the game is solved or searched to its end the answer is exact and
        `samples` is ignored; elsewhere it is the mean of so many imagined games. Without `margin` none need be told:
        to compare chances takes half as long where it rests on a table of its own.
        """


@cache
def load(name: str) -> Valuer:
    """The value function of a game; InputError when the game has none."""
    if name not in _HOMES:
        raise InputError(Message("input.player", {"game": repr(name[:40]), "known": list(_HOMES)}))
    valuer: Valuer = import_module(_HOMES[name]).value
    return valuer
