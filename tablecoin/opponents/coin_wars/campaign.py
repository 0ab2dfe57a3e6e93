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
from random import Random

from tablecoin.coins import BY_VALUE, Heap
from tablecoin.opponents.coin_wars.odds import differences
from tablecoin.rules.coin_wars.character import Character
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.scene import Scene
from tablecoin.rules.coin_wars.state import CoinWarsState, Fighter
from tablecoin.rules.coin_wars.traits import TRAITS, Points, PowerName, TraitName, steps

MOST = 12  # the most coins of a trait tossed: more hardly change the odds
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
            back = {"scene": self.burnt[k], "split": self.lent[k]}.get(options.burn_recovery, 0)
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
            own = tuple((hero.coin[each], min(MOST, hero.now[each])) for each in (trait, *helping))
            difference = _toss(own, left[k], dice.random())
            if difference > 0:
                left[k] = max(0, left[k] - difference)
                if not any(left):
                    return True
            elif difference < 0 and not _hurt(hero, trait, -difference, options):
                return False
    return False


def _hurt(hero: Hero, trait: int, damage: int, options: CoinWarsOptions) -> bool:
    """The trait loses `damage`; False when that loses the scene."""
    before = hero.now[trait]
    hero.now[trait] = max(0, before - damage)
    if hero.now[trait]:
        return True
    if hero.coin[trait]:
        hero.coin[trait] -= 1
        hero.burnt[trait] += 1
        one, full = min(1, hero.rating[trait]), hero.rating[trait]
        hero.now[trait] = {"before": before, "one": one, "full": full}[options.burn_restore]
        return not options.zero_fails_scene
    if trait != COOL and hero.now[COOL]:
        hero.now[COOL] = max(0, hero.now[COOL] - max(1, damage - before))
        hero.cool = True
        return not options.zero_fails_scene
    hero.out = True
    return False


@cache
def _chances(own: tuple[tuple[int, int], ...], pennies: int) -> tuple[list[int], list[float]]:
    coins = Heap.of(kind for step, count in own for kind in [BY_VALUE[step]] * count)
    chances = sorted(differences(coins, pennies).items())
    return [difference for difference, _ in chances], list(accumulate(chance for _, chance in chances))


def _toss(own: tuple[tuple[int, int], ...], pennies: int, point: float) -> int:
    """The difference of an exchange; the higher `point` in 0..1, the better for the hero."""
    values, upto = _chances(own, pennies)
    return values[min(bisect(upto, point), len(values) - 1)]


def winners(state: CoinWarsState, scenes: Sequence[Scene], dice: Sequence[Random]) -> list[bool]:
    """Who beats the last of `scenes` in one imagined adventure, in the order of the characters.

    Begins in `state.scene`, or before the first of `scenes` when that is None. `dice` has one for each character.
    """
    fighters = [state.fighter(each.name) for each in state.characters]
    heroes = [Hero.of(each, fighter) for each, fighter in zip(state.characters, fighters, strict=True)]
    beaten = [bool(fighter and fighter.beaten) for fighter in fighters]
    options = state.options
    for k, fighter in enumerate(fighters):
        if fighter and not fighter.done:
            beaten[k] = fight(heroes[k], Fight.of(fighter.left, fighter), options, dice[k])
    for scene in scenes[0 if state.scene is None else state.scene + 1 :]:
        if options.all_out == "ends" and all(hero.out and not hero.away for hero in heroes):
            return [False] * len(heroes)
        against = Fight.of(scene.components)
        for k, hero in enumerate(heroes):
            hero.recover(options)
            beaten[k] = not hero.away and fight(hero, against, options, dice[k])
    return beaten


def _faster(character: Character, trait: TraitName) -> int:
    cooler = character.powers.rank(PowerName.SUPER_COOL) if trait is TraitName.COOLNESS else 0
    return cooler + character.powers.rank(PowerName.SUPER_TRAIT, trait)
