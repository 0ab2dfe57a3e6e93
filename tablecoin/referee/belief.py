"""What the referee believes lies in each zone: the reader's probabilities, gathered into probabilities of whole piles.

A zone with n coins of which each may be one of five things has 5^n readings, but only few differ as multisets and fewer
are likely. So the coins are folded in one by one (a convolution, the Poisson-multinomial distribution) and unlikely
piles are dropped on the way. Looking a layout up is then one dictionary access a zone.

The reader's word `sure` counts for more than its numbers: it was measured (the model card), and of the coins it is sure
of at least SURE are what it says. What it is not sure of may be anything with a share of IGNORANCE, however its numbers
look: then the rules or people decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

import msgspec

from tablecoin.coins import BY_VALUE, EMPTY, Heap
from tablecoin.rules.game import Layout, Pile
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import SeenCoin

Piles = tuple[Heap, ...]  # what a belief is about: (heap,) or (heap, its heads)

SURE = 0.995  # of the coins the reader is sure of, this share is what it says, kind and face
IGNORANCE = 0.15  # of the belief about a coin it is not sure of is spread evenly over all it may be
INVENTED = 0.2  # that what looks like no coin of ours is none, counts so much less: something does lie there

_SINGLES = tuple(Heap.of([kind]) for kind in BY_VALUE)
_UNLIKELY = 1e-6  # piles less probable than this are dropped
_KEPT = 256  # and never more than this many are carried on


class ZoneBelief:
    """Probabilities of what one zone holds, given the coins seen in it."""

    def __init__(self, coins: Iterable[SeenCoin] = ()) -> None:
        self.coins = tuple(weighed(coin) for coin in coins)

    @cached_property
    def heaps(self) -> Mapping[Piles, float]:
        """Probability of each (heap,), faces aside."""
        belief: dict[Piles, float] = {(EMPTY,): 1.0}
        for coin in self.coins:
            kinds: list[tuple[Piles, float]] = [
                ((single,), p) for single, p in zip(_SINGLES, coin.denominations, strict=True)
            ]
            belief = _fold(belief, [*kinds, ((EMPTY,), _nothing(coin))])
        return belief

    @cached_property
    def piles(self) -> Mapping[Piles, float]:
        """Probability of each (heap, those of it that show heads)."""
        belief: dict[Piles, float] = {(EMPTY, EMPTY): 1.0}
        for coin in self.coins:
            faces: list[tuple[Piles, float]] = []
            for single, p in zip(_SINGLES, coin.denominations, strict=True):
                faces += [((single, single), p * coin.heads), ((single, EMPTY), p * (1 - coin.heads))]
            belief = _fold(belief, [*faces, ((EMPTY, EMPTY), _nothing(coin))])
        return belief

    def fit(self, pile: Pile) -> float:
        """How probable it is that the zone holds exactly `pile`, 0..1."""
        if pile.heads is None:
            return self.heaps.get((pile.heap,), 0.0)
        return self.piles.get((pile.heap, pile.heads), 0.0)

    def ratio(self, pile: Pile) -> float:
        """How probable `pile` is beside the likeliest contents, 0..1: what unsure coins cost every pile, none pays."""
        best = self.heaps if pile.heads is None else self.piles
        return self.fit(pile) / max(best.values())

    def likely(self, share: float) -> list[Heap]:
        """What may lie here, faces aside: at least `share` times as probable as the likeliest."""
        least = share * max(self.heaps.values())
        return [heap for (heap,), p in self.heaps.items() if p >= least]

    @cached_property
    def likeliest(self) -> Heap:
        return max(self.heaps, key=lambda piles: self.heaps[piles])[0]

    @cached_property
    def likeliest_heads(self) -> Heap:
        """Of the likeliest pile, the coins that show heads."""
        return max(self.piles, key=lambda piles: self.piles[piles])[1]


class TableBelief:
    """A ZoneBelief for every zone; a zone where nothing was seen is believed empty."""

    def __init__(self, coins: Iterable[SeenCoin]) -> None:
        by_zone: dict[str, list[SeenCoin]] = defaultdict(list)
        for coin in coins:
            if coin.zone:
                by_zone[coin.zone].append(coin)
        self._zones = {zone: ZoneBelief(seen) for zone, seen in by_zone.items()}

    def __getitem__(self, zone: str) -> ZoneBelief:
        return self._zones.get(zone) or ZoneBelief()

    def ratio(self, layout: Layout) -> float:
        """How probable `layout` is beside the likeliest contents of the zones it names, 0..1."""
        product = 1.0
        for zone, pile in layout.items():
            product *= self[zone].ratio(pile)
            if product == 0.0:
                break
        return product

    def differences(self, layout: Layout) -> tuple[Difference, ...]:
        """Every zone whose likeliest contents are not the layout's, and what is the matter there."""
        found = []
        for zone, pile in layout.items():
            missing, extra = apart(pile.heap, self[zone].likeliest)
            turned = EMPTY
            if pile.heads is not None and not missing and not extra:
                heads = self[zone].likeliest_heads
                lacking, beyond = apart(pile.heads, heads)
                turned = lacking + beyond
            if missing or extra or turned:
                found.append(Difference(zone, missing, extra, turned))
        return tuple(found)


