"""The line of play: the actions of a record that stand, in order, and how people ended it where its rules did not.

What was refused or taken back is not in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from tablecoin.journal.record import Record, replay
from tablecoin.referee.events import Ended
from tablecoin.rules import load
from tablecoin.rules.coin_wars.actions import Draw
from tablecoin.rules.game import Action, Game, Seat, State

HEADER = 1  # the record's first line tells no action


@dataclass(frozen=True)
class Move:
    """One action that stands. `number` is its line in the written record, the header being line 1."""

    number: int
    before: State
    action: Action
    seat: Seat
    after: State


@dataclass(frozen=True)
class Line:
    """A game as played: its first state and the moves from there.

    `ended`: how people ended it before its rules did, and the number of that line; None where they did not.
    """

    game: Game[Any, Any, Any]
    start: State
    moves: tuple[Move, ...]
    ended: tuple[int, Ended] | None = None

    @property
    def last(self) -> State:
        return self.moves[-1].after if self.moves else self.start


def line_of(record: Record) -> Line:
    """What stands of a record. Raises RecordError where the record departs from the rules."""
    steps = replay(record)
    first = next(steps)
    game = load(record.game)
    moves: list[Move] = []
    last: tuple[int, Ended] | None = None
    for number, (entry, step) in enumerate(zip(record.entries, steps, strict=True), HEADER + 1):
        before = moves[-1].after if moves else first.state
        if entry.event == "undo":
            moves.pop()
        elif entry.action is not None and step.ok:
            action = game.read_action(entry.action)
            moves.append(Move(number, before, action, game.actor(before, action), step.state))
        elif entry.event == "ended" and (told := read_ended(entry.extra)):
            last = number, told
    return Line(game, first.state, tuple(moves), last)


def read_ended(told: Mapping[str, Any]) -> Ended | None:
    """How people ended the game, from a line of its record; None where the line does not tell."""
    known = {key: told.get(key) for key in ("how", "seat", "winners")}
    try:
        return msgspec.convert({"event": "ended", "group": 0} | known, Ended)
    except msgspec.ValidationError:
        return None


def from_the_draw(line: Line) -> Line:
    """The line from where its chances can be told: an adventure of Coin Wars has none before its scenes are drawn.

    Of an adventure that was never drawn only the last state is left.
    """
    if line.game.name != "coin-wars":
        return line
    drawn = next((k for k, move in enumerate(line.moves) if isinstance(move.action, Draw)), len(line.moves) - 1)
    start = line.moves[drawn].after if line.moves else line.start
    return replace(line, start=start, moves=line.moves[drawn + 1 :])
