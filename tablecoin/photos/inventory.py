"""What all coins of a Coin Age map are together: the game's twenty coins settle most doubts about a single one.

The game has six pennies, four nickels, eight dimes and two quarters (coin-age.setup). Each lies on top of a space, in a
bank, or hidden in a stack, and in a stack every coin is smaller than the one below (coin-age.place). So no dime is ever
hidden, a penny is hidden only below a dime, a nickel only below a dime or a penny, and a quarter below any of these;
one stack hides at most one of each. A reading that leaves another number of coins over is unlikely, because a coin
would have to be lost, or missed by the finder.

The posterior of each place under that condition is computed exactly, by the forward-backward algorithm: the places are
taken one after the other, and the state is how many coins of each kind were seen so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tablecoin.coins import BY_VALUE, EMPTY, Denomination, Heap
from tablecoin.rules.coin_age.state import ALL_COINS

# Weights of a whole reading, against 1 for one that leaves over exactly what the stacks can hide. With these a coin
# is taken for another kind only if its looks alone give that kind a chance of at least 1 in 30.
INCOMPLETE = 0.03  # a coin is missing: lost, kept in a hand, or not found
TOO_MANY = 0.003  # more coins than the game has
FAINT = 1e-4  # chances below this are left out
MOST_STATES = 4000  # the likeliest that are followed; a photo with ten doubtful coins has some hundred

Kind = Denomination | None  # None: no coin lies there
Chances = Mapping[Kind, float]


class Count(NamedTuple):
    """Coins seen so far: of each kind in BY_VALUE order, and of those the pennies, nickels and dimes on spaces."""

    seen: tuple[int, ...] = (0, 0, 0, 0)
    tops: tuple[int, ...] = (0, 0, 0, 0)

    def with_(self, kind: Kind, on_space: bool) -> Count:
        if kind is None:
            return self
        at = BY_VALUE.index(kind)
        return Count(_more(self.seen, at), _more(self.tops, at) if on_space else self.tops)


@dataclass(frozen=True)
class Spot:
    """A space or a coin in a bank: the chances of what lies there, or on top there."""

    chances: Chances
    on_space: bool


def settled(spots: Sequence[Spot], known: Heap = EMPTY, all_in_view: bool = True) -> list[dict[Kind, float]]:
    """The posterior chances of each of `spots`, all taken together.

    `known`: coins of banks that were told. `all_in_view`: False where a bank was neither told nor is in the picture, so
    coins may be missing.
    """
    options = [
        {kind: chance for kind, chance in spot.chances.items() if chance >= FAINT} or dict(spot.chances)
        for spot in spots
    ]
    ahead = [{Count(tuple(known[kind] for kind in BY_VALUE)): 1.0}]
    for spot, chances in zip(spots, options, strict=True):
        following: dict[Count, float] = {}
        for count, weight in ahead[-1].items():
            for kind, chance in chances.items():
                after = count.with_(kind, spot.on_space)
                following[after] = following.get(after, 0.0) + weight * chance
        ahead.append(_likeliest(following))
    behind = {count: _weight(count, all_in_view) for count in ahead[-1]}
    found: list[dict[Kind, float]] = []
    for spot, chances, before in zip(reversed(spots), reversed(options), reversed(ahead[:-1]), strict=True):
        joint = dict.fromkeys(chances, 0.0)
        here = dict.fromkeys(before, 0.0)
        for count, weight in before.items():
            for kind, chance in chances.items():
                later = chance * behind.get(count.with_(kind, spot.on_space), 0.0)
                here[count] += later
                joint[kind] += weight * later
        behind, whole = here, sum(joint.values())
        found.append({kind: each / whole for kind, each in joint.items()})
    return found[::-1]


def missing(tops: Sequence[Denomination], elsewhere: Heap) -> Heap:
    """The fewest coins of each kind that are neither on top of a space (`tops`), nor in a bank or told (`elsewhere`),
    nor may be hidden in a stack."""
    count = Count(tuple(elsewhere[kind] for kind in BY_VALUE))
    for kind in tops:
        count = count.with_(kind, on_space=True)
    return Heap(**dict(zip(map(str, BY_VALUE), _missing(count), strict=True)))


def _more(counts: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + 1, *counts[at + 1 :])


def _likeliest(states: dict[Count, float]) -> dict[Count, float]:
    """The MOST_STATES likeliest of `states`, their weights summing to 1."""
    kept = sorted(states.items(), key=lambda item: -item[1])[:MOST_STATES]
    whole = sum(weight for _, weight in kept)
    return {count: weight / whole for count, weight in kept}


def _weight(count: Count, all_in_view: bool) -> float:
    """How well the coins that were not seen can be hidden in the stacks."""
    if any(seen > ALL_COINS[kind] for kind, seen in zip(BY_VALUE, count.seen, strict=True)):
        return TOO_MANY
    return INCOMPLETE if all_in_view and any(_missing(count)) else 1.0


def _missing(count: Count) -> tuple[int, int, int, int]:
    """How many coins of each kind were not seen and cannot be hidden either, each below a smaller one."""
    pennies, nickels, dimes, _ = count.tops
    may_be_hidden = dimes, dimes + pennies, 0, dimes + pennies + nickels  # pennies, nickels, dimes, quarters
    left = (ALL_COINS[kind] - seen for kind, seen in zip(BY_VALUE, count.seen, strict=True))
    penny, nickel, dime, quarter = (max(0, n - most) for n, most in zip(left, may_be_hidden, strict=True))
    return penny, nickel, dime, quarter
