"""Computer players. `load(name)` gives a game's player: a pure function from what a seat may see to an action.

A player lives in `tablecoin/opponents/<game>.py` (dashes as underscores) as one function:

    def choose(state: StealState, seat: Seat, level: Level, seed: int) -> Action: ...

- `state` is a state of the game in which `seat` may act (`Game.may_act`); the answer is a legal action of that seat.
- It depends on the arguments alone: the same call gives the same action. Dice it wants come from `random.Random(seed)`.
- It looks only at what `Game.public(state, seat)` shows. Blotting out the rest of the state must not change the answer.
- Chance (a flip that is due) is nobody's choice: it is never asked for one.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from tablecoin.rules import NAMES
from tablecoin.rules.game import InputError, Seat


class Level(StrEnum):
    """How well the computer plays. `easy` makes friendly mistakes; `strong` searches, within 300 ms a move."""

    EASY = "easy"
    STRONG = "strong"


class Player(Protocol):
    """A computer player of one game."""

    def __call__(self, state: Any, seat: Seat, level: Level, seed: int) -> Any:
        """The action `seat` takes in `state`. ValueError when it is not that seat's turn."""


@cache
def load(name: str) -> Player:
    """The computer player of a game; InputError when there is no such game."""
    if name not in NAMES:
        raise InputError(f"there is no game {name[:40]!r}; the games are {', '.join(NAMES)}")
    player: Player = import_module(f"tablecoin.opponents.{name.replace('-', '_')}").choose
    return player
