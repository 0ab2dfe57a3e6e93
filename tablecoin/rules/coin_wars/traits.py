"""The words of Coin Wars: traits, powers, the steps of coins and what each face is worth. (Rulebook 1, 4 and 9.)"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import msgspec

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face


class TraitName(StrEnum):
    """The five traits of a character; all but Coolness can also be components of a scene."""

    BODINESS = "bodiness"
    BRAININESS = "braininess"
    PERSONALITY = "personality"
    COOLNESS = "coolness"
    MISC = "misc"


TRAITS = tuple(TraitName)
COMPONENTS = (TraitName.BODINESS, TraitName.BRAININESS, TraitName.PERSONALITY, TraitName.MISC)


class PowerName(StrEnum):
    """The nine powers of the optional rules."""

    LUCK = "luck"
    SO_COOL = "so-cool"
    OFFENSIVE = "offensive"
    DEFENSIVE = "defensive"
    FLAMEBAIT = "flamebait"
    SUPER_COOL = "super-cool"
    SUPER_TRAIT = "super-trait"
    GRABBY_HANDS = "grabby-hands"
    FAST_LEARNER = "fast-learner"


POWERS = tuple(PowerName)
LINKED = (PowerName.OFFENSIVE, PowerName.DEFENSIVE, PowerName.SUPER_TRAIT)  # each rank belongs to one trait


class Points(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A number for each trait: ratings, the pennies of a scene's components, ranks. JSON leaves zeros out."""

    bodiness: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0
    braininess: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0
    personality: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0
    coolness: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0
    misc: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0

    def __getitem__(self, trait: TraitName) -> int:
        return int(getattr(self, trait))

    def put(self, trait: TraitName, number: int) -> Points:
        return msgspec.structs.replace(self, **{str(trait): number})

    @property
    def total(self) -> int:
        return sum(self[trait] for trait in TRAITS)

    @property
    def present(self) -> tuple[TraitName, ...]:
        """The traits whose number is not zero, in reading order."""
        return tuple(trait for trait in TRAITS if self[trait])


_POSITIVES = {Denomination.PENNY: 1, Denomination.NICKEL: 2, Denomination.DIME: 3, Denomination.QUARTER: 4}
_NEGATIVES = {Denomination.PENNY: 1, Denomination.NICKEL: 2, Denomination.DIME: 2, Denomination.QUARTER: 2}


def positives(coins: Iterable[Coin]) -> int:
    """What the heads among `coins` are worth: penny 1, nickel 2, dime 3, quarter 4 (coin-wars.exchange.value)."""
    return sum(_POSITIVES[coin.denomination] for coin in coins if coin.face is Face.HEADS)


def negatives(coins: Iterable[Coin]) -> int:
    """What the tails among `coins` are worth: penny 1, every other coin 2 (coin-wars.exchange.value)."""
    return sum(_NEGATIVES[coin.denomination] for coin in coins if coin.face is Face.TAILS)


def steps(coin: Denomination) -> int:
    """How many steps a coin stands above the penny: 0 to 3."""
    return BY_VALUE.index(coin)


def stepped(coin: Denomination, by: int) -> Denomination:
    """The coin `by` steps higher (or lower, negative). ValueError past the penny or the quarter."""
    place = steps(coin) + by
    if not 0 <= place < len(BY_VALUE):
        raise ValueError(f"no coin stands {by} steps from a {coin}")
    return BY_VALUE[place]


def sort_coins(coins: Iterable[Coin]) -> tuple[Coin, ...]:
    """Coins in the one order in which the game writes them: pennies first, heads before tails."""
    return tuple(sorted(coins, key=_ORDER.index))


_ORDER = tuple(Coin)
