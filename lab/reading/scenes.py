"""Tables laid at random on the virtual table: scattered coins, touching coins, stacks; and the cameras and lights."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination, Face
from tablecoin.mat import Circle, Mat, ZoneKind
from tablecoin.virtual.render import PX_PER_MM, Light, Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin
from tablecoin.virtual.view import View

COINS = 20  # on a table of scattered coins
GAP_MM = 1.5  # smallest distance between the rims of coins that do not touch
# Picture sizes (width, height) that just show the mat, by the radius of a penny in them.
PENNY_RADIUS_PX = {24: (1092, 816), 32: (1456, 1088), 48: (2184, 1632), 64: (2912, 2176)}
LIGHTS = {
    "plain": Light(),
    "dim": Light(brightness=0.4, noise=4.0),
    "bright": Light(brightness=1.12, falloff=0.05),
    "lamp beside": Light(brightness=1.0, falloff=0.35),
    "warm": Light(warmth=0.18, brightness=0.9),
    "cold": Light(warmth=-0.15, brightness=0.9),
    "soft": Light(blur_px=1.1),
    "blurred": Light(blur_px=1.7),
    "grainy": Light(noise=7.0, brightness=0.7),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A camera over a mat: the size of coins in its picture, its light, its renderer and the skin for it."""

    size: str  # a penny's radius, e.g. "32 px"
    light: str  # a key of LIGHTS
    renderer: Renderer
    skin: Skin


def fine_enough(skin: Skin, px_per_mm: float) -> Skin:
    """The skin without cut-outs of fewer pixels per millimetre; a side that has no finer ones keeps all of them."""
    return Skin(
        {
            (kind, face): [one for one in some if len(one) >= px_per_mm * kind.diameter_mm] or some
            for (kind, face), some in skin.cutouts.items()
        }
    )


def scattered(mat: Mat, skin: Skin, rng: np.random.Generator, count: int = COINS) -> tuple[VirtualCoin, ...]:
    """`count` coins at random places of the mat, none touching, none on the prize circle."""
    coins: list[VirtualCoin] = []
    while len(coins) < count:
        x, y = rng.uniform(14, mat.width_mm - 14), rng.uniform(14, mat.height_mm - 14)
        coin = _coin(BY_VALUE[int(rng.integers(4))], x, y, skin, rng)
        if lies_alone(mat, coin, coins):
            coins.append(coin)
    return tuple(coins)


def lies_alone(mat: Mat, coin: VirtualCoin, others: Sequence[VirtualCoin]) -> bool:
    """Whether `coin` covers no marker, lies outside the prize circle and touches none of `others`."""
    return _free(mat, coin) and all(_gap(coin, other) > GAP_MM for other in others)


def ring(mat: Mat, skin: Skin, rng: np.random.Generator) -> tuple[VirtualCoin, ...]:
    """Nine pennies in a ring, each touching the next."""
    far = Denomination.PENNY.diameter_mm / (2 * math.sin(math.pi / 9))
    return _placed(mat, rng, far + 11, [(Denomination.PENNY, far, math.tau * k / 9) for k in range(9)], skin)


def line(mat: Mat, skin: Skin, rng: np.random.Generator) -> tuple[VirtualCoin, ...]:
    """Five mixed coins in a line, each touching the next."""
    kinds = [BY_VALUE[int(rng.integers(4))] for _ in range(5)]
    at, parts = 0.0, []
    for k, kind in enumerate(kinds):
        at += (kinds[k - 1].diameter_mm + kind.diameter_mm) / 2 if k else 0.0
        parts.append((kind, at, 0.0))
    middle = at / 2
    return _placed(mat, rng, middle + 14, [(kind, far - middle, turn) for kind, far, turn in parts], skin)


def on_top(mat: Mat, skin: Skin, rng: np.random.Generator) -> tuple[VirtualCoin, ...]:
    """A dime lying wholly on a penny, on a nickel and on a quarter: lower and upper coin in turn."""
    coins: list[VirtualCoin] = []
    for k, kind in enumerate((Denomination.PENNY, Denomination.NICKEL, Denomination.QUARTER)):
        (below,) = _placed(mat, rng, 16, [(kind, 0.0, 0.0)], skin, coins[1::2])
        room, way = (kind.diameter_mm - Denomination.DIME.diameter_mm) / 2 * rng.random(), rng.uniform(0, math.tau)
        dime = _coin(Denomination.DIME, below.x_mm + room * math.cos(way), below.y_mm + room * math.sin(way), skin, rng)
        coins += [below, dime]
        assert len(coins) == 2 * k + 2
    return tuple(coins)


