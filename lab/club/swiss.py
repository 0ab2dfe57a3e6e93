"""Random Swiss tournaments by pairing alone, each round checked by what the pairing itself does not use.

A round is checked on the graph of players who have not met: by itself it tells how many rematches and second byes
cannot be avoided.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from networkx import Graph, max_weight_matching

from tablecoin.tournament.field import DRAW, WIN, Match, Plan
from tablecoin.tournament.pairing import next_round
from tablecoin.tournament.tournament import Entered, Paired, Published, Resulted, Returned, Tournament, Withdrew

_DRAWN, _DROPS, _RETURNS, _LATE = 0.15, 0.03, 0.3, 0.2  # chances: a match, a player and round, and again, a round


@dataclass
class Found:
    """What was counted over tournaments."""

    tournaments: int = 0
    pairs: int = 0
    byes: int = 0
    rematches: int = 0
    avoidable: int = 0  # rematches and second byes above what the graph of the never-met allows
    second_byes: int = 0
    apart: Counter[int] = field(default_factory=Counter)  # difference in half points -> pairs
    far: int = 0  # rounds with a pair over a point apart that the graph of the never-met within a point does not force
    worst_s: float = 0.0  # of core, for one pairing


def play(seed: int, found: Found, most_players: int = 64, times_rounds: int = 1) -> Tournament:
    """One tournament to its end, with draws, drop-outs, returns and late entries; its rounds are checked."""
    chance = random.Random(seed)
    many = chance.randint(5, most_players)
    rounds = max(1, (many - 1).bit_length()) * times_rounds
    tournament = Tournament(Plan("", "swiss", "steal", tuple(f"t{i}" for i in range(chance.randint(1, 8))), rounds))
    for number in range(many):
        tournament = tournament.take(Entered(f"player {number}"))
    strength = {player: chance.gauss(0, 1) for player in map(str, range(1, 2 * many))}
    found.tournaments += 1
    for _ in range(rounds):
        began_s = time.thread_time()
        matches = next_round(tournament)
        found.worst_s = max(found.worst_s, time.thread_time() - began_s)
        _check(tournament, matches, found)
        tournament = tournament.take(Paired(matches)).take(Published())
        for match in tournament.open_matches:
            tournament = tournament.take(Resulted(match.id, _result(match, strength, chance), "table"))
        tournament = _come_and_go(tournament, chance)
    return tournament


def _result(match: Match, strength: dict[str, float], chance: random.Random) -> dict[str, int]:
    a, b = match.players
    if chance.random() < _DRAWN:
        return {a: DRAW, b: DRAW}
    wins = a if strength[a] + chance.gauss(0, 1) > strength[b] + chance.gauss(0, 1) else b
    return {a: WIN * (a == wins), b: WIN * (b == wins)}


def _come_and_go(tournament: Tournament, chance: random.Random) -> Tournament:
    for player in tournament.here:
        if len(tournament.here) > 4 and chance.random() < _DROPS:
            tournament = tournament.take(Withdrew(player))
    for player in sorted(tournament.gone):
        if chance.random() < _RETURNS:
            tournament = tournament.take(Returned(player))
    if len(tournament.rounds) == 1 and chance.random() < _LATE:
        tournament = tournament.take(Entered(f"late {len(tournament.names)}"))
    return tournament


def _check(tournament: Tournament, matches: tuple[Match, ...], found: Found) -> None:
    halves, before = tournament.halves(), [match for each in tournament.rounds for match in each.matches]
    here = tournament.here
    met = {frozenset(pair) for match in before for pair in combinations(match.players, 2)}
    had_bye = {match.players[0] for match in before if match.is_bye}
    again = sum(frozenset(match.players) in met for match in matches)
    second = sum(match.is_bye and match.players[0] in had_bye for match in matches)
    if again or second:
        never = Graph()
        never.add_nodes_from([*here, *(["bye"] if len(here) % 2 else [])])
        never.add_edges_from(pair for pair in combinations(here, 2) if frozenset(pair) not in met)
        if len(here) % 2:
            never.add_edges_from((player, "bye") for player in here if player not in had_bye)
        unavoidable = len(never) // 2 - len(max_weight_matching(never, maxcardinality=True))
        found.avoidable += max(0, again + second - unavoidable)
    widest = max(
        (abs(halves[a] - halves[b]) for a, b in (each.players for each in matches if not each.is_bye)), default=0
    )
    if widest > WIN:
        bye = next((each.players[0] for each in matches if each.is_bye), None)
        near = Graph()
        near.add_nodes_from(player for player in here if player != bye)
        near.add_edges_from(
            (a, b)
            for a, b in combinations(near, 2)
            if frozenset((a, b)) not in met and abs(halves[a] - halves[b]) <= WIN
        )
        found.far += 2 * len(max_weight_matching(near, maxcardinality=True)) == len(near)
    assert sorted(player for match in matches for player in match.players) == sorted(here)
    found.rematches += again
    found.second_byes += second
    for match in matches:
        found.byes += match.is_bye
        found.pairs += not match.is_bye
        if not match.is_bye:
            a, b = match.players
            found.apart[abs(halves[a] - halves[b])] += 1