class Difference(msgspec.Struct, frozen=True):
    """What is wrong in one zone, by the likeliest reading."""

    zone: str
    missing: Heap
    extra: Heap
    turned: Heap  # coins that lie wrong side up


def apart(wanted: Heap, seen: Heap) -> tuple[Heap, Heap]:
    """(what `seen` lacks of `wanted`, what it has beyond it)."""
    pairs = tuple(zip(wanted.counts, seen.counts, strict=True))
    return Heap(*(max(0, w - s) for w, s in pairs)), Heap(*(max(0, s - w) for w, s in pairs))


def weighed(coin: SeenCoin) -> SeenCoin:
    """`coin` with the probabilities a referee may go by: what is sure made firm, what is not made vague."""
    kind, face = max(coin.denominations), max(coin.heads, 1 - coin.heads)
    if coin.sure:
        kinds = tuple(p if p == kind else p * (1 - max(kind, SURE)) / max(1 - kind, 1e-9) for p in coin.denominations)
        firm = max(face, SURE)
        return replace(
            coin,
            denominations=tuple(max(kind, SURE) if p == kind else p for p in kinds),  # type: ignore[arg-type]
            heads=firm if coin.heads >= 0.5 else 1 - firm,
        )
    doubted = kind < KIND_SURE, face < FACE_SURE
    both = not any(doubted)  # two looks disagreed, so neither number is worth much
    vague_kind, vague_face = (IGNORANCE * (both or one) for one in doubted)
    vague = [p * (1 - vague_kind) + vague_kind / 5 for p in coin.denominations]
    total = sum(vague) + INVENTED * max(0.0, 1 - sum(vague))
    return replace(
        coin,
        denominations=tuple(p / total for p in vague),  # type: ignore[arg-type]
        heads=coin.heads * (1 - vague_face) + vague_face / 2,
    )


def _nothing(coin: SeenCoin) -> float:
    return max(0.0, 1.0 - sum(coin.denominations))


def _fold(belief: Mapping[Piles, float], outcomes: list[tuple[Piles, float]]) -> dict[Piles, float]:
    """One more coin: every pile so far with every thing the coin may be, likeliest piles kept."""
    after: dict[Piles, float] = defaultdict(float)
    for piles, weight in belief.items():
        for single, p in outcomes:
            if weight * p > _UNLIKELY:
                after[tuple(a + b for a, b in zip(piles, single, strict=True))] += weight * p
    best = sorted(after, key=lambda piles: -after[piles])[:_KEPT]
    return {piles: after[piles] for piles in best}
