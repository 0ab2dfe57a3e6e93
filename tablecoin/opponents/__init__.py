"""Computer players. `load(name)` gives a game's player: a pure function from what a seat may see to an action.

A player is one function, in the folder of its game:

    def choose(state: StealState, seat: Seat, level: Level, seed: int) -> Action: ...

- `state` is a state of the game in which `seat` may act (`Game.may_act`); the answer is a legal action of that seat.
- It depends on the arguments alone: the same call gives the same action. Dice it wants come from `random.Random(seed)`.
- It looks only at what `Game.public(state, seat)` shows. Blotting out the rest of the state must not change the answer.
- Chance (a toss that is due) is nobody's choice: no player is asked for it.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from tablecoin.rules.game import InputError, Seat
from tablecoin.rules.rulebook import Message

# game -> the module whose `choose` plays it. Imported when first asked for.
_HOMES = {
    "steal": "tablecoin.opponents.dollar_prize.steal_player",
    "exact": "tablecoin.opponents.dollar_prize.exact_player",
    "goes-around": "tablecoin.opponents.goes_around.player",
    "coin-wars": "tablecoin.opponents.coin_wars.player",
    "coin-age": "tablecoin.opponents.coin_age.player",
}


class Level(StrEnum):
    """How well the computer plays. `easy` makes friendly mistakes; `strong` searches, within 300 ms a move.

    `middle` stands between them.
    """

    EASY = "easy"
    MIDDLE = "middle"
    STRONG = "strong"


class Player(Protocol):
    """A computer player of one game."""

    def __call__(self, state: Any, seat: Seat, level: Level, seed: int) -> Any:
        """The action `seat` takes in `state`. ValueError when it is not that seat's turn."""


@cache
def load(name: str) -> Player:
    """The computer player of a game; InputError when the game has none."""
    if name not in _HOMES:
        raise InputError(Message("input.player", {"game": repr(name[:40]), "known": list(_HOMES)}))
    player: Player = import_module(_HOMES[name]).choose
    return player
