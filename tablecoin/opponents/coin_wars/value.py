"""The value of Coin Wars: each player's share of the win, as the rules tell it: who beats the last scene wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random

from tablecoin.coins import Coin, Face
from tablecoin.opponents.coin_wars.campaign import Campaign, Ending, Fight, Hero, exact_chance
from tablecoin.opponents.value import Estimate, decided, standard_error
from tablecoin.rules.coin_wars import GAME, adventure
from tablecoin.rules.coin_wars.actions import Choose, Toss
from tablecoin.rules.coin_wars.character import FULL
from tablecoin.rules.coin_wars.scene import Scene
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import Points

# What is played for while nobody has written a card: an Easy, a Mild and a Hard one, as the rulebook advises.
USUAL = (Scene(Points(bodiness=3)), Scene(Points(personality=2, braininess=2)), Scene(Points(bodiness=4, braininess=4)))


def value(state: CoinWarsState, *, samples: int, seed: int, margin: bool = True) -> Estimate:
    """Each player's share of the win; nobody's share is missing from the sum. See opponents.value.Valuer.

    It knows all cards. Before the draw all of them are imagined to be drawn, in any order.
    """
    if outcome := GAME.outcome(state):
        return decided(outcome, state.names)
    if not state.names:
        return Estimate({})
    if standing := settled(state):
        return _mean([value(each, samples=samples, seed=seed) for each in standing])
    if state.choice:
        name = state.choice.name
        after = [GAME.apply(state, Choose(name, option)) for option in adventure.choices(state)]
        return max((value(each, samples=samples, seed=seed) for each in after), key=lambda each: each.chance[name])
    if exact := _last_fights(state):
        return Estimate(exact)
    total, squares = dict.fromkeys(state.names, 0.0), dict.fromkeys(state.names, 0.0)
    for endings in imagined(state, state.names, samples=samples, seed=seed):
        together = max(1, sum(ending.beaten for ending in endings))
        for name, ending in zip(state.names, endings, strict=True):
            total[name] += ending.beaten / together
            squares[name] += (ending.beaten / together) ** 2
    chance = {name: total[name] / samples for name in total}
    return Estimate(chance, max(standard_error(total[name], squares[name], samples) for name in total))


def _last_fights(state: CoinWarsState) -> dict[str, float] | None:
    """The exact shares while the last scene is played; None before it, or where a fight cannot be followed exactly."""
    if state.scene is None or state.scene + 1 < len(state.scenes):
        return None
    chances = dict.fromkeys(state.names, 0.0)
    for character in state.characters:
        fighter = state.fighter(character.name)
        if fighter and fighter.done:
            chances[character.name] = float(fighter.beaten)
        elif fighter:
            chance = exact_chance(Hero.of(character, fighter), Fight.of(fighter.left, fighter), state.options)
            if chance is None:
                return None
            chances[character.name] = chance
    shares = dict.fromkeys(chances, 0.0)
    for name, chance in chances.items():
        also = [1.0]  # how likely 0, 1, 2… of the others win too
        for other, likely in chances.items():
            if other != name:
                also = [a * (1 - likely) + b * likely for a, b in zip([*also, 0.0], [0.0, *also], strict=True)]
        shares[name] = chance * sum(each / (count + 1) for count, each in enumerate(also))
    return shares


def prospect(state: CoinWarsState, name: str, *, samples: int, seed: int) -> float:
    """What a player may hope for: the chance to beat the last scene, and all rewards on the way in whole points.

    From the same imagined adventures as `value`, but of this player alone.
    """
    if standing := settled(state):
        return sum(prospect(each, name, samples=samples, seed=seed) for each in standing) / len(standing)
    if state.choice:
        after = [GAME.apply(state, Choose(state.choice.name, option)) for option in adventure.choices(state)]
        return max(prospect(each, name, samples=samples, seed=seed) for each in after)
    character = state.character(name)
    earned = character.career * FULL + character.twelfths if character else 0
    endings = imagined(state, (name,), samples=samples, seed=seed)
    return sum(ending.beaten + (earned + ending.earned) / 12 for (ending,) in endings) / samples


def imagined(state: CoinWarsState, names: Sequence[str], *, samples: int, seed: int) -> Iterator[list[Ending]]:
    """Imagined adventures of the players named; each has luck of its own, which depends on the seed alone."""
    campaign = Campaign(state, names)
    for sample in range(samples):
        dice = [Random(f"{seed} {sample} {name}") for name in names]
        yield campaign.play(_drawn(state, dice[0]), dice)


def settled(state: CoinWarsState) -> list[CoinWarsState]:
    """The equally likely states after an open exchange; [] where none is open."""
    if not state.open or not state.last:
        return []
    return _fallen(state) if state.reflip else [adventure.settle(state)]


def _drawn(state: CoinWarsState, dice: Random) -> Sequence[Scene]:
    if state.scene is not None:
        return state.scenes
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
