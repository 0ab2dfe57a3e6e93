"""The odds of Coin Wars: how likely a trait beats a component, and what an adventure is still worth to a character.

An exchange comes to the sum of signed faces: own heads and scene tails for the character, own tails and scene heads
against it. `beats` follows the fight from exchange to exchange, exactly; draws are repeated, so they drop out.
"""

from __future__ import annotations

from functools import cache

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.rules.coin_wars import adventure
from tablecoin.rules.coin_wars.character import FULL, Character
from tablecoin.rules.coin_wars.scene import Scene
from tablecoin.rules.coin_wars.state import CoinWarsState, Fighter
from tablecoin.rules.coin_wars.traits import TRAITS, PowerName, TraitName, negatives, positives

MOST = 12  # the most coins of a trait counted: more hardly change the odds
POINT = 0.05  # value of a point left in a trait, in twelfths, so that ties are broken
USE = 0.25  # value of a use left of a limited power, in twelfths

_LIMITED = (PowerName.LUCK, PowerName.SO_COOL, PowerName.FLAMEBAIT, PowerName.GRABBY_HANDS)


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


@cache
def beats(points: int, coin: Denomination, along: Heap, pennies: int) -> float:
    """The chance that a trait of `points` coins, with `along` tossed too, beats a component before it falls."""
    if not pennies:
        return 1.0
    own = along + Heap.of([coin] * points)
    chances = differences(own, pennies)
    won = 0.0
    for difference, chance in chances.items():
        if difference > 0:
            won += chance * beats(points, coin, along, max(0, pennies - difference))
        elif difference < 0 < points + difference:
            won += chance * beats(points + difference, coin, along, pennies)
    return won / (1.0 - chances.get(0, 0.0))


def beats_scene(state: CoinWarsState, character: Character, fighter: Fighter) -> float:
    """The chance that the character beats all that is left of its scene, with the help it has and no other."""
    chance = 1.0
    for component in fighter.left.present:
        trait = character.traits[fighter.trait_for(component)]
        along = Heap.of(
            kind
            for name in fighter.helping(component)
            for kind in [character.traits[name].coin] * min(MOST, character.traits[name].now)
        )
        chance *= beats(min(MOST, trait.now), trait.coin, along, fighter.left[component])
    return chance


def worth(state: CoinWarsState, name: str) -> float:
    """The reward a character may expect to have at the end, in twelfths: earned, from this scene, and from later ones.

    Later scenes are met with the coins of now and one point recovered a scene; other players are taken to fare alike.
    """
    character, fighter = state.character(name), state.fighter(name)
    if not character or state.scene is None:
        raise ValueError(f"{name} is not in an adventure under way")
    value = character.career * FULL + character.twelfths + _spare(character)
    learner = character.powers.rank(PowerName.FAST_LEARNER) > 0
    if fighter and not fighter.done:
        value += beats_scene(state, character, fighter) * state.current.reward(state.options, fast_learner=learner)
    if not adventure.goes_on(state):
        return value
    for place in range(state.scene + 1, len(state.scenes)):
        if place == state.scene + 1 and adventure.misses_next(state, character):
            continue
        scene = state.scenes[place]
        chance = _later(character, scene, place - state.scene)
        value += chance * scene.reward(state.options, fast_learner=learner)
    return value


def _later(character: Character, scene: Scene, away: int) -> float:
    chance = 1.0
    for component in scene.components.present:
        trait = character.traits[component]
        faster = character.powers.rank(PowerName.SUPER_TRAIT, component)
        points = min(trait.rating, trait.now + away * (1 + faster), MOST)
        chance *= beats(points, trait.coin, Heap(), scene.components[component])
    return chance


def _spare(character: Character) -> float:
    points = sum(character.traits[name].now * _weight(name) for name in TRAITS)
    coins = sum(BY_VALUE.index(character.traits[name].coin) for name in TRAITS)
    uses = sum(max(0, character.uses_left(power)) for power in _LIMITED)
    return POINT * (points + coins) + USE * uses


def _weight(name: TraitName) -> int:
    return 3 if name is TraitName.COOLNESS else 1  # Coolness can save any scene
