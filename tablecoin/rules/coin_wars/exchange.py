"""One exchange: the coins of both sides and their results. Arithmetic only. (Rulebook 4.)"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec

from tablecoin.coins import Coin, Denomination, Face
from tablecoin.rules.coin_wars.traits import TraitName, negatives, positives, sort_coins

Coins = Annotated[tuple[Coin, ...], msgspec.Meta(max_length=5000)]


class Exchange(msgspec.Struct, frozen=True):
    """The coins of one exchange as they lie now, and what powers added.

    `trait` met the `component` (Coolness may meet a Miscellaneous one). `boost` is the rank of Offensive used, `shield`
    that of Defensive, 0 where unused. `credited` is the worth of the tails that Defensive turned: they still count for
    the character.
    """

    name: str
    component: TraitName
    trait: TraitName
    character: Coins = ()
    scene: Coins = ()
    boost: int = 0
    shield: int = 0
    credited: int = 0

    @property
    def character_result(self) -> int:
        """The character's positives and the scene's negatives (coin-wars.exchange.result)."""
        return positives(self.character) + negatives(self.scene) + self.credited + self.boost

    @property
    def scene_result(self) -> int:
        """The scene's positives and the character's negatives."""
        return positives(self.scene) + negatives(self.character)

    @property
    def difference(self) -> int:
        """Above zero the component loses that much, below zero the trait does."""
        return self.character_result - self.scene_result

    @property
    def damage(self) -> int:
        """What the trait loses: the scene's lead less the shield, and one for having used Offensive."""
        return max(0, -self.difference - self.shield) + (self.boost > 0)

    def boosted(self, rank: int) -> Exchange:
        return msgspec.structs.replace(self, boost=rank)

    def shielded(self, rank: int, *, recompute: bool) -> Exchange:
        """After Defensive: up to two of the scene's tails, the least valuable, turned to heads.

        They keep counting for the character unless `recompute` (the house rule defensive_recompute).
        """
        tails = [coin for coin in sort_coins(self.scene) if coin.face is Face.TAILS][:2]
        turned = [Coin.of(coin.denomination, Face.HEADS) for coin in tails]
        scene = sort_coins([*_without(self.scene, tails), *turned])
        credited = 0 if recompute else negatives(tails)
        return msgspec.structs.replace(self, scene=scene, shield=rank, credited=credited)

    def swapped(self, take: Iterable[Coin], give: Iterable[Coin]) -> Exchange:
        """After Grabby Hands: the character has `take`, the scene `give`, faces kept. ValueError if not there."""
        take, give = list(take), list(give)
        return msgspec.structs.replace(
            self,
            character=sort_coins([*_without(self.character, give), *take]),
            scene=sort_coins([*_without(self.scene, take), *give]),
        )

    def tossed_again(self, side: str, coin: Coin, becomes: Coin) -> Exchange:
        """With one coin of a side tossed again. ValueError when it is not there."""
        coins = self.character if side == "character" else self.scene
        return msgspec.structs.replace(self, **{side: sort_coins([*_without(coins, [coin]), becomes])})


class TossAgain(msgspec.Struct, frozen=True):
    """A coin that a power tosses again: `coin` leaves `side`, and an `into` comes back with the face it shows."""

    side: str
    coin: Coin
    into: Denomination


def _without(coins: Iterable[Coin], gone: Iterable[Coin]) -> list[Coin]:
    left = list(coins)
    for coin in gone:
        left.remove(coin)
    return left
