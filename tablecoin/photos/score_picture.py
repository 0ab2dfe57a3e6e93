"""A scored map as a picture: who holds which space, what each coin is worth, the sum, and what to check.

The map is shown from straight above, as it was read. Each side has a colour and a sign, so that colour-blind people
can tell them apart: heads is an orange dot, tails a blue ring.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import reportlab
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from tablecoin import mat as mats
from tablecoin.coins import Coin, Face, Heap
from tablecoin.mat import Circle, Mat, Zone
from tablecoin.photos.counting import Score
from tablecoin.photos.score import MAT
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.maps import Map
from tablecoin.rules.coin_age.score import RANK
from tablecoin.vision.frame import Image, Reading

LONGEST_PX = 1800  # long side of the map in the picture
COLOURS = {Face.HEADS: "#d9691a", Face.TAILS: "#1f6fb4"}
UNSURE, INK, PAPER, FAINT = "#b0107a", "#202124", "#ffffff", "#9aa0a6"
_FINER = 2  # the drawing is this much larger and averaged down, for smooth edges
_DASHES = 14  # in a dashed ring


@dataclass(frozen=True)
class _Pen:
    """Draws on a sheet in millimetres of the mat. A line of text is `text_mm` high."""

    draw: ImageDraw.ImageDraw
    px_per_mm: float
    text_mm: float

    def ring(self, x: float, y: float, radius: float, colour: str, thick: float, dashed: bool = False) -> None:
        box = [(at + side * radius) * self.px_per_mm for side in (-1, 1) for at in (x, y)]
        width = max(2, round(thick * self.px_per_mm))
        if not dashed:
            self.draw.ellipse(box, outline=colour, width=width)
            return
        for start in np.arange(0, 360, 360 / _DASHES):
            self.draw.arc(box, start, start + 0.6 * 360 / _DASHES, fill=colour, width=width)

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        box = [(at + side * radius) * self.px_per_mm for side in (-1, 1) for at in (x, y)]
        self.draw.ellipse(box, fill=colour)

    def sign(self, side: Face, x: float, y: float, radius: float, colour: str) -> None:
        """Draw the side's sign: a dot for heads, a ring for tails."""
        self.dot(x, y, radius, colour)
        if side is Face.TAILS:
            self.dot(x, y, 0.5 * radius, PAPER)

    def words(self, x: float, y: float, words: str, colour: str, size: float = 1.0, anchor: str = "lm") -> float:
        """Write at (x, y), with Pillow's `anchor`. Returns the width in mm."""
        font = _font(round(size * self.text_mm * self.px_per_mm))
        self.draw.text((x * self.px_per_mm, y * self.px_per_mm), words, fill=colour, font=font, anchor=anchor)
        return self.width(words, size)

    def width(self, words: str, size: float = 1.0) -> float:
        return _font(round(size * self.text_mm * self.px_per_mm)).getlength(words) / self.px_per_mm

    def tag(self, x: float, y: float, words: str, colour: str, side: Face | None = None) -> None:
        """Draw a small label centred on (x, y), with the side's sign before the words."""
        room = self.text_mm
        wide = self.width(words) + (1.1 * room if side else 0.0)
        left, top = x - wide / 2 - 0.5 * room, y - 0.75 * room
        box = [v * self.px_per_mm for v in (left, top, left + wide + room, top + 1.5 * room)]
        self.draw.rounded_rectangle(
            box, 0.5 * room * self.px_per_mm, PAPER, colour, max(1, round(0.12 * room * self.px_per_mm))
        )
        if side:
            self.sign(side, left + 0.95 * room, y, 0.42 * room, colour)
        self.words(x + wide / 2, y, words, INK, anchor="rm")


@cache
def _font(size_px: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf"), max(size_px, 6))


def picture(result: Score, reading: Reading) -> Image:
    """The rectified map of `reading` with `result` drawn over it and the score below; new (H, W, 3) uint8 BGR."""
    assert reading.mat is not None
    board, mat = (
        maps.load(reading.mat.removeprefix(MAT)),
        mats.load(reading.mat),
    )  # the reading has the path of a map file too, `result` the name alone
    seen = reading.frame.image
    zoom = min(LONGEST_PX / max(seen.shape[:2]), 1.0) * _FINER
    way = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
    large = cv2.resize(seen, None, fx=zoom, fy=zoom, interpolation=way)
    sheet = Picture.fromarray(np.ascontiguousarray(large[..., ::-1]))
    pen = _Pen(ImageDraw.Draw(sheet), sheet.width / mat.width_mm, max(mat.width_mm, mat.height_mm) / 72)
    for space in board.spaces:
        top = next(iter(result.spaces[space.id]), None)
        doubled = top is not None and result.regions[space.region].bonus is top.face
        _space(pen, mat.zone(f"space.{space.id}"), top, doubled, space.id in result.unsure)
    for side in Face:
        _bank(pen, mat, side, result.banks[side], f"bank.{side}" in result.unsure)
    whole = np.vstack([np.asarray(sheet), _legend(result, board, sheet.width, pen)])
    size = round(whole.shape[1] / _FINER), round(whole.shape[0] / _FINER)
    return np.ascontiguousarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA)[..., ::-1], np.uint8)


