"""What is known of coins that still lie where they lay when a ruling, or a person, settled what they are.

A table is looked at again after every act, and most coins on it were not touched. What a coin was found to be, by the
rules or by people's answers, need not be asked again because the light makes the reader doubt it once more. People lay
the next coin where the last one lay, though: what looks like another coin is another one.
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
_SAME_PLACE_MM = 4.0  # a coin nearer than this to where a corrected one lay may still be that coin
_LIKE_BEFORE = 0.5  # it is, unless more than this share of what the reader thinks of it moved elsewhere
BY_RULES = 0.5  # what the rules settled yields to anything more than twice as likely
BY_PEOPLE = 0.1  # what people answered yields only to what is ten times as likely


@dataclass(frozen=True)
class Known:
    """A coin settled by a ruling. `face` is None where it did not matter; `yields` is BY_RULES or BY_PEOPLE."""

    place_mm: tuple[float, float]
    denomination: Denomination
    face: Face | None
    yields: float = BY_RULES


@dataclass(frozen=True)
class Overruled:
    """A coin a person put right. `seen` is what the reader made of it then; None for a face left as it was read, for a
    denomination: no coin of ours."""

    place_mm: tuple[float, float]
    denomination: Denomination | None
    face: Face | None
    seen: SeenCoin

    def is_about(self, coin: SeenCoin) -> bool:
        """Whether `coin` is still that one: it lies there, and the reader sees what it saw then."""
        if coin.place_mm is None or not near(coin.place_mm, self.place_mm):
            return False
        pairs = zip((*coin.denominations, _strange(coin)), (*self.seen.denominations, _strange(self.seen)), strict=True)
        moved = sum(max(0.0, now - then) for now, then in pairs)
        return moved <= _LIKE_BEFORE and abs(coin.heads - self.seen.heads) <= _LIKE_BEFORE

    def put_right(self, coin: SeenCoin) -> SeenCoin:
        """`coin` as the person says it is; a face left out stays as it was read."""
        penny, nickel, dime, quarter = (float(kind is self.denomination) for kind in BY_VALUE)
        heads = coin.heads if self.face is None else float(self.face is Face.HEADS)
        return replace(coin, denominations=(penny, nickel, dime, quarter), heads=heads, sure=True)


@dataclass(frozen=True)
class Memory:
    """What is known of the coins on the table beyond the newest reading."""

    corrections: tuple[Overruled, ...] = ()
    known: tuple[Known, ...] = ()

    def applied(self, coins: Iterable[SeenCoin]) -> tuple[SeenCoin, ...]:
        """`coins` with people's corrections; of the others, what rulings settled about those not touched."""
        return tuple(self._applied(coin) for coin in coins)

    def _applied(self, coin: SeenCoin) -> SeenCoin:
        for correction in self.corrections:
            if correction.is_about(coin):
                return correction.put_right(coin)
        return recognised(coin, self.known)

    def still_about(self, coins: Sequence[SeenCoin]) -> Memory:
        """Without the corrections of coins that are not among `coins` any more."""
        return replace(self, corrections=tuple(c for c in self.corrections if any(map(c.is_about, coins))))

    def overruled(self, seen: SeenCoin, denomination: Denomination | None, face: Face | None) -> Memory:
        """With a person's word on the coin `seen`, in place of an earlier one on it."""
        if seen.place_mm is None:
            return self
        others = [c for c in self.corrections if not near(c.place_mm, seen.place_mm)]
        return replace(self, corrections=(*others, Overruled(seen.place_mm, denomination, face, seen)))

    def learnt(self, layout: Layout, coins: Sequence[SeenCoin], yields: float = BY_RULES) -> Memory:
        """With what a table found to show `layout` says of its `coins`; what yields less easily stays known."""
        lasting = [
            one
            for one in self.known
            if one.yields < yields and any(c.place_mm and near(c.place_mm, one.place_mm) for c in coins)
        ]
        return replace(self, known=(*lasting, *settled(layout, coins, yields)))


def near(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return hypot(a[0] - b[0], a[1] - b[1]) < _SAME_PLACE_MM


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
    """`coin` as it was settled, if it lies where a known one lay and the reader does not object.

    A reader that is sure of something else objects: then another coin has come to lie there.
    """
    if coin.place_mm is None:
        return coin
    x, y = coin.place_mm
    for one in known:
        if hypot(x - one.place_mm[0], y - one.place_mm[1]) <= UNTOUCHED_MM:
            return coin if _objects(coin, one) else _as_known(coin, one)
    return coin


def _objects(coin: SeenCoin, one: Known) -> bool:
    share = coin.heads if one.face is Face.HEADS else 1 - coin.heads
    if coin.sure:
        return coin.denomination is not one.denomination or (one.face is not None and coin.face is not one.face)
    if _chance(coin, one.denomination, None) < one.yields * max(coin.denominations):
        return True
    return one.face is not None and share < one.yields / 2


def _as_known(coin: SeenCoin, one: Known) -> SeenCoin:
    """Where faces do not matter the kind alone is known, and it is all that counts."""
    penny, nickel, dime, quarter = (float(kind is one.denomination) for kind in BY_VALUE)
    heads = coin.heads if one.face is None else float(one.face is Face.HEADS)
    return replace(coin, denominations=(penny, nickel, dime, quarter), heads=heads, sure=True)


def _chance(coin: SeenCoin, kind: Denomination, face: Face | None) -> float:
    p = coin.denominations[BY_VALUE.index(kind)]
    return p if face is None else p * (coin.heads if face is Face.HEADS else 1 - coin.heads)


def _strange(coin: SeenCoin) -> float:
    return max(0.0, 1 - sum(coin.denominations))
