"""What an adventure of the book is: heroes, and scenes with their story."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from tablecoin.rules.coin_wars.traits import Points, TraitName

Words = Mapping[str, str]  # language -> text
Difficulty = Literal["easy", "fair", "hard"]
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
