"""The odds of Coin Wars: each difference of an exchange, and how likely a component is beaten, exactly.

An exchange comes to the sum of signed faces: own heads and scene tails for the character, own tails and scene heads
against it. `stands` follows the fight from exchange to exchange; draws are repeated, so they drop out.
"""

from __future__ import annotations

from functools import cache

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.traits import negatives, positives

MOST = 12  # the most coins of a trait tossed: more hardly change the odds


@cache
def differences(own: Heap, pennies: int) -> dict[int, float]:
    """The chance of each difference when `own` is tossed against a scene's pennies."""
    chances = {0: 1.0}
    faces = [(kind, 1) for kind in own] + [(Denomination.PENNY, -1)] * pennies
    for kind, sign in faces:
        thrown: dict[int, float] = {}
        for so_far, chance in chances.items():
            up, down = positives([Coin.of(kind, Face.HEADS)]), negatives([Coin.of(kind, Face.TAILS)])
            for value in (up, -down):
                thrown[so_far + sign * value] = thrown.get(so_far + sign * value, 0.0) + chance / 2
        chances = thrown
    return chances


def restored(before: int, rating: int, options: CoinWarsOptions) -> int:
    """The points of a trait saved by a burn (coin-wars.choice.burn)."""
    return {"before": before, "one": min(1, rating), "full": rating}[options.burn_restore]


@cache
def stands(points: int, rating: int, step: int, coolness: int, pennies: int, options: CoinWarsOptions) -> float:
    """The chance that a trait of `points` coins, `step` above the penny, beats a component of so many pennies.

    Hurt to nothing, the character burns while it can, then uses Coolness, then loses. Nothing else is tossed along.
    """
    if not pennies:
        return 1.0
    chances = differences(Heap.of([BY_VALUE[step]] * min(MOST, points)), pennies)
    won = 0.0
    for difference, chance in chances.items():
        if difference > 0:
            won += chance * stands(points, rating, step, coolness, max(0, pennies - difference), options)
        elif difference < 0 < points + difference:
            won += chance * stands(points + difference, rating, step, coolness, pennies, options)
        elif difference < 0 and not options.zero_fails_scene:
            if step:
                back = restored(points, rating, options)
                won += chance * stands(back, rating, step - 1, coolness, pennies, options)
            elif coolness:
                cooler = max(0, coolness - max(1, -difference - points))
                won += chance * stands(0, rating, 0, cooler, pennies, options)
    return won / (1.0 - chances.get(0, 0.0))
