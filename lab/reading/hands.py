"""Real hands over the virtual table: what is ruled while one lies still over the mat, and which removals are seen.

The hands are pictures with alpha that reach in from the right, about a millimetre a pixel. They are pasted over the
camera's picture: turned, scaled to the palm of an adult, in other skins and sleeves, with a soft shadow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.reading.scenes import lies_alone, scattered
from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Face
from tablecoin.mat import Mat
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.sensor import WEBCAM_NOISE, Grain
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image, Reading
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.settle import Look, Settler

Cutout = NDArray[np.uint8]  # (H, W, 4) BGRA

PALM_MM = 82.0  # across an adult's palm; the scale of every hand
ARM_PX = 420  # of sleeve added behind the wrist, so that it reaches past the picture
SHADOW = 0.25  # of the light is lost where a hand shades the table
SHADOW_MM = 7.0  # how far its shadow falls to the side, and how soft it is
SIZE_PX = (960, 720)
FPS = 10.0
RESTS_S = 2.5  # how long a hand lies motionless: less than the eight seconds after which it is an object
LEAVES_S = 1.6  # how long the table is watched after a hand has left
COINS = 8
SKINS = {"as filmed": (1.0, 1.0), "dark": (1.6, 0.75), "pale": (0.75, 1.05)}  # exponent and gain of a tone curve
SLEEVES = {
    "bare arm": None,
    "dark": (48, 40, 38),
    "grey": (128, 126, 124),
    "white": (225, 228, 230),
    "red": (50, 50, 170),
}


@dataclass(frozen=True)
class Hand:
    """A hand that reaches in from the right."""

    cutout: Cutout
    tip_px: tuple[float, float]  # of the foremost finger
    mm_per_px: float


def load(folder: Path) -> tuple[list[Hand], list[Hand]]:
    """All whole hands of `folder`, and those with a single stretched finger, cut from hands that stretch two."""
    whole, fingers = [], []
    for path in sorted(folder.glob("*.png")):
        cutout = np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), np.uint8)
        inscribed = cv2.distanceTransform(np.where(cutout[..., 3] > 127, 255, 0).astype(np.uint8), cv2.DIST_L2, 5)
        mm_per_px = PALM_MM / (2 * float(inscribed.max()))
        whole.append(_hand(cutout, mm_per_px))
        finger = one_finger(cutout)
        if finger is not None:
            fingers.append(_hand(finger, mm_per_px))
    return whole, fingers


def one_finger(cutout: Cutout) -> Cutout | None:
    """The hand with its lower finger cut off; None where it does not stretch exactly two fingers, well apart."""
    opaque = cutout[..., 3] > 127
    gaps: dict[int, float] = {}
    for column in range(opaque.shape[1]):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], opaque[:, column].astype(np.int8), [0]))))
        if len(edges) > 4:
            return None
        if len(edges) == 4 and edges[2] - edges[1] >= 8 and min(edges[1] - edges[0], edges[3] - edges[2]) >= 6:
            gaps[column] = (edges[1] + edges[2]) / 2
    if len(gaps) < 35:
        return None
    columns = np.array(sorted(gaps))
    slope, start = np.polyfit(columns, [gaps[c] for c in columns], 1)
    y, x = np.mgrid[: opaque.shape[0], : opaque.shape[1]]
    cut = cutout.copy()
    cut[(x <= columns[-1]) & (y > start + slope * x), 3] = 0
    return cut


def _hand(cutout: Cutout, mm_per_px: float) -> Hand:
    rows, columns = np.nonzero(cutout[..., 3] > 127)
    first = columns.min()
    return Hand(cutout, (float(first), float(rows[columns <= first + 3].mean())), mm_per_px)


def dressed(hand: Hand, skin: str, sleeve: str) -> Hand:
    """The hand with another skin, and an arm behind it in `sleeve`."""
    exponent, gain = SKINS[skin]
    curve = np.clip(255 * gain * (np.arange(256) / 255) ** exponent, 0, 255).astype(np.uint8)
    cutout = hand.cutout.copy()
    cutout[..., :3] = cv2.LUT(cutout[..., :3], curve)
    arm = np.repeat(cutout[:, -1:], ARM_PX, axis=1)
    cloth = SLEEVES[sleeve]
    if cloth is not None:
        folds = 1 + 0.08 * np.sin(np.arange(ARM_PX) / 9.0)[None, :, None]
        arm[..., :3] = np.clip(np.array(cloth) * folds, 0, 255).astype(np.uint8)
    return replace(hand, cutout=np.hstack((cutout, arm)))


def over(image: Image, hand: Hand, view: View, tip_mm: tuple[float, float], towards_rad: float) -> Image:
    """The picture with the hand over the table, its fingertip at `tip_mm`, pointing `towards_rad` on the mat."""
    turn = towards_rad - math.pi  # the picture's hand points left
    cos, sin = hand.mm_per_px * math.cos(turn), hand.mm_per_px * math.sin(turn)
    tip = np.array(hand.tip_px)
    corners = tip + np.array([(0, 0), (100, 0), (0, 100)], float)
    places = np.array(tip_mm) + (corners - tip) @ np.array([[cos, sin], [-sin, cos]])
    pixels = np.asarray(view.to_px(places), np.float32)
    motion = cv2.getAffineTransform(corners.astype(np.float32), pixels)
    size = (image.shape[1], image.shape[0])
    laid = cv2.warpAffine(hand.cutout, motion, size, flags=cv2.INTER_LINEAR)
    alpha = cv2.GaussianBlur(np.asarray(laid[..., 3], np.float32), (0, 0), 0.8) / 255
    px_per_mm = float(np.linalg.norm(pixels[1] - pixels[0])) / (100 * hand.mm_per_px)
    aside = SHADOW_MM * px_per_mm
    away = np.array([[1, 0, 0.7 * aside], [0, 1, 0.7 * aside]], np.float32)
    shade = cv2.blur(cv2.warpAffine(alpha, away, size), (max(1, round(aside)),) * 2)
    lit = image * (1 - SHADOW * shade[..., None])
    return np.asarray(lit * (1 - alpha[..., None]) + laid[..., :3] * alpha[..., None] + 0.5, np.uint8)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one hand over the table."""

    kind: str
    number: int
    under: int  # sightings while it lay over the mat
    wrong: int  # of these, with a coin not seen, or taken for another
    seen: bool  # whether the table it left was seen, with the right number of coins
    after_s: float  # from the last frame with the hand in it until that sighting
    wearing: str


