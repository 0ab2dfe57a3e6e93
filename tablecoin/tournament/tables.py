"""Which match is played at which table, and who sits where: nobody has the same table or side all evening.

Both are least-cost assignments over whole numbers, found exactly by networkx's matching.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tablecoin.tournament.field import Player

Visits = Counter[tuple[Player, str]]  # (player, table) -> games played there
Firsts = Mapping[Player, int]  # games in the first seat


def assigned(matches: Sequence[Sequence[Player]], tables: Sequence[str], visits: Visits) -> list[tuple[str, int]]:
    """A table and a wave for each match, so that players have been at their tables as rarely as can be.

    There are as many waves as are needed: a table's matches of one round follow each other. The first matches, of the
    best players, are in the first waves. Without tables every match stands at "" in wave 0.
    """
    if not tables:
        return [("", 0)] * len(matches)
    found: list[tuple[str, int]] = []
    for wave, begin in enumerate(range(0, len(matches), len(tables))):
        found += [(table, wave) for table in _wave(matches[begin : begin + len(tables)], tables, visits)]
    return found


def _wave(matches: Sequence[Sequence[Player]], tables: Sequence[str], visits: Visits) -> list[str]:
    """A table of its own for each match. The visit tier outweighs the tables' order, which settles the rest."""
    from networkx import Graph, max_weight_matching

    tier = len(tables) ** 2 + 1
    graph = Graph()
    for i, match in enumerate(matches):
        for j, table in enumerate(tables):
            been = sum(visits[player, table] ** 2 for player in match)
            graph.add_edge((0, i), (1, j), weight=-(been * tier + abs(i - j)))
    pairs = [sorted(pair) for pair in max_weight_matching(graph, maxcardinality=True)]
    place = {i: tables[j] for (_, i), (_, j) in pairs}
    return [place[i] for i in range(len(matches))]


def seated(match: Sequence[Player], firsts: Firsts) -> tuple[Player, ...]:
    """The players in the order of the seats: who sat in the first seat more rarely does so now."""
    return tuple(sorted(match, key=lambda player: (firsts.get(player, 0), int(player))))
