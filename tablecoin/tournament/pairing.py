"""The next round of a tournament: who plays whom, at which table, in which seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from tablecoin.tournament import knock_out, ring, round_robin, swiss
from tablecoin.tournament.field import Match, Player
from tablecoin.tournament.tables import Visits, assigned, seated
from tablecoin.tournament.tournament import Tournament


def next_round(tournament: Tournament) -> tuple[Match, ...]:
    """The matches of the next round, in the order of the boards. The same tournament always gives the same round.

    Raises Impossible while results are missing, or no round may follow.
    """
    tournament.may_pair()
    groups = _groups(tournament)
    firsts = Counter(match.players[0] for each in tournament.rounds for match in each.matches if len(match.players) > 1)
    visits: Visits = Counter(
        (player, match.table or "")
        for each in tournament.rounds
        for match in each.matches
        if not match.is_bye
        for player in match.players
    )
    playing = [group for group in groups if len(group) > 1]
    places = iter(assigned(playing, tournament.plan.tables, visits))
    number, made = len(tournament.rounds) + 1, []
    for board, group in enumerate(groups, 1):
        table, wave = next(places) if len(group) > 1 else ("", 0)
        made.append(Match(f"{number}-{board}", seated(group, firsts), table or None, wave))
    return tuple(made)


def _groups(tournament: Tournament) -> tuple[tuple[Player, ...], ...]:
    here, number = tournament.here, len(tournament.rounds)
    match tournament.plan.system:
        case "round-robin":
            return tuple(
                left
                for pair in round_robin.pairs(tuple(tournament.names), number)
                if (left := tuple(player for player in pair if player in here))
            )
        case "knock-out" if number:
            before = tuple(match.players for match in tournament.rounds[-1].matches)
            results = tournament.results
            halves = {
                player: results[match.id].halves[player]
                for match in tournament.rounds[-1].matches
                for player in match.players
            }
            return knock_out.next_round(before, halves, tournament.gone)
        case "knock-out":
            return knock_out.first_round(here)
        case "ring":
            return ring.groups(_ranked(tournament))
    met: swiss.Meetings = Counter(
        frozenset(pair)
        for each in tournament.rounds
        for match in each.matches
        for pair in combinations(match.players, 2)
    )
    byes = Counter(match.players[0] for each in tournament.rounds for match in each.matches if match.is_bye)
    return swiss.pairs(_ranked(tournament), tournament.halves(), met, byes)


def _ranked(tournament: Tournament) -> Sequence[Player]:
    return [line.player for line in tournament.standings() if line.player not in tournament.gone]
