"""The line of play: the actions of a record that stand, in order. What was refused or taken back is not in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablecoin.journal.record import Record, replay
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
    """A game as played: its first state and the moves from there."""

    game: Game[Any, Any, Any]
    start: State
    moves: tuple[Move, ...]

    @property
    def last(self) -> State:
        return self.moves[-1].after if self.moves else self.start


def line_of(record: Record) -> Line:
    """What stands of a record. Raises RecordError where the record departs from the rules."""
    steps = replay(record)
    first = next(steps)
    game = load(record.game)
    moves: list[Move] = []
    for number, (entry, step) in enumerate(zip(record.entries, steps, strict=True), HEADER + 1):
        before = moves[-1].after if moves else first.state
        if entry.event == "undo":
            moves.pop()
        elif entry.action is not None and step.ok:
            action = game.read_action(entry.action)
            moves.append(Move(number, before, action, game.actor(before, action), step.state))
    return Line(game, first.state, tuple(moves))


def from_the_draw(line: Line) -> Line:
    """The line from where its chances can be told: an adventure of Coin Wars has none before its scenes are drawn.

    Of an adventure that was never drawn only the last state is left.
    """
    if line.game.name != "coin-wars":
        return line
    drawn = next((k for k, move in enumerate(line.moves) if isinstance(move.action, Draw)), len(line.moves) - 1)
    return Line(line.game, line.moves[drawn].after if line.moves else line.start, line.moves[drawn + 1 :])
