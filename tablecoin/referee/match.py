"""One game as it was played: the start and the acts that stand. Immutable: an event gives a new match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from tablecoin import rules
from tablecoin.referee.events import Acted, Event, Started, TakenBack
from tablecoin.rules.game import ANYONE, TABLE, Action, Game, Seat, State


@dataclass(frozen=True)
class Ply:
    """One act that stands."""

    before: State
    action: Action
    after: State
    seat: Seat
    group: int
    by: str


@dataclass(frozen=True)
class Match:
    """A game under way. `state` is where it stands."""

    game: Game[Any, Any, Any]
    started: Started
    beginning: State
    plies: tuple[Ply, ...] = ()

    @classmethod
    def begin(cls, started: Started) -> Match:
        """Raises InputError for an unknown game or options it does not take."""
        game = rules.load(started.game)
        return cls(game, started, game.start(game.read_options(started.options)))

    @property
    def state(self) -> State:
        return self.plies[-1].after if self.plies else self.beginning

    @property
    def mat(self) -> str:
        """The name of the mat this game is played on."""
        return self.game.mat(self.game.read_options(self.started.options))

    @property
    def name(self) -> str:
        """A name that no other state of play has: the rulings of its start and newest act, and how many acts stand."""
        newest = self.plies[-1].group if self.plies else self.started.group
        return f"{self.started.group}.{newest}.{len(self.plies)}"

    def turn_states(self) -> tuple[State, ...]:
        """The states of the turn under way, newest first: people may take back what they did within their turn."""
        states = [self.state]
        seat, phase = self.game.to_act(self.state), self.game.phase(self.state)
        for ply in reversed(self.plies):
            if self.game.to_act(ply.before) != seat or self.game.phase(ply.before) != phase:
                break
            states.append(ply.before)
        return tuple(states)

    def take(self, event: Event) -> Match:
        """The match after `event`; a refusal or correction leaves it as it is. Raises RulesError for an illegal act."""
        match event:
            case Acted():
                action = self.game.read_action(event.action)
                after = self.game.apply(self.state, action)
                ply = Ply(self.state, action, after, event.seat, event.group, event.by)
                return replace(self, plies=(*self.plies, ply))
            case TakenBack():
                return replace(self, plies=self.plies[:-1])
            case _:
                return self

    def last_group(self) -> int:
        """How many of the newest plies belong to the newest ruling."""
        if not self.plies:
            return 0
        group = self.plies[-1].group
        return next((n for n, ply in enumerate(reversed(self.plies)) if ply.group != group), len(self.plies))

    def undoable(self) -> tuple[Ply, ...]:
        """What one undo takes back: the newest ruling; if it is a computer's, all back to a person's or a toss.

        In the same position a computer would act in the same way again at once. If every ruling was a computer's, only
        the newest is taken back.
        """
        left = self
        while left.plies:
            computer = left.plies[-1].by == "computer"
            left = replace(left, plies=left.plies[: -left.last_group()])
            if not computer:
                return self.plies[len(left.plies) :]
        return self.plies[len(self.plies) - self.last_group() :]

    def undo_seat(self) -> Seat | None:
        """The seat that alone may take that back; None if anybody may: a toss, a computer's act."""
        undone = self.undoable()
        seat = undone[0].seat if undone else TABLE
        return None if seat in (TABLE, ANYONE) or self.started.seats.get(seat) == "computer" else seat


def replay(events: Iterable[Event]) -> Match | None:
    """The match the events lead to; None before any game began."""
    match: Match | None = None
    for event in events:
        if isinstance(event, Started):
            match = Match.begin(event)
        elif match:
            match = match.take(event)
    return match
