"""The rest of an adventure of Coin Wars, imagined many times over in plain numbers.

Characters fight apart, so each is followed alone from scene to scene. Whoever is hurt to nothing burns while there is
something to burn, then uses Coolness, then sits out. Nobody calls further help, and of the powers only those that
restore are counted.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import prod
from random import Random
from typing import NamedTuple

from tablecoin.coins import BY_VALUE, Heap
from tablecoin.opponents.coin_wars.odds import MOST, differences, restored, stands
from tablecoin.rules.coin_wars import adventure
from tablecoin.rules.coin_wars.character import Character
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.scene import Scene
from tablecoin.rules.coin_wars.state import CoinWarsState, Fighter
from tablecoin.rules.coin_wars.traits import TRAITS, Points, PowerName, TraitName, steps

LONGEST = 200  # rounds of exchanges imagined in a scene; a fight that goes on longer is lost
COOL, MISC = TRAITS.index(TraitName.COOLNESS), TRAITS.index(TraitName.MISC)


@dataclass
class Hero:
    """A character in numbers, by the order of TRAITS. `coin` counts steps above the penny."""

    now: list[int]
    rating: tuple[int, ...]
    coin: list[int]
    burnt: list[int]
    faster: tuple[int, ...]
    lent: list[int]  # burns for help in this scene, by trait
    cool: bool = False  # has used Coolness in this scene
    out: bool = False  # sat out in this scene
    away: bool = False  # misses this scene

    @classmethod
    def of(cls, character: Character, fighter: Fighter | None) -> Hero:
        traits = [character.traits[name] for name in TRAITS]
        burned = fighter.burned if fighter else ()
        return cls(
            now=[trait.now for trait in traits],
            rating=tuple(trait.rating for trait in traits),
            coin=[steps(trait.coin) for trait in traits],
            burnt=[trait.burnt for trait in traits],
            faster=tuple(_faster(character, name) for name in TRAITS),
            lent=[burned.count(name) for name in TRAITS],
            cool=bool(fighter and fighter.used_coolness),
            out=bool(fighter and character.sitting_out),
            away=fighter is None,
        )

    def copy(self) -> Hero:
        now, coin, burnt, lent = self.now[:], self.coin[:], self.burnt[:], self.lent[:]
        return Hero(now, self.rating, coin, burnt, self.faster, lent, self.cool, self.out, self.away)

    def recover(self, options: CoinWarsOptions) -> None:
        """As `adventure.begin_scene` does."""
        for k in range(len(TRAITS)):
            if self.burnt[k] and options.burn_recovery != "adventure":
                back = self.burnt[k] if options.burn_recovery == "scene" else self.lent[k]
                self.coin[k] += back
                self.burnt[k] -= back
            if k != COOL or options.cool_recovery == "always" or not self.cool:
                self.now[k] = min(self.rating[k], self.now[k] + 1 + self.faster[k])
        self.lent = [0] * len(TRAITS)
        self.away, self.out, self.cool = self.out and not self.away, False, False


@dataclass(frozen=True)
class Fight:
    """What a hero faces: (trait met with, helping traits, pennies left) of each component, those due first."""

    parts: tuple[tuple[int, tuple[int, ...], int], ...]

    @classmethod
    def of(cls, components: Points, fighter: Fighter | None = None) -> Fight:
        present = list(components.present)
        if fighter:
            present.sort(key=lambda each: each not in fighter.waiting)
        return cls(
            tuple(
                (
                    TRAITS.index(fighter.trait_for(each) if fighter else each),
                    tuple(map(TRAITS.index, fighter.helping(each))) if fighter else (),
                    components[each],
                )
                for each in present
            )
        )


def fight(hero: Hero, against: Fight, options: CoinWarsOptions, dice: Random) -> bool:
    """Whether the hero beats the scene; it is changed by what happens."""
    left = [pennies for _, _, pennies in against.parts]
    for _ in range(LONGEST):
        for k, (trait, helping, _) in enumerate(against.parts):
            if not left[k]:
                continue
            hero.cool |= trait == COOL
            own: tuple[int, ...] = (hero.coin[trait], hero.now[trait])
            for each in helping:
                own += (hero.coin[each], hero.now[each])
            difference = _toss(own, left[k], dice.random())
            if difference > 0:
                left[k] = max(0, left[k] - difference)
                if not any(left):
                    return True
            elif difference < 0 and not _hurt(hero, trait, -difference, options):
                return False
    return False


def exact_chance(hero: Hero, against: Fight, options: CoinWarsOptions) -> float | None:
    """The chance that the hero beats the scene as in `fight`; None where it hangs on more than can be followed.

    Components can be followed one by one where nothing is tossed along and they do not share Coolness.
    """
    left = [(trait, pennies) for trait, helping, pennies in against.parts if pennies]
    if any(helping for _, helping, _ in against.parts) or any(trait == COOL for trait, _ in left):
        return None
    if len(left) > 1 and hero.now[COOL]:
        return None
    return prod(
        stands(hero.now[trait], hero.rating[trait], hero.coin[trait], hero.now[COOL], pennies, options)
        for trait, pennies in left
    )


def _hurt(hero: Hero, trait: int, damage: int, options: CoinWarsOptions) -> bool:
    """The trait loses `damage`; False when that loses the scene."""
    before = hero.now[trait]
    hero.now[trait] = max(0, before - damage)
    if hero.now[trait]:
        return True
    if hero.coin[trait]:
        hero.coin[trait] -= 1
        hero.burnt[trait] += 1
        hero.now[trait] = restored(before, hero.rating[trait], options)
        return not options.zero_fails_scene
    if trait != COOL and hero.now[COOL]:
        hero.now[COOL] = max(0, hero.now[COOL] - max(1, damage - before))
        hero.cool = True
        return not options.zero_fails_scene
    hero.out = True
    return False


def _toss(own: tuple[int, ...], pennies: int, point: float) -> int:
    """The difference of an exchange; the higher `point` in 0..1, the better for the hero."""
    values, upto = _chances(own, pennies)
    return values[min(bisect(upto, point), len(values) - 1)]


@cache
def _chances(own: tuple[int, ...], pennies: int) -> tuple[list[int], list[float]]:
    """The differences of `own` (steps above the penny and count, of each trait), and the chance of at most each."""
    pairs = zip(own[::2], own[1::2], strict=True)
    coins = Heap.of(kind for step, count in pairs for kind in [BY_VALUE[step]] * min(MOST, count))
    chances = sorted(differences(coins, pennies).items())
    return [difference for difference, _ in chances], list(accumulate(chance for _, chance in chances))


class Ending(NamedTuple):
    """How one imagined adventure ended for a character: whether it beat the last scene, and twelfths still earned."""

    beaten: bool
    earned: int


class Campaign:
    """The adventure of `state` for the characters named, ready to be imagined many times.

    When not all characters are followed, the others are taken to go on; but whoever sits out now misses the next scene.
    """

    def __init__(self, state: CoinWarsState, names: Sequence[str]) -> None:
        self.options, self.scene = state.options, state.scene
        self.characters = [each for each in state.characters if each.name in names]
        others = [each for each in state.characters if each.name not in names]
        self.everybody = not others
        self.alone = all(adventure.misses_next(state, each) for each in others)  # in the scene after this one
        fighters = [state.fighter(each.name) for each in self.characters]
        self.heroes = [Hero.of(*each) for each in zip(self.characters, fighters, strict=True)]
        self.beaten = [bool(fighter and fighter.beaten) for fighter in fighters]
        self.fights = [Fight.of(each.left, each) if each and not each.done else None for each in fighters]
        self.reward = [0] * len(fighters)
        if state.scene is not None:
            self.reward = [_reward(state.current, each, self.options) for each in self.characters]

    def play(self, scenes: Sequence[Scene], dice: Sequence[Random]) -> list[Ending]:
        """One imagined adventure, each character with luck of its own.

        Begins in the state's scene, or before the first of `scenes` where none was drawn.
        """
        options = self.options
        heroes, beaten, earned = [hero.copy() for hero in self.heroes], self.beaten[:], [0] * len(self.heroes)
        for k, against in enumerate(self.fights):
            if against:
                beaten[k] = fight(heroes[k], against, options, dice[k])
                earned[k] = beaten[k] * self.reward[k]
        for ahead, scene in enumerate(scenes[0 if self.scene is None else self.scene + 1 :]):
            lost = options.all_out == "ends" and (self.everybody or (self.alone and not ahead))
            if lost and all(hero.out and not hero.away for hero in heroes):
                return [Ending(beaten=False, earned=each) for each in earned]
            for k, hero in enumerate(heroes):
                hero.recover(options)
                beaten[k] = not hero.away and fight(hero, _whole(scene.components), options, dice[k])
                earned[k] += beaten[k] * _reward(scene, self.characters[k], options)
        return [Ending(*each) for each in zip(beaten, earned, strict=True)]


@cache
def _whole(components: Points) -> Fight:
    return Fight.of(components)


def _reward(scene: Scene, character: Character, options: CoinWarsOptions) -> int:
    return scene.reward(options, fast_learner=character.powers.rank(PowerName.FAST_LEARNER) > 0)


def _faster(character: Character, trait: TraitName) -> int:
    cooler = character.powers.rank(PowerName.SUPER_COOL) if trait is TraitName.COOLNESS else 0
    return cooler + character.powers.rank(PowerName.SUPER_TRAIT, trait)
