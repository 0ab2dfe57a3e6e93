"""What is known of coins that still lie where they lay when a ruling settled what they are.

A table is looked at again after every act, and most coins on it were not touched. What a coin was found to be, by the
rules or by people's answers, need not be asked again because the light makes the reader doubt it once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import hypot

from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.rules.game import Layout
from tablecoin.vision.frame import SeenCoin

UNTOUCHED_MM = 1.5  # a coin nearer than this to where one lay is that coin, unless it reads otherwise
BY_RULES = 0.5  # what the rules settled yields to anything more than twice as likely
BY_PEOPLE = 0.1  # what people answered yields only to what is ten times as likely


@dataclass(frozen=True)
class Known:
    """A coin settled by a ruling. `face` is None where it did not matter; `yields` is BY_RULES or BY_PEOPLE."""

    place_mm: tuple[float, float]
    denomination: Denomination
    face: Face | None
    yields: float = BY_RULES


def settled(layout: Layout, coins: Iterable[SeenCoin], yields: float = BY_RULES) -> tuple[Known, ...]:
    """The coins of a table that was found to show `layout`: each takes the likeliest part that is left in its zone."""
    coins = tuple(coins)
    found = []
    for zone, pile in layout.items():
        here = [coin for coin in coins if coin.zone == zone and coin.place_mm]
        left: dict[tuple[Denomination, Face | None], int] = {(kind, None): pile.heap[kind] for kind in BY_VALUE}
        if pile.heads is not None:
            left = {(kind, Face.HEADS): pile.heads[kind] for kind in BY_VALUE}
            left |= {(kind, Face.TAILS): pile.heap[kind] - pile.heads[kind] for kind in BY_VALUE}
        parts = sorted(product(range(len(here)), left), key=lambda part: -_chance(here[part[0]], *part[1]))
        named: set[int] = set()
        for number, (kind, face) in parts:
            place = here[number].place_mm
            if number not in named and left[kind, face] and place:
                named.add(number)
                left[kind, face] -= 1
                found.append(Known(place, kind, face, yields))
    return tuple(found)


def recognised(coin: SeenCoin, known: Sequence[Known]) -> SeenCoin:
    """`coin` as it was settled, if it lies where a known one lay and the reader, not sure of it, does not object."""
    if coin.sure or coin.place_mm is None:
        return coin
    x, y = coin.place_mm
    for one in known:
        if hypot(x - one.place_mm[0], y - one.place_mm[1]) > UNTOUCHED_MM:
            continue
        kinds = tuple(float(kind is one.denomination) for kind in BY_VALUE)
        if _chance(coin, one.denomination, None) < one.yields * max(coin.denominations):
            return coin
        if one.face is None:  # the kind alone is known, and where faces do not matter that is all that counts
            return replace(coin, denominations=kinds, sure=True)  # type: ignore[arg-type]
        if (coin.heads if one.face is Face.HEADS else 1 - coin.heads) < one.yields / 2:
            return coin
        return replace(coin, denominations=kinds, heads=float(one.face is Face.HEADS), sure=True)  # type: ignore[arg-type]
    return coin


def _chance(coin: SeenCoin, kind: Denomination, face: Face | None) -> float:
    p = coin.denominations[BY_VALUE.index(kind)]
    return p if face is None else p * (coin.heads if face is Face.HEADS else 1 - coin.heads)
