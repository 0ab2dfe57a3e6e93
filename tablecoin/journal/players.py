"""What the history tells of each person: games, wins, how their coins fell, and luck and skill where analysed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from tablecoin.coins import Coin, Denomination
from tablecoin.journal.analyses import Analysis, Share
from tablecoin.journal.fairness import Fairness, by_kind, fairness_of
from tablecoin.journal.history import Games, people, person

Analyses = Mapping[int, Analysis]  # number of a game -> its analysis


class PlayerRecord(msgspec.Struct, frozen=True):
    """One person's games. In Dollar Prize a toss is nobody's, so its coins count for no person."""

    name: str  # as it was written last
    games: int  # that came to an end
    wins: int  # alone or with others
    newest: str  # when the newest game began, also one that is not over: ISO 8601, UTC
    tossed: Fairness
    coins: Mapping[Denomination, Fairness]
    analysed: int  # games that have an analysis
    luck: float | None  # in these, in chance to win: 1 is one won game; null without an analysis
    lost: float | None  # the same, given away by decisions


@dataclass
class _Sum:
    """A record while it is added up."""

    name: str = ""
    newest: str = ""
    number: int = 0  # of that game
    games: int = 0
    wins: int = 0
    shares: list[Share] = field(default_factory=list)


def players(told: Games, analyses: Analyses) -> tuple[PlayerRecord, ...]:
    """Everybody who gave a name, who played last first."""
    sums: dict[str, _Sum] = {}
    for played in told.games:
        for seat, name in people(played).items():
            added = sums.setdefault(person(name), _Sum())
            added.name, added.newest, added.number = name, played.began, played.number
            if played.outcome is None:
                continue
            added.games += 1
            added.wins += seat in played.outcome.winners
            analysis = analyses.get(played.number)
            if analysis and analysis.game == played.game and seat in analysis.players:
                added.shares.append(analysis.players[seat])
    fell: dict[str, Counter[Coin]] = {who: Counter() for who in sums}
    for (who, coin), times in told.falls.items():
        fell[who][coin] += times
    by_number = sorted(sums.items(), key=lambda one: one[1].number, reverse=True)  # a clock may have been wrong
    return tuple(_record(added, fell[who]) for who, added in by_number)


def _record(added: _Sum, fell: Mapping[Coin, int]) -> PlayerRecord:
    shares = added.shares
    return PlayerRecord(
        name=added.name,
        games=added.games,
        wins=added.wins,
        newest=added.newest,
        tossed=fairness_of(fell),
        coins=by_kind(fell),
        analysed=len(shares),
        luck=round(sum(share.luck for share in shares), 4) if shares else None,
        lost=round(sum(share.lost for share in shares), 4) if shares else None,
    )
