"""Drawn pictures without a US coin: noise, text, faces, patterns, and round things of many sorts."""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Image

WIDTH_PX, HEIGHT_PX = 960, 720
WORDS = ("quick", "brown", "fox", "jumps", "over", "lazy", "dog", "nine", "little", "spoons", "USA", "1999")

Canvas = NDArray[np.uint8]  # (720, 960, 3) BGR


def pictures(count: int, seed: int = 1) -> Iterator[tuple[str, Image]]:
    """`count` pictures, the sorts in turn: (what it shows, picture). The same seed gives the same pictures."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        what, draw = _SORTS[number % len(_SORTS)]
        canvas = draw(rng)
        light = np.linspace(1, rng.uniform(0.6, 1), WIDTH_PX, dtype=np.float32)[None, :, None]
        soft = cv2.GaussianBlur(canvas * light, (0, 0), float(rng.uniform(0.5, 1.5)))
        noisy = soft + rng.normal(0, rng.uniform(1, 5), soft.shape)
        yield what, np.clip(noisy, 0, 255).astype(np.uint8)


def _paper(rng: np.random.Generator) -> Canvas:
    colour = np.clip(rng.uniform(30, 240) + rng.normal(0, 25, 3), 5, 250)
    small = rng.normal(0, 4, (12, 16, 1)).astype(np.float32)
    cloud = cv2.resize(small, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_CUBIC)
    return np.clip(colour + cloud[..., None], 0, 255).astype(np.uint8)


def _ink(rng: np.random.Generator) -> tuple[float, float, float]:
    blue, green, red = rng.uniform(0, 255, 3)
    return float(blue), float(green), float(red)


def _noise(rng: np.random.Generator) -> Canvas:
    grain = int(rng.choice([1, 3, 8, 20, 45]))
    rough = rng.uniform(0, 255, (HEIGHT_PX // grain + 1, WIDTH_PX // grain + 1, 3)).astype(np.float32)
    way = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_NEAREST
    return np.clip(cv2.resize(rough, (WIDTH_PX, HEIGHT_PX), interpolation=way), 0, 255).astype(np.uint8)


def _text(rng: np.random.Generator) -> Canvas:
    canvas, ink = _paper(rng), _ink(rng)
    size = float(rng.uniform(0.5, 3))
    for y in np.arange(30, HEIGHT_PX, 36 * size):
        line = " ".join(rng.choice(WORDS, 12))
        cv2.putText(canvas, line, (10, int(y)), int(rng.integers(8)), size, ink, max(1, int(size * 1.5)), cv2.LINE_AA)
    return canvas


def _faces(rng: np.random.Generator) -> Canvas:
    """Faces as a child draws them."""
    canvas = _paper(rng)
    for _ in range(int(rng.integers(1, 9))):
        x, y, r = rng.uniform(80, WIDTH_PX - 80), rng.uniform(80, HEIGHT_PX - 80), rng.uniform(25, 90)

        def at(right: float, down: float, x: float = x, y: float = y, r: float = r) -> tuple[int, int]:
            return round(x + right * r), round(y + down * r)

        skin, ink = _ink(rng), _ink(rng)
        wide = float(rng.uniform(0.75, 1))
        cv2.ellipse(canvas, at(0, 0), (round(r * wide), round(r)), 0, 0, 360, skin, -1, cv2.LINE_AA)
        cv2.ellipse(canvas, at(0, 0), (round(r * wide), round(r)), 0, 0, 360, ink, 2, cv2.LINE_AA)
        for side in (-0.35, 0.35):
            cv2.circle(canvas, at(side, -0.2), max(2, round(0.1 * r)), ink, -1, cv2.LINE_AA)
        cv2.line(canvas, at(0, -0.1), at(0.1, 0.2), ink, 2, cv2.LINE_AA)
        cv2.ellipse(canvas, at(0, 0.35), (round(0.4 * r), round(0.2 * r)), 0, 0, 180, ink, 2, cv2.LINE_AA)
    return canvas


def _discs(rng: np.random.Generator) -> Canvas:
    """Plain and ringed discs of any colour, copper and silver included."""
    canvas = _paper(rng)
    metals = ((70.0, 100.0, 170.0), (150.0, 155.0, 160.0), (90.0, 160.0, 200.0))
    for _ in range(int(rng.integers(3, 25))):
        x, y = int(rng.uniform(0, WIDTH_PX)), int(rng.uniform(0, HEIGHT_PX))
        r, ink = int(rng.uniform(14, 60)), metals[int(rng.integers(3))] if rng.random() < 0.5 else _ink(rng)
        cv2.circle(canvas, (x, y), r, ink, -1, cv2.LINE_AA)
        for inner in rng.uniform(0.2, 1, int(rng.integers(0, 4))):
            cv2.circle(canvas, (x, y), int(r * inner), _ink(rng), int(rng.integers(1, 4)), cv2.LINE_AA)
    return canvas


def _buttons(rng: np.random.Generator) -> Canvas:
    canvas = _paper(rng)
    for _ in range(int(rng.integers(3, 14))):
        x, y, r = rng.uniform(60, WIDTH_PX - 60), rng.uniform(60, HEIGHT_PX - 60), rng.uniform(18, 55)
        ink, holes, turn = _ink(rng), int(rng.choice([1, 2, 4])), rng.uniform(0, math.tau)
        ground = [float(v) for v in canvas[5, 5]]
        cv2.circle(canvas, (int(x), int(y)), int(r), ink, -1, cv2.LINE_AA)
        cv2.circle(canvas, (int(x), int(y)), int(0.85 * r), [0.8 * v for v in ink], 2, cv2.LINE_AA)
        for k in range(holes):
            far = 0 if holes == 1 else 0.28 * r
            way = turn + math.tau * k / holes
            wide = max(2, int(r * (0.45 if holes == 1 else 0.1)))  # one large hole: a washer
            cv2.circle(
                canvas, (int(x + far * math.cos(way)), int(y + far * math.sin(way))), wide, ground, -1, cv2.LINE_AA
            )
    return canvas


def _keys(rng: np.random.Generator) -> Canvas:
    """Keys and badges: a letter or a number in a circle."""
    canvas, step = _paper(rng), int(rng.uniform(50, 110))
    for y in range(step, HEIGHT_PX - step // 2, step):
        for x in range(step, WIDTH_PX - step // 2, step):
            cv2.circle(canvas, (x, y), int(0.42 * step), _ink(rng), -1 if rng.random() < 0.7 else 2, cv2.LINE_AA)
            letter, size = chr(int(rng.integers(48, 91))), step / 60
            cv2.putText(canvas, letter, (x - int(9 * size), y + int(9 * size)), 0, size, _ink(rng), 2, cv2.LINE_AA)
    return canvas


def _patterns(rng: np.random.Generator) -> Canvas:
    """Stripes, checks and rings."""
    y, x = np.mgrid[:HEIGHT_PX, :WIDTH_PX].astype(np.float32)
    pitch, turn = rng.uniform(6, 60), rng.uniform(0, math.pi)
    along, across = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    wave = (
        np.sin(along / pitch),
        np.sin(along / pitch) * np.sin(across / pitch),
        np.sign(np.sin(along / pitch) * np.sin(across / pitch)),
        np.sin(np.hypot(x - rng.uniform(0, WIDTH_PX), y - rng.uniform(0, HEIGHT_PX)) / pitch * 3),
    )[int(rng.integers(4))]
    share = (wave[..., None] + 1) / 2
    return np.asarray(np.array(_ink(rng)) * share + np.array(_ink(rng)) * (1 - share), np.uint8)


_SORTS = (
    ("noise", _noise),
    ("text", _text),
    ("drawn faces", _faces),
    ("discs and rings", _discs),
    ("buttons and washers", _buttons),
    ("keys and badges", _keys),
    ("patterns", _patterns),
    ("discs and rings", _discs),
)
