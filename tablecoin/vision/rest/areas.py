"""Where over the table a hand is looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablecoin.mat import Marker, ZoneKind
from tablecoin.vision.place.plane import Plane

Polygon = Sequence[tuple[float, float]]  # corners in picture pixels
Bounds = tuple[float, float, float, float]  # left, top, right, bottom in millimetres on the mat
MARKER_EDGE = 1 / 16  # of a marker's side: half a module of white beside it, where place/markers.py looks too


@dataclass(frozen=True, slots=True)
class Areas:
    """Where a hand is looked for, in picture pixels."""

    mat_px: Polygon | None = None  # None: in the whole picture
    ignored_px: tuple[Polygon, ...] = ()  # except here

    @classmethod
    def over(cls, plane: Plane | None) -> Areas:
        """The mat where it lies now, except the prize's place and the markers seen in the newest picture, over which
        nothing lies; everywhere while no mat is seen."""
        if plane is None:
            return cls()
        mat = plane.mat
        prizes = [zone.area.bounds_mm for zone in mat.zones if zone.kind is ZoneKind.PRIZE]
        seen = [_bounds_mm(marker) for marker in mat.markers if marker.id in plane.marker_ids]
        ignored = tuple(_box_px(plane, bounds) for bounds in (*prizes, *seen))
        return cls(_box_px(plane, (0.0, 0.0, mat.width_mm, mat.height_mm)), ignored)


EVERYWHERE = Areas()


def _bounds_mm(marker: Marker) -> Bounds:
    """(left, top, right, bottom) of a marker with the edge of white by which it is found."""
    reach = marker.size_mm * (0.5 + MARKER_EDGE)
    return marker.x_mm - reach, marker.y_mm - reach, marker.x_mm + reach, marker.y_mm + reach


def _box_px(plane: Plane, bounds_mm: Bounds) -> Polygon:
    left, top, right, bottom = bounds_mm
    corners = plane.to_px([(left, top), (right, top), (right, bottom), (left, bottom)])
    return [(float(x), float(y)) for x, y in corners]
