"""Where the coins of a zone are drawn when a game is told again: in rows, and one upon the other on a map's space."""

from __future__ import annotations

from tablecoin.mat import Circle, Rectangle, Zone, ZoneKind

Place = tuple[float, float]  # the middle of a coin on the mat, mm

PITCH_MM = 27.0  # between neighbours: a quarter, the widest coin, has 24.26 mm
LEAST_MM = 3.0  # in a crowded zone coins overlap down to this
TITLE_MM = 11.0  # what the name of a zone takes up at its top
LAP_MM = 3.0  # how far a coin lies above the one that it covers, so that both show


def places(zone: Zone, count: int) -> tuple[Place, ...]:
    """Where the first `count` coins of the zone are drawn. A coin keeps its place whatever lies beside it."""
    x, y = zone.area.center_mm
    if zone.kind is ZoneKind.SPACE:
        return tuple((x, y - LAP_MM * k) for k in range(count))
    width, height = _size(zone.area)
    y, height = y + TITLE_MM / 2, height - TITLE_MM
    pitch = PITCH_MM
    while int(width / pitch) * int(height / pitch) < count and pitch > LEAST_MM:
        pitch -= 0.5
    across, down = max(1, int(width / pitch)), max(1, int(height / pitch))
    return tuple(
        (
            round(x + (k % across - (across - 1) / 2) * pitch, 1),
            round(y + (min(k // across, down - 1) - (down - 1) / 2) * pitch, 1),
        )
        for k in range(count)
    )


def _size(area: Rectangle | Circle) -> tuple[float, float]:
    """Width and height of the rectangle, or of the square in the circle, in which coins may lie."""
    if isinstance(area, Circle):
        side = area.radius_mm * 2**0.5
        return side, side
    return area.width_mm, area.height_mm
