"""Round robin: everybody meets everybody once, by the circle method.

One player stays; the others move one place on after each round (E. Lucas, Récréations mathématiques II, 1883).
"""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin.tournament.field import Player


def rounds_of(players: int) -> int:
    """How many rounds it takes."""
    return max(0, players - 1 + players % 2)


def pairs(players: Sequence[Player], number: int) -> tuple[tuple[Player, ...], ...]:
    """Who plays whom in round `number`, from 0. With an odd number of players one of them is free."""
    circle: list[Player | None] = [*players, None][: len(players) + len(players) % 2]
    fixed, others = circle[0], circle[1:]
    turn = number % max(1, len(others))
    circle = [fixed, *others[-turn:], *others[:-turn]] if turn else circle
    facing = zip(circle[: len(circle) // 2], reversed(circle[len(circle) // 2 :]), strict=True)
    found = [tuple(each for each in pair if each is not None) for pair in facing]
    return tuple(sorted(found, key=len, reverse=True))
