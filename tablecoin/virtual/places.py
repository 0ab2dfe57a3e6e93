"""Where coins that are set down tidily lie in a zone: in lines, apart, and in the printed column of their kind."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tablecoin.coins import Denomination
from tablecoin.mat import Rectangle, Zone

EASY_MM = 31.0  # between neighbours where there is room: labels beside coins do not touch
MARGIN_MM = 1.0  # the least between a coin and its zone's outline
GAP_MM = 2.0  # the least between two coins
_ROUNDED_MM = 0.02  # places are kept in hundredths
_TIGHTER_MM = 1.0  # by which lines move together from one try to the next

COLUMN = 6  # coins for which a column is laid out: a bank of Coin Age begins with four of a kind at most

Place = tuple[float, float]


def home(zone: Zone, area: Rectangle, kind: Denomination) -> Rectangle:
    """The part of a zone where coins of a kind belong: the column that is headed so, or all of it."""
    heading = f"{kind.cents}¢"
    if heading not in zone.columns:
        return area
    wide = area.width_mm / len(zone.columns)
    left = area.x_mm + zone.columns.index(heading) * wide
    return Rectangle(x_mm=left, y_mm=area.y_mm, width_mm=wide, height_mm=area.height_mm)


def lines(area: Rectangle, widest_mm: float, count: int) -> Iterator[Place]:
    """Places for coins of at most that diameter, the best first: lines round the area's middle, each from the left.

    First come arrangements that hold `count` coins, the widest spaced first; then tighter ones with other places, for
    coins that must find room between others.
    """
    tight_mm = widest_mm + GAP_MM + _ROUNDED_MM
    pitches = [max(tight_mm, EASY_MM - _TIGHTER_MM * k) for k in range(math.ceil(EASY_MM - tight_mm) + 1)]
    grids = [
        grid
        for pitch in pitches or [tight_mm]
        for lines_mm in (tight_mm, pitch)
        for odd in (True, False)
        if (grid := _grid(area, widest_mm, pitch, lines_mm, odd))
    ]
    enough = min(count, max(map(len, grids), default=0))
    for grid in sorted(grids, key=lambda each: len(each) < enough):
        yield from grid


def _grid(area: Rectangle, widest_mm: float, across_mm: float, down_mm: float, odd: bool) -> list[Place]:
    """As many places as fit, symmetrical about the middle; `odd`: one line runs through it. Middle lines come first."""
    x, y = area.center_mm
    free_w, free_h = (side - widest_mm - 2 * MARGIN_MM for side in (area.width_mm, area.height_mm))
    if free_w < 0 or free_h < 0:
        return []
    columns = math.floor(free_w / across_mm) + 1
    rows = math.floor(free_h / down_mm) + 1
    rows -= (rows % 2 == 1) != odd
    heights = sorted(((k - (rows - 1) / 2) * down_mm for k in range(rows)), key=abs)
    return [(x + (k - (columns - 1) / 2) * across_mm, y + height) for height in heights for k in range(columns)]


def packed(area: Rectangle, kinds: Sequence[Denomination]) -> list[Place] | None:
    """A place for each of these coins, line after line from the top left, as close as coins may lie. None: no room.

    Sorted by size they need the least room, for then the coins of a line are about as high.
    """
    left, y, right, bottom = area.bounds_mm
    found: list[Place] = []
    x, high = right, -GAP_MM  # a full line of no height
    y += MARGIN_MM
    for kind in kinds:
        wide = kind.diameter_mm
        if x + wide + MARGIN_MM > right:
            x, y, high = left + MARGIN_MM, y + high + GAP_MM, wide
        high = max(high, wide)
        found.append((x + wide / 2, y + high / 2))
        x += wide + GAP_MM
    return found if y + high + MARGIN_MM <= bottom else None
