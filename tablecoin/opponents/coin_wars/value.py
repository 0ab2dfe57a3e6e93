"""The value of Coin Wars: each player's share of the win, as the rules tell it: who beats the last scene wins."""

from __future__ import annotations

from math import sqrt
from random import Random

from tablecoin.coins import Coin, Face
from tablecoin.opponents.coin_wars.campaign import winners
from tablecoin.opponents.value import Estimate, decided
from tablecoin.rules.coin_wars import GAME, adventure
from tablecoin.rules.coin_wars.actions import Choose, Toss
from tablecoin.rules.coin_wars.scene import Scene
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import Points

# What is played for while nobody has written a card: an Easy, a Mild and a Hard one, as the rulebook advises.
USUAL = (Scene(Points(bodiness=3)), Scene(Points(personality=2, braininess=2)), Scene(Points(bodiness=4, braininess=4)))


def value(state: CoinWarsState, *, samples: int, seed: int) -> Estimate:
    """Each player's share of the win; nobody's share is missing from the sum. See opponents.value.Valuer.

    It knows all cards. Before the draw all of them are imagined to be drawn, in any order.
    """
    if outcome := GAME.outcome(state):
        return decided(outcome, state.names)
    if state.open and state.last:
        if state.reflip:
            return _mean([value(each, samples=samples, seed=seed) for each in _fallen(state)])
        return value(adventure.settle(state), samples=samples, seed=seed)
    if state.choice:
        name = state.choice.name
        after = [GAME.apply(state, Choose(name, option)) for option in adventure.choices(state)]
        return max((value(each, samples=samples, seed=seed) for each in after), key=lambda each: each.chance[name])
    total = dict.fromkeys(state.names, 0.0)
    squares = dict(total)
    for sample in range(samples):
        scenes = _drawn(state, Random(f"{seed} {sample}"))
        dice = [Random(f"{seed} {sample} {name}") for name in state.names]
        won = winners(state, scenes, dice)
        for name, wins in zip(state.names, won, strict=True):
            total[name] += wins / max(1, sum(won))
            squares[name] += (wins / max(1, sum(won))) ** 2
    chance = {name: total[name] / samples for name in total}
    spread = max((squares[name] / samples - chance[name] ** 2 for name in total), default=0.0)
    return Estimate(chance, sqrt(max(0.0, spread) / max(1, samples - 1)))


def _drawn(state: CoinWarsState, dice: Random) -> list[Scene]:
    if state.scene is not None:
        return list(state.scenes)
    cards = list(state.scenes or USUAL)
    dice.shuffle(cards)
    return cards


def _fallen(state: CoinWarsState) -> list[CoinWarsState]:
    """The states after the coin that is to be tossed again has shown heads, and tails."""
    assert state.reflip
    assert state.last
    falls = []
    for face in Face:
        coins = (Coin.of(state.reflip.into, face),)
        own, scene = (coins, ()) if state.reflip.side == "character" else ((), coins)
        falls.append(GAME.apply(state, Toss(state.last.name, state.last.component, own, scene)))
    return falls


def _mean(estimates: list[Estimate]) -> Estimate:
    names = estimates[0].chance
    chance = {name: sum(each.chance[name] for each in estimates) / len(estimates) for name in names}
    return Estimate(chance, sqrt(sum(each.error**2 for each in estimates)) / len(estimates))
