"""Drawn crops of things that are no coins: rings, washers, buttons, foil, chips, caps, keys, print and patterns.

Real photos show too few of them; here each comes in any size and colour and on any background.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from lab.training.cropset import NONE, REACH, SIDE_PX, UNKNOWN, CropSet, Row, stacked

COUNT = 1000
RADIUS_PX = SIDE_PX / 2 / REACH
MIDDLE = (SIDE_PX - 1) / 2
_y, _x = np.mgrid[:SIDE_PX, :SIDE_PX].astype(np.float32) - MIDDLE
_FAR = np.hypot(_x, _y) / RADIUS_PX
_AROUND = np.arctan2(_y, _x)

Picture = NDArray[np.float32]  # (192, 192, 3) BGR, 0..255


def build(seed: int = 11, side_px: int = SIDE_PX) -> CropSet:
    """The crop set of drawn strangers, drawn SIDE_PX wide and resized; the same seed draws the same."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for number in range(COUNT):
        thing, cover = _THINGS[number % len(_THINGS)](rng)
        ground = _ground(rng)
        shadow = 1 - rng.uniform(0, 0.5) * np.clip(1.15 - np.hypot(_x - 3, _y - 4) / RADIUS_PX, 0, 0.2)[..., None] * 5
        picture = thing * cover[..., None] + ground * shadow * (1 - cover[..., None])
        lit = picture * (1 + rng.uniform(0, 0.3) * (_x * math.cos(number) + _y * math.sin(number))[..., None] / 96)
        crop = np.clip(cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.6, 2))), 0, 255).astype(np.uint8)
        sized = np.asarray(cv2.resize(crop, (side_px, side_px), interpolation=cv2.INTER_CUBIC), np.uint8)
        rows.append((sized, NONE, UNKNOWN, "stranger", "stranger", False))
    return stacked(rows)


def _inside(limit: float | NDArray[np.float32], far: NDArray[np.float32] = _FAR) -> NDArray[np.float32]:
    """1 where nearer than `limit` radii, soft over a pixel or so."""
    return np.asarray(np.clip((limit - far) * RADIUS_PX + 0.5, 0, 1), np.float32)


def _texture(rng: np.random.Generator, grain: float) -> NDArray[np.float32]:
    """Smooth noise about 1, (192, 192)."""
    small = rng.normal(0, 1, (max(4, int(SIDE_PX / grain)),) * 2).astype(np.float32)
    return np.asarray(1 + 0.12 * cv2.resize(small, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC), np.float32)


def _plain(rng: np.random.Generator, low: int = 20, high: int = 240) -> Picture:
    grey = rng.uniform(low, high)
    colour = np.clip(grey + rng.normal(0, rng.choice([4, 50]), 3), 5, 250).astype(np.float32)
    return colour * _texture(rng, rng.uniform(3, 60))[..., None]


def _ground(rng: np.random.Generator) -> Picture:
    ground = _plain(rng)
    if rng.random() < 0.4:  # grain of wood or weave of cloth
        wave = np.sin((_x * math.cos(rng.uniform(0, 3)) + _y) * rng.uniform(0.1, 1.5) + 3 * _texture(rng, 40))
        ground = ground * (1 + rng.uniform(0.03, 0.2) * wave[..., None])
    return np.asarray(ground, np.float32)


def _bevelled(rng: np.random.Generator) -> Picture:
    """A disc of one material with a raised or rounded rim, lit from one side."""
    toward = math.tau * rng.random()
    rim = np.exp(-(((_FAR - rng.uniform(0.8, 0.95)) / rng.uniform(0.02, 0.1)) ** 2)) * np.cos(_AROUND - toward)
    return np.asarray(_plain(rng) * (1 + rng.uniform(0, 0.6) * rim)[..., None], np.float32)


