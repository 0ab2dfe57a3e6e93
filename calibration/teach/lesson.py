"""A lesson: what a player says about the photo of a card. Made by the page's taps or written in a file by hand.

name = "ours"                        # what the map is called in commands
title = "Our Island"
size_mm = [210, 148]                 # the card, measured with a ruler

[[regions]]
id = "A"
name = "Hills"

[[spaces]]
region = "A"
at_px = [812, 604]                   # the middle of its circle in the photo

# neighbours = [[0, 1], [0, 2], ...] # pairs of spaces, counted from 0; left out: guessed from their distances
# corners_px = [[101, 92], ...]      # four corners of the card in the photo, or by --corners
"""

from __future__ import annotations

import json
import math
import tomllib
from itertools import chain
from pathlib import Path
from typing import Annotated

import msgspec

from calibration.teach.guess import neighbours
from tablecoin.rules.coin_age.maps import PATTERNS, Text, Word
from tablecoin.rules.plain import plain
from tablecoin.storage import durable

INKS = ("#9a6a3f", "#3f7d4e", "#b8912f", "#a8475e", "#3f6fa0", "#75569b", "#4c8f8f", "#6b6f76")  # one a region in turn
MOST_SPACES = 40
LARGEST_FILE = 1_000_000  # bytes; forty spaces have about 4,000
_CIRCLE_MM = (20.0, 60.0)  # smallest and largest circle round a space
_CIRCLE_SHARE = 0.92  # of the distance between the two nearest spaces

Pixel = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]
Side = Annotated[float, msgspec.Meta(ge=60, le=1500)]
Index = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SPACES)]


class TeachError(ValueError):
    """The lesson cannot be learnt; `str()` is one sentence with what to do."""


class Region(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Spaces scored together; a colour is chosen where none is given."""

    id: Word
    name: Text | None = None
    color: Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")] | None = None


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place for a stack; without an id it is called by its region and a number: A1, A2."""

    region: Word
    at_px: tuple[Pixel, Pixel]
    id: Word | None = None
    name: Text | None = None


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that must be known besides the photo."""

    name: Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9-]{0,29}$")]
    size_mm: tuple[Side, Side]
    regions: Annotated[tuple[Region, ...], msgspec.Meta(max_length=len(PATTERNS))]
    spaces: Annotated[tuple[Space, ...], msgspec.Meta(max_length=MOST_SPACES)]
    title: Text | None = None
    corners_px: Annotated[tuple[tuple[Pixel, Pixel], ...], msgspec.Meta(max_length=4)] = ()
    neighbours: tuple[tuple[Index, Index], ...] | None = None


def read_lesson(text: bytes, kind: str) -> Lesson:
    """A lesson from JSON or TOML (`kind` is `json` or `toml`). Raises TeachError."""
    raw: object = None
    try:
        raw = msgspec.json.decode(text) if kind == "json" else tomllib.loads(text.decode("utf-8"))
        return msgspec.convert(raw, Lesson)
    except msgspec.ValidationError as error:
        if "regex" in str(error) and str(error).endswith("`$.name`"):
            raise TeachError("The map's name takes small letters, digits and dashes only, at most 30.") from None
        raise TeachError(f"The lesson is not right: {plain(error, raw, Lesson)}.") from None
    except (msgspec.DecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TeachError(f"The lesson is not {kind.upper()}: {error}.") from None


def read_file(path: Path, corners: str | None = None) -> Lesson:
    """The lesson in a .toml or .json file; `corners`, "x,y x,y x,y x,y", go before its own. Raises TeachError."""
    try:
        lesson = read_lesson(durable.read(path, LARGEST_FILE), "json" if path.suffix == ".json" else "toml")
    except OSError as error:
        raise TeachError(f"{path} cannot be read ({error.strerror}): give the file of a lesson.") from None
    if corners is None:
        return lesson
    try:
        pairs = tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in corners.split()))
    except ValueError:
        pairs = ()
    if len(pairs) != 4 or not all(map(math.isfinite, chain(*pairs))):
        raise TeachError('The corners are not four places: write them like --corners "101,92 880,90 905,640 88,655".')
    return msgspec.structs.replace(lesson, corners_px=pairs)


def map_file(lesson: Lesson, places_mm: list[tuple[float, float]], picture: str) -> str:
    """The map's TOML, the format of tablecoin.rules.coin_age.maps, with its spaces at `places_mm` on the card."""
    pairs = lesson.neighbours if lesson.neighbours is not None else neighbours(places_mm)
    ids = _ids(lesson)
    if wrong := [i for pair in pairs for i in pair if i >= len(ids)]:
        raise TeachError(f"There is no space number {wrong[0]} to be a neighbour: the lesson has {len(ids)}.")
    joined: list[set[str]] = [set() for _ in ids]
    for i, j in pairs:
        joined[i].add(ids[j])
        joined[j].add(ids[i])
    lines = [
        "# Taught from a photo of the card.",
        f"picture = {_text(picture)}",
        f"diameter_mm = {_circle_mm(places_mm):.1f}",
        f"size_mm = [{lesson.size_mm[0]:g}, {lesson.size_mm[1]:g}]",
        f"name = {_name(lesson.title or lesson.name)}",
    ]
    for region, ink, pattern in zip(lesson.regions, INKS, PATTERNS[1:] + PATTERNS[:1], strict=False):
        lines += ["", "[[region]]", f"id = {_text(region.id)}", f"name = {_name(region.name or region.id)}"]
        lines += [f"color = {_text(region.color or ink)}", f"pattern = {_text(pattern)}"]
    for space, own, (x, y), others in zip(lesson.spaces, ids, places_mm, joined, strict=True):
        lines += ["", "[[space]]", f"id = {_text(own)}", f"name = {_name(space.name or own)}"]
        lines += [f"region = {_text(space.region)}", f"at_mm = [{x:.1f}, {y:.1f}]"]
        lines += [f"neighbours = [{', '.join(_text(other) for other in sorted(others))}]"]
    return "\n".join(lines) + "\n"


def _ids(lesson: Lesson) -> list[str]:
    taken, found = {space.id for space in lesson.spaces}, []
    for space in lesson.spaces:
        own, number = space.id, 1
        while own is None or (space.id is None and own in taken):
            own, number = f"{space.region}{number}", number + 1
        taken.add(own)
        found.append(own)
    return found


def _circle_mm(places: list[tuple[float, float]]) -> float:
    """As wide as the nearest two spaces allow."""
    near = [((a - c) ** 2 + (b - d) ** 2) ** 0.5 for k, (a, b) in enumerate(places) for c, d in places[:k]]
    return min(max(_CIRCLE_SHARE * min(near, default=0.0), _CIRCLE_MM[0]), _CIRCLE_MM[1])


def _text(words: str) -> str:
    """A JSON string is a TOML string too, but for DEL, which JSON leaves as it is."""
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")


def _name(words: str) -> str:
    return f"{{ en = {_text(words)}, zh = {_text(words)} }}"