SHAPES = {"ring of 9 pennies": ring, "line of 5 mixed": line, "a dime on each larger coin": on_top}


def stack(area: Circle, skin: Skin, rng: np.random.Generator) -> list[VirtualCoin]:
    """The coins on a space, bottom to top: none to four, each lying wholly on the one below."""
    height = int(rng.choice(5, p=(0.35, 0.25, 0.24, 0.12, 0.04)))
    pile: list[VirtualCoin] = []
    x, y = area.center_mm
    room = area.radius_mm
    for k in sorted(rng.choice(4, height, replace=False), reverse=True):
        radius = BY_SIZE[k].diameter_mm / 2
        far, way = (room - radius) * math.sqrt(rng.random()), rng.uniform(0, math.tau)
        x, y, room = x + far * math.cos(way), y + far * math.sin(way), radius
        pile.append(_coin(BY_SIZE[k], x, y, skin, rng))
    return pile


def stages(rng: np.random.Generator, skins: Iterable[Skin], names: Sequence[str] = mats.names()) -> Iterator[Stage]:
    """Random mats and cameras, one for each of `skins`, the lights in turn.

    Canvas and cut-outs always have at least as many pixels per millimetre as the camera sees, so nothing is enlarged.
    """
    for skin, (light_name, light) in zip(skins, cycle(LIGHTS.items()), strict=False):
        mat = mats.load(names[int(rng.integers(len(names)))])
        radius = list(PENNY_RADIUS_PX)[int(rng.choice(4, p=(0.2, 0.4, 0.2, 0.2)))]
        px_per_mm = 2 * radius / Denomination.PENNY.diameter_mm
        view = View.over(
            mat,
            size_px=PENNY_RADIUS_PX[radius],
            tilt_deg=float(rng.uniform(0, 6)),
            towards_deg=float(rng.uniform(0, 360)),
            roll_deg=float(rng.uniform(-4, 4)),
        )
        seed, fine = int(rng.integers(1 << 30)), fine_enough(skin, px_per_mm)
        yield Stage(f"{radius} px", light_name, Renderer(mat, view, light, fine, seed, max(PX_PER_MM, px_per_mm)), fine)


def _coin(kind: Denomination, x_mm: float, y_mm: float, skin: Skin, rng: np.random.Generator) -> VirtualCoin:
    face = list(Face)[int(rng.integers(2))]
    return VirtualCoin(
        kind, face, float(x_mm), float(y_mm), float(rng.uniform(0, 360)), int(rng.integers(skin.designs(kind, face)))
    )


def _placed(
    mat: Mat,
    rng: np.random.Generator,
    reach_mm: float,
    parts: Sequence[tuple[Denomination, float, float]],
    skin: Skin,
    beside: Sequence[VirtualCoin] = (),
) -> tuple[VirtualCoin, ...]:
    """Coins at polar places (kind, mm, radians) round a random point, at a random turn, 9 mm or more from `beside`."""
    while True:
        x, y = (rng.uniform(reach_mm, side - reach_mm) for side in (mat.width_mm, mat.height_mm))
        turn = rng.uniform(0, math.tau)
        coins = [
            _coin(kind, x + far * math.cos(turn + angle), y + far * math.sin(turn + angle), skin, rng)
            for kind, far, angle in parts
        ]
        if all(_free(mat, coin) for coin in coins) and all(_gap(c, other) > 9 for c in coins for other in beside):
            return tuple(coins)


def _free(mat: Mat, coin: VirtualCoin) -> bool:
    """Whether the coin covers no marker and lies outside the prize circle, where the reader ignores coins."""
    r = coin.denomination.diameter_mm / 2
    if any(max(abs(coin.x_mm - m.x_mm), abs(coin.y_mm - m.y_mm)) < m.size_mm * 0.65 + r for m in mat.markers):
        return False
    return mat.kind_at(coin.x_mm, coin.y_mm) is not ZoneKind.PRIZE


def _gap(a: VirtualCoin, b: VirtualCoin) -> float:
    """Distance between the rims of two coins in mm; negative where they overlap."""
    apart = math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)
    return apart - (a.denomination.diameter_mm + b.denomination.diameter_mm) / 2
