"""Ratings of the people who played, worked out from every game in the order in which the club heard of them.

The model is BradleyTerryPart of openskill (R. Weng and C. Lin, A Bayesian Approximation Method for Online Ranking,
JMLR 12, 2011): it knows games of more than two, ties, and says how unsure it is. Shown is mu - 3 sigma.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from tablecoin.mqtt.messages import GameResult
from tablecoin.rules.game import Seat

if TYPE_CHECKING:
    from openskill.models import BradleyTerryPart, BradleyTerryPartRating


class Rated(msgspec.Struct, frozen=True):
    """A person's rating and games."""

    name: str  # as it was written last
    names: tuple[str, ...]  # every name, joined by the organiser
    rating: float  # mu - 3 sigma: with 99.7 % certainty the skill is at least so much; new players begin at 0
    sigma: float  # how unsure it is
    games: int
    wins: int  # alone or with others
    newest: str  # when the newest game ended: ISO 8601, UTC, by the table's clock


def person(name: str) -> str:
    """What tells one person from another: the name in any case."""
    return name.strip().casefold()


def people(result: GameResult) -> dict[Seat, str]:
    """The seats of people who gave their names."""
    return {seat: name for seat, name in result.how.names.items() if result.how.seats.get(seat, "person") == "person"}


class People:
    """Which names are one person's."""

    def __init__(self, joined: Iterable[tuple[str, str]]) -> None:
        """`joined`: (name, person), in the order in which an organiser said it."""
        self._other: dict[str, str] = {}  # a name -> another of the same person. In no circle, so it ends at one name
        for name, of in joined:
            self._join(person(name), person(of))

    def of(self, name: str) -> str:
        """The person whom this name means."""
        at = person(name)
        while at in self._other:
            at = self._other[at]
        return at

    def _join(self, name: str, of: str) -> None:
        """`name`, and who was joined to it, is `of` and no longer anybody else; with itself it stands alone again."""
        if name == of:
            self._part(name)
        elif self.of(name) != self.of(of):
            self._other[name] = of

    def _part(self, name: str) -> None:
        """The person's other names stay together."""
        heir = self._other.pop(name, None)
        for each in [each for each, of in self._other.items() if of == name]:
            if heir is None:
                heir = each
                del self._other[each]
            else:
                self._other[each] = heir


@dataclass
class _Sum:
    rating: BradleyTerryPartRating
    name: str = ""
    names: dict[str, None] = field(default_factory=dict)
    games: int = 0
    wins: int = 0
    newest: str = ""


class Ratings:
    """Adds up games, one after another."""

    def __init__(self, joined: Iterable[tuple[str, str]] = ()) -> None:
        self._people, self._sums = People(joined), dict[str, _Sum]()

    @cached_property
    def _model(self) -> BradleyTerryPart:
        from openskill.models import BradleyTerryPart  # loads slowly

        return BradleyTerryPart()

    def add(self, result: GameResult) -> None:
        """Count a game. Only people with different names are rated, and only against each other."""
        sat = people(result)
        who = [self._people.of(name) for name in sat.values()]
        if len(set(who)) != len(who) or not who:
            return
        sums = [self._sums.setdefault(each, _Sum(self._model.rating(name=each))) for each in who]
        for one, (seat, name) in zip(sums, sat.items(), strict=True):
            one.name, one.newest = name, result.ended
            one.names[name] = None
            one.games += 1
            one.wins += seat in result.winners
        if len(sums) < 2:
            return
        ranks = [1.0 if seat in result.winners or not result.winners else 2.0 for seat in sat]
        rated = self._model.rate([[one.rating] for one in sums], ranks=ranks)
        for one, (rating,) in zip(sums, rated, strict=True):
            one.rating = rating

    def all(self) -> tuple[Rated, ...]:
        """Everybody, best first."""
        told = [
            Rated(
                one.name, tuple(one.names), round(one.rating.ordinal(), 3), round(one.rating.sigma, 3), one.games,
                one.wins, one.newest,
            )
            for one in self._sums.values()
        ]  # fmt: skip
        return tuple(sorted(told, key=lambda each: (-each.rating, each.name)))


def rated(results: Sequence[GameResult], joined: Iterable[tuple[str, str]] = ()) -> tuple[Rated, ...]:
    """Everybody's rating after these games, in their order."""
    ratings = Ratings(joined)
    for result in results:
        ratings.add(result)
    return ratings.all()


def strengths(told: Iterable[Rated]) -> Mapping[str, float]:
    """Rating by name in small letters: seeds a knock-out."""
    return {person(name): each.rating for each in told for name in each.names}
