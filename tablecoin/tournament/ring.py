"""The ring: *What Goes Around* for a whole evening. Each round makes groups of up to nine, like scores together."""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin.tournament.field import MOST_IN_RING, Player


def groups(ranked: Sequence[Player]) -> tuple[tuple[Player, ...], ...]:
    """As few groups as there can be, their sizes as even as they can be. `ranked`: best first.

    The groups follow the scores: no player of a group stands better than one of a group before it.
    """
    many = -(-len(ranked) // MOST_IN_RING)
    small, larger = divmod(len(ranked), many) if many else (0, 0)
    made, begin = [], 0
    for number in range(many):
        end = begin + small + (number < larger)
        made.append(tuple(ranked[begin:end]))
        begin = end
    return tuple(made)
