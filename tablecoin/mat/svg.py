"""The mat as SVG, in millimetres and to scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from tablecoin.mat.drawing import PAPER, Area, Line, Point, Ring, Shape, Words, shapes
from tablecoin.mat.plan import Mat

_FONTS = "'Noto Sans', 'Noto Sans CJK SC', Helvetica, Arial, 'PingFang SC', 'Microsoft YaHei', sans-serif"


def svg(mat: Mat) -> str:
    """One standalone SVG document; a unit of its viewBox is a millimetre."""
    size = f'width="{mat.width_mm:g}mm" height="{mat.height_mm:g}mm" viewBox="0 0 {mat.width_mm:g} {mat.height_mm:g}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family={quoteattr(_FONTS)}>',
        f"<title>{escape(mat.title['en'])}</title>",
        f'<rect width="{mat.width_mm:g}" height="{mat.height_mm:g}" fill="{PAPER}"/>',
        *_elements(shapes(mat)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _elements(drawn: Iterable[Shape]) -> Iterator[str]:
    for shape in drawn:
        match shape:
            case Line(points, ink, width):
                style = f'fill="none" stroke="{ink}" stroke-width="{width:g}" stroke-linejoin="round"'
                yield f'<polyline points="{_points(points)}" {style}/>'
            case Area(points, ink):
                yield f'<polygon points="{_points(points)}" fill="{ink}"/>'
            case Ring(x, y, radius, ink, width):
                place = f'cx="{x:g}" cy="{y:g}" r="{radius:g}"'
                yield f'<circle {place} fill="none" stroke="{ink}" stroke-width="{width:g}"/>'
            case Words(x, y, size, text, ink, align):
                place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{align}"'
                yield f'<text {place} fill="{ink}">{escape(text)}</text>'


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.3f},{y:.3f}" for x, y in points)