KINDS = (
    "finger over a coin at the rim",
    "finger beside a coin at the rim",
    "finger anywhere",
    "hand anywhere",
    "removal",
)
_TABLES = 10  # trials at each table, before another is laid


def trials(folder: Path, count: int, seed: int, kinds: Sequence[str] = KINDS) -> Iterator[Trial]:
    """Play `count` trials, the kinds in turn, through the real reader and settler."""
    whole, fingers = load(folder)
    rng = np.random.default_rng(seed)
    names = [name for name in mats.names() if not name.startswith("coin-age")]
    stage: _Stage | None = None
    for number in range(count):
        if number % _TABLES == 0:
            stage = _Stage(mats.load(names[int(rng.integers(len(names)))]), rng)
        assert stage is not None
        kind = kinds[number % len(kinds)]
        some = whole if kind == "hand anywhere" or (kind == "removal" and rng.random() < 0.5) else fingers
        skin, sleeve = str(rng.choice(list(SKINS))), str(rng.choice(list(SLEEVES)))
        hand = dressed(some[int(rng.integers(len(some)))], skin, sleeve)
        yield stage.play(kind, number, hand, f"{skin}, {sleeve}")


class _Stage:
    """One table, its camera, reader and settler; the trials follow one another on it."""

    def __init__(self, mat: Mat, rng: np.random.Generator) -> None:
        self._mat, self._rng = mat, rng
        view = View.over(
            mat, size_px=SIZE_PX, tilt_deg=float(rng.uniform(0, 6)), towards_deg=float(rng.uniform(0, 360))
        )
        light = Light(noise=0.0, brightness=float(rng.uniform(0.75, 1.0)), warmth=float(rng.uniform(-0.1, 0.12)))
        self._renderer = Renderer(mat, view, light, seed=int(rng.integers(1 << 30)))
        self._grain = Grain(SIZE_PX, WEBCAM_NOISE, int(rng.integers(1 << 30)))
        self._reader = Reader(mat.name)
        self._settler = Settler(self._reader.read, areas=lambda _: Areas.over(self._reader.plane))
        self._coins = scattered(mat, Skin(), rng, COINS)
        for _ in range(2):
            self._coins = (*self._coins, at_rim(mat, self._coins, rng))
        self._number = 0
        self._film(self._picture(), 2.0)

    def play(self, kind: str, number: int, hand: Hand, wearing: str) -> Trial:
        """A hand comes, lies motionless, and goes; in a removal it takes the coin along, and another is laid then."""
        at_the_rim = "rim" in kind or (kind == "removal" and self._rng.random() < 0.5)
        aim = len(self._coins) - 1 if at_the_rim else int(self._rng.integers(len(self._coins) - 1))
        coin = self._coins[aim]
        inward = _inward(self._mat, coin)
        towards = inward + float(self._rng.uniform(-0.5, 0.5))
        ahead = np.array((math.cos(towards), math.sin(towards)))
        place = np.array((coin.x_mm, coin.y_mm))
        if "beside" in kind:
            place = place + (coin.denomination.diameter_mm / 2 + 9) * np.array((-ahead[1], ahead[0]))
        place = place + float(self._rng.uniform(2, 12)) * ahead
        before = self._coins
        looks: list[Look] = []
        taken = False
        path = [-90.0, -60.0, -30.0, 0.0, 0.0, -30.0, -60.0, -90.0]
        for step, back in enumerate(path):
            if kind == "removal" and step == 4:
                self._coins, taken = self._coins[:aim] + self._coins[aim + 1 :], True
            at = place + back * ahead
            image = over(self._picture(), hand, self._renderer.view, (float(at[0]), float(at[1])), towards)
            looks += self._film(image, RESTS_S if step == 3 else 1 / FPS)
        after = self._film(self._picture(), LEAVES_S)
        under = [look.sighting.reading for look in looks if look.sighting]
        right = (n for n, look in enumerate(after, 1) if look.sighting and self._all_there(look.sighting.reading))
        after_s = next(right, math.inf) / FPS
        if taken:
            self._coins = (*self._coins, at_rim(self._mat, self._coins, self._rng))
            self._film(self._picture(), 1.5)
        wrong = sum(not _all_seen(before, reading) for reading in under)
        return Trial(kind, number, len(under), wrong, after_s < math.inf, after_s, wearing)

    def _all_there(self, reading: Reading) -> bool:
        return len(reading.coins) == len(self._coins)

    def _picture(self) -> Image:
        return self._renderer.picture(Scene(coins=self._coins))

    def _film(self, image: Image, seconds: float) -> list[Look]:
        looks = []
        for _ in range(round(seconds * FPS)):
            self._number += 1
            looks.append(self._settler.see(Frame(self._grain.on(image), self._number, self._number / FPS)))
        return looks


