"""The values that every room shares: Denomination, Face, Coin and Heap. Imports no other room.

Diameters are the US Mint's specifications (31 U.S.C. 5112 and the Mint's coin table); values are in whole cents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Self

import msgspec


class Denomination(StrEnum):
    """One of the four circulating coins tablecoin reads. Compared by name; order by `cents` or `diameter_mm`."""

    PENNY = "penny"
    NICKEL = "nickel"
    DIME = "dime"
    QUARTER = "quarter"

    @property
    def cents(self) -> int:
        return _CENTS[self]

    @property
    def diameter_mm(self) -> float:
        return _DIAMETER_MM[self]


_CENTS = {Denomination.PENNY: 1, Denomination.NICKEL: 5, Denomination.DIME: 10, Denomination.QUARTER: 25}
_DIAMETER_MM = {
    Denomination.PENNY: 19.05,
    Denomination.NICKEL: 21.21,
    Denomination.DIME: 17.91,
    Denomination.QUARTER: 24.26,
}

BY_VALUE = (Denomination.PENNY, Denomination.NICKEL, Denomination.DIME, Denomination.QUARTER)
BY_SIZE = (Denomination.DIME, Denomination.PENNY, Denomination.NICKEL, Denomination.QUARTER)


class Face(StrEnum):
    """The side that lies up: `heads` is the obverse (the portrait), `tails` the reverse, whatever it shows."""

    HEADS = "heads"
    TAILS = "tails"

    @property
    def other(self) -> Face:
        return Face.TAILS if self is Face.HEADS else Face.HEADS


class Coin(StrEnum):
    """A denomination and the face that lies up: there are only eight. The value is its text: `Coin("penny:heads")`."""

    PENNY_HEADS = "penny:heads"
    PENNY_TAILS = "penny:tails"
    NICKEL_HEADS = "nickel:heads"
    NICKEL_TAILS = "nickel:tails"
    DIME_HEADS = "dime:heads"
    DIME_TAILS = "dime:tails"
    QUARTER_HEADS = "quarter:heads"
    QUARTER_TAILS = "quarter:tails"

    @classmethod
    def of(cls, denomination: Denomination, face: Face) -> Coin:
        return cls(f"{denomination}:{face}")

    @property
    def denomination(self) -> Denomination:
        return _KIND[self]

    @property
    def face(self) -> Face:
        return _FACE[self]


_KIND = {coin: Denomination(coin.value.partition(":")[0]) for coin in Coin}
_FACE = {coin: Face(coin.value.partition(":")[2]) for coin in Coin}

Count = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Heap(msgspec.Struct, frozen=True, order=True, omit_defaults=True, forbid_unknown_fields=True):
    """How many of each coin, faces aside: an immutable multiset. JSON leaves zeros out: {"penny": 3, "dime": 1}."""

    penny: Count = 0
    nickel: Count = 0
    dime: Count = 0
    quarter: Count = 0

    @classmethod
    def of(cls, kinds: Iterable[Denomination]) -> Self:
        """The heap holding each denomination as often as `kinds` yields it."""
        counts = dict.fromkeys(BY_VALUE, 0)
        for kind in kinds:
            counts[kind] += 1
        return cls(*(counts[kind] for kind in BY_VALUE))

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """(pennies, nickels, dimes, quarters): the order of BY_VALUE."""
        return self.penny, self.nickel, self.dime, self.quarter

    @property
    def cents(self) -> int:
        return self.penny + 5 * self.nickel + 10 * self.dime + 25 * self.quarter

    @property
    def highest(self) -> Denomination | None:
        """The most valuable denomination present, or None when empty."""
        return next((kind for kind in reversed(BY_VALUE) if self[kind]), None)

    def __getitem__(self, kind: Denomination) -> int:
        count: int = getattr(self, kind.value)
        return count

    def __len__(self) -> int:
        """The number of coins."""
        return sum(self.counts)

    def __iter__(self) -> Iterator[Denomination]:
        """Every coin's denomination, least valuable first, repeated by its count."""
        for kind in BY_VALUE:
            yield from [kind] * self[kind]

    def __add__(self, other: Heap) -> Heap:
        return Heap(*(a + b for a, b in zip(self.counts, other.counts, strict=True)))

    def __sub__(self, other: Heap) -> Heap:
        """What is left after taking `other` out; ValueError when it is not all there."""
        if other not in self:
            raise ValueError(f"cannot take {other} out of {self}")
        return Heap(*(a - b for a, b in zip(self.counts, other.counts, strict=True)))

    def __contains__(self, other: object) -> bool:
        """A heap: are all its coins here? A denomination: is there at least one?"""
        if isinstance(other, Denomination):
            return self[other] > 0
        if isinstance(other, Heap):
            return all(a >= b for a, b in zip(self.counts, other.counts, strict=True))
        return False

    def __str__(self) -> str:
        """`2 dimes, 1 nickel`, most valuable first; `nothing` when empty."""
        parts = []
        for kind in reversed(BY_VALUE):
            if count := self[kind]:
                many = "pennies" if kind is Denomination.PENNY else f"{kind}s"
                parts.append(f"{count} {kind if count == 1 else many}")
        return ", ".join(parts) or "nothing"


EMPTY = Heap()
