"""Coin Age maps: TOML files that players can write, read and checked once.

    diameter_mm = 44                     # of every circle, at least 40
    size_mm = [270, 180]                 # the field they lie in, seen from the heads player; origin top left
    name.en = "Classic"
    name.zh = "经典"

    [[region]]
    id = "M"
    color = "#8a8f98"
    pattern = "zigzag"                   # one of PATTERNS: regions are told apart without colour too
    name.en = "Mountains"
    name.zh = "山脉"

    [[space]]
    id = "M1"
    region = "M"
    at_mm = [40, 30]                     # the circle's centre: x to the right, y down
    neighbours = ["M2", "M4", "F1"]      # each must name this space in turn
    name.en = "Old Peak"
    name.zh = "老峰"

The file's name without `.toml` is the map's name. A map taught from a photo names the picture of its card, which lies
beside it (`picture = "ours.png"`); its circles are as the card has them, so only coins must fit them.
Every fault is one MapError that names the file and the space.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Annotated, Literal

import msgspec

from tablecoin.rules.game import InputError
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Message
from tablecoin.storage import mapfiles
from tablecoin.storage.documents import DocumentError, read_toml

FEWEST_SPACES = 10
APART_MM = 15.0  # between the edges of two circles: room for fingers, and coins are never seen in the wrong one
PRINTED_MM = 40.0  # the smallest circle that is printed
CARD_APART_MM = 26.0  # between the centres of two spaces of a player's own card: two quarters lie side by side
PATTERNS = ("plain", "stripes", "dots", "checks", "zigzag", "waves", "crosses", "rings")
RANDOM = "random"

Pattern = Literal["plain", "stripes", "dots", "checks", "zigzag", "waves", "crosses", "rings"]
Word = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,12}$")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Length = Annotated[float, msgspec.Meta(ge=0, le=2000)]


class MapError(InputError):
    """A map that cannot be found, read or played on; one sentence that names the file and the space."""


class Name(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name in the languages of the rulebook."""

    en: Text
    zh: Text


