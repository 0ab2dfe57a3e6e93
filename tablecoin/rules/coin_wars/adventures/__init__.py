"""Adventures ready to play: heroes and scenes with their texts, in files beside this one; `made.py` makes more.

A file has the words of a person's language in tables (`title.en`, `title.zh`):

    players = 1                          # how many heroes it is made for
    difficulty = "fair"                  # how likely somebody beats its last scene (`CHANCES`)
    title.en = "The Lamp on Gull Rock"
    blurb.en = "..."                     # two sentences for those who choose

    [[heroes]]
    title.en = "The keeper's apprentice"
    ratings = { bodiness = 3, braininess = 3, personality = 2, coolness = 3, misc = 1 }
    strong = "braininess"
    misc.en = "Knots"                    # what the hero calls Miscellaneous

    [[scenes]]                           # in the order they are played
    title.en = "The landing"
    text.en = "..."                      # what happens
    won.en = "..."                       # how it went, for those who beat it
    lost.en = "..."                      # and for those it beat
    components = { bodiness = 3 }
    misc.en = "Winch"                    # the name of its Miscellaneous component, where it has one
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, cast

import msgspec

from tablecoin.rules.coin_wars.traits import Points, TraitName

Words = Mapping[str, str]  # language -> text
Difficulty = Literal["easy", "fair", "hard"]
NONE = "none"  # no adventure of the book: the players write their scenes

# How likely somebody beats the last scene when middle computers play all heroes of an adventure, least and most.
CHANCES: Mapping[Difficulty, tuple[float, float]] = MappingProxyType(
    {"easy": (0.70, 0.90), "fair": (0.45, 0.65), "hard": (0.20, 0.40)}
)


class Hero(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character ready to be taken."""

    title: Words
    ratings: Points
    strong: TraitName
    misc: Words = {}


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scene and its story: what happens, and how it went for those who beat it and for those it beat."""

    title: Words
    text: Words
    won: Words
    lost: Words
    components: Points
    misc: Words = {}


class Adventure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Heroes and scenes that belong together. Made for as many players as it has heroes; others may play it too."""

    title: Words
    blurb: Words
    players: int
    difficulty: Difficulty
    heroes: tuple[Hero, ...]
    scenes: tuple[Card, ...]


def shipped() -> tuple[str, ...]:
    """The names of the adventures in files, those for few players first."""
    names = (each.name.removesuffix(".toml") for each in files(__package__).iterdir() if each.name.endswith(".toml"))
    return tuple(sorted((name for name in names if name != PARTS), key=lambda name: (_read(name).players, name)))


def is_known(name: str) -> bool:
    """Whether `name` is an adventure of a file, or one that can be made."""
    return name in shipped() or bool(_MADE.fullmatch(name))


@cache
def load(name: str) -> Adventure:
    """The adventure called `name`: that of a file, or one made. KeyError when there is none."""
    if found := _MADE.fullmatch(name):
        from tablecoin.rules.coin_wars.adventures.made import make

        return make(cast(Difficulty, found["difficulty"]), int(found["players"]), int(found["number"]))
    if name not in shipped():
        raise KeyError(name)
    return _read(name)


def made_name(difficulty: Difficulty, players: int, number: int) -> str:
    """The name under which `load` makes the adventure of that number. The opponents find numbers that keep the
    promise of the difficulty (`tablecoin.opponents.coin_wars.balance`)."""
    return f"made-{difficulty}-{players}-{number}"


PARTS = "parts"  # the file that `made` draws on
MOST_MADE_PLAYERS = 4
_MADE = re.compile(
    rf"made-(?P<difficulty>easy|fair|hard)-(?P<players>[1-{MOST_MADE_PLAYERS}])-"
    rf"(?P<number>0|[1-9][0-9]{{0,8}})"
)


@cache
def _read(name: str) -> Adventure:
    text = (files(__package__) / f"{name}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Adventure)
