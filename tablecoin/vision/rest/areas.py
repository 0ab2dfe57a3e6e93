"""Where over the table a hand is looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablecoin.mat import ZoneKind
from tablecoin.vision.place.plane import Plane

Polygon = Sequence[tuple[float, float]]  # corners in picture pixels


@dataclass(frozen=True, slots=True)
class Areas:
    """Where a hand is looked for, in picture pixels."""

    mat_px: Polygon | None = None  # None: in the whole picture
    ignored_px: tuple[Polygon, ...] = ()  # except here

    @classmethod
    def over(cls, plane: Plane | None) -> Areas:
        """The mat where it lies now, except the prize's place; everywhere while no mat is seen."""
        if plane is None:
            return cls()
        mat = plane.mat
        prizes = [zone.area.bounds_mm for zone in mat.zones if zone.kind is ZoneKind.PRIZE]
        return cls(_box_px(plane, (0.0, 0.0, mat.width_mm, mat.height_mm)), tuple(_box_px(plane, p) for p in prizes))


EVERYWHERE = Areas()


def _box_px(plane: Plane, bounds_mm: tuple[float, float, float, float]) -> Polygon:
    left, top, right, bottom = bounds_mm
    corners = plane.to_px([(left, top), (right, top), (right, bottom), (left, bottom)])
    return [(float(x), float(y)) for x, y in corners]
