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
from functools import cache
from importlib.resources import files
from typing import cast

import msgspec

from tablecoin.rules.coin_wars.adventures.adventure import CHANCES, Adventure, Card, Difficulty, Hero, Words
from tablecoin.rules.coin_wars.adventures.made import PARTS, make

__all__ = [
    "CHANCES",
    "NONE",
    "Adventure",
    "Card",
    "Difficulty",
    "Hero",
    "Words",
    "is_known",
    "load",
    "made_name",
    "shipped",
]

NONE = "none"  # no adventure of the book: the players write their scenes
MOST_MADE_PLAYERS = 4


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
        return make(cast(Difficulty, found["difficulty"]), int(found["players"]), int(found["number"]))
    if name not in shipped():
        raise KeyError(name)
    return _read(name)


def made_name(difficulty: Difficulty, players: int, number: int) -> str:
    """The name under which `load` makes the adventure of that number. The opponents find numbers that keep the
    promise of the difficulty (`tablecoin.opponents.coin_wars.balance`)."""
    return f"made-{difficulty}-{players}-{number}"


_MADE = re.compile(
    rf"made-(?P<difficulty>easy|fair|hard)-(?P<players>[1-{MOST_MADE_PLAYERS}])-"
    rf"(?P<number>0|[1-9][0-9]{{0,8}})"
)


@cache
def _read(name: str) -> Adventure:
    text = (files(__package__) / f"{name}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Adventure)
