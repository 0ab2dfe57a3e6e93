"""A mat as shapes in millimetres: the one drawing that the SVG, PDF and PNG writers put on paper.

Thin outlines, little ink and no filled discs, so that coins stand out and nothing printed looks like one. Zones can be
told apart in black and white. Later shapes lie over earlier ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from tablecoin.mat.charuco import black_rectangles
from tablecoin.mat.plan import Circle, Legend, Marker, Mat, Rectangle, Zone

Point = tuple[float, float]

PAPER = "#ffffff"
_INK = "#3c4043"
_FAINT = "#c4c7c5"
_MODULES = 8  # modules a side of an AprilTag 36h11 with its black border


@dataclass(frozen=True, slots=True)
class Line:
    """An open or closed polyline."""

    points: tuple[Point, ...]
    ink: str
    width_mm: float


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    points: tuple[Point, ...]
    ink: str


@dataclass(frozen=True, slots=True)
class Ring:
    """The outline of a circle."""

    x_mm: float
    y_mm: float
    radius_mm: float
    ink: str
    width_mm: float


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text on the baseline y; `align` is start, middle or end at x. May mix English and Chinese."""

    x_mm: float
    y_mm: float
    size_mm: float
    text: str
    ink: str
    align: str = "start"


Shape = Line | Area | Ring | Words


def shapes(mat: Mat) -> tuple[Shape, ...]:
    """The whole mat, lowest shape first."""
    drawn: list[Shape] = []
    for one, other in mat.links:
        drawn += _link(mat.zone(one), mat.zone(other))
    for zone in mat.zones:
        drawn += _zone(zone)
    for marker in mat.markers:
        drawn += _marker(marker)
    if mat.board:
        for left, top, right, bottom in black_rectangles(mat.board):
            drawn.append(_upright(left, top, right, bottom))
    x, y = mat.ruler_mm
    drawn += ruler(x, y)
    if mat.legend:  # a legend leaves 50 mm for the title: one line a language
        drawn += [Words(x + 104, y + 0.6 - 3.3 * up, 2.8, line, _INK) for up, line in enumerate(mat.title.values())]
    else:
        drawn.append(Words(x + 104, y + 0.6, 3.6, " · ".join(mat.title.values()), _INK))
    for place, entry in enumerate(mat.legend):
        drawn += _entry(entry, x + 158 + place * _LEGEND_MM, y - 0.7)
    return tuple(drawn)


def _entry(entry: Legend, x: float, y: float) -> Iterator[Shape]:
    """A swatch of a region's pattern, and its name."""
    yield from _garland(entry.pattern, x, y, 2.4, entry.ink, turns=0.2)
    yield Ring(x, y, 0.5, entry.ink, 0.4)
    yield Ring(x, y, 4.4, entry.ink, 0.4)
    yield Words(x + 6, y + 1.3, 2.8, " ".join(dict.fromkeys(entry.label.values())), _INK)


def ruler(x_mm: float, y_mm: float) -> Iterator[Shape]:
    """A ruler of exactly 100 mm with a tick each centimetre, to check the scale after printing."""
    yield Line(((x_mm, y_mm), (x_mm + 100, y_mm)), _INK, 0.25)
    for tick in range(11):
        tall = 2.0 if tick % 5 == 0 else 1.0
        yield Line(((x_mm + 10 * tick, y_mm - tall), (x_mm + 10 * tick, y_mm)), _INK, 0.25)
    yield Words(x_mm + 1, y_mm - 2.6, 2.2, "100 mm: measure me after printing · 打印后请量：100 毫米", _INK)


def _zone(zone: Zone) -> Iterator[Shape]:
    match zone.area:
        case Rectangle():
            yield from _box(zone, zone.area)
        case Circle():
            yield from _round(zone, zone.area)


def _box(zone: Zone, area: Rectangle) -> Iterator[Shape]:
    left, top, right, bottom = area.bounds_mm
    outline = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    if zone.pattern == "dashed":
        yield from _dashed(outline, zone.ink)
    else:
        yield Line(outline, zone.ink, 0.35)
    arm = min(9.0, area.width_mm / 8)
    for (x, y), (sx, sy) in zip(outline, ((1, 1), (-1, 1), (-1, -1), (1, -1)), strict=False):
        yield Line(((x + sx * arm, y), (x, y), (x, y + sy * arm)), zone.ink, 1.1)
    for place, heading in enumerate(zone.columns):
        wide = area.width_mm / len(zone.columns)
        x = left + place * wide
        if place:
            yield from _dashed(((x, top + 6), (x, bottom - 3)), _FAINT)
        yield Words(x + wide - 2.5, bottom - 2.4, 3.4, heading, zone.ink, "end")
    yield Words(left + 3, top + 5.4, 3.8, _both(zone), zone.ink)


def _round(zone: Zone, area: Circle) -> Iterator[Shape]:
    x, y, r = area.x_mm, area.y_mm, area.radius_mm
    yield Ring(x, y, r, zone.ink, 0.4)
    if zone.pattern == "rays":
        for turn in np.linspace(0, 2 * math.pi, 60, endpoint=False):
            yield Line((_polar(x, y, r - 3.2, turn), _polar(x, y, r - 1.2, turn)), zone.ink, 0.25)
        yield Words(x, y - r + 9, 3.8, _both(zone), zone.ink, "middle")
        return
    yield Ring(x, y, r + _GARLAND_MM, zone.ink, 0.4)
    yield from _garland(zone.pattern, x, y, r + _GARLAND_MM / 2, zone.ink)
    yield Words(x, y - r + 6.0, 4.4, zone.short_name, _INK, "middle")
    yield Words(x, y + r - 7.2, 2.7, zone.label.get("en", ""), _INK, "middle")
    yield Words(x, y + r - 3.6, 2.7, zone.label.get("zh", ""), _INK, "middle")


