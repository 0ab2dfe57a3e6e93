"""A tournament as its events make it. Nothing is erased: a correction is an event too, and the newest one counts.

tournament = Tournament(plan)
for event in events:
    tournament = tournament.take(event)
tournament = tournament.take(Paired(next_round(tournament)))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from tablecoin.tournament import knock_out, round_robin
from tablecoin.tournament.field import DRAW, MOST_PLAYERS, WIN, By, Match, Plan, Player, Result, Round
from tablecoin.tournament.standings import Line, Played, halves_of, standings

Reason = Literal[
    "over", "player", "players", "name", "began", "full", "unfinished", "last", "round", "match", "points", "drawn",
    "later", "bye", "newer", "table",
]  # fmt: skip
REASONS: tuple[Reason, ...] = get_args(Reason)


class Impossible(ValueError):
    """This cannot be done now. `reason` names its sentence in the catalogue, which `facts` fill."""

    def __init__(self, reason: Reason, **facts: object) -> None:
        self.reason, self.facts = reason, facts
        super().__init__(reason)


class Entered(msgspec.Struct, frozen=True, tag="entered"):
    """Somebody takes part from the next round on."""

    name: str


class Withdrew(msgspec.Struct, frozen=True, tag="withdrew"):
    """Somebody plays no further round, until they come back."""

    player: Player


class Returned(msgspec.Struct, frozen=True, tag="returned"):
    """Somebody who had withdrawn plays again from the next round on."""

    player: Player


class Paired(msgspec.Struct, frozen=True, tag="paired"):
    """The next round. It is kept as it was made, so that a newer tablecoin pairs nothing anew."""

    matches: tuple[Match, ...]


class Unpaired(msgspec.Struct, frozen=True, tag="unpaired"):
    """The newest round is taken back, before anybody saw it."""


class Published(msgspec.Struct, frozen=True, tag="published"):
    """Players and tables may see the newest round. `ends`: when its time is over, ISO 8601, UTC; null: no time."""

    ends: str | None = None


class Timed(msgspec.Struct, frozen=True, tag="timed"):
    """The time of the newest round was set anew, or taken away."""

    ends: str | None


class Moved(msgspec.Struct, frozen=True, tag="moved"):
    """A match is played at another table."""

    match: str
    table: str


class Tabled(msgspec.Struct, frozen=True, tag="tabled"):
    """It is played at these tables from now on: one that broke is left out, one that was brought is added."""

    tables: tuple[str, ...]


class Resulted(msgspec.Struct, frozen=True, tag="resulted"):
    """How a match ended. What an organiser told stands above what a table tells, before and after."""

    match: str
    halves: Mapping[Player, int]
    by: By
    game: str = ""


class Reopened(msgspec.Struct, frozen=True, tag="reopened"):
    """A result is taken away: the match is to be played. `by`: only the organiser takes away what they told."""

    match: str
    by: By = "organiser"


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """The tournament is over."""


Event = (
    Entered | Withdrew | Returned | Paired | Unpaired | Published | Timed | Moved | Tabled | Resulted | Reopened
    | Closed
)  # fmt: skip


class Tournament(msgspec.Struct, frozen=True):
    """How a tournament stands. Every change is a new value."""

    plan: Plan
    names: Mapping[Player, str] = {}
    gone: frozenset[Player] = frozenset()
    rounds: tuple[Round, ...] = ()
    results: Mapping[str, Result] = {}  # by match
    over: bool = False

    # -- what it holds ------------------------------------------------------------------------------------------------

    @property
    def here(self) -> tuple[Player, ...]:
        """Who plays the next round."""
        return tuple(player for player in self.names if player not in self.gone)

    @property
    def rounds_planned(self) -> int:
        """How many rounds there are to be, for the players there are now."""
        match self.plan.system:
            case "round-robin":
                return round_robin.rounds_of(len(self.names))
            case "knock-out":
                return knock_out.rounds_of(2 * len(self.rounds[0].matches) if self.rounds else len(self.here))
        return self.plan.rounds or max(1, knock_out.rounds_of(len(self.names)))

    @property
    def open_matches(self) -> tuple[Match, ...]:
        """The matches that have no result. One of an earlier round may have lost its own: an undo took it back."""
        return tuple(match for each in self.rounds for match in self.open_in(each))

    def open_in(self, one: Round) -> tuple[Match, ...]:
        """The matches of this round that have no result."""
        return tuple(match for match in one.matches if match.players and match.id not in self.results)

    def played(self) -> Played:
        """Every match that has a result."""
        every = [match for each in self.rounds for match in each.matches]
        return [(match, self.results[match.id]) for match in every if match.id in self.results]

    def halves(self) -> dict[Player, int]:
        """Everybody's score."""
        return halves_of(self.names, self.played())

    def standings(self) -> tuple[Line, ...]:
        """Everybody, best first."""
        return standings(self.plan.system, tuple(self.names), self.played())

    def match(self, name: str) -> Match:
        """The match whose id is `name`. Raises Impossible."""
        for each in self.rounds:
            for match in each.matches:
                if match.id == name:
                    return match
        raise Impossible("match", match=name[:20])

    # -- how it changes -----------------------------------------------------------------------------------------------

    def take(self, event: Event) -> Tournament:
        """The tournament after `event`. Raises Impossible, and nothing is changed."""
        if self.over:
            raise Impossible("over")
        match event:
            case Entered():
                return self._enter(event.name)
            case Withdrew():
                self._known(event.player)
                return replace(self, gone=self.gone | {event.player})
            case Returned():
                self._known(event.player)
                if self.plan.system == "knock-out" and self.rounds:
                    raise Impossible("began")
                return replace(self, gone=self.gone - {event.player})
            case Paired():
                return self._pair(event.matches)
            case Unpaired():
                self._newest(published=False)
                return replace(self, rounds=self.rounds[:-1], results=self._without(self.rounds[-1]))
            case Published():
                return self._with_newest(replace(self._newest(published=False), published=True, ends=event.ends))
            case Timed():
                return self._with_newest(replace(self._newest(published=True), ends=event.ends))
            case Moved():
                return self._move(event.match, event.table)
            case Tabled():  # matches that are paired stay where they are, until they are moved
                return replace(self, plan=replace(self.plan, tables=tuple(dict.fromkeys(event.tables))))
            case Resulted():
                return self._result(event)
            case Reopened():
                return self._reopen(event)
            case Closed():
                return replace(self, over=True)

    def _known(self, player: Player) -> None:
        if player not in self.names:
            raise Impossible("player", player=player[:20])

    def _enter(self, name: str) -> Tournament:
        if self.rounds and self.plan.system in ("round-robin", "knock-out"):
            raise Impossible("began")
        if len(self.names) >= MOST_PLAYERS:
            raise Impossible("full", most=MOST_PLAYERS)
        if name.casefold() in {each.casefold() for each in self.names.values()}:
            raise Impossible("name", name=name[:40])
        return replace(self, names={**self.names, str(len(self.names) + 1): name})

    def _pair(self, matches: tuple[Match, ...]) -> Tournament:
        self._may_follow()
        byes = {match.id: Result({match.players[0]: WIN}, "walkover") for match in matches if match.is_bye}
        return replace(self, rounds=(*self.rounds, Round(matches)), results={**self.results, **byes})

    def may_pair(self) -> None:
        """Raises Impossible while no round may be made."""
        if self.over:
            raise Impossible("over")
        if self.open_matches:
            raise Impossible("unfinished", matches=len(self.open_matches))
        self._may_follow()

    def _may_follow(self) -> None:
        """Raises Impossible where no round can follow the newest. Earlier ones may have open matches: rounds that an
        older tablecoin made then, and kept, still count."""
        if self.rounds and (self.open_in(self.rounds[-1]) or not self.rounds[-1].published):
            raise Impossible("unfinished", matches=len(self.open_matches))
        if len(self.here) < 2:
            raise Impossible("players")
        if len(self.rounds) >= self.rounds_planned:
            raise Impossible("last", rounds=self.rounds_planned)

    def _newest(self, *, published: bool) -> Round:
        if not self.rounds or self.rounds[-1].published != published:
            raise Impossible("round")
        return self.rounds[-1]

    def _with_newest(self, newest: Round) -> Tournament:
        return replace(self, rounds=(*self.rounds[:-1], newest))

    def _without(self, taken: Round) -> dict[str, Result]:
        ids = {match.id for match in taken.matches}
        return {match: result for match, result in self.results.items() if match not in ids}

    def _move(self, name: str, table: str) -> Tournament:
        if self.plan.tables and table not in self.plan.tables:
            raise Impossible("table", table=table[:40])
        if self.match(name) not in self.open_in(self.rounds[-1]):
            raise Impossible("match", match=name[:20])
        newest = self.rounds[-1]
        there = [each.wave for each in self.open_in(newest) if each.table == table and each.id != name]
        wave = max(there) + 1 if there else 0  # behind those that are to be played there, or are being played
        moved = tuple(replace(each, table=table, wave=wave) if each.id == name else each for each in newest.matches)
        return self._with_newest(replace(newest, matches=moved))

    def _result(self, told: Resulted) -> Tournament:
        match, before = self.match(told.match), self.results.get(told.match)
        if match.is_bye or not match.players:
            raise Impossible("bye")
        if told.by == "table" and before and before.by == "organiser":
            raise Impossible("newer")
        if set(told.halves) != set(match.players) or not _possible(match, told.halves):
            raise Impossible("points")
        if self.plan.system == "knock-out":
            if len(set(told.halves.values())) == 1:
                raise Impossible("drawn")
            self._last_of_bracket(match)
        return replace(self, results={**self.results, match.id: Result(dict(told.halves), told.by, told.game)})

    def _reopen(self, event: Reopened) -> Tournament:
        match, before = self.match(event.match), self.results.get(event.match)
        if match.is_bye or before is None:
            raise Impossible("bye" if match.is_bye else "match", match=match.id)
        if event.by == "table" and before.by != "table":
            raise Impossible("newer")
        if self.plan.system == "knock-out":
            self._last_of_bracket(match)
        return replace(self, results={each: self.results[each] for each in self.results if each != match.id})

    def _last_of_bracket(self, match: Match) -> None:
        """In a knock-out a result cannot change once the next round is paired from it."""
        if match not in self.rounds[-1].matches:
            raise Impossible("later")


def _possible(match: Match, halves: Mapping[Player, int]) -> bool:
    """One winner with WIN, or several who share with DRAW each, or nobody with anything."""
    told = sorted(halves.values(), reverse=True)
    shared = told.count(DRAW)
    one = told[0] == WIN and not any(told[1:])
    several = shared >= 2 and set(told) <= {DRAW, 0}
    return one or several or not any(told)


def halves_for(match: Match, winners: frozenset[Player]) -> dict[Player, int]:
    """What each player makes where these win: alone a whole point, together half a point each.

    Where nobody wins, two players have drawn, and a ring makes nobody anything.
    """
    if not winners and len(match.players) == 2:
        return dict.fromkeys(match.players, DRAW)
    each = WIN if len(winners) == 1 else DRAW
    return {player: each if player in winners else 0 for player in match.players}
