"""Random virtual cameras over a mat: the errors of the plane and of measured diameters.

Each camera stands 300 to 700 mm away, is tilted by up to 25 degrees, has a lens with distortion k1 down to -0.25, its
own light, colour, noise and blur, and sees eight coins of known place and size. The plane's error is measured on a grid
over the whole mat. A coin's error is that of the diameter that finder and refiner measure; no network is used.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE, BY_VALUE, Face
from tablecoin.mat import Mat
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins import find
from tablecoin.vision.coins.candidates import diameters_mm
from tablecoin.vision.coins.propose import SLACK
from tablecoin.vision.coins.refine import refine
from tablecoin.vision.frame import Image
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.plane import Plane

SIZES_PX = ((1456, 1088), (1280, 960), (1920, 1080))
GOOD_MM = 0.35  # a diameter measured this closely tells a penny from a dime, 1.1 mm apart
_NEAR_MM = 5.0  # a circle at most this far from a coin's true place is matched with it


@dataclass(frozen=True)
class Measured:
    """One camera and its errors, in mm."""

    view: View
    plane_median_mm: float
    plane_worst_mm: float
    diameters_off_mm: tuple[tuple[str, float], ...]  # (denomination, signed error) of the coins found
    missed: int


def measure(count: int, seed: int, mat: Mat | None = None) -> Iterator[Measured | None]:
    """Measure `count` cameras, the same ones for the same seed; None for a camera that did not find the mat."""
    chance = random.Random(seed)
    table = mat or mats.load("two-row")
    for number in range(count):
        view, light = _camera(table, chance)
        coins = tuple(_coins(chance))
        image = Renderer(table, view, light, seed=number).picture(Scene(coins))
        plane = find_plane(image, [table])
        yield _held_against(view, coins, image, plane) if plane else None


def _camera(table: Mat, chance: random.Random) -> tuple[View, Light]:
    view = View.over(
        table,
        size_px=chance.choice(SIZES_PX),
        distance_mm=chance.uniform(300, 700),
        tilt_deg=chance.uniform(0, 25),
        towards_deg=chance.uniform(0, 360),
        roll_deg=chance.uniform(-5, 5),
        k1=chance.uniform(-0.25, 0.0),
    )
    light = Light(
        brightness=chance.uniform(0.45, 1.0),
        falloff=chance.uniform(0.0, 0.2),
        warmth=chance.uniform(-0.1, 0.1),
        noise=chance.uniform(1.0, 4.0),
        blur_px=chance.uniform(0.4, 1.2),
    )
    return view, light


def _coins(chance: random.Random) -> Iterator[VirtualCoin]:
    """Two of each kind, one in each of eight places along the two rows."""
    places = [(x, y) for y in (50.0, 248.0) for x in (75.0, 165.0, 255.0, 345.0)]
    chance.shuffle(places)
    for (x, y), kind in zip(places, (*BY_VALUE, *BY_VALUE), strict=True):
        at = x + chance.uniform(-15, 15), y + chance.uniform(-15, 15)
        yield VirtualCoin(kind, chance.choice(tuple(Face)), *at, chance.uniform(0, 360), chance.randrange(4))


def _held_against(view: View, coins: tuple[VirtualCoin, ...], image: Image, plane: Plane) -> Measured:
    grid = np.meshgrid(np.linspace(0, plane.mat.width_mm, 15), np.linspace(0, plane.mat.height_mm, 11))
    spots = np.stack(grid, axis=-1).reshape(-1, 2)
    off = np.linalg.norm(plane.to_mm(view.to_px(spots)) - spots, axis=1)
    small, large = BY_SIZE[0].diameter_mm / 2, BY_SIZE[-1].diameter_mm / 2
    discs = refine(image, find.find_on(image, plane, (small / SLACK, large * SLACK)), plane)
    places = plane.to_mm([(disc.x_px, disc.y_px) for disc in discs]) if discs else np.empty((0, 2))
    diameters = diameters_mm(plane, discs)
    errors, missed = [], 0
    for coin in coins:
        apart = np.hypot(*(places - (coin.x_mm, coin.y_mm)).T) if len(places) else np.empty(0)
        near = np.flatnonzero(apart < _NEAR_MM)
        if not near.size:
            missed += 1
            continue
        true_mm = coin.denomination.diameter_mm
        best = min(near, key=lambda k: abs(float(diameters[k]) - true_mm))  # the network would refuse inner rings
        errors.append((str(coin.denomination), float(diameters[best]) - true_mm))
    return Measured(view, float(np.median(off)), float(off.max()), tuple(errors), missed)


def report(found: Sequence[Measured], count: int) -> Iterator[str]:
    """The figures of `count` cameras, of which `found` saw the mat, a line each."""
    yield f"{len(found)} of {count} cameras found the mat"
    if not found:
        return
    medians, worst = [m.plane_median_mm for m in found], [m.plane_worst_mm for m in found]
    signed = [(kind, error) for m in found for kind, error in m.diameters_off_mm]
    off = np.abs([error for _, error in signed])
    yield f"plane: median {np.median(medians):.3f} mm over the mat and all cameras"
    spread = f"median {np.median(worst):.2f}, 99 % {np.percentile(worst, 99):.2f}, worst {max(worst):.2f} mm"
    yield f"plane, worst spot of a mat: {spread}"
    spread = f"median {np.median(off):.2f}, 95 % {np.percentile(off, 95):.2f} mm"
    yield f"diameters: {off.size} coins, {sum(m.missed for m in found)} missed; {spread} off"
    for kind in BY_VALUE:
        errors = [error for name, error in signed if name == kind]
        if errors:
            within = 100 * np.mean(np.abs(errors) <= GOOD_MM)
            yield f"  {kind}: {np.median(errors):+.2f} mm, {within:.0f} % within {GOOD_MM} mm"
    yield f"diameters within {GOOD_MM} mm: {100 * np.mean(off <= GOOD_MM):.1f} %"