def _washer(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    return _bevelled(rng), _inside(1.0) * (1 - _inside(rng.uniform(0.2, 0.6)))


def _ring(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    return _bevelled(rng), _inside(1.0) * (1 - _inside(rng.uniform(0.7, 0.93)))


def _button(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    cover, holes = _inside(1.0), int(rng.choice([2, 4]))
    out, wide, turn = rng.uniform(0.15, 0.3), rng.uniform(0.06, 0.13), rng.uniform(0, math.tau)
    for k in range(holes):
        x, y = (out * RADIUS_PX * f(turn + math.tau * k / holes) for f in (math.cos, math.sin))
        cover = cover * (1 - _inside(wide, np.hypot(_x - x, _y - y) / RADIUS_PX))
    return _bevelled(rng), cover


def _foil(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    seeds = rng.uniform(-60, 60, (int(rng.integers(8, 60)), 2)).astype(np.float32)
    nearest = np.argmin((_x[..., None] - seeds[:, 0]) ** 2 + (_y[..., None] - seeds[:, 1]) ** 2, axis=-1)
    facets = rng.uniform(90, 250, len(seeds)).astype(np.float32)[nearest]
    ragged = 1 + 0.05 * np.sin(_AROUND * rng.integers(5, 14) + 1) * rng.uniform(0, 1)
    tint = 1 + rng.normal(0, 0.04, 3)
    return np.asarray(facets[..., None] * tint * _texture(rng, 5)[..., None], np.float32), _inside(ragged)


def _chip(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    stripes = (np.sin(_AROUND * rng.integers(4, 9)) > 0.5) & (rng.uniform(0.6, 0.8) < _FAR)
    return np.where(stripes[..., None], _plain(rng, 150), _bevelled(rng)).astype(np.float32), _inside(1.0)


def _cap(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    teeth = 1 + 0.05 * np.cos(21 * _AROUND)
    shade = np.where(_FAR > 0.85, 1 + 0.3 * np.cos(21 * _AROUND), 1.0)
    return np.asarray(_bevelled(rng) * shade[..., None], np.float32), _inside(teeth)


def _lettered(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    picture = np.clip(_bevelled(rng), 0, 255).astype(np.uint8)
    word = "".join(rng.choice(list("ABCDEFGHKMNPRSTXYZ0123456789%&"), int(rng.integers(1, 3))))
    ink = [float(value) for value in rng.uniform(0, 255, 3)]
    size = float(rng.uniform(0.8, 2.2))
    cv2.putText(picture, word, (int(MIDDLE - 16 * size / 2 * len(word)), int(MIDDLE + 10 * size)), 0, size, ink, 3)
    power = float(rng.choice([2.0, 6.0]))  # a disc, or a key of a keyboard
    squared = (np.abs(_x / RADIUS_PX) ** power + np.abs(_y / RADIUS_PX) ** power) ** (1 / power)
    return picture.astype(np.float32), _inside(1.0, squared.astype(np.float32))


def _print(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    """Lines of print, with the circle around one round letter or around several letters."""
    ink = np.float32(rng.uniform(0, 255, 3))
    words = ["".join(rng.choice(list("OCGQDeoaces0689bdpqgAMRS "), 14)) for _ in range(5)]
    size = float(rng.choice([0.5, 1.0, 2.4])) * RADIUS_PX * rng.uniform(0.8, 1.2)
    page = Image.new("L", (SIDE_PX, SIDE_PX))
    x, y = (MIDDLE + rng.uniform(-7, -0.3) * size, MIDDLE - rng.uniform(2.0, 3.2) * size)
    ImageDraw.Draw(page).multiline_text((x, y), "\n".join(words), 255, ImageFont.load_default(size), spacing=0.1 * size)
    cover = np.asarray(page, np.float32)[..., None] / 255
    return np.asarray(_plain(rng) * (1 - cover) + ink * cover, np.float32), np.ones_like(_FAR)


def _pattern(rng: np.random.Generator) -> tuple[Picture, NDArray[np.float32]]:
    """Stripes, checks, weave, or rings around a random middle."""
    pitch, turn = rng.uniform(3, 40), rng.uniform(0, math.pi)
    along, across = _x * math.cos(turn) + _y * math.sin(turn), _y * math.cos(turn) - _x * math.sin(turn)
    rings = np.hypot(_x - rng.normal(0, 20), _y - rng.normal(0, 20))
    wave = (np.sin(along / pitch), np.sin(along / pitch) * np.sin(across / pitch), np.sin(rings / pitch * 2))
    hard = rng.choice([1.0, 8.0])
    share = np.clip(0.5 + 0.5 * hard * wave[int(rng.integers(3))], 0, 1)[..., None]
    return np.asarray(_plain(rng) * share + _plain(rng) * (1 - share), np.float32), np.ones_like(_FAR)


_THINGS = (_washer, _ring, _button, _foil, _chip, _cap, _lettered, _foil, _ring, _print, _print, _pattern)
