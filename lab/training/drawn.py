"""Crops of the virtual table: every drawn face on every mat, under many lights, through the virtual camera's lens.

They teach the network the virtual coins and, from false detections of the finder, that printed rings, letters and
markers of a mat are no coins. No reported figure about real photos uses them.
"""

from __future__ import annotations

import math

import numpy as np

from lab.training.cropset import NONE, REACH, SIDE_PX, UNKNOWN, CropSet, Row, stacked
from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination, Face
from tablecoin.mat import Mat
from tablecoin.virtual.art import designs
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.crops import cut
from tablecoin.vision.coins.find import find_sized
from tablecoin.vision.frame import Disc

ROUNDS = 3  # pictures of each mat
APART_MM = 27.0  # smallest distance between coins' centres: no two touch
STACKED = 0.5  # probability that another coin lies on a coin
LARGER = 1.1  # a covered coin is a sample of "no coin" where it is so much larger than the top coin
SIZES_PX = ((1456, 1088), (1280, 960))


def build(seed: int = 7, side_px: int = SIDE_PX) -> CropSet:
    """The crop set of the virtual table, `side_px` wide; the same seed gives the same pictures."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for name in mats.names():
        for turn in range(ROUNDS):
            rows += _picture(mats.load(name), rng, SIZES_PX[turn % len(SIZES_PX)], side_px)
    return stacked(rows)


def _picture(mat: Mat, rng: np.random.Generator, size_px: tuple[int, int], side_px: int) -> list[Row]:
    coins = _scattered(mat, rng)
    view = View.over(
        mat,
        margin_mm=float(rng.uniform(4, 30)),
        size_px=size_px,
        tilt_deg=float(rng.uniform(0, 8)),
        towards_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.uniform(-6, 6)),
        k1=float(rng.uniform(-0.1, 0.02)),
    )
    light = Light(
        brightness=float(rng.uniform(0.45, 1.1)),
        falloff=float(rng.uniform(0, 0.35)),
        warmth=float(rng.normal(0, 0.08)),
        noise=float(rng.uniform(0.5, 6)),
        blur_px=float(rng.uniform(0.3, 1.4)),
    )
    image = Renderer(mat, view, light, seed=int(rng.integers(1 << 30))).picture(Scene(coins=coins))
    places = view.to_px([(coin.x_mm, coin.y_mm) for coin in coins])
    beside = view.to_px([(coin.x_mm + coin.denomination.diameter_mm / 2, coin.y_mm) for coin in coins])
    radii = np.linalg.norm(beside - places, axis=1)
    truth = [Disc(float(x), float(y), float(r)) for (x, y), r in zip(places, radii, strict=True)]
    discs, facts = [], []
    for k, (coin, disc) in enumerate(zip(coins, truth, strict=True)):
        top = next((one for one in reversed(coins[k + 1 :]) if _meet(coin, one)), None)
        if top is None or coin.denomination.diameter_mm > LARGER * top.denomination.diameter_mm:
            discs.append(disc)
            facts.append((NONE, UNKNOWN) if top else (BY_VALUE.index(coin.denomination), int(coin.face is Face.HEADS)))
    for disc in find_sized(image, (0.85 * float(radii.min()), 1.15 * float(radii.max()))):
        if all(math.hypot(disc.x_px - coin.x_px, disc.y_px - coin.y_px) > 0.4 * coin.r_px for coin in truth):
            discs.append(disc)
            facts.append((NONE, UNKNOWN))
    sources = ["printed" if kind == NONE else "drawn" for kind, _ in facts]
    return [
        (crop, kind, heads, source, source, source == "drawn")
        for crop, (kind, heads), source in zip(cut(image, discs, side_px, REACH), facts, sources, strict=True)
    ]


def _scattered(mat: Mat, rng: np.random.Generator) -> tuple[VirtualCoin, ...]:
    """Up to 24 coins at random places, and smaller ones on half of them; faces and designs are equally likely."""
    coins: list[VirtualCoin] = []
    for _ in range(400):
        x, y = rng.uniform(15, mat.width_mm - 15), rng.uniform(15, mat.height_mm - 15)
        if len(coins) < 24 and all(math.hypot(x - c.x_mm, y - c.y_mm) > APART_MM for c in coins):
            kind, face = BY_VALUE[int(rng.integers(4))], list(Face)[int(rng.integers(2))]
            coins.append(_coin(kind, face, x, y, rng))
    return tuple(one for coin in coins for one in _stack(coin, rng))


def _stack(bottom: VirtualCoin, rng: np.random.Generator) -> list[VirtualCoin]:
    """`bottom`, in half of all cases with smaller coins on it, each wholly on the one below, as in *Coin Age*."""
    stack = [bottom]
    while rng.random() < STACKED:
        below = stack[-1]
        smaller = [kind for kind in BY_SIZE if kind.diameter_mm < below.denomination.diameter_mm]
        if not smaller:
            break
        kind, face = smaller[int(rng.integers(len(smaller)))], list(Face)[int(rng.integers(2))]
        room, way = (below.denomination.diameter_mm - kind.diameter_mm) / 2 * rng.random(), rng.uniform(0, math.tau)
        stack.append(_coin(kind, face, below.x_mm + room * math.cos(way), below.y_mm + room * math.sin(way), rng))
    return stack


def _coin(kind: Denomination, face: Face, x: float, y: float, rng: np.random.Generator) -> VirtualCoin:
    design = int(rng.integers(designs(kind, face)))
    return VirtualCoin(kind, face, float(x), float(y), float(rng.uniform(0, 360)), design)


def _meet(one: VirtualCoin, other: VirtualCoin) -> bool:
    """Whether one lies on the other."""
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < APART_MM / 2
