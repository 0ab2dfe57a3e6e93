"""Drawn reliefs, as the mints might strike them: figures, houses, trees, beasts, stars, outlines of land, lettering."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from lab.training.cropset import REACH

_FINER = 3  # reliefs are drawn so many times as large as the crop shows them
_WORDS = ["E PLURIBUS UNUM", "UNITED STATES OF AMERICA", "QUARTER DOLLAR", "LIBERTY", "IN GOD WE TRUST"]

Plane = NDArray[np.float32]


def struck(height: Plane, rng: np.random.Generator) -> Plane:
    """(side, side) brightness, as a logarithm, of a relief of these heights (finer) under light from one side."""
    side = len(height) // _FINER
    softened = cv2.GaussianBlur(height, (0, 0), float(rng.uniform(0.8, 2.2)))
    slope = np.stack([cv2.Sobel(softened, cv2.CV_32F, 1, 0), cv2.Sobel(softened, cv2.CV_32F, 0, 1)])
    toward = rng.uniform(0, math.tau)
    shade = np.tanh(3 * (slope[0] * math.cos(toward) + slope[1] * math.sin(toward)))
    edges = np.tanh(3 * np.hypot(*slope))  # edges reflect the lamp, or the dark room, whichever way they face
    raised = np.clip(height * 2, 0, 1)  # devices are often frosted: brighter or darker than the field
    told = shade * rng.uniform(0.4, 1) + edges * rng.normal(0, 0.5) + raised * rng.normal(0, 0.35)
    return np.asarray(cv2.resize(told, (side, side), interpolation=cv2.INTER_AREA), np.float32)


class _Canvas:
    """Heights, 0 to 1, of a relief to be drawn: (finer, finer), the coin's radius as in the crop times _FINER."""

    def __init__(self, side: int) -> None:
        self.px = side * _FINER
        self.radius, self.middle = self.px / 2 / REACH, (self.px - 1) / 2
        self.height = np.zeros((self.px, self.px), np.float32)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a place in radii lies."""
        return self.middle + x * self.radius, self.middle + y * self.radius

    def dome(self, mask: NDArray[np.uint8], height: float, width: float, rough: Plane | None = None) -> None:
        """Raise what `mask` covers, rounded over `width` radii from its edge."""
        deep = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / (width * self.radius)
        risen = height * np.sqrt(np.clip(deep, 0, 1))
        if rough is not None:
            risen = risen * rough
        self.height = np.maximum(self.height, risen.astype(np.float32))

    def polygon(self, points: NDArray[np.float64]) -> NDArray[np.uint8]:
        """The mask of points in radii, (N, 2)."""
        mask = np.zeros_like(self.height, np.uint8)
        cv2.fillPoly(mask, [np.round(self.middle + points * self.radius).astype(np.int32)], 1)
        return mask

    def strokes(self, lines: list[NDArray[np.float64]], wide: float) -> NDArray[np.uint8]:
        """The mask of open lines in radii, (N, 2) each, `wide` radii wide."""
        mask = np.zeros_like(self.height, np.uint8)
        whole = [np.round(self.middle + line * self.radius).astype(np.int32) for line in lines]
        cv2.polylines(mask, whole, False, 1, max(1, round(wide * self.radius)))
        return mask


def device(side: int, rng: np.random.Generator) -> Plane:
    """A picture of some shapes in the middle: figures, houses, trees, hills, outlines of land, stars, rays."""
    canvas = _Canvas(side)
    for _ in range(int(rng.integers(3, 10))):
        _SHAPES[int(rng.integers(len(_SHAPES)))](canvas, rng)
    limit = rng.uniform(0.55, 0.85)
    line = (np.arange(canvas.px) - canvas.middle) / canvas.radius
    canvas.height[np.hypot(*np.meshgrid(line, line)) > limit] = 0
    if rng.random() < 0.3:
        canvas.height *= 0.7 + 0.3 * smooth_field(canvas.px, rng)
    return canvas.height


def wordy(side: int, rng: np.random.Generator) -> Plane:
    """Lines of words, and one shape."""
    canvas = _Canvas(side)
    _SHAPES[int(rng.integers(len(_SHAPES)))](canvas, rng)
    for _ in range(int(rng.integers(2, 5))):
        _line(canvas, rng)
    return canvas.height


def _place(rng: np.random.Generator, reach: float = 0.5) -> NDArray[np.float64]:
    angle, far = rng.uniform(0, math.tau), reach * math.sqrt(rng.random())
    return np.array([far * math.cos(angle), far * math.sin(angle)])


def _around(rng: np.random.Generator, jagged: float, count: int = 72) -> NDArray[np.float64]:
    """(count, 2) a closed outline about the origin, of radius 1 or so."""
    turn = np.linspace(0, math.tau, count, endpoint=False)
    far = np.ones(count)
    for order in range(1, 9):
        far += rng.normal(0, jagged / order) * np.cos(order * turn + rng.uniform(0, math.tau))
    stretch = np.exp(rng.normal(0, 0.3))
    x, y = far * np.cos(turn) * stretch, far * np.sin(turn) / stretch
    tilt = rng.uniform(0, math.tau)
    return np.stack([x * math.cos(tilt) - y * math.sin(tilt), x * math.sin(tilt) + y * math.cos(tilt)], -1)


def _blob(canvas: _Canvas, rng: np.random.Generator) -> None:
    points = _place(rng) + rng.uniform(0.08, 0.4) * _around(rng, rng.uniform(0.1, 0.5))
    rough = 0.75 + 0.25 * smooth_field(canvas.px, rng, int(rng.integers(12, 60))) if rng.random() < 0.6 else None
    canvas.dome(canvas.polygon(points), rng.uniform(0.4, 1), rng.uniform(0.03, 0.25), rough)


def _outline(canvas: _Canvas, rng: np.random.Generator) -> None:
    """Of land on a map: a line, or a plateau."""
    points = _place(rng, 0.15) + rng.uniform(0.3, 0.6) * _around(rng, 0.35)
    if rng.random() < 0.5:
        canvas.dome(canvas.polygon(points), rng.uniform(0.2, 0.5), 0.02)
    else:
        canvas.dome(canvas.strokes([np.vstack([points, points[:1]])], 0.02), 0.6, 0.02)


def _house(canvas: _Canvas, rng: np.random.Generator) -> None:
    x, y = _place(rng, 0.25)
    wide, tall = rng.uniform(0.15, 0.5), rng.uniform(0.1, 0.4)
    canvas.dome(
        canvas.polygon(np.array([[x - wide, y], [x + wide, y], [x + wide, y - 0.04], [x - wide, y - 0.04]])), 0.6, 0.03
    )
    count = int(rng.integers(2, 10))
    columns = [np.array([[x + wide * k, y], [x + wide * k, y - tall]]) for k in np.linspace(-0.9, 0.9, count)]
    canvas.dome(canvas.strokes(columns, wide / count * rng.uniform(0.3, 1.2)), 0.6, 0.03)
    top, roof = y - tall, rng.uniform(0.03, 0.25)
    canvas.dome(
        canvas.polygon(np.array([[x - wide, top], [x + wide, top], [x + wide * rng.uniform(0, 1), top - roof]])),
        0.7,
        0.04,
    )


def _figure(canvas: _Canvas, rng: np.random.Generator) -> None:
    """A head and what is under it, with folds."""
    x, y = _place(rng, 0.3)
    size = rng.uniform(0.06, 0.22)
    canvas.dome(canvas.polygon(np.array([x, y]) + size * _around(rng, 0.12)), 1.0, size * 0.8)
    body = np.array(
        [
            [-0.8, 0.9],
            [0.8, 0.9],
            [rng.uniform(1, 2.4), rng.uniform(2.5, 5)],
            [-rng.uniform(1, 2.4), rng.uniform(2.5, 5)],
        ]
    )
    rough = 0.7 + 0.3 * smooth_field(canvas.px, rng, 40)
    canvas.dome(canvas.polygon(np.array([x, y]) + size * body), 0.9, size * 0.9, rough)
    limbs = [
        np.array([x, y]) + size * np.cumsum(np.vstack([[0, 1.5], rng.normal(0, 1.2, (3, 2))]), 0) for _ in range(2)
    ]
    canvas.dome(canvas.strokes(limbs, size * 0.45), 0.8, size * 0.25)


def _tree(canvas: _Canvas, rng: np.random.Generator) -> None:
    lines: list[NDArray[np.float64]] = []

    def grow(start: NDArray[np.float64], angle: float, length: float, left: int) -> None:
        end = start + length * np.array([math.cos(angle), math.sin(angle)])
        lines.append(np.stack([start, end]))
        if left:
            for _ in range(int(rng.integers(2, 4))):
                grow(end, angle + rng.normal(0, 0.6), length * rng.uniform(0.5, 0.8), left - 1)

    grow(_place(rng, 0.3), rng.uniform(0, math.tau), rng.uniform(0.1, 0.3), int(rng.integers(2, 5)))
    canvas.dome(canvas.strokes(lines, rng.uniform(0.015, 0.04)), 0.8, 0.02)


def _waves(canvas: _Canvas, rng: np.random.Generator) -> None:
    """Water, furrows, ranges of hills, stripes."""
    x, y = _place(rng, 0.3)
    along, tilt = np.linspace(-0.6, 0.6, 40), rng.normal(0, 0.4)
    high, often, phase = rng.uniform(0, 0.08), rng.uniform(4, 25), rng.uniform(0, math.tau)
    gap, wide = rng.uniform(0.04, 0.12), rng.uniform(0.3, 1)
    lines = [
        np.stack([x + along * wide, y + k * gap + along * tilt + high * np.sin(along * often + phase + k)], -1)
        for k in range(int(rng.integers(3, 10)))
    ]
    canvas.dome(canvas.strokes(lines, gap * rng.uniform(0.2, 0.5)), rng.uniform(0.3, 0.8), 0.02)


def _rays(canvas: _Canvas, rng: np.random.Generator) -> None:
    middle, inner, outer = _place(rng, 0.4), rng.uniform(0, 0.2), rng.uniform(0.25, 0.7)
    turns = np.linspace(0, rng.choice([math.pi, math.tau]), int(rng.integers(7, 30))) + rng.uniform(0, math.tau)
    lines = [middle + np.outer([inner, outer * rng.uniform(0.7, 1)], [math.cos(t), math.sin(t)]) for t in turns]
    canvas.dome(canvas.strokes(lines, rng.uniform(0.015, 0.05)), 0.6, 0.02)


def _star(canvas: _Canvas, rng: np.random.Generator) -> None:
    count, size, middle, points = (
        int(rng.integers(1, 14)),
        rng.uniform(0.04, 0.25),
        _place(rng),
        int(rng.integers(4, 8)),
    )
    for k in range(count):
        place = middle if k == 0 else _place(rng, 0.7)
        turns = np.arange(2 * points) * math.pi / points + rng.uniform(0, math.tau)
        far = np.where(np.arange(2 * points) % 2, 0.45, 1.0) * (size if k == 0 else 0.06)
        canvas.dome(canvas.polygon(place + np.stack([far * np.cos(turns), far * np.sin(turns)], -1)), 0.7, 0.06)


def _beast(canvas: _Canvas, rng: np.random.Generator) -> None:
    """A body with a neck, a head, legs or wings."""
    x, y = _place(rng, 0.25)
    size, way = rng.uniform(0.12, 0.35), rng.choice([-1, 1])
    place = np.array([x, y])
    rough = 0.75 + 0.25 * smooth_field(canvas.px, rng, 50)
    canvas.dome(canvas.polygon(place + size * _around(rng, 0.15) * [1.3, 0.8]), 0.9, size * 0.5, rough)
    neck = np.array([[0.8, -0.3], [1.3, -rng.uniform(0.5, 1.4)], [1.7, -rng.uniform(0.5, 1.4)]])
    legs = [
        np.array([[k, 0.4], [k + rng.normal(0, 0.2), 1.0], [k + rng.normal(0, 0.3), 1.6]])
        for k in rng.uniform(-1, 1, 4)
    ]
    wings = [
        np.array([[0, -0.2], [rng.normal(0, 1), -1.2], [rng.normal(0, 2), -rng.uniform(0.5, 2)]]) for _ in range(3)
    ]
    for line in [neck, *(legs if rng.random() < 0.6 else wings)]:
        canvas.dome(canvas.strokes([place + size * line * [way, 1]], size * rng.uniform(0.15, 0.5)), 0.9, size * 0.2)


_SHAPES: tuple[Callable[[_Canvas, np.random.Generator], None], ...] = (
    *(_blob, _blob, _outline, _house, _figure, _figure),
    *(_tree, _waves, _rays, _star, _beast, _beast),
)


def lettering(side: int, rng: np.random.Generator) -> Plane:
    """(finer, finer) heights of words along the rim, as quarters have them, of an inner ring, and of words inside."""
    canvas = _Canvas(side)
    tall, far = rng.uniform(0.1, 0.17), rng.uniform(0.78, 0.86)
    if rng.random() < 0.35:  # as on quarters of parks
        line = (np.arange(canvas.px) - canvas.middle) / canvas.radius
        distance = np.hypot(*np.meshgrid(line, line))
        inner = far - tall / 2 - 0.03
        ring = (distance > inner) & ((distance < inner + 0.02) | (rng.random() < 0.5)) & (distance < 0.93)
        canvas.dome(ring.astype(np.uint8), 0.3, 0.02)
    style = rng.random()
    if style < 0.85:
        _curved(canvas, _text(rng), far, tall, -math.pi / 2, 1, rng)
    if style > 0.15:
        _curved(canvas, _text(rng), far, tall, math.pi / 2, -1, rng)
    for _ in range(int(rng.integers(0, 3))):
        _line(canvas, rng)
    return canvas.height


def _text(rng: np.random.Generator) -> str:
    if rng.random() < 0.45:
        return str(rng.choice(_WORDS))
    word = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVWY"), int(rng.integers(4, 12))))
    return word if rng.random() < 0.5 else f"{word} {int(rng.integers(1787, 2026))}"


def _glyph(letters: str, tall_px: float) -> NDArray[np.uint8]:
    font = ImageFont.load_default(max(6.0, tall_px))
    left, top, right, bottom = font.getbbox(letters)
    page = Image.new("L", (max(1, math.ceil(right - left)), max(1, math.ceil(bottom - top))))
    ImageDraw.Draw(page).text((-left, -top), letters, 255, font)
    return np.asarray(page)


def _curved(
    canvas: _Canvas, text: str, far: float, tall: float, middle: float, way: int, rng: np.random.Generator
) -> None:
    """Words along a circle of `far` radii, about the angle `middle`, clockwise (`way` 1) or the other way."""
    step = way * tall * rng.uniform(0.75, 1.1) / far
    for k, letter in enumerate(text):
        if letter == " ":
            continue
        glyph = _glyph(letter, tall * 1.25 * canvas.radius)
        angle = middle + (k - (len(text) - 1) / 2) * step
        x, y = canvas.at(far * math.cos(angle), far * math.sin(angle))
        _laid(canvas, glyph, x, y, math.degrees(angle) + 90 * way, 0.55)


def _line(canvas: _Canvas, rng: np.random.Generator) -> None:
    x, y = canvas.at(*_place(rng, 0.45))
    _laid(canvas, _glyph(_text(rng)[:10], rng.uniform(0.09, 0.18) * canvas.radius), x, y, float(rng.normal(0, 6)), 0.5)


def _laid(canvas: _Canvas, glyph: NDArray[np.uint8], x: float, y: float, turn_deg: float, height: float) -> None:
    rows, columns = glyph.shape
    matrix = cv2.getRotationMatrix2D(((columns - 1) / 2, (rows - 1) / 2), -turn_deg, 1)
    matrix[:, 2] += (x - (columns - 1) / 2, y - (rows - 1) / 2)
    page = cv2.warpAffine(glyph, matrix, (canvas.px, canvas.px), flags=cv2.INTER_LINEAR)
    canvas.height = np.maximum(canvas.height, page.astype(np.float32) / 255 * height)


def smooth_field(side: int, rng: np.random.Generator, samples: int = 5) -> Plane:
    """(side, side) smooth noise between -1 and 1 or so, with so many samples a side."""
    coarse = rng.normal(0, 0.6, (samples, samples)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)
