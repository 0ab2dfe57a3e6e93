"""What lies in each zone: the reader's probabilities for each coin, combined into probabilities of whole piles.

A zone with n coins, each one of five things, has 5^n readings, but few differ as multisets and fewer are likely. So the
coins are added one by one (a convolution, the Poisson-multinomial distribution) and unlikely piles are dropped on the
way. The probability of a layout is then one dictionary access for each zone.

The reader's flag `sure` is more reliable than its probabilities: of the coins it is sure of, a share of at least SURE
is what it says (measured: see the model card). The probabilities of other coins are mixed with a uniform distribution
of weight IGNORANCE, so that the rules or people decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

import msgspec

from tablecoin.coins import BY_VALUE, EMPTY, Denomination, Face, Heap
from tablecoin.rules.game import Layout, Pile
from tablecoin.vision.coins.sureness import CLEAR, FACE_SURE, KIND_SURE
from tablecoin.vision.frame import SeenCoin, whichever

Piles = tuple[Heap, ...]  # (heap,), faces aside, or (heap, those of it that show heads)
Weigh = Callable[[SeenCoin], SeenCoin]  # from a coin as read to the probabilities to rule by

SURE = 0.995  # least probability of what the reader is sure of, for denomination and for face
IGNORANCE = 0.15  # weight of the uniform distribution in the belief about a coin it is not sure of
INVENTED = 0.2  # weight of "not a US coin": below 1, because something does lie there

_SINGLES = tuple(Heap.of([kind]) for kind in BY_VALUE)
_UNLIKELY = 1e-6  # piles less probable than this are dropped
_KEPT = 256  # most piles kept for a zone


class ZoneBelief:
    """Probabilities of what one zone holds, given the coins seen in it."""

    def __init__(self, coins: Iterable[SeenCoin] = (), weigh: Weigh | None = None) -> None:
        """`weigh` gives the probabilities to rule by; without it `weighed` does."""
        weigh = weigh or weighed
        self.coins = tuple(weigh(coin) for coin in coins)

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
            for single, p, up in zip(_SINGLES, coin.denominations, coin.heads_if, strict=True):
                faces += [((single, single), p * up), ((single, EMPTY), p * (1 - up))]
            belief = _fold(belief, [*faces, ((EMPTY, EMPTY), _nothing(coin))])
        return belief

    def fit(self, pile: Pile) -> float:
        """The probability that the zone holds exactly `pile`, 0..1."""
        if pile.heads is None:
            return self.heaps.get((pile.heap,), 0.0)
        return self.piles.get((pile.heap, pile.heads), 0.0)

    def ratio(self, pile: Pile) -> float:
        """The probability of `pile` divided by that of the likeliest pile, 0..1. So unsure coins do not lower it."""
        best = self.heaps if pile.heads is None else self.piles
        return self.fit(pile) / max(best.values())

    def likely(self, share: float) -> list[Heap]:
        """The heaps that are at least `share` times as probable as the likeliest, faces aside."""
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

    def __init__(self, coins: Iterable[SeenCoin], weigh: Weigh | None = None) -> None:
        by_zone: dict[str, list[SeenCoin]] = defaultdict(list)
        for coin in coins:
            if coin.zone:
                by_zone[coin.zone].append(coin)
        self._seen = by_zone
        self._zones = {zone: ZoneBelief(seen, weigh) for zone, seen in by_zone.items()}

    @property
    def doubtful(self) -> bool:
        """Whether the reader is not sure of some coin."""
        return any(not coin.sure for seen in self._seen.values() for coin in seen)

    def indulgent(self) -> TableBelief:
        """The same table with every doubt of the reader left open: what fits it contradicts no coin that is sure."""
        return TableBelief((coin for seen in self._seen.values() for coin in seen), left_open)

    def __getitem__(self, zone: str) -> ZoneBelief:
        return self._zones.get(zone) or ZoneBelief()

    def ratio(self, layout: Layout) -> float:
        """The probability of `layout` divided by that of the likeliest contents of its zones, 0..1."""
        product = 1.0
        for zone, pile in layout.items():
            product *= self[zone].ratio(pile)
            if product == 0.0:
                break
        return product

    def differences(self, layout: Layout) -> tuple[Difference, ...]:
        """Every zone whose likeliest contents differ from the layout, and how."""
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
    """How the likeliest reading of one zone differs from the layout."""

    zone: str
    missing: Heap
    extra: Heap
    turned: Heap  # coins that lie wrong side up


def apart(wanted: Heap, seen: Heap) -> tuple[Heap, Heap]:
    """(what `seen` lacks of `wanted`, what it has beyond it)."""
    pairs = tuple(zip(wanted.counts, seen.counts, strict=True))
    return Heap(*(max(0, w - s) for w, s in pairs)), Heap(*(max(0, s - w) for w, s in pairs))


def weighed(coin: SeenCoin) -> SeenCoin:
    """`coin` with the probabilities to rule by: at least SURE where the reader is sure, else mixed with IGNORANCE."""
    if coin.sure and coin.denomination is None:  # people said so
        return coin
    if coin.sure:
        kind, face = max(coin.denominations), coin.face_confidence
        kinds = tuple(p if p == kind else p * (1 - max(kind, SURE)) / max(1 - kind, 1e-9) for p in coin.denominations)
        firm = max(face, SURE)
        return replace(
            coin,
            denominations=tuple(max(kind, SURE) if p == kind else p for p in kinds),  # type: ignore[arg-type]
            heads_if=whichever(firm if coin.face is Face.HEADS else 1 - firm),
        )
    vague_kind = IGNORANCE * doubts(coin)[0]
    faces = [(up, IGNORANCE * face_doubted(coin, kind)) for kind, up in zip(BY_VALUE, coin.heads_if, strict=True)]
    vague = [p * (1 - vague_kind) + vague_kind / 5 for p in coin.denominations]
    total = sum(vague) + INVENTED * max(0.0, 1 - sum(vague))
    return replace(
        coin,
        denominations=tuple(p / total for p in vague),  # type: ignore[arg-type]
        heads_if=tuple(up * (1 - share) + share / 2 for up, share in faces),  # type: ignore[arg-type]
    )


def doubts(coin: SeenCoin) -> tuple[bool, bool]:
    """Whether the reader doubts the denomination of a coin, and the face that it would have as the likeliest one.

    A coin whose face is in doubt shows little of itself: its denomination must be CLEAR then, not only KIND_SURE.
    """
    if coin.sure:
        return False, False
    face = coin.face_confidence < FACE_SURE
    kind = max(coin.denominations) < (CLEAR if face else KIND_SURE)
    return (True, True) if _disagreed(coin) else (kind, face)


def face_doubted(coin: SeenCoin, kind: Denomination) -> bool:
    """Whether the reader doubts the face of a coin, should it be of this denomination."""
    up = coin.heads_if[BY_VALUE.index(kind)]
    return not coin.sure and (max(up, 1 - up) < FACE_SURE or _disagreed(coin))


def _disagreed(coin: SeenCoin) -> bool:
    """Whether denomination and face are each likely and the coin is not sure all the same: two looks disagreed."""
    return not coin.sure and max(coin.denominations) >= KIND_SURE and coin.face_confidence >= FACE_SURE


def left_open(coin: SeenCoin) -> SeenCoin:
    """`coin` as `weighed`, but each denomination, and each face, is as likely as another where it is doubted."""
    found, (kind, _) = weighed(coin), doubts(coin)
    best = max(found.denominations)  # "not a US coin" stays as far behind the likeliest as it was
    same = best / (4 * best + _nothing(found))
    kinds = (same, same, same, same) if kind else found.denominations
    faces = zip(BY_VALUE, found.heads_if, strict=True)
    heads_if = tuple(0.5 if face_doubted(coin, one) else up for one, up in faces)
    return replace(found, denominations=kinds, heads_if=heads_if)  # type: ignore[arg-type]


def _nothing(coin: SeenCoin) -> float:
    return max(0.0, 1.0 - sum(coin.denominations))


def _fold(belief: Mapping[Piles, float], outcomes: list[tuple[Piles, float]]) -> dict[Piles, float]:
    """The belief with one more coin: every pile so far with each outcome of the coin; the likeliest piles are kept."""
    after: dict[Piles, float] = defaultdict(float)
    for piles, weight in belief.items():
        for single, p in outcomes:
            if weight * p > _UNLIKELY:
                after[tuple(a + b for a, b in zip(piles, single, strict=True))] += weight * p
    best = sorted(after, key=lambda piles: -after[piles])[:_KEPT]
    return {piles: after[piles] for piles in best}
