"""How everybody stands: scores, and what tells equal scores apart.

The tie-breaks are those of chess (FIDE Handbook C.07, 2024). *Buchholz*: the sum of the opponents' scores. *Sonneborn-
Berger*: the sum of the scores of those beaten, and half of those drawn with. *Direct encounter*: the score among those
that are tied, where all of them have met. A bye counts as a win over somebody with one's own score (C.07, 16.4).

Swiss and ring: Buchholz, Sonneborn-Berger, direct encounter, wins. Round robin: direct encounter, Sonneborn-Berger,
wins. Knock-out: the round that one reached. Who is still equal shares the place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, groupby

import msgspec

from tablecoin.tournament.field import DRAW, LOSS, WIN, Match, Player, Result, System

Played = Sequence[tuple[Match, Result]]


class Line(msgspec.Struct, frozen=True):
    """One line of the standings. All scores are in half points, Sonneborn-Berger in quarters."""

    place: int
    player: Player
    halves: int
    played: int  # matches, byes included
    buchholz: int
    sonneborn: int
    direct: int | None  # null where not all who are tied have met
    wins: int


def halves_of(players: Iterable[Player], played: Played) -> dict[Player, int]:
    """Everybody's score."""
    halves = dict.fromkeys(players, 0)
    for _, result in played:
        for player, score in result.halves.items():
            halves[player] += score
    return halves


def standings(system: System, players: Sequence[Player], played: Played) -> tuple[Line, ...]:
    """Everybody, best first; those who share a place in the order of `players`."""
    halves = halves_of(players, played)
    own = {player: [each for each in played if player in each[0].players] for player in players}
    order = {player: i for i, player in enumerate(players)}
    lines = [_line(player, halves, own[player]) for player in players]
    lines.sort(key=lambda line: -line.halves)
    if system in ("swiss", "ring"):
        lines = _direct_among(lines, own, lambda line: (line.halves, line.buchholz, line.sonneborn))
    else:
        lines = _direct_among(lines, own, lambda line: (line.halves,))

    def key(line: Line) -> tuple[int, ...]:
        direct = line.direct or 0
        if system == "knock-out":
            return (line.halves,)
        if system == "round-robin":
            return (line.halves, direct, line.sonneborn, line.wins)
        return (line.halves, line.buchholz, line.sonneborn, direct, line.wins)

    lines.sort(key=lambda line: (tuple(-part for part in key(line)), order[line.player]))
    placed: list[Line] = []
    for _, tied in groupby(lines, key):
        place = len(placed) + 1
        placed += [msgspec.structs.replace(line, place=place) for line in tied]
    return tuple(placed)


def beaten(result: Result, a: Player, b: Player) -> int:
    """What `a` made against `b` in one match: WIN, DRAW or LOSS. In a ring each pair counts by itself."""
    one, other = result.halves[a], result.halves[b]
    return WIN if one > other else DRAW if one == other else LOSS


def _line(player: Player, halves: dict[Player, int], own: Played) -> Line:
    buchholz = sonneborn = wins = 0
    for match, result in own:
        others = [each for each in match.players if each != player]
        if not others:
            buchholz += halves[player]
            sonneborn += WIN * halves[player]
        for other in others:
            buchholz += halves[other]
            sonneborn += beaten(result, player, other) * halves[other]
        wins += result.halves.get(player, 0) == WIN and bool(others)
    return Line(0, player, halves[player], len(own), buchholz, sonneborn, None, wins)


def _direct_among(
    lines: list[Line], own: Mapping[Player, Played], key: Callable[[Line], tuple[int, ...]]
) -> list[Line]:
    """With the direct encounter filled in, among those alike by `key`."""
    made: list[Line] = []
    for _, group in groupby(sorted(lines, key=key, reverse=True), key):
        tied = list(group)
        among = {line.player for line in tied}
        scores = dict.fromkeys(among, 0)
        met: set[tuple[Player, Player]] = set()
        for a, b in combinations(sorted(among), 2):
            for match, result in own[a]:
                if b in match.players:
                    met.add((a, b))
                    scores[a] += beaten(result, a, b)
                    scores[b] += beaten(result, b, a)
        whole = len(tied) > 1 and len(met) == len(tied) * (len(tied) - 1) // 2
        made += [msgspec.structs.replace(line, direct=scores[line.player] if whole else None) for line in tied]
    return made
