"""Lamps on the mains: how soon a table is at rest, by the lamp, the exposure, the shutter and the frame rate.

A reader that knows the truth takes the place of the network, so this is about the settler alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from lab.reading.scenes import scattered
from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE
from tablecoin.mat import Mat
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.sensor import WEBCAM_NOISE, Grain, Lamp
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.frame import Disc, Frame, Image, Reading, SeenCoin, whichever
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.settle import Settler

SIZE_PX = (640, 480)
DEFAULT_FPS = 20.0  # of every camera that is not told otherwise
READOUTS_S = {"rolling": 0.016, "global": 0.0}  # from the first row to the last; 16 ms as of a Camera Module 3
RIPPLES = (0.1, 0.3, 1.0)  # filament, tube, bad LED
EXPOSURES_MS = (1.0, 4.0, 1000 / 120, 10.0, 14.2, 20.0)
RATES = (20.0, 30.0)
SWINGS_HZ = (100.0, 120.0, 100.2, 119.76)  # of the light: 50 and 60 Hz mains, and both 0.2 % off
GOAL_S = 1.2  # from the last frame with the hand to the sighting
_RESTS_S = 1.2  # the table lies alone before a hand takes a coin
_WAITS_S = 4.0  # without a sighting by then it never settles
_COINS = 5
_MAT = "two-row"


@dataclass(frozen=True, slots=True)
class Setting:
    """A lamp and how a camera sees it."""

    ripple: float
    exposure_ms: float
    shutter: str
    fps: float
    swings_hz: float


@dataclass(frozen=True, slots=True)
class Settled:
    setting: Setting
    after_s: float  # infinity: never
    said: str | None  # the key of what the page says, where it never settles


def grid(fps: Sequence[float] = RATES) -> list[Setting]:
    """Every setting of the table."""
    return [Setting(*one) for one in product(RIPPLES, EXPOSURES_MS, READOUTS_S, fps, SWINGS_HZ)]


class Film:
    """A table from which a hand takes a coin. The lamps are laid over its pictures."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        mat = mats.load(_MAT)
        self._mat, self._view = mat, View.over(mat, size_px=SIZE_PX)
        renderer = Renderer(mat, self._view, Light(noise=0.0), seed=seed, px_per_mm=2.0)
        coins = scattered(mat, Skin(), self._rng, _COINS)
        at_mm = coins[-1].x_mm, coins[-1].y_mm
        self._full = coins, renderer.picture(Scene(coins=coins))
        self._hand = coins, renderer.picture(Scene(coins=coins, hand=True, hand_at_mm=at_mm))
        self._left = coins[:-1], renderer.picture(Scene(coins=coins[:-1]))
        self._grain = Grain(SIZE_PX, WEBCAM_NOISE, seed)

    def settled(self, setting: Setting) -> Settled:
        """How soon the table is at rest after the hand has left, under this lamp at a random moment of its swing."""
        lamp = Lamp(
            setting.swings_hz, setting.ripple, setting.exposure_ms / 1000, readout_s=READOUTS_S[setting.shutter]
        )
        begins_s = float(self._rng.uniform(0, 1))
        lying: tuple[VirtualCoin, ...] = ()
        settler = Settler(
            lambda frame: _truth(frame, lying, self._mat, self._view), areas=lambda _: _paper(self._view, self._mat)
        )
        rests, hand = round(_RESTS_S * setting.fps), round(0.3 * setting.fps)
        look = None
        for n in range(rests + hand + round(_WAITS_S * setting.fps)):
            lying, image = self._full if n < rests else self._hand if n < rests + hand else self._left
            at_s = n / setting.fps
            picture: Image = self._grain.on(lamp.on(image, begins_s + at_s))
            look = settler.see(Frame(picture, n, at_s))
            if look.sighting and n >= rests + hand:
                return Settled(setting, (n - rests - hand + 1) / setting.fps, None)
        return Settled(setting, math.inf, look.restless.key if look and look.restless else None)


def measured(count: int, seed: int, fps: Sequence[float] = RATES) -> Iterator[Settled]:
    """Every setting, `count` times, each time on another table."""
    for number in range(count):
        film = Film(seed + number)
        for setting in grid(fps):
            yield film.settled(setting)


def table(done: Sequence[Settled], fps: Sequence[float] = RATES) -> list[str]:
    """A line for each ripple, exposure and shutter; its cells hold the slowest of the trials in seconds."""
    slowest: dict[Setting, float] = {}
    for one in done:
        slowest[one.setting] = max(slowest.get(one.setting, 0.0), one.after_s)
    cells = list(product(fps, SWINGS_HZ))
    head = "ripple exposure shutter  " + "".join(f"{rate:4.0f}/s {hz:6.2f}Hz" for rate, hz in cells)
    lines = [head]
    for ripple, exposure_ms, shutter in product(RIPPLES, EXPOSURES_MS, READOUTS_S):
        found = [slowest[Setting(ripple, exposure_ms, shutter, *cell)] for cell in cells]
        told = "".join(f"{'never' if math.isinf(s) else f'{s:.2f} s':>15}" for s in found)
        lines.append(f"{ripple:5.0%} {exposure_ms:6.1f} ms {shutter:8}{told}")
    return [*lines, *(_summary(rate, [one for one in done if one.setting.fps == rate]) for rate in fps)]


def _summary(fps: float, done: Sequence[Settled]) -> str:
    never = [one for one in done if math.isinf(one.after_s)]
    late = sum(GOAL_S < one.after_s < math.inf for one in done)
    silent = sum(one.said is None for one in never)
    told = f"{fps:.0f} frames a second: {len(done)} films, over {GOAL_S} s {late}, never {len(never)}"
    return f"{told}, of these without a reason {silent}"


def _paper(view: View, mat: Mat) -> Areas:
    corners = [(0.0, 0.0), (mat.width_mm, 0.0), (mat.width_mm, mat.height_mm), (0.0, mat.height_mm)]
    return Areas([(float(x), float(y)) for x, y in view.to_px(corners)])


def _truth(frame: Frame, lying: Sequence[VirtualCoin], mat: Mat, view: View) -> Reading:
    middle = SIZE_PX[0] / 2, SIZE_PX[1] / 2
    one, other = view.to_mm([middle, (middle[0] + 1, middle[1])])
    mm_per_px = float(np.linalg.norm(one - other))
    coins = []
    for coin in lying:
        ((x, y),) = view.to_px([(coin.x_mm, coin.y_mm)])
        disc = Disc(float(x), float(y), coin.denomination.diameter_mm / 2 / mm_per_px)
        penny, nickel, dime, quarter = (float(kind == coin.denomination) for kind in BY_VALUE)
        coins.append(SeenCoin(disc, (penny, nickel, dime, quarter), whichever(float(coin.face == "heads")), sure=True))
    return Reading(frame, tuple(coins), mm_per_px, mat.name)
