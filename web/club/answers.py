"""What the club's API reads and answers with."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec.structs import force_setattr

from tablecoin.club.ratings import Rated
from tablecoin.club.tournaments import Tournaments
from tablecoin.mqtt.messages import Texts
from tablecoin.referee.events import TimeControl
from tablecoin.rules.names import plain_name
from tablecoin.tournament.field import MOST_PLAYERS, AtZero, By, Match, Plan, Player, System
from tablecoin.tournament.standings import Line
from tablecoin.tournament.tournament import Impossible, Tournament

Text = Annotated[str, msgspec.Meta(max_length=100)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Minutes = Annotated[int, msgspec.Meta(ge=1, le=1440)]


class MatchShown(msgspec.Struct, frozen=True):
    """A match. `halves`: half points of each player; null: it has no result."""

    id: str
    players: tuple[Player, ...]
    table: str | None
    wave: int
    halves: tuple[int, ...] | None
    by: By | None
    left: Texts | None  # why the tournament did not take what the table told


class RoundShown(msgspec.Struct, frozen=True):
    """A round. Others than the organiser see published ones only."""

    number: int
    matches: tuple[MatchShown, ...]
    published: bool
    ends: str | None


class TournamentShown(msgspec.Struct, frozen=True):
    """A tournament as its page shows it."""

    number: int
    name: str
    system: System
    game: str
    tables: tuple[str, ...]
    planned: int  # rounds
    rounds: tuple[RoundShown, ...]
    players: dict[Player, str]
    gone: tuple[Player, ...]
    standings: tuple[Line, ...]
    clock: TimeControl | None  # of every game; null: none
    over: bool
    may_pair: bool
    may_enter: bool


class PlayersShown(msgspec.Struct, frozen=True):
    """Everybody's rating, best first."""

    players: tuple[Rated, ...]


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to be made."""

    name: Name
    system: System
    game: Text
    players: Annotated[tuple[Name, ...], msgspec.Meta(max_length=MOST_PLAYERS)]
    tables: Annotated[tuple[Text, ...], msgspec.Meta(max_length=200)] = ()
    rounds: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    options: dict[str, Any] = {}
    clock_minutes: Annotated[int, msgspec.Meta(ge=0, le=600)] = 0
    increment_s: Annotated[int, msgspec.Meta(ge=0, le=3_600)] = 0
    at_zero: AtZero = "said"

    def __post_init__(self) -> None:
        force_setattr(self, "name", plain_name(self.name))
        force_setattr(self, "players", tuple(map(plain_name, self.players)))


class Made(msgspec.Struct, frozen=True):
    """The number of what was made."""

    number: int


class _Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something that the organiser does."""


class Enter(_Act, frozen=True, tag="enter"):
    name: Name

    def __post_init__(self) -> None:
        force_setattr(self, "name", plain_name(self.name))


class Withdraw(_Act, frozen=True, tag="withdraw"):
    player: Text


class Return(_Act, frozen=True, tag="return"):
    player: Text


class Pair(_Act, frozen=True, tag="pair"):
    pass


class Unpair(_Act, frozen=True, tag="unpair"):
    pass


class Publish(_Act, frozen=True, tag="publish"):
    minutes: Minutes | None = None


class Time(_Act, frozen=True, tag="time"):
    minutes: Minutes | None = None  # from now on; null: no time


class Move(_Act, frozen=True, tag="move"):
    match: Text
    table: Text


class Tables(_Act, frozen=True, tag="tables"):
    """The tables from now on; matches that are paired stay at theirs."""

    tables: Annotated[tuple[Text, ...], msgspec.Meta(max_length=200)]


class Tell(_Act, frozen=True, tag="result"):
    """How a match ended; without winners it was drawn."""

    match: Text
    winners: Annotated[tuple[Text, ...], msgspec.Meta(max_length=9)]


class Reopen(_Act, frozen=True, tag="reopen"):
    match: Text


class Close(_Act, frozen=True, tag="close"):
    pass


Act = Enter | Withdraw | Return | Pair | Unpair | Publish | Time | Move | Tables | Tell | Reopen | Close


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two names of one person; the same name twice: it is a person's own again."""

    name: Name
    person: Name

    def __post_init__(self) -> None:
        force_setattr(self, "name", plain_name(self.name))
        force_setattr(self, "person", plain_name(self.person))


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A notice that the organiser has seen."""

    code: Text
    table: Text = ""


def shown(tournaments: Tournaments, number: int, *, organiser: bool) -> TournamentShown:
    """A tournament as somebody may see it."""
    stands, left = tournaments.get(number), tournaments.left(number)
    rounds = [
        RoundShown(i, tuple(_match(stands, each, left) for each in one.matches), one.published, one.ends)
        for i, one in enumerate(stands.rounds, 1)
        if one.published or organiser
    ]
    return TournamentShown(
        number=number,
        name=stands.plan.name,
        system=stands.plan.system,
        game=stands.plan.game,
        tables=stands.plan.tables,
        planned=stands.rounds_planned,
        rounds=tuple(rounds),
        players=dict(stands.names),
        gone=tuple(sorted(stands.gone, key=int)),
        standings=_seen(stands, organiser=organiser).standings(),
        clock=_clock(stands.plan),
        over=stands.over,
        may_pair=_may_pair(stands),
        may_enter=not (stands.over or (stands.rounds and stands.plan.system in ("round-robin", "knock-out"))),
    )


def _clock(plan: Plan) -> TimeControl | None:
    return TimeControl(plan.clock_s, plan.increment_s, plan.at_zero) if plan.clock_s else None


def _seen(stands: Tournament, *, organiser: bool) -> Tournament:
    """Without the byes of a round that is not published."""
    if organiser or not stands.rounds or stands.rounds[-1].published:
        return stands
    hidden = {match.id for match in stands.rounds[-1].matches}
    results = {match: result for match, result in stands.results.items() if match not in hidden}
    return msgspec.structs.replace(stands, rounds=stands.rounds[:-1], results=results)


def _match(stands: Tournament, match: Match, left: dict[str, Texts]) -> MatchShown:
    result = stands.results.get(match.id)
    halves = tuple(result.halves[player] for player in match.players) if result else None
    return MatchShown(
        match.id, match.players, match.table, match.wave, halves, result.by if result else None, left.get(match.id)
    )


def _may_pair(stands: Tournament) -> bool:
    try:
        stands.may_pair()
    except Impossible:
        return False
    return True