def _all_seen(coins: Sequence[VirtualCoin], reading: Reading) -> bool:
    """Whether every coin is seen in its place, as what it is."""
    seen = [(coin.place_mm, coin.coin) for coin in reading.coins if coin.place_mm]
    return all(
        any(math.dist(at, (coin.x_mm, coin.y_mm)) < 2 and what is coin.coin for at, what in seen) for coin in coins
    )


def at_rim(mat: Mat, others: Sequence[VirtualCoin], rng: np.random.Generator) -> VirtualCoin:
    """A coin near the mat's rim, clear of markers and other coins."""
    while True:
        kind = BY_VALUE[int(rng.integers(4))]
        far = float(rng.uniform(kind.diameter_mm / 2 + 1, 28))
        along_x = rng.random() < 0.5
        across = float(rng.uniform(25, (mat.width_mm if along_x else mat.height_mm) - 25))
        down = far if rng.random() < 0.5 else (mat.height_mm if along_x else mat.width_mm) - far
        x, y = (across, down) if along_x else (down, across)
        coin = VirtualCoin(kind, list(Face)[int(rng.integers(2))], x, y, float(rng.uniform(0, 360)))
        if lies_alone(mat, coin, others):
            return coin


def _inward(mat: Mat, coin: VirtualCoin) -> float:
    """The direction from the nearest rim of the mat over the coin, in radians."""
    ways = {
        coin.x_mm: 0.0,
        mat.width_mm - coin.x_mm: math.pi,
        coin.y_mm: math.pi / 2,
        mat.height_mm - coin.y_mm: -math.pi / 2,
    }
    return ways[min(ways)]
