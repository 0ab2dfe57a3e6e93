"""New adventures from parts of our own: a pure function of a number. Whether one keeps what its difficulty promises is
worked out above the rules, by the value function (`tablecoin.opponents.coin_wars.balance`).

An adventure has one setting, a hero for each player, some scenes over one trait each, and a last scene over two.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random
from types import MappingProxyType

import msgspec

from tablecoin.rules.coin_wars.adventures.adventure import Adventure, Card, Difficulty, Hero, Words
from tablecoin.rules.coin_wars.traits import COMPONENTS, TRAITS, Points, TraitName

PARTS = "parts"  # the file of the parts, beside this one

# Scenes before the last one, least and most, by the number of players.
_BEFORE = MappingProxyType({1: (1, 2), 2: (2, 4), 3: (3, 5), 4: (4, 5)})
# The pennies of a scene and of the last one: more with each difficulty, and for more players, of whom any may win.
_PENNIES: Mapping[Difficulty, Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {
        "easy": {1: (3,), 2: (3, 3, 4), 3: (3, 4, 6), 4: (4, 6)},
        "fair": {1: (3, 4), 2: (3, 4, 6), 3: (4, 6, 8), 4: (6, 8)},
        "hard": {1: (4, 6), 2: (4, 6, 8), 3: (6, 8, 9), 4: (9,)},
    }
)
_LAST_PENNIES: Mapping[Difficulty, Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {
        "easy": {1: (3, 4), 2: (3, 4, 6), 3: (4, 6), 4: (6, 8)},
        "fair": {1: (4, 6, 8), 2: (6, 8), 3: (8, 9), 4: (8, 9)},
        "hard": {1: (6, 8, 9), 2: (8, 9), 3: (8, 9), 4: (9,)},
    }
)
_MISC_PENNIES = 3  # Easy, or Mild with the extra point inside: a class whichever way the table counts that point

# Twelve points: the Strong trait, its two neighbours, Coolness, Miscellaneous; where Coolness is Strong, all five.
_RATINGS: Mapping[Difficulty, tuple[tuple[int, ...], ...]] = MappingProxyType(
    {
        "easy": ((4, 2, 2, 3, 1), (4, 3, 1, 2, 2), (5, 2, 1, 3, 1)),
        "fair": ((4, 2, 2, 3, 1), (4, 3, 1, 2, 2), (5, 2, 1, 3, 1)),
        "hard": ((4, 2, 2, 1, 3), (3, 3, 2, 1, 3), (3, 3, 3, 1, 2)),
    }
)
_COOL_RATINGS = ((3, 2, 2, 4, 1), (2, 3, 2, 4, 1), (2, 2, 3, 4, 1))
_STRONG = (TraitName.BODINESS, TraitName.BRAININESS, TraitName.PERSONALITY, TraitName.COOLNESS)


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an adventure plays, and whom one meets there."""

    title: Words
    blurb: Words
    places: tuple[Words, ...]
    foes: tuple[Words, ...]


class Trouble(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scene with gaps for a place and somebody of the setting. A last scene has no trait of its own."""

    title: Words
    text: Words
    trait: TraitName | None = None
    misc: Words = {}


class Parts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that adventures are made of."""

    settings: tuple[Setting, ...]
    heroes: Mapping[TraitName, tuple[Words, ...]]  # by the Strong trait
    scenes: tuple[Trouble, ...]
    finales: tuple[Trouble, ...]
    won: tuple[Words, ...]
    lost: tuple[Words, ...]


@cache
def parts() -> Parts:
    """The parts in `parts.toml`."""
    text = (files(__package__) / f"{PARTS}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Parts)


@cache
def make(difficulty: Difficulty, players: int, number: int) -> Adventure:
    """The adventure of that number for so many players."""
    dice = Random(f"{difficulty} {players} {number}")
    setting = dice.choice(parts().settings)
    before = dice.randint(*_BEFORE[players])
    places = dice.sample(setting.places, before + 1)
    foes = [dice.choice(setting.foes) for _ in places]
    troubles = _troubles(dice, before)
    won, lost = (dice.sample(texts, k=min(len(texts), before + 1)) for texts in (parts().won, parts().lost))
    cards = []
    for place, (trouble, where, who) in enumerate(zip(troubles, places, foes, strict=True)):
        last = place == before
        pennies = dice.choice((_LAST_PENNIES if last else _PENNIES)[difficulty][players])
        cards.append(
            Card(
                title=trouble.title,
                text={
                    language: _begun(text.format(place=where[language], foe=who[language]))
                    for language, text in trouble.text.items()
                },
                won=won[place % len(won)],
                lost=lost[place % len(lost)],
                components=_split(dice, pennies) if last else _one(trouble.trait, pennies),
                misc=trouble.misc,
            )
        )
    return Adventure(
        setting.title, setting.blurb, players, difficulty, _heroes(dice, difficulty, players), tuple(cards)
    )


def _troubles(dice: Random, before: int) -> list[Trouble]:
    """Scenes of which neighbours differ in their trait, and a last one."""
    found: list[Trouble] = []
    while len(found) < before:
        trait = found[-1].trait if found else None
        found.append(dice.choice([each for each in parts().scenes if each not in found and each.trait is not trait]))
    return [*found, dice.choice(parts().finales)]


def _one(trait: TraitName | None, pennies: int) -> Points:
    """A scene over one trait."""
    assert trait
    return Points().put(trait, _MISC_PENNIES if trait is TraitName.MISC else pennies)


def _split(dice: Random, pennies: int) -> Points:
    """A last scene: its pennies over two traits, at least one in each."""
    first, second = dice.sample(COMPONENTS[:3], 2)
    share = dice.randint(1, pennies - 1)
    return Points().put(first, pennies - share).put(second, share)


def _heroes(dice: Random, difficulty: Difficulty, players: int) -> tuple[Hero, ...]:
    """Heroes of whom no two are alike: each Strong trait once before any comes again, then with other ratings."""
    strong = dice.sample(_STRONG, len(_STRONG))
    first = dice.randrange(len(_COOL_RATINGS))
    titles = {trait: dice.sample(parts().heroes[trait], 2) for trait in _STRONG}
    found = []
    for place in range(players):
        again, which = divmod(place, len(strong))
        trait, pattern = strong[which], (first + again) % len(_COOL_RATINGS)
        found.append(Hero(titles[trait][again], _ratings(difficulty, trait, pattern), trait, {}))
    return tuple(found)


def _ratings(difficulty: Difficulty, strong: TraitName, pattern: int) -> Points:
    if strong is TraitName.COOLNESS:
        return Points(*_COOL_RATINGS[pattern])
    high, *others, coolness, misc = _RATINGS[difficulty][pattern]
    points = Points(coolness=coolness, misc=misc).put(strong, high)
    for trait, rating in zip([each for each in TRAITS[:3] if each is not strong], others, strict=True):
        points = points.put(trait, rating)
    return points


def _begun(text: str) -> str:
    """The sentence with a capital first letter, where a name of the setting begins it."""
    return text[:1].upper() + text[1:]
