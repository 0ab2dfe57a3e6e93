"""What is known of coins that lie untouched since a ruling or a person settled what they are.

The table is read again after every act, and most coins on it were not touched. What the rules or people settled about
a coin is kept, so that nobody is asked again when the reader doubts it later. But people put the next coin where the
last one lay: a coin that clearly reads otherwise counts as another coin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import dist, hypot

from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.referee.belief import face_doubted
from tablecoin.rules.game import Layout
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import SeenCoin, whichever

UNTOUCHED_MM = 1.5  # a coin at most this far from where one lay is the same coin, unless it reads otherwise
_SAME_PLACE_MM = 4.0  # a coin nearer than this to where a corrected coin lay may be the same coin
_LIKE_BEFORE = 0.5  # it is not when more than this much of its probability moved to other coins
_STILL_DOUBTED = FACE_SURE - 0.01  # the likeliest that the face of a coin may be while it is doubted
_HARDLY = 1e-8  # of two looks together: nothing is impossible
BY_RULES = 1.0  # what a ruling settled is dropped when another coin reads likelier
BY_PEOPLE = 0.1  # what people answered is dropped only when another coin reads ten times as likely


@dataclass(frozen=True)
class Known:
    """A coin that was settled. `face` is None where faces do not matter. `yields` is BY_RULES or BY_PEOPLE."""

    place_mm: tuple[float, float]
    denomination: Denomination
    face: Face | None
    yields: float = BY_RULES

    def is_about(self, coin: SeenCoin) -> bool:
        """Whether `coin` lies where this one lay and does not clearly read otherwise."""
        near_enough = coin.place_mm is not None and dist(coin.place_mm, self.place_mm) <= UNTOUCHED_MM
        return near_enough and not _objects(coin, self)


@dataclass(frozen=True)
class Overruled:
    """A coin that a person corrected. `seen` is its reading at that time. A `face` of None stays as it was read; a
    `denomination` of None means: not a US coin."""

    place_mm: tuple[float, float]
    denomination: Denomination | None
    face: Face | None
    seen: SeenCoin

    def is_about(self, coin: SeenCoin) -> bool:
        """Whether `coin` is the corrected one: it lies there and reads as it did then.

        The light may change: a coin that was not even nudged need only not clearly read as another.
        """
        if coin.place_mm is None or not near(coin.place_mm, self.place_mm):
            return False
        said = Known(self.place_mm, self.denomination, self.face, BY_PEOPLE) if self.denomination else None
        if said and dist(coin.place_mm, self.place_mm) <= UNTOUCHED_MM and not _objects(coin, said):
            return True
        pairs = zip((*coin.denominations, _strange(coin)), (*self.seen.denominations, _strange(self.seen)), strict=True)
        moved = sum(max(0.0, now - then) for now, then in pairs)
        return moved <= _LIKE_BEFORE and abs(coin.heads - self.seen.heads) <= _LIKE_BEFORE

    def put_right(self, coin: SeenCoin) -> SeenCoin:
        """`coin` as the person says it is."""
        return _as_said(coin, self.denomination, self.face)


@dataclass(frozen=True)
class Doubted:
    """A coin that people were asked about, as it was read then. `relit`: since then they were to change the light.

    Later looks at it are joined with that one, so that one bold look does not settle what another doubted.
    """

    seen: SeenCoin
    relit: bool = False

    def is_about(self, coin: SeenCoin) -> bool:
        """Whether `coin` lies there and its denomination reads much as it did."""
        if not coin.place_mm or not self.seen.place_mm or not near(coin.place_mm, self.seen.place_mm):
            return False
        pairs = zip((*coin.denominations, _strange(coin)), (*self.seen.denominations, _strange(self.seen)), strict=True)
        return sum(max(0.0, now - then) for now, then in pairs) <= _LIKE_BEFORE

    def joined(self, coin: SeenCoin) -> SeenCoin:
        """`coin` with the probabilities of both looks together: a logarithmic opinion pool.

        Two looks in the same light are nearly one, so each has half the weight. In another light the relief shows
        otherwise, and both count in full (as for independent observations).
        """
        weight = 1.0 if self.relit else 0.5
        *kinds, _ = _pooled(
            (*coin.denominations, _strange(coin)), (*self.seen.denominations, _strange(self.seen)), weight
        )
        looks = zip(coin.heads_if, self.seen.heads_if, strict=True)
        heads_if = tuple(_pooled((now, 1 - now), (then, 1 - then), weight)[0] for now, then in looks)
        both = replace(coin, denominations=tuple(kinds), heads_if=heads_if)  # type: ignore[arg-type]
        sure = max(kinds) >= KIND_SURE and both.face_confidence >= FACE_SURE
        return replace(both, sure=sure)


@dataclass(frozen=True)
class Memory:
    """What is known of the coins on the table beyond the newest reading."""

    corrections: tuple[Overruled, ...] = ()
    known: tuple[Known, ...] = ()
    doubted: tuple[Doubted, ...] = ()

    def applied(self, coins: Iterable[SeenCoin]) -> tuple[SeenCoin, ...]:
        """`coins` with people's corrections; of the others, what rulings settled about those not touched."""
        return tuple(self._applied(coin) for coin in coins)

    def _applied(self, coin: SeenCoin) -> SeenCoin:
        for correction in self.corrections:
            if correction.is_about(coin):
                return correction.put_right(coin)
        for doubt in self.doubted:
            if doubt.is_about(coin):
                coin = doubt.joined(coin)
        return recognised(coin, self.known)

    def still_about(self, coins: Sequence[SeenCoin]) -> Memory:
        """Without the corrections and doubts of coins that are not among `coins` any more."""
        return replace(
            self,
            corrections=tuple(c for c in self.corrections if any(map(c.is_about, coins))),
            doubted=tuple(d for d in self.doubted if any(map(d.is_about, coins))),
        )

    def doubting(self, seen: SeenCoin) -> Memory:
        """With the coin `seen`, about which people are asked. The first look at it stays until the light changed; then
        `seen`, which joins the looks in both lights, takes its place."""
        if any(doubt.is_about(seen) and not doubt.relit for doubt in self.doubted):
            return self
        others = tuple(doubt for doubt in self.doubted if not doubt.is_about(seen))
        return replace(self, doubted=(*others, Doubted(seen)))

    def relit(self, seen: SeenCoin) -> Memory:
        """With other light on the coin `seen` from now on."""
        return replace(self, doubted=tuple(replace(d, relit=d.relit or d.is_about(seen)) for d in self.doubted))

    def overruled(self, seen: SeenCoin, denomination: Denomination | None, face: Face | None) -> Memory:
        """With a person's word on the coin `seen`, in place of an earlier one on it."""
        if seen.place_mm is None:
            return self
        others = [c for c in self.corrections if not near(c.place_mm, seen.place_mm)]
        return replace(self, corrections=(*others, Overruled(seen.place_mm, denomination, face, seen)))

    def learnt(self, layout: Layout, coins: Sequence[SeenCoin], yields: float = BY_RULES) -> Memory:
        """With what `layout`, which the table shows, says of its `coins`. What people settled stays."""
        lasting = [
            one
            for one in self.known
            if one.yields < yields and any(c.place_mm and near(c.place_mm, one.place_mm) for c in coins)
        ]
        return replace(self, known=(*lasting, *settled(layout, coins, yields)))


