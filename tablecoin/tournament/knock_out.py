"""Knock-out: who loses is out. The bracket has a power of two of places; the best seeds have byes in the first round.

A round is written in the bracket's order: the winners of neighbouring matches meet next. A match of nobody stands where
both who would have met are gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablecoin.tournament.field import Player

Bracket = tuple[tuple[Player, ...], ...]


def rounds_of(players: int) -> int:
    """How many rounds it takes."""
    return max(0, players - 1).bit_length()


def first_round(seeded: Sequence[Player]) -> Bracket:
    """The first round. `seeded`: at least two players, strongest first.

    The first seed can meet the second in the final only, the third and fourth in a semi-final, and so on.
    """
    order = [0]
    while len(order) < len(seeded):
        size = 2 * len(order)
        order = [place for each in order for place in (each, size - 1 - each)]
    facing = zip(order[::2], order[1::2], strict=True)
    return tuple(tuple(seeded[place] for place in pair if place < len(seeded)) for pair in facing)


def next_round(before: Bracket, halves: Mapping[Player, int], gone: frozenset[Player]) -> Bracket:
    """The round after `before`, in which each player made so many half points. Who is `gone` goes no further."""
    through = [[max(match, key=halves.__getitem__)] if match else [] for match in before]
    here = [[player for player in each if player not in gone] for each in through]
    return tuple((*a, *b) for a, b in zip(here[::2], here[1::2], strict=True))
