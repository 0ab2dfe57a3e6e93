"""The mat as PDF to scale: on one sheet where it fits, else tiled over several with crop marks.

Tiles do not overlap: cut along the crop marks and tape edge to edge. Chinese is set in Adobe's STSong-Light, a font
that PDF viewers have, so it is not embedded.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from tablecoin.mat.drawing import Area, Line, Point, Ring, Shape, Words, ruler, shapes
from tablecoin.mat.plan import Mat
from tablecoin.mat.scripts import runs
from tablecoin.mat.tiles import Sheets, sheets

_LATIN, _CHINESE = "Helvetica", "STSong-Light"


def pdf(mat: Mat, paper: str) -> bytes:
    """The PDF document, one page a sheet, left to right and then down."""
    pdfmetrics.registerFont(UnicodeCIDFont(_CHINESE))
    plan = sheets(mat, paper)
    drawn = shapes(mat)
    out = io.BytesIO()
    page_w, page_h = plan.page_mm
    canvas = Canvas(out, pagesize=(page_w * mm, page_h * mm), invariant=1)
    canvas.setTitle(f"tablecoin mat {mat.title['en']}")
    canvas.setViewerPreference("PrintScaling", "None")
    for row in range(plan.rows):
        for column in range(plan.columns):
            tile, (left, top) = plan.tile(row, column), plan.place_mm(row, column)
            canvas.saveState()
            # from PDF points, y up, to the sheet's millimetres, y down
            canvas.transform(mm, 0, 0, -mm, 0, page_h * mm)
            if plan.columns * plan.rows > 1:
                _draw(canvas, _tile_marks(plan, row, column))
                _clip(canvas, left, top, tile.width_mm, tile.height_mm)
            canvas.translate(left - tile.x_mm, top - tile.y_mm)
            _draw(canvas, drawn)
            canvas.restoreState()
            canvas.showPage()
    canvas.save()
    return out.getvalue()


def _tile_marks(plan: Sheets, row: int, column: int) -> Iterator[Shape]:
    """Crop marks at the tile's corners, its number, and a ruler of its own."""
    tile, (left, top) = plan.tile(row, column), plan.place_mm(row, column)
    right, bottom = left + tile.width_mm, top + tile.height_mm
    for x, outwards in ((left, -1), (right, 1)):
        for y, downwards in ((top, -1), (bottom, 1)):
            yield Line(((x + 2 * outwards, y), (x + 8 * outwards, y)), "#000000", 0.2)
            yield Line(((x, y + 2 * downwards), (x, y + 8 * downwards)), "#000000", 0.2)
    number, of = row * plan.columns + column + 1, plan.rows * plan.columns
    text = f"Sheet {number} of {of}: row {row + 1}, column {column + 1}. Cut along the marks, tape edge to edge. "
    yield Words(left + 4, top - 3.5, 2.8, text + f"第{number}张，共{of}张", "#3c4043")
    yield from ruler(left + 4, bottom + 6.5)


def _clip(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    frame = canvas.beginPath()
    frame.rect(x, y, width, height)
    canvas.clipPath(frame, stroke=0, fill=0)


def _draw(canvas: Canvas, drawn: Iterable[Shape]) -> None:
    canvas.setLineJoin(1)
    for shape in drawn:
        match shape:
            case Line(points, ink, width):
                canvas.setStrokeColor(ink)
                canvas.setLineWidth(width)
                canvas.drawPath(_path(canvas, points), stroke=1, fill=0)
            case Area(points, ink):
                canvas.setFillColor(ink)
                canvas.drawPath(_path(canvas, points), stroke=0, fill=1)
            case Ring(x, y, radius, ink, width):
                canvas.setStrokeColor(ink)
                canvas.setLineWidth(width)
                canvas.circle(x, y, radius, stroke=1, fill=0)
            case Words():
                _write(canvas, shape)


def _path(canvas: Canvas, points: Iterable[Point]) -> PDFPathObject:
    path = canvas.beginPath()
    for number, (x, y) in enumerate(points):
        (path.lineTo if number else path.moveTo)(x, y)
    return path


def _write(canvas: Canvas, words: Words) -> None:
    parts = [(text, _CHINESE if chinese else _LATIN) for text, chinese in runs(words.text)]
    width = sum(pdfmetrics.stringWidth(text, font, words.size_mm) for text, font in parts)
    canvas.saveState()
    shift = {"start": 0.0, "middle": width / 2, "end": width}[words.align]
    canvas.translate(words.x_mm - shift, words.y_mm)
    canvas.scale(1, -1)  # letters stand upright although y runs down
    canvas.setFillColor(words.ink)
    at = 0.0
    for text, font in parts:
        canvas.setFont(font, words.size_mm)
        canvas.drawString(at, 0, text)
        at += pdfmetrics.stringWidth(text, font, words.size_mm)
    canvas.restoreState()
