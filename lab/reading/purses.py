"""Purses of real coins: what one owner lays on the table, or what several people do, and the network that saw none.

The coins are cut-outs of labelled photos. The photographers of a purse are all of one fold, so that the fold's
held-out network has seen none of them. A coin is a heads and a tails cut-out, of the same photographer where they can
be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from lab import held_out
from lab.reading.cutouts import Side
from lab.training.folds import FOLDS
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin
from tablecoin.vision.coins.network import Networks

Coins = Literal["drawn", "owner", "mixed"]  # drawn ones; real ones of one owner, or each of anybody in a fold
MOST, LEAST = 12, 4  # coins of a denomination; an owner with fewer gets others' coins up to LEAST
OWNS = 8  # smallest number of whole coins, at most LEAST of each denomination counted, of who counts as an owner


@dataclass(frozen=True, slots=True)
class Purse:
    """Coins for one table. The design of a virtual coin, modulo their number, is the coin's place in the purse."""

    coins: Coins
    fold: int | None  # None: drawn coins, read by the shipped network
    owner: str | None  # whose coins most of these are; None: nobody's
    networks: Networks | None  # None: the shipped ones
    skin: Skin
    pictures: Mapping[tuple[Denomination, Face], tuple[Side, ...]]

    def side(self, coin: VirtualCoin) -> Side | None:
        """The cut-out that a coin on the table shows; None: it is drawn."""
        sides = self.pictures.get((coin.denomination, coin.face))
        return sides[coin.design % len(sides)] if sides else None


DRAWN = Purse("drawn", None, None, None, Skin(), {})


@dataclass(frozen=True, slots=True)
class Pockets:
    """Where purses come from: which coins people have, and the cut-outs of all of them."""

    coins: Coins = "drawn"
    sides: Sequence[Side] = ()

    def networks(self, fold: int) -> Networks | None:
        """The networks that read the coins of this fold; None: the shipped ones. Raises NotTrained."""
        return None if self.coins == "drawn" else held_out.networks(fold)

    def purse(self, seed: int, fold: int | None = None) -> Purse:
        """The purse of a game or table with this seed: the folds in turn, an owner of the fold at random.

        Raises NotTrained: the fold has no network; ValueError: nobody of the fold has OWNS whole coins.
        """
        if self.coins == "drawn":
            return DRAWN
        dice, fold = Random(f"purse {seed}"), seed % len(FOLDS) if fold is None else fold
        here = [side for side in self.sides if side.owner in FOLDS[fold]]
        known = owners(here)
        if not known:
            raise ValueError(f"nobody of fold {fold} has {OWNS} whole coins: give the folder with all photos.")
        owner = dice.choice(known) if self.coins == "owner" else None
        pictures = fill(here, owner, dice)
        skin = Skin.pictures({key: [side.picture for side in some] for key, some in pictures.items()})
        return Purse(self.coins, fold, owner, self.networks(fold), skin, pictures)

    def everybody(self, fold: int) -> Skin:
        """All cut-outs of a fold."""
        here = [side for side in self.sides if side.owner in FOLDS[fold]]
        sides = {(side.denomination, side.face) for side in here}
        return Skin.pictures(
            {key: [side.picture for side in here if (side.denomination, side.face) == key] for key in sides}
        )


def owners(sides: Sequence[Side]) -> list[str]:
    """The people with at least OWNS whole coins, by name."""
    number = Counter((side.owner, side.denomination, side.face) for side in sides)
    whole = {
        name: sum(min(LEAST, *(number[name, kind, face] for face in Face)) for kind in BY_VALUE)
        for name in sorted({side.owner for side in sides})
    }
    return [name for name, coins in whole.items() if coins >= OWNS]


def fill(sides: Sequence[Side], owner: str | None, dice: Random) -> dict[tuple[Denomination, Face], tuple[Side, ...]]:
    """Both sides of some coins of each denomination, the coins in the same order on both.

    `owner`: their coins come first, then others' up to LEAST; None: MOST coins of anybody. A denomination of which the
    pictures lack a side is left out.
    """
    ranks = {name: dice.random() for name in sorted({side.owner for side in sides})}
    pictures: dict[tuple[Denomination, Face], tuple[Side, ...]] = {}
    for kind in BY_VALUE:
        heads, tails = (_some([s for s in sides if (s.denomination, s.face) == (kind, face)], dice) for face in Face)
        number = MOST
        if owner:
            number = max(LEAST, min(sum(side.owner == owner for side in some) for some in (heads, tails)))
            for some in heads, tails:
                some.sort(key=lambda side: -1 if side.owner == owner else ranks[side.owner])
        if heads and tails:
            coins = _paired(heads, tails, number)
            pictures |= {(kind, face): tuple(coin[k] for coin in coins) for k, face in enumerate(Face)}
    return pictures


def _some(sides: list[Side], dice: Random) -> list[Side]:
    """These sides in random order, at most MOST of each owner, so that nobody's photos outnumber all others."""
    taken: Counter[str] = Counter()
    some = []
    for side in dice.sample(sides, len(sides)):
        taken[side.owner] += 1
        if taken[side.owner] <= MOST:
            some.append(side)
    return dice.sample(some, len(some))


def _paired(heads: Sequence[Side], tails: Sequence[Side], number: int) -> list[tuple[Side, Side]]:
    """So many coins, heads in their order, each with tails of the same owner while there are some."""
    coins, unused = [], list(tails)
    for k in range(number):
        top = heads[k % len(heads)]
        unused = unused or list(tails)
        below = next((side for side in unused if side.owner == top.owner), unused[0])
        unused.remove(below)
        coins.append((top, below))
    return coins
