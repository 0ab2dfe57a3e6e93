"""A lesson: what a player tells about the photo of a card, by taps on the page or in a file.

name = "ours"                        # the map's name in commands
title = "Our Island"
size_mm = [210, 148]                 # the card, measured with a ruler

[[regions]]
id = "A"
name = "Hills"

[[spaces]]
region = "A"
at_px = [812, 604]                   # the middle of its circle in the photo

# neighbours = [[0, 1], [0, 2], ...] # pairs of spaces, counted from 0; by default guessed from distances
# corners_px = [[101, 92], ...]      # the card's four corners in the photo; or --corners
"""

from __future__ import annotations

import json
import math
from itertools import chain
from pathlib import Path
from typing import Annotated

import msgspec

from calibration.teach.guess import neighbours
from calibration.words import say
from tablecoin.rules.coin_age.maps import PATTERNS, Text, Word
from tablecoin.rules.plain import plain
from tablecoin.storage import given
from tablecoin.storage.documents import DocumentError, read_json, read_toml

INKS = (
    "#9a6a3f",
    "#3f7d4e",
    "#b8912f",
    "#a8475e",
    "#3f6fa0",
    "#75569b",
    "#4c8f8f",
    "#6b6f76",
)  # colours of the regions, in turn
MOST_SPACES = 40
LARGEST_FILE = 1_000_000  # bytes; forty spaces have about 4,000
_CIRCLE_MM = (20.0, 60.0)  # smallest and largest circle round a space
_CIRCLE_SHARE = 0.92  # of the distance between the two nearest spaces

Pixel = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]
Side = Annotated[float, msgspec.Meta(ge=60, le=1500)]
Index = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SPACES)]


class TeachError(ValueError):
    """A map cannot be taught: `texts` says why and what to do in every language, `str()` in English."""

    def __init__(self, key: str, **facts: object) -> None:
        """`key`: a sentence of words.toml without its `teach.`."""
        self.texts = say(f"teach.{key}", **facts)
        super().__init__(self.texts["en"])


class Region(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Spaces scored together. Without a color one of INKS is used."""

    id: Word
    name: Text | None = None
    color: Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")] | None = None


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place for a stack. Without an id it gets its region's id and a number: A1, A2."""

    region: Word
    at_px: tuple[Pixel, Pixel]
    id: Word | None = None
    name: Text | None = None


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything needed besides the photo."""

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
        raw = read_json(text) if kind == "json" else read_toml(text.decode("utf-8"))
        return msgspec.convert(raw, Lesson)
    except msgspec.ValidationError as error:
        if "regex" in str(error) and str(error).endswith("`$.name`"):
            raise TeachError("name") from None
        raise TeachError("lesson", why=plain(error, raw, Lesson)) from None
    except (DocumentError, UnicodeDecodeError) as error:
        raise TeachError("format", format=kind.upper(), why=error) from None


def read_file(path: Path, corners: str | None = None) -> Lesson:
    """The lesson in a .toml or .json file; `corners`, "x,y x,y x,y x,y", replace its own. Raises TeachError."""
    try:
        lesson = read_lesson(given.read(path, LARGEST_FILE), "json" if path.suffix == ".json" else "toml")
    except OSError as error:
        raise TeachError("file", path=path, why=error.strerror) from None
    if corners is None:
        return lesson
    try:
        pairs = tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in corners.split()))
    except ValueError:
        pairs = ()
    if len(pairs) != 4 or not all(map(math.isfinite, chain(*pairs))):
        raise TeachError("corner_words")
    return msgspec.structs.replace(lesson, corners_px=pairs)


def smaller(lesson: Lesson, times: int) -> Lesson:
    """The lesson with its taps as they lie in a photo that is `times` narrower."""
    spaces = [
        msgspec.structs.replace(space, at_px=(space.at_px[0] / times, space.at_px[1] / times))
        for space in lesson.spaces
    ]
    corners = tuple((x / times, y / times) for x, y in lesson.corners_px)
    return msgspec.structs.replace(lesson, spaces=tuple(spaces), corners_px=corners)


def map_file(lesson: Lesson, places_mm: list[tuple[float, float]], picture: str) -> str:
    """The map file (tablecoin.rules.coin_age.maps) with the spaces at `places_mm` on the card. Raises TeachError."""
    pairs = lesson.neighbours if lesson.neighbours is not None else neighbours(places_mm)
    ids = _ids(lesson)
    if wrong := [i for pair in pairs for i in pair if i >= len(ids)]:
        raise TeachError("neighbour", number=wrong[0], count=len(ids))
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
    """The circles' diameter: as large as the two nearest spaces allow."""
    near = [((a - c) ** 2 + (b - d) ** 2) ** 0.5 for k, (a, b) in enumerate(places) for c, d in places[:k]]
    return min(max(_CIRCLE_SHARE * min(near, default=0.0), _CIRCLE_MM[0]), _CIRCLE_MM[1])


def _text(words: str) -> str:
    """A TOML string. A JSON string is one too, except that TOML wants DEL escaped."""
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")


def _name(words: str) -> str:
    return f"{{ en = {_text(words)}, zh = {_text(words)} }}"
