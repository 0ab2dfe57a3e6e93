"""A coin is touched while no hand is over the table: is it noticed at rest, and what is then read?

The rules need one of these: a coin turned over changes the game. A coin that slid by half a millimetre or turned a
little is the same coin to the referee, who counts up to 1.5 mm as untouched; here it shows how fine the table sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from lab.reading.scenes import scattered
from lab.reading.sensors import FPS, SIZE_PX, Moment, Row
from lab.reading.tally import tally
from tablecoin import mat as mats
from tablecoin.coins import Face
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.sensor import Grain
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.settle import Settler

COINS = 6
RESTS_S, WATCHED_S = 3.0, 3.5  # before the coin is touched, and afterwards
ROWS = ("a webcam's noise", "sway ±0.1 mm", "sway ±0.2 mm", "sway ±0.4 mm", "100 Hz, filament", "MJPEG, quality 50")


def _slid(coin: VirtualCoin, way: float) -> VirtualCoin:
    x_mm, y_mm = coin.x_mm + 0.5 * math.cos(way), coin.y_mm + 0.5 * math.sin(way)
    return msgspec.structs.replace(coin, x_mm=x_mm, y_mm=y_mm)


def _turned_over(coin: VirtualCoin, _way: float) -> VirtualCoin:
    return msgspec.structs.replace(coin, face=Face.TAILS if coin.face is Face.HEADS else Face.HEADS)


TOUCHES: dict[str, Callable[[VirtualCoin, float], VirtualCoin]] = {
    "turned over": _turned_over,
    "slid by 0.5 mm": _slid,
    "turned by 20 degrees": lambda coin, _: msgspec.structs.replace(coin, angle_deg=coin.angle_deg + 20),
    "left alone": lambda coin, _: coin,
}


@dataclass(frozen=True, slots=True)
class Touch:
    """What came of one touch."""

    row: str
    kind: str
    noticed_s: float  # until the next sighting; infinity: none
    right: bool  # it shows every coin as what it is


def touches(count: int, seed: int, rows: tuple[Row, ...]) -> Iterator[Touch]:
    """`count` touches of each kind before each kind of camera."""
    for number in range(count):
        for row in rows:
            for kind in TOUCHES:
                yield touch(row, kind, np.random.default_rng((seed, number)))


def touch(row: Row, kind: str, rng: np.random.Generator) -> Touch:
    """One coin of a table at rest is touched, and the table is watched."""
    mat = mats.load("two-row")
    view = View.over(mat, size_px=SIZE_PX, tilt_deg=float(rng.uniform(0, 6)), towards_deg=float(rng.uniform(0, 360)))
    renderer = Renderer(mat, view, Light(noise=0.0), seed=int(rng.integers(1 << 30)))
    before = scattered(mat, Skin(), rng, COINS)
    after = (TOUCHES[kind](before[0], float(rng.uniform(0, math.tau))), *before[1:])
    pictures = [renderer.picture(Scene(coins=coins)) for coins in (before, after)]
    grain = Grain(SIZE_PX, row.noise, int(rng.integers(1 << 30)))
    disturb = row.disturb(view, float(rng.uniform(0, 0.4)))
    reader = Reader(mat.name)
    settler = Settler(reader.read, areas=lambda _: Areas.over(reader.plane))
    touched = round(RESTS_S * FPS)
    for n in range(touched + round(WATCHED_S * FPS)):
        image = grain.on(disturb(pictures[n >= touched], Moment(n / FPS, -1.0)))
        look = settler.see(Frame(image, n, n / FPS))
        if look.sighting and n >= touched:
            right = tally(after, look.sighting.reading).best_guess
            return Touch(row.name, kind, (n - touched + 1) / FPS, right)
    return Touch(row.name, kind, math.inf, False)


def line_of(row: Row, kind: str, some: list[Touch]) -> str:
    """One row of the table."""
    noticed = sum(math.isfinite(touch.noticed_s) for touch in some)
    return (
        f"{row.name:31} {kind:21} {len(some):3}  noticed {noticed:2}  read right {sum(touch.right for touch in some):2}"
    )