def _space(pen: _Pen, zone: Zone, top: Coin | None, doubled: bool, unsure: bool) -> None:
    assert isinstance(zone.area, Circle)
    x, y, radius = zone.area.x_mm, zone.area.y_mm, zone.area.radius_mm
    if unsure:
        pen.ring(x, y, 1.13 * radius, UNSURE, 0.09 * radius, dashed=True)
    if top is not None:
        colour, twice = COLOURS[top.face], " x 2" if doubled else ""
        pen.ring(x, y, radius, colour, 0.09 * radius)
        pen.tag(x, y + radius, f"{top.denomination} {RANK[top.denomination]}{twice}", colour, top.face)
    if unsure:
        pen.tag(x, y - 1.1 * radius, f"{zone.short_name} ?", UNSURE)


def _bank(pen: _Pen, mat: Mat, side: Face, heap: Heap, unsure: bool) -> None:
    left, top, right, bottom = mat.zone(f"bank.{side}").area.bounds_mm
    colour = UNSURE if unsure else COLOURS[side]
    y = top if (top + bottom) / 2 > mat.height_mm / 2 else bottom  # on the edge towards the map
    coins = f"{len(heap)} {'coin' if len(heap) == 1 else 'coins'}"
    pen.tag((left + right) / 2, y, f"{side} bank: {coins}{' ?' if unsure else ''}", colour, side)


def _legend(result: Score, board: Map, width_px: int, over: _Pen) -> Image:
    """The score, the regions and what to check, (H, width_px, 3) uint8 RGB."""
    wide, text = width_px / over.px_per_mm, over.text_mm
    lines = list(_lines(result, wide, over))
    high = (8.2 + 1.7 * math.ceil(len(board.regions) / 2) + 1.7 * len(lines) + 0.6) * text
    sheet = Picture.new("RGB", (width_px, round(high * over.px_per_mm)), PAPER)
    pen = _Pen(ImageDraw.Draw(sheet), over.px_per_mm, text)
    for side, middle in ((Face.HEADS, 0.25 * wide), (Face.TAILS, 0.75 * wide)):
        colour = COLOURS[side]
        pen.sign(side, middle - 6.2 * text, 3.2 * text, 1.5 * text, colour)
        pen.words(middle - 4 * text, 3.4 * text, f"{result.score[side]}", colour, 4.2)
        pen.words(middle - 4 * text, 6.3 * text, f"{str(side).capitalize()}{_how(result, side)}", INK, 1.3)
    pen.draw.line([wide / 2 * pen.px_per_mm, text * pen.px_per_mm, wide / 2 * pen.px_per_mm, 7 * text * pen.px_per_mm],
                  FAINT, max(1, round(0.1 * text * pen.px_per_mm)))  # fmt: skip
    y = 8.6 * text
    for number, region in enumerate(board.regions):
        held = result.regions[region.id]
        x = (0.06 + 0.5 * (number % 2)) * wide
        pen.draw.rectangle(
            [v * pen.px_per_mm for v in (x, y - 0.5 * text, x + text, y + 0.5 * text)], region.color, INK
        )
        said = f"{region.name.en}: {held.heads} to {held.tails}"
        after = x + 1.6 * text + pen.words(x + 1.6 * text, y, said, INK)
        if held.bonus:
            pen.sign(held.bonus, after + 1.2 * text, y, 0.42 * text, COLOURS[held.bonus])
            pen.words(after + 2 * text, y, "twice", COLOURS[held.bonus])
        if number % 2 or number == len(board.regions) - 1:
            y += 1.7 * text
    for words, colour in lines:
        pen.words(0.06 * wide, y, words, colour)
        y += 1.7 * text
    return np.asarray(sheet, np.uint8)


def _how(result: Score, side: Face) -> str:
    if result.winner is side:
        return " wins" + (" on the ranks in the bank" if result.tie_break == "bank ranks" else "")
    return "" if result.winner else ": a draw"


def _lines(result: Score, wide: float, pen: _Pen) -> Iterator[tuple[str, str]]:
    """Doubts and warnings, broken into lines that fit, each with its colour."""
    said = [(f"Not sure of {', '.join(result.unsure)}: check there.", UNSURE)] if result.unsure else []
    said += [(f"{warning[:1].upper()}{warning[1:]}.".replace("..", "."), INK) for warning in result.warnings]
    for words, colour in said:
        line = ""
        for word in words.split():
            if line and pen.width(f"{line} {word}") > 0.88 * wide:
                yield line, colour
                line = ""
            line = f"{line} {word}".strip()
        yield line, colour
