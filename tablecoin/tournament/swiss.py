"""The Swiss system: each round pairs players of like score who have not met. Exact, by maximum-weight matching.

Every possible pair has a cost, a whole number in four tiers; each tier outweighs all below it together. The pairing of
the least total cost is found by networkx (J. Edmonds' blossom algorithm; Z. Galil, ACM Computing Surveys 18, 1986).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from tablecoin.tournament.field import Player

Meetings = Counter[frozenset[Player]]  # {a, b} -> how often they met
_BYE = "bye"  # a node of the graph; no player is called so, for players are numbers


def pairs(
    ranked: Sequence[Player], halves: Mapping[Player, int], met: Meetings, byes: Mapping[Player, int]
) -> tuple[tuple[Player, ...], ...]:
    """Who plays whom, best first; a single player has the bye. `ranked`: everybody who plays, best first.

    The tiers, highest first: times that they met, or byes that a player had; how far above the lowest the one with the
    bye stands; squared differences in score; distance from pairing the upper half of a score group against its lower
    half in their order.
    """
    if len(ranked) < 2:
        return tuple((each,) for each in ranked)
    from networkx import Graph, max_weight_matching  # loads in a quarter of a second

    costs = _costs(ranked, halves, met, byes)
    graph = Graph()
    graph.add_nodes_from([*ranked, _BYE][: len(ranked) + len(ranked) % 2])
    graph.add_weighted_edges_from((a, b, -cost) for (a, b), cost in costs.items())
    place = {player: i for i, player in enumerate([*ranked, _BYE])}
    found = [sorted(pair, key=place.__getitem__) for pair in max_weight_matching(graph, maxcardinality=True)]
    found.sort(key=lambda pair: (pair[1] == _BYE, place[pair[0]]))
    return tuple(tuple(player for player in pair if player != _BYE) for pair in found)


def _costs(
    ranked: Sequence[Player], halves: Mapping[Player, int], met: Meetings, byes: Mapping[Player, int]
) -> dict[tuple[Player, Player], int]:
    """The cost of each possible pair; a bye is a pair with _BYE."""
    many = len(ranked)
    lowest, highest = min(halves[each] for each in ranked), max(halves[each] for each in ranked)
    widest = (highest - lowest) ** 2 + 1
    gap_tier = many * many + 1  # above the distances of all pairs together: each is below 2 * many
    bye_tier = gap_tier * widest * many
    met_tier = bye_tier * widest
    groups: dict[int, list[Player]] = {}
    for player in ranked:
        groups.setdefault(halves[player], []).append(player)
    place = {player: i for i, player in enumerate(ranked)}
    costs = {}
    for a, b in combinations(ranked, 2):
        distance = place[b] - place[a]
        if halves[a] == halves[b]:
            group = groups[halves[a]]
            half, i, j = len(group) // 2, place[a] - place[group[0]], place[b] - place[group[0]]
            distance = abs(j - i - half) + (many if (i < half) == (j < half) else 0)
        gap = (halves[a] - halves[b]) ** 2
        costs[a, b] = met[frozenset((a, b))] * met_tier + gap * gap_tier + distance
    if many % 2:
        for player in ranked:
            gap = (halves[player] - lowest) ** 2
            costs[player, _BYE] = byes.get(player, 0) * met_tier + gap * bye_tier + many - 1 - place[player]
    return costs
