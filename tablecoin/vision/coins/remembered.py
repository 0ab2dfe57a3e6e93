"""Coins that a table has met before: recognised by their own wear and light, as the fine network's features show them.

A remembered coin is one face of one coin as it was seen once, with what people or the rules said it is. A coin that
looks much like some of them gets their vote, which is added to the network's logits (a nearest-neighbour cache, as in
Grave et al., Unbounded cache model for online language modeling, 2017). A coin that looks like none of them is read as
before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.vision.coins import scale
from tablecoin.vision.coins.looks import KINDS, Array, normalised
from tablecoin.vision.coins.neighbours import LEAST, Features, unit, votes
from tablecoin.vision.coins.relief import LITTLE

Source = Literal["ruling", "answer", "correction", "tray"]
SOURCES: tuple[Source, ...] = get_args(Source)

MOST = 400  # remembered coins; the file then has about 1.9 MB
# Cosine similarities from which a neighbour may vote, least first. The first is used with which remembered coins that
# are left out are told no worse than by the network alone; where none is, nobody votes.
LADDER = (LEAST, 0.9, 0.95, 0.985)
SAME_COIN = 0.985  # similarity from which two sightings may show the same face of the same coin
FAMILIAR = 0.97  # similarity from which a sure coin teaches nothing new
# So many coins with little relief count as told rightly and wrongly by votes before the table remembers any. The first
# few that it remembers weigh more.
RIGHT, WRONG = 2.25, 0.3
# A face is told by coins with at most so many times more or less relief than it has. On one table the same face of a
# coin shows 1.12 times as much or less in 95 of 100 pairs, where it is smooth 1.3 times (lab/log, 2026-11-26).
AS_WORN = 1.5
MOST_IF_SMOOTH = 3.5  # log-odds that votes may give to a face with little relief: less than make it sure (0.97)


@dataclass(frozen=True, slots=True, eq=False)
class RememberedCoin:
    """One face of a coin as it was seen once, and what it is."""

    features: NDArray[np.float32]  # (4, F): the last layer's inputs, in four quarter turns
    logits: NDArray[np.float32]  # (4, KINDS + 1): the networks' own answers to these
    kind: Denomination
    face: Face | None  # None: only the denomination was settled
    source: Source
    event: int  # number in the journal of the newest event when it was settled; 0: a tray
    picture: bytes  # a small JPEG, for people
    relief: float  # what it showed of it (`relief.shown`)

    @property
    def by_people(self) -> bool:
        """Whether people said what it is."""
        return self.source != "ruling"

    def contradicts(self, kind: Denomination, face: Face | None) -> bool:
        """Whether it is remembered as another coin than `kind` with `face` up."""
        return self.kind is not kind or (self.face is not None and face is not None and self.face is not face)


@dataclass(frozen=True)
class Remembered:
    """What one network remembers of a table's coins. Immutable: every change gives a new one."""

    network: str  # SHA-256, in hexadecimal, of the fine network, whose features they are
    coins: tuple[RememberedCoin, ...] = ()

    def __len__(self) -> int:
        return len(self.coins)

    def votes(self, features: Features, reliefs: Array) -> Array:
        """(T, N, KINDS + OURS): what the neighbours add to the logits of N coins with features (T, N, F) and reliefs
        (N,): of the kinds, then of heads for each kind that it may be.
        """
        if self.least is None:
            return np.zeros((*features.shape[:-1], KINDS + len(BY_VALUE)))
        like = self.likeness(features)
        return votes(like, self._kinds, self._heads, self.least, _as_worn(reliefs[:, None], self._reliefs))

    def likeness(self, features: Features) -> Array:
        """(..., M): cosine similarity of features (..., F) with each coin, in the quarter turn that fits best."""
        if not self.coins:
            return np.zeros((*features.shape[:-1], 0))
        every = unit(features) @ self._directions.T
        return np.asarray(every.reshape(*features.shape[:-1], len(self.coins), -1).max(axis=-1), float)

    def with_coin(self, coin: RememberedCoin) -> Remembered:
        """With one more. What people say replaces what contradicts it of the very coin; over MOST, one is dropped."""
        stay = self.coins
        if coin.by_people and stay:
            alike = self.likeness(coin.features).max(axis=0) >= SAME_COIN
            stay = tuple(
                old
                for old, same in zip(stay, alike, strict=True)
                if not (same and old.contradicts(coin.kind, coin.face))
            )
        more = Remembered(self.network, (*stay, coin))
        return more if len(more) <= MOST else more.only(_all_but(more._most_redundant()))

    def only(self, wanted: Callable[[int, RememberedCoin], bool]) -> Remembered:
        """Those that are `wanted`, by number and coin; itself where that is all."""
        stay = tuple(coin for number, coin in enumerate(self.coins) if wanted(number, coin))
        return self if len(stay) == len(self) else Remembered(self.network, stay)

    @cached_property
    def least(self) -> float | None:
        """The similarity from which a neighbour votes: the least of LADDER with which the remembered coins, each left
        out in turn with those settled at the same moment, are told no worse; None: with none of them.
        """
        if not self.coins:
            return None
        logits = np.stack([coin.logits for coin in self.coins]).astype(float)
        like = self._like_others
        before = self._mistakes(logits)
        return next(
            (least for least in LADDER if self._mistakes(logits + self._own_votes(like, least)) <= before), None
        )

    @cached_property
    def most_if_smooth(self) -> Array:
        """(2, OURS) the most log-odds that votes may add to tails and to heads of each kind where little relief shows.

        Smooth coins may look alike whichever side lies up. How far a vote is to be trusted is learned from those
        remembered, each left out in turn: the odds that a vote for this face of such a coin was right, RIGHT to WRONG
        at first, and never so great that votes alone make a face sure.
        """
        right, wrong = np.full((2, len(BY_VALUE)), RIGHT), np.full((2, len(BY_VALUE)), WRONG)
        if self.least is not None:
            said = np.sign(self._own_votes(self._like_others, self.least)[..., KINDS].mean(axis=1))
            smooth = self._reliefs < LITTLE
            for row, face in enumerate((-1, 1)):
                told = smooth & (said == face)
                np.add.at(right[row], self._kinds[told & (self._heads == face)], 1)
                np.add.at(wrong[row], self._kinds[told & (self._heads == -face)], 1)
        return np.asarray(np.clip(np.log(right / wrong), 0.0, MOST_IF_SMOOTH))

    @cached_property
    def _like_others(self) -> Array:
        """(M, 4, M) the likeness of each remembered coin with the others, without those settled at the same moment."""
        moments = np.array([coin.event for coin in self.coins])
        like = self.likeness(np.stack([coin.features for coin in self.coins]))
        return np.where((moments[:, None] == moments)[:, None], 0.0, like)

    def _own_votes(self, like: Array, least: float) -> Array:
        """(M, 4, KINDS + 1): the votes on the remembered coins themselves, of likeness (M, 4, M)."""
        as_worn = _as_worn(self._reliefs[:, None, None], self._reliefs)
        told, rows = votes(like, self._kinds, self._heads, least, as_worn), np.arange(len(self.coins))
        heads = told[rows, :, KINDS + self._kinds]
        return np.concatenate([told[..., :KINDS], heads[..., None]], axis=-1)

    def _mistakes(self, logits: Array) -> int:
        """How many of the coins the mean over the views of logits (M, 4, KINDS + 1) tells wrongly, with their sizes."""
        mean = logits.mean(axis=1)
        sized = scale.of_known(np.array([coin.kind.diameter_mm for coin in self.coins]), normalised(mean[:, :KINDS]))
        wrong_kind = sized.argmax(axis=1) != self._kinds
        return int((wrong_kind | (mean[:, KINDS] * self._heads < 0)).sum())

    def _most_redundant(self) -> int:
        """The number of the coin to drop: of those remembered most often, the one most like a later one."""
        named = [(coin.kind, coin.face) for coin in self.coins]
        often = max(named, key=named.count)
        rows = [number for number, name in enumerate(named) if name == often]
        alike = self.likeness(np.stack([self.coins[k].features for k in rows])).max(axis=1)[:, rows]
        later = np.triu(alike, 1)  # (R, R): with each remembered after it
        return rows[int(later.max(axis=1).argmax())]

    @cached_property
    def _directions(self) -> NDArray[np.float32]:
        """(M * 4, F): the features of every coin in every quarter turn, of length 1."""
        return unit(np.concatenate([coin.features for coin in self.coins]))

    @cached_property
    def _reliefs(self) -> Array:
        """(M,) the relief that each coin showed."""
        return np.array([coin.relief for coin in self.coins], float)

    @cached_property
    def _kinds(self) -> NDArray[np.int64]:
        """(M,) the column of each coin's kind."""
        return np.array([BY_VALUE.index(coin.kind) for coin in self.coins], np.int64)

    @cached_property
    def _heads(self) -> Array:
        """(M,) 1 for heads, -1 for tails, 0 where the face was not settled."""
        return np.array([0.0 if coin.face is None else 1.0 if coin.face is Face.HEADS else -1.0 for coin in self.coins])


def _as_worn(one: Array, other: Array) -> NDArray[np.bool_]:
    """Whether two sightings with these reliefs may show the same face of a coin."""
    return np.asarray(np.maximum(one, other) <= AS_WORN * np.minimum(one, other))


def _all_but(left_out: int) -> Callable[[int, RememberedCoin], bool]:
    return lambda number, coin: number != left_out
