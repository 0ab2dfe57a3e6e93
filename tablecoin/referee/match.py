"""One game as it was played: the start and the acts that stand. Immutable: an event gives a new match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tablecoin import rules
from tablecoin.referee.events import Acted, Ended, Event, Started, TakenBack
from tablecoin.referee.voice import seat_name
from tablecoin.rules.game import ANYONE, TABLE, Action, Game, Outcome, Seat, State
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.storage import mapfiles


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
    ended: Ended | None = None  # it ended before its rules said so

    @classmethod
    def begin(cls, started: Started) -> Match:
        """Raises InputError for an unknown game or options it does not take."""
        game = rules.load(started.game)
        return cls(game, started, game.start(game.read_options(started.options)))

    @property
    def state(self) -> State:
        return self.plies[-1].after if self.plies else self.beginning

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, by its rules or before they said so; None while it goes on."""
        return outcome_of(self.ended) if self.ended else self.game.outcome(self.state)

    def public(self, seat: Seat | None) -> dict[str, Any]:
        """The state as JSON with only what `seat` may see; one that people ended is over."""
        shown = self.game.public(self.state, seat)
        if self.ended is None or self.outcome is None:
            return shown
        told = {"winners": list(self.ended.winners), "why": sentence(self.outcome.reason)}
        return shown | {"phase": "over", "to_act": [], "outcome": told}

    def sides(self) -> tuple[Seat, ...]:
        """The two seats of a game in which one wins against the other; () in any other game."""
        seats = self.game.seats(self.game.read_options(self.started.options))
        return seats if len(seats) == 2 and not self.game.together else ()

    @cached_property
    def mat(self) -> str:
        """The name of the mat this game is played on."""
        return self.game.mat(self.game.read_options(self.started.options))

    def is_played_on(self, mat: str) -> bool:
        """Whether that is this game's mat. A map's is the same by the map's name and by its file's path."""
        one, other = (mapfiles.name_of(each.removeprefix("coin-age:")) for each in (mat, self.mat))
        return one == other

    @property
    def name(self) -> str:
        """A name that no other state of play has: the rulings of its start and newest act, and how many acts stand."""
        newest = self.plies[-1].group if self.plies else self.started.group
        return f"{self.started.group}.{newest}.{len(self.plies)}"

    @cached_property
    def turns_ended(self) -> Mapping[Seat, int]:
        """How often each seat handed the turn on, by the acts that stand. In a round of sealed choices each is one.

        Who ends the last turn of a round may begin the next round, and hands it on to itself.
        """
        handed = Counter[Seat]()
        for ply in self.plies:
            acted, acts = set(self.game.to_act(ply.before)), set(self.game.to_act(ply.after))
            again = ply.action.ends_turn and self.game.phase(ply.before) == self.game.phase(ply.after)
            handed.update(acted if again else acted - acts)
        return handed

    def turn_states(self) -> tuple[State, ...]:
        """The states of the turn under way, newest first: people may take back what they did within their turn.

        It does not reach over the end of a turn, also where who ended a round begins the next.
        """
        states = [self.state]
        seat, phase = self.game.to_act(self.state), self.game.phase(self.state)
        for ply in reversed(self.plies):
            if ply.action.ends_turn or self.game.to_act(ply.before) != seat or self.game.phase(ply.before) != phase:
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
            case Ended():
                return replace(self, ended=event)
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
        """The person's seat whose act that is; None: chance or a computer brought it."""
        undone = self.undoable()
        return undone[0].seat if undone and undone[0].seat in self.people() else None

    def taken_back(self) -> tuple[Ply, ...]:
        """All that one undo takes back: `undoable`, and the sealed acts that it revealed."""
        return () if self.ended else self.since(len(self.plies) - len(self.undoable()))

    def since(self, first: int) -> tuple[Ply, ...]:
        """The acts from number `first` on, and the sealed acts before them that those revealed."""
        return self.plies[first - self._revealed_by(self.plies[first:]) :]

    def _revealed_by(self, plies: Sequence[Ply]) -> int:
        """How many sealed acts before the newest `plies` those revealed. They are taken back with them: after seeing
        the others' choices nobody may choose again alone. In a game played together nobody gains by that."""
        if self.game.together or not any(isinstance(ply.action, self.game.unsealing) for ply in plies):
            return 0
        earlier = self.plies[: len(self.plies) - len(plies)]
        return next((n for n, ply in enumerate(reversed(earlier)) if not self.game.seals(ply.action)), len(earlier))

    def people(self) -> tuple[Seat, ...]:
        """The seats in which people sit, as far as they are known."""
        fixed = self.game.seats(self.game.read_options(self.started.options))
        came = (ply.seat for ply in self.plies if ply.seat not in (TABLE, ANYONE))
        seats = fixed or tuple(dict.fromkeys((*self.started.seats, *came)))
        return tuple(seat for seat in seats if self.started.seats.get(seat) != "computer")

    def concerned(self, plies: Sequence[Ply], thrown: bool = False) -> tuple[Seat, ...]:
        """The people whose word it takes to take `plies` back: everybody for what chance or a reveal brought, because
        it would not come again; else those who acted. Nobody among friends (house rule `undo`).

        `thrown`: coins of the toss that is due fell already, and would be thrown anew.
        """
        if self.started.undo == "free":
            return ()
        people = self.people()
        if thrown or any(self.is_chance(ply) or isinstance(ply.action, self.game.unsealing) for ply in plies):
            return people
        acted = {ply.seat for ply in plies}
        return tuple(seat for seat in people if seat in acted)

    def is_chance(self, ply: Ply) -> bool:
        """Whether it was a toss or a draw: what nobody chose."""
        return ply.seat == TABLE or ply.action.__struct_config__.tag == "flip"


def outcome_of(ended: Ended) -> Outcome:
    """How the game ended that ended before its rules said so."""
    names = [seat_name(seat) for seat in ended.winners]
    facts = {"seat": seat_name(ended.seat or TABLE), "winners": names}
    return Outcome(ended.winners, Message(f"ended.{ended.how}", facts))


def replay(events: Iterable[Event]) -> Match | None:
    """The match the events lead to; None before any game began."""
    match: Match | None = None
    for event in events:
        if isinstance(event, Started):
            match = Match.begin(event)
        elif match:
            match = match.take(event)
    return match