def near(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether a coin at `a` and one at `b`, in mm, may be the same coin."""
    return hypot(a[0] - b[0], a[1] - b[1]) < _SAME_PLACE_MM


def settled(layout: Layout, coins: Iterable[SeenCoin], yields: float = BY_RULES) -> tuple[Known, ...]:
    """The coins of a table that shows `layout`."""
    seen = tuple(coins)
    matches = [(seen[number].place_mm, *what) for number, what in matched(layout, seen).items()]
    return tuple(Known(place, kind, face, yields) for place, kind, face in matches if place)


def matched(layout: Layout, coins: Sequence[SeenCoin]) -> dict[int, tuple[Denomination, Face | None]]:
    """Which of `coins`, by number, is which coin of `layout`, matched greedily, likeliest pairs first.

    A coin of a zone that holds more coins than its pile may be left out. A face is None where faces do not matter.
    """
    found: dict[int, tuple[Denomination, Face | None]] = {}
    for zone, pile in layout.items():
        here = [number for number, coin in enumerate(coins) if coin.zone == zone]
        left: dict[tuple[Denomination, Face | None], int] = {(kind, None): pile.heap[kind] for kind in BY_VALUE}
        if pile.heads is not None:
            left = {(kind, Face.HEADS): pile.heads[kind] for kind in BY_VALUE}
            left |= {(kind, Face.TAILS): pile.heap[kind] - pile.heads[kind] for kind in BY_VALUE}
        for number, what in sorted(product(here, left), key=lambda part: -chance(coins[part[0]], *part[1])):
            if number not in found and left[what]:
                left[what] -= 1
                found[number] = what
    return found


def recognised(coin: SeenCoin, known: Sequence[Known]) -> SeenCoin:
    """`coin` as it was settled, if it lies where a known coin lay and does not clearly read otherwise."""
    if coin.place_mm is None:
        return coin
    x, y = coin.place_mm
    for one in known:
        if hypot(x - one.place_mm[0], y - one.place_mm[1]) <= UNTOUCHED_MM:
            return coin if _objects(coin, one) else _as_known(coin, one)
    return coin


def _objects(coin: SeenCoin, one: Known) -> bool:
    """Whether the reading is too far from what is known, so that another coin must lie there now."""
    up = coin.heads_if[BY_VALUE.index(one.denomination)]
    share = up if one.face is Face.HEADS else 1 - up
    if coin.sure:
        return coin.denomination is not one.denomination or (one.face is not None and coin.face is not one.face)
    if chance(coin, one.denomination, None) < one.yields * max(coin.denominations):
        return True
    return one.face is not None and share < one.yields / 2


def _as_said(coin: SeenCoin, denomination: Denomination | None, face: Face | None) -> SeenCoin:
    """`coin` as a person says it is. A face that nobody named stays in doubt where the reader doubts it."""
    penny, nickel, dime, quarter = (float(kind is denomination) for kind in BY_VALUE)
    said = replace(coin, denominations=(penny, nickel, dime, quarter))
    if face:
        return replace(said, heads_if=whichever(float(face is Face.HEADS)), sure=True)
    if denomination is None or not face_doubted(coin, denomination):
        return replace(said, sure=True)
    up = min(max(said.heads, 1 - _STILL_DOUBTED), _STILL_DOUBTED)  # also where two clear looks disagreed
    return replace(said, heads_if=whichever(up), sure=False)


def _as_known(coin: SeenCoin, one: Known) -> SeenCoin:
    """`coin` with the settled denomination, and the settled face where there is one."""
    penny, nickel, dime, quarter = (float(kind is one.denomination) for kind in BY_VALUE)
    heads_if = coin.heads_if if one.face is None else whichever(float(one.face is Face.HEADS))
    return replace(coin, denominations=(penny, nickel, dime, quarter), heads_if=heads_if, sure=True)


def chance(coin: SeenCoin, kind: Denomination | None, face: Face | None) -> float:
    """The probability that `coin` is this one: of either face where `face` is None, not a US coin where `kind` is."""
    if kind is None:
        return _strange(coin)
    p, up = coin.denominations[BY_VALUE.index(kind)], coin.heads_if[BY_VALUE.index(kind)]
    return p if face is None else p * (up if face is Face.HEADS else 1 - up)


def _pooled(one: Sequence[float], other: Sequence[float], weight: float) -> list[float]:
    """Two distributions over the same things as one: the product of their powers, which sums to 1."""
    powers = [max(p * q, _HARDLY) ** weight for p, q in zip(one, other, strict=True)]
    return [power / sum(powers) for power in powers]


def _strange(coin: SeenCoin) -> float:
    """The probability that it is not a US coin."""
    return max(0.0, 1 - sum(coin.denominations))