def _garland(pattern: str, x: float, y: float, radius: float, ink: str, turns: float = 1.0) -> Iterator[Shape]:
    """Small marks round a circle: the region's pattern, which tells regions apart without colour.

    `turns` scales the number of marks, for smaller circles.
    """
    half = _GARLAND_MM / 2
    if pattern in ("waves", "zigzag"):
        swing = math.sin if pattern == "waves" else _triangle
        path = [_polar(x, y, radius + 1.2 * swing(round(24 * turns) * t), t) for t in np.linspace(0, 2 * math.pi, 385)]
        yield Line(tuple(path), ink, 0.5)
        return
    for turn in np.linspace(0, 2 * math.pi, round(turns * _MARKS.get(pattern, 0)), endpoint=False):
        cx, cy = _polar(x, y, radius, turn)
        outwards = (math.cos(turn), math.sin(turn))

        def spot(out: float, along: float, c: Point = (cx, cy), a: Point = outwards) -> Point:
            return c[0] + out * a[0] - along * a[1], c[1] + out * a[1] + along * a[0]

        match pattern:
            case "stripes":
                yield Line((spot(-half, 0), spot(half, 0)), ink, 0.5)
            case "dots":
                yield Area(tuple(_polar(cx, cy, 0.9, t) for t in np.linspace(0, 2 * math.pi, 12)), ink)
            case "checks":
                step = math.pi / round(turns * _MARKS[pattern])
                for inner, angle in ((radius - half, turn), (radius, turn + step)):
                    corners = ((inner, 0.0), (inner + half, 0.0), (inner + half, step), (inner, step))
                    yield Area(tuple(_polar(x, y, r, angle + wide) for r, wide in corners), ink)
            case "crosses":
                yield Line((spot(-1.1, -1.1), spot(1.1, 1.1)), ink, 0.45)
                yield Line((spot(-1.1, 1.1), spot(1.1, -1.1)), ink, 0.45)
            case "rings":
                yield Ring(cx, cy, 1.0, ink, 0.35)


_LEGEND_MM = 41.0  # from one entry of the legend to the next
_GARLAND_MM = 4.0  # the width of the band that carries a region's pattern
_MARKS = {"stripes": 60, "dots": 30, "checks": 30, "crosses": 30, "rings": 30}


def _triangle(turn: float) -> float:
    """A wave of straight lines between -1 and 1 with the period 2 pi."""
    return 2 / math.pi * math.asin(math.sin(turn))


def _link(one: Zone, other: Zone) -> Iterator[Shape]:
    """A dashed path between two circles' outlines."""
    (ax, ay), (bx, by) = one.area.center_mm, other.area.center_mm
    length = math.hypot(bx - ax, by - ay)
    start, stop = (
        zone.area.radius_mm + _GARLAND_MM + 0.5 if isinstance(zone.area, Circle) else 0 for zone in (one, other)
    )
    if length <= start + stop:
        return
    dx, dy = (bx - ax) / length, (by - ay) / length
    yield from _dashed(((ax + start * dx, ay + start * dy), (bx - stop * dx, by - stop * dy)), "#80868b")


def _dashed(points: tuple[Point, ...], ink: str, on_mm: float = 2.2, off_mm: float = 1.6) -> Iterator[Shape]:
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        dx, dy = (bx - ax) / length, (by - ay) / length
        at = 0.0
        while at < length:
            end = min(at + on_mm, length)
            yield Line(((ax + at * dx, ay + at * dy), (ax + end * dx, ay + end * dy)), ink, 0.35)
            at += on_mm + off_mm


def _marker(marker: Marker) -> Iterator[Shape]:
    """The tag's black modules as rectangles, merged along rows and again along columns.

    Both, because some viewers show a hairline of paper where two rectangles only touch.
    """
    left, top = marker.corners_mm[0]
    side = marker.size_mm / _MODULES
    rows = _modules(marker.id)
    for row, cells in enumerate(rows):
        for start, stop in _black(cells):
            yield _upright(left + start * side, top + row * side, left + stop * side, top + (row + 1) * side)
    for column, cells in enumerate(zip(*rows, strict=True)):
        for start, stop in _black(cells):
            yield _upright(left + column * side, top + start * side, left + (column + 1) * side, top + stop * side)


def _black(cells: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """(start, stop) of each run of black modules in a row of modules, True for white."""
    edges = np.flatnonzero(np.diff([1, *cells, 1])).tolist()
    return zip(edges[::2], edges[1::2], strict=True)


def _upright(left: float, top: float, right: float, bottom: float) -> Area:
    return Area(((left, top), (right, top), (right, bottom), (left, bottom)), "#000000")


@cache
def _modules(number: int) -> tuple[tuple[bool, ...], ...]:
    import cv2  # most users of a mat draw none

    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    bits = cv2.aruco.generateImageMarker(family, number, _MODULES)
    return tuple(tuple(bool(bit) for bit in row) for row in bits)


def _polar(x: float, y: float, radius: float, turn: float) -> Point:
    return x + radius * math.cos(turn), y + radius * math.sin(turn)


def _both(zone: Zone) -> str:
    return " · ".join(dict.fromkeys(zone.label.values()))