class Region(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Spaces that are scored together; printed in `color` (#rrggbb) and `pattern`."""

    id: Word
    name: Name
    color: Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")]
    pattern: Pattern


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A circle that holds one coin or stack: `at_mm` is its centre (x, y) in the map's field."""

    id: Word
    name: Name
    region: str
    at_mm: tuple[Length, Length]
    neighbours: tuple[str, ...]


class Map(msgspec.Struct, frozen=True, dict=True):
    """A checked map. `spaces` and `regions` keep the file's order."""

    name: str
    title: Name
    size_mm: tuple[float, float]
    diameter_mm: float
    regions: tuple[Region, ...]
    spaces: tuple[Space, ...]
    picture: str | None = None  # of the card it was taught from: the name of a file beside the map's

    @cached_property
    def by_id(self) -> Mapping[str, Space]:
        return {space.id: space for space in self.spaces}

    def within(self, region: str) -> tuple[Space, ...]:
        """The spaces of one region."""
        return tuple(space for space in self.spaces if space.region == region)


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """What the TOML holds."""

    name: Name
    region: list[Region]
    space: list[Space]
    size_mm: tuple[Length, Length] = (270.0, 180.0)
    diameter_mm: Annotated[float, msgspec.Meta(ge=20, le=200)] = 44.0
    picture: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]+\.png$")] | None = None


def names() -> tuple[str, ...]:
    """The maps that come with tablecoin, in alphabetical order."""
    return mapfiles.shipped()


@cache
def pick(seed: int) -> str:
    """The name of one shipped map, the same for the same seed: what `random` means."""
    return random.Random(seed).choice(names())


@cache
def load(name_or_path: str) -> Map:
    """A map by its name, or a player's also by the path of its TOML file; read once. Raises MapError."""
    try:
        return parse(mapfiles.text(name_or_path), mapfiles.name_of(name_or_path))
    except mapfiles.MapFileError as error:
        raise MapError(Message("map.file", {"problem": str(error)})) from None


def parse(text: str, name: str) -> Map:
    """A map from the text of its TOML file, checked. Raises MapError."""
    raw: object = None
    try:
        raw = read_toml(text)
        file = msgspec.convert(raw, _File)
    except DocumentError as error:
        raise MapError(Message("map.toml", {"name": name, "problem": str(error)})) from None
    except msgspec.ValidationError as error:
        raise MapError(Message("map.fault", {"name": name, "problem": _counted(plain(error, raw, _File))})) from None
    made = Map(name, file.name, file.size_mm, file.diameter_mm, tuple(file.region), tuple(file.space), file.picture)
    fault = _fault(made)
    if fault:
        raise MapError(Message("map.fault", {"name": name, "problem": fault}))
    return made


def _fault(made: Map) -> Message | None:
    """The first thing wrong with the map as a graph or on the mat; None when it can be played on."""
    regions, ids = [region.id for region in made.regions], [space.id for space in made.spaces]
    for what, all_ids in (("region", regions), ("space", ids)):
        twice = [one for one, count in Counter(all_ids).items() if count > 1]
        if twice:
            return Message(f"map.twice.{what}", {"id": twice[0]})
    if len(ids) < FEWEST_SPACES:
        return Message("map.few", {"count": len(ids), "least": FEWEST_SPACES})
    for space in made.spaces:
        if space.region not in regions:
            return Message("map.region.unknown", {"id": space.id, "region": space.region})
        for other in space.neighbours:
            pair = {"id": space.id, "other": other}
            if other == space.id:
                return Message("map.neighbour.itself", pair)
            if other not in made.by_id:
                return Message("map.neighbour.unknown", pair)
            if space.id not in made.by_id[other].neighbours:
                return Message("map.neighbour.one_way", pair)
        if len(set(space.neighbours)) < len(space.neighbours):
            return Message("map.neighbour.twice", {"id": space.id})
    for region in made.regions:
        if not made.within(region.id):
            return Message("map.region.empty", {"id": region.id})
    return _cut_off(made) or _crowded(made)


def _cut_off(made: Map) -> Message | None:
    reached, todo = set(), [made.spaces[0].id]
    while todo:
        here = todo.pop()
        if here not in reached:
            reached.add(here)
            todo += made.by_id[here].neighbours
    lost = [space.id for space in made.spaces if space.id not in reached]
    return Message("map.cut_off", {"id": lost[0], "first": made.spaces[0].id}) if lost else None


def _crowded(made: Map) -> Message | None:
    if made.picture is None and made.diameter_mm < PRINTED_MM:
        return Message("map.diameter", {"diameter": f"{made.diameter_mm:g}", "least": f"{PRINTED_MM:g}"})
    radius = 0.0 if made.picture else made.diameter_mm / 2
    apart = CARD_APART_MM - made.diameter_mm if made.picture else APART_MM
    for k, space in enumerate(made.spaces):
        if any(not radius <= x <= side - radius for x, side in zip(space.at_mm, made.size_mm, strict=True)):
            width, height = (f"{side:g}" for side in made.size_mm)
            return Message("map.outside", {"id": space.id, "width": width, "height": height})
        for other in made.spaces[:k]:
            gap = math.dist(space.at_mm, other.at_mm) - made.diameter_mm
            if gap < apart:
                apart_mm = {"gap": f"{gap:.0f}", "least": f"{apart:g}"}
                return Message("map.close", {"first": other.id, "second": space.id, **apart_mm})
    return None


def _counted(problem: Message) -> Message:
    """The message with `space[3].id` as people count: `id` of [[space]] number 4."""
    return Message(problem.key, {name: _entry(fact) for name, fact in problem.facts.items()})


def _entry(fact: object) -> object:
    if isinstance(fact, Message):
        return _counted(fact)
    found = re.fullmatch(r"`(region|space)\[(\d+)\](?:\.([^`]+))?`", fact) if isinstance(fact, str) else None
    if found is None:
        return fact
    facts = {"table": f"[[{found[1]}]]", "number": int(found[2]) + 1, "field": f"`{found[3]}`"}
    return Message("map.entry.field" if found[3] else "map.entry", facts)
