"""How a mat lies on paper: on one sheet where it fits, else cut into tiles.

Cuts avoid what is printed: a marker taped together from two halves is read wrongly, and a circle of two halves is
ugly. Both are kept whole where the paper has room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablecoin.mat.plan import Circle, Mat, Rectangle

PAPERS_MM = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4), "tabloid": (279.4, 431.8)}
_MARGIN_MM = 14.0  # round each tile: room for crop marks, the tile's number and what printers cannot reach
_STEP_MM = 1.0
# The cost of cutting through one, as a distance from an even share: how far a cut moves to avoid it.
_FOR_A_MARKER_MM = 1000.0
_FOR_A_CIRCLE_MM = 50.0

Span = tuple[float, float, float]  # from, to, and what it costs to cut between


@dataclass(frozen=True, slots=True)
class Sheets:
    """Pages of one size, and where the mat is cut: from its left edge to its right, and from its top to its bottom."""

    page_mm: tuple[float, float]
    across_mm: tuple[float, ...]
    down_mm: tuple[float, ...]

    @property
    def columns(self) -> int:
        return len(self.across_mm) - 1

    @property
    def rows(self) -> int:
        return len(self.down_mm) - 1

    def tile(self, row: int, column: int) -> Rectangle:
        """What of the mat lies on one sheet."""
        left, right = self.across_mm[column : column + 2]
        top, bottom = self.down_mm[row : row + 2]
        return Rectangle(left, top, right - left, bottom - top)

    def place_mm(self, row: int, column: int) -> tuple[float, float]:
        """Where on its page the tile's top left corner lies: it is in the page's middle."""
        tile = self.tile(row, column)
        return (self.page_mm[0] - tile.width_mm) / 2, (self.page_mm[1] - tile.height_mm) / 2


def sheets(mat: Mat, paper: str) -> Sheets:
    """The orientation that needs the fewest sheets of `paper` (a key of PAPERS_MM); then the cheapest cuts."""
    short, long = PAPERS_MM[paper]
    found: list[tuple[int, float, Sheets]] = []
    for page in ((long, short), (short, long)):
        if mat.width_mm <= page[0] + 0.01 and mat.height_mm <= page[1] + 0.01:
            return Sheets(page, (0.0, mat.width_mm), (0.0, mat.height_mm))
        across, for_across = _cuts(mat.width_mm, page[0] - 2 * _MARGIN_MM, list(_spans(mat, 0)))
        down, for_down = _cuts(mat.height_mm, page[1] - 2 * _MARGIN_MM, list(_spans(mat, 1)))
        plan = Sheets(page, across, down)
        found.append((plan.columns * plan.rows, for_across + for_down, plan))
    return min(found, key=lambda one: one[:2])[2]


def _spans(mat: Mat, axis: int) -> Iterator[Span]:
    """What should not be cut, along x (0) or y (1): markers with the white round them, circles with their bands."""
    for marker in mat.markers:
        at, reach = (marker.x_mm, marker.y_mm)[axis], marker.size_mm * 5 / 8
        yield at - reach, at + reach, _FOR_A_MARKER_MM
    for zone in mat.zones:
        if isinstance(zone.area, Circle):
            at, reach = zone.area.center_mm[axis], zone.area.radius_mm + 5
            yield at - reach, at + reach, _FOR_A_CIRCLE_MM


def _cuts(length: float, room: float, spans: Sequence[Span]) -> tuple[tuple[float, ...], float]:
    """Where to cut `length` into the fewest pieces of at most `room`, ends included, and what that costs."""
    pieces = math.ceil(length / room - 1e-6)
    edges, total = [0.0], 0.0
    for number in range(1, pieces):
        even = length * number / pieces
        nearest, farthest = max(length - (pieces - number) * room, edges[-1] + _STEP_MM), edges[-1] + room
        steps = math.floor((farthest - nearest) / _STEP_MM)
        places = [nearest, farthest, *(nearest + _STEP_MM * step for step in range(steps + 1))]

        def cost(at: float, even: float = even) -> float:
            return abs(at - even) + sum(price for low, high, price in spans if low < at < high)

        edges.append(min(places, key=cost))
        total += cost(edges[-1])
    return (*edges, length), total
