"""The mat as a picture of any resolution: the ground of the simulated table, and the PNG."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import reportlab
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from tablecoin.mat.drawing import Area, Line, Point, Ring, Words, shapes
from tablecoin.mat.plan import Mat
from tablecoin.mat.scripts import runs

_FINER = 3  # supersampling: drawn this many times larger, then averaged down
_CHINESE_FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/System/Library/Fonts/PingFang.ttc",
    "C:/Windows/Fonts/msyh.ttc",
)


def raster(mat: Mat, px_per_mm: float) -> NDArray[np.uint8]:
    """The mat as (H, W, 3) uint8 BGR; the point (x, y) mm lies at pixel (x * px_per_mm - 0.5, y * px_per_mm - 0.5).

    Pixel centres are at whole numbers. Chinese words are left out where the computer has no font for them.
    """
    width, height = max(1, round(mat.width_mm * px_per_mm)), max(1, round(mat.height_mm * px_per_mm))
    scale = px_per_mm * _FINER
    picture = np.full((height * _FINER, width * _FINER, 3), 255, np.uint8)
    words: list[Words] = []
    for shape in shapes(mat):
        match shape:
            case Line(points, ink, thick):
                _stroke(picture, points, ink, thick, scale)
            case Ring(x, y, radius, ink, thick):
                turn = np.linspace(0, 2 * np.pi, 181)
                spots = zip(x + radius * np.cos(turn), y + radius * np.sin(turn), strict=True)
                _stroke(picture, tuple((float(a), float(b)) for a, b in spots), ink, thick, scale)
            case Area(points, ink):
                _fill(picture, points, ink, scale)
            case Words():
                words.append(shape)
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return write(np.asarray(small, np.uint8), words, px_per_mm)


def _stroke(picture: NDArray[np.uint8], points: tuple[Point, ...], ink: str, width_mm: float, scale: float) -> None:
    path = np.round(np.asarray(points) * scale - 0.5).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [path], False, _bgr(ink), max(1, round(width_mm * scale)), cv2.LINE_8)


def _fill(picture: NDArray[np.uint8], points: tuple[Point, ...], ink: str, scale: float) -> None:
    spots = np.asarray(points)
    (left, top), (right, bottom) = spots.min(axis=0) * scale, spots.max(axis=0) * scale
    if len(np.unique(spots[:, 0])) == len(np.unique(spots[:, 1])) == 2:
        # an axis-aligned rectangle, as in a marker: fillPoly would paint half a pixel too much
        picture[round(top) : round(bottom), round(left) : round(right)] = _bgr(ink)
    else:
        cv2.fillPoly(picture, [np.round(spots * scale - 0.5).astype(np.int32).reshape(-1, 1, 2)], _bgr(ink))


def write(picture: NDArray[np.uint8], words: list[Words], px_per_mm: float) -> NDArray[np.uint8]:
    """A copy of the picture, (H, W, 3) uint8 BGR, with these words. Chinese ones need a Chinese font."""
    sheet = Picture.fromarray(np.ascontiguousarray(picture[..., ::-1]))
    pen = ImageDraw.Draw(sheet)
    for word in words:
        size_px = round(word.size_mm * px_per_mm, 1)
        parts = [(text, font) for text, zh in runs(word.text) if (font := _font(zh, size_px))]
        width = sum(font.getlength(text) for text, font in parts)
        at = word.x_mm * px_per_mm - {"start": 0.0, "middle": width / 2, "end": width}[word.align]
        for text, font in parts:
            pen.text((at, word.y_mm * px_per_mm), text, fill=word.ink, font=font, anchor="ls")
            at += font.getlength(text)
    _font.cache_clear()  # an open font of Chinese holds 11 MB
    return np.ascontiguousarray(np.asarray(sheet, np.uint8)[..., ::-1])


@cache
def _font(chinese: bool, size_px: float) -> ImageFont.FreeTypeFont | None:
    if not chinese:
        return ImageFont.truetype(str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"), max(size_px, 4))
    found = next((path for path in _CHINESE_FONTS if Path(path).exists()), None)
    return ImageFont.truetype(found, max(size_px, 4)) if found else None


def _bgr(ink: str) -> tuple[int, int, int]:
    return int(ink[5:7], 16), int(ink[3:5], 16), int(ink[1:3], 16)
