"""A map as a small drawing to choose it by: its spaces, each with its short name, and the ways between them."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from tablecoin.mat.drawing import PAPER
from tablecoin.mat.plan import Circle, Mat, Zone

_MARGIN_MM = 8.0  # of paper round the outermost spaces
_WAY = "#8a8f86"  # the ink of the ways


def miniature(mat: Mat) -> str:
    """The spaces of a Coin Age mat as a standalone SVG of a few kB; a unit of its viewBox is a millimetre.

    A space is filled with the ink of its region. Its short name begins with the region's letter, so regions are told
    apart without colour too.
    """
    spaces = [(zone, zone.area) for zone in mat.zones if zone.kind == "space" and isinstance(zone.area, Circle)]
    boxes = [area.bounds_mm for _, area in spaces]
    left, top = (min(box[k] for box in boxes) - _MARGIN_MM for k in (0, 1))
    right, bottom = (max(box[k] for box in boxes) + _MARGIN_MM for k in (2, 3))
    size = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" font-family="sans-serif" font-weight="700">',
        f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" fill="{PAPER}"/>',
        *(_way(mat.zone(one), mat.zone(other)) for one, other in mat.links),
        *(line for zone, area in spaces for line in _space(zone, area)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _way(one: Zone, other: Zone) -> str:
    (x1, y1), (x2, y2) = one.area.center_mm, other.area.center_mm
    return f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{_WAY}" stroke-width="3"/>'


def _space(zone: Zone, area: Circle) -> Iterator[str]:
    x, y, radius = area.x_mm, area.y_mm, area.radius_mm
    yield f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{zone.ink}" stroke="#fff" stroke-width="2"/>'
    yield (
        f'<text x="{x:g}" y="{y + 0.25 * radius:g}" font-size="{0.75 * radius:g}" text-anchor="middle" fill="#fff">'
        f"{escape(zone.short_name)}</text>"
    )
