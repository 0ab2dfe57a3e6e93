"""The virtual coins' faces, drawn by this project: portraits on the heads, buildings, plants and birds on the tails.

Every design is a function that presses its picture into a Relief. None copies a coin of the Mint; each has what tells
the side to people: a head in profile with letters around it, or something else with the value below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import Denomination, Face
from tablecoin.virtual.relief import SIZE_PX, Heights, Relief, cast, curve, mirrored, worn

Design = Callable[[Relief], None]

_METAL_BGR: dict[Denomination, tuple[float, float, float]] = {
    Denomination.PENNY: (84, 116, 182),
    Denomination.NICKEL: (158, 167, 174),
    Denomination.DIME: (184, 188, 190),
    Denomination.QUARTER: (174, 179, 182),
}
_REEDED = {Denomination.DIME: 118, Denomination.QUARTER: 119}  # grooves round the edge, as on the real ones


def designs(denomination: Denomination, face: Face) -> int:
    """How many designs there are of this side; `draw_coin` counts them from 0."""
    return len(_DESIGNS[denomination, face])


@lru_cache(maxsize=64)  # a table full of coins; one holds up to 38 kB
def draw_coin(
    denomination: Denomination, face: Face, design: int, size_px: int, turned_deg: float = 0.0
) -> NDArray[np.uint8]:
    """The coin from straight above, (size_px, size_px, 4) uint8 BGRA, read-only; alpha 0 outside its edge.

    The disc fills the picture. `turned_deg` turns the coin clockwise while the lamp stays up and to the left.
    Raises IndexError: no such design.
    """
    if not 0 <= design < designs(denomination, face):
        raise IndexError(f"the {denomination} has {designs(denomination, face)} {face} designs, not number {design}")
    picture = cast(_struck(denomination, face, design), _METAL_BGR[denomination], turned_deg)
    whole = cv2.merge((*cv2.split(picture), _edge(denomination, turned_deg if denomination in _REEDED else 0.0)))
    shrink = size_px < SIZE_PX
    way = cv2.INTER_AREA if shrink else cv2.INTER_CUBIC
    coin: NDArray[np.uint8] = np.asarray(cv2.resize(whole, (size_px, size_px), interpolation=way), np.uint8)
    coin.setflags(write=False)
    return coin


@lru_cache(maxsize=64)
def _struck(denomination: Denomination, face: Face, design: int) -> Heights:
    relief = Relief()
    _DESIGNS[denomination, face][design](relief)
    relief.ring(0.945, 0.995, 0.09)
    return worn(relief.heights, 1000 * denomination.cents + 10 * design + (face is Face.TAILS))


def _edge(denomination: Denomination, turned_deg: float) -> NDArray[np.uint8]:
    """The coin's outline as alpha; a reeded edge is finely notched."""
    radius, around = _places()
    reeds = _REEDED.get(denomination, 0)
    limit = 1 - (0.006 * (1 + np.cos(reeds * (around - np.float32(np.radians(turned_deg))))) if reeds else 0)
    return np.asarray(255 * np.clip((limit - radius) * (SIZE_PX / 2) + 0.5, 0, 1), np.uint8)


@lru_cache(maxsize=1)
def _places() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How far each pixel of the coin lies from its middle, in radii, and in which direction."""
    axis = (np.arange(SIZE_PX, dtype=np.float32) + 0.5) * (2 / SIZE_PX) - 1
    return np.hypot(axis[:, None], axis[None, :]), np.arctan2(axis[:, None], axis[None, :])


# -- heads: people in profile looking left; `mirrored` lets them look right ----------------------

_FACE = [
    (0.05, -0.62), (-0.14, -0.58), (-0.27, -0.46), (-0.315, -0.32), (-0.33, -0.20), (-0.30, -0.15), (-0.35, -0.06),
    (-0.43, 0.035), (-0.40, 0.075), (-0.32, 0.085), (-0.325, 0.125), (-0.365, 0.165), (-0.315, 0.20), (-0.35, 0.245),
    (-0.305, 0.28), (-0.34, 0.35), (-0.29, 0.42), (-0.19, 0.42), (-0.07, 0.35),
]  # fmt: skip
_SHORT_NECK = [(-0.05, 0.47), (-0.10, 0.62), (0.02, 0.72), (0.22, 0.66), (0.33, 0.54), (0.26, 0.42)]
_SHOULDERS = [(-0.07, 0.48), (-0.24, 0.60), (-0.34, 0.72), (-0.05, 0.80), (0.25, 0.77), (0.47, 0.62), (0.28, 0.44)]
_SKULL = [(0.28, 0.24), (0.38, 0.04), (0.41, -0.18), (0.36, -0.42), (0.22, -0.58)]
_HAIR = [
    (0.06, -0.66), (-0.16, -0.61), (-0.27, -0.49), (-0.20, -0.40), (-0.10, -0.36), (-0.06, -0.22), (0.00, -0.16),
    (0.03, -0.02), (0.10, 0.06), (0.15, 0.20), (0.27, 0.28), (0.37, 0.10), (0.44, -0.12), (0.42, -0.38), (0.26, -0.60),
]  # fmt: skip


def _left(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Scale the head's drawing units to the coin: a little larger and centred."""
    return [(1.1 * x, 1.1 * y + 0.01) for x, y in points]


def _right(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return mirrored(_left(points))


Turn = Callable[[list[tuple[float, float]]], list[tuple[float, float]]]


def _portrait(relief: Relief, neck: list[tuple[float, float]], turn: Turn) -> None:
    """The head, its hair, eye, ear and mouth. `turn` lets it look the other way."""
    relief.fill(turn(curve(_FACE + neck + _SKULL)), 0.13, 0.30)
    relief.line(turn(curve([(-0.30, -0.175), (-0.23, -0.215), (-0.15, -0.205)], closed=False)), 0.03, 0.02)  # brow
    relief.line(turn([(-0.26, -0.115), (-0.21, -0.135), (-0.17, -0.10)]), 0.03, -0.045)  # eye
    relief.line(turn([(-0.315, 0.20), (-0.25, 0.195), (-0.225, 0.185)]), 0.02, -0.035)  # mouth
    relief.line(turn([(-0.32, 0.075), (-0.29, 0.04), (-0.305, 0.01)]), 0.022, -0.03)  # nostril
    relief.line(turn(curve([(-0.19, 0.40), (-0.04, 0.32), (0.05, 0.20), (0.07, 0.08)], closed=False)), 0.025, -0.025)
    relief.fill(turn(curve([(0.02, -0.06), (0.09, -0.10), (0.12, -0.02), (0.07, 0.10), (0.03, 0.08)])), 0.035, 0.05)


def _locks(relief: Relief, turn: Turn, wave: float) -> None:
    """Hair: a cap over the skull, combed back in strands that wave more or less."""
    relief.fill(turn(curve(_HAIR)), 0.045, 0.10)
    for strand in range(7):
        t = strand / 6
        path = [(-0.20 + 0.16 * t, -0.54 + 0.16 * t), (0.04 + 0.06 * t, -0.58 + 0.26 * t),
                (0.26 - 0.02 * t, -0.40 + 0.26 * t + wave), (0.34 - 0.10 * t, -0.12 + 0.22 * t - wave)]  # fmt: skip
        relief.line(turn(curve(path, closed=False)), 0.022, -0.032)


def _bearded(relief: Relief) -> None:
    """A bearded man looking right."""
    _portrait(relief, _SHOULDERS, _right)
    _locks(relief, _right, 0.05)
    beard = [(0.04, 0.02), (-0.02, 0.16), (-0.16, 0.24), (-0.26, 0.27), (-0.36, 0.30), (-0.38, 0.42), (-0.30, 0.52),
             (-0.16, 0.50), (-0.02, 0.40), (0.09, 0.22), (0.10, 0.06)]  # fmt: skip
    relief.fill(_right(curve(beard)), 0.05, 0.08)
    for t in (0.0, 0.25, 0.5, 0.75, 1.0):
        relief.line(_right([(-0.31 + 0.32 * t, 0.31 - 0.20 * t), (-0.29 + 0.30 * t, 0.46 - 0.12 * t)]), 0.02, -0.03)
    relief.line(_right(curve([(-0.22, 0.60), (0.02, 0.62), (0.16, 0.76)], closed=False)), 0.03, -0.05)  # lapel
    relief.text("TABLECOIN", 0.845, -90, 0.13)
    relief.text("FAIR", 0.845, 168, 0.11)
    relief.text("2026", 0.78, 32, 0.11)


def _tied_hair(relief: Relief) -> None:
    """A man of an older century looking left, his hair tied behind."""
    _portrait(relief, _SHOULDERS, _left)
    _locks(relief, _left, 0.02)
    queue = [(0.36, 0.08), (0.46, 0.22), (0.47, 0.44), (0.40, 0.56), (0.32, 0.44), (0.29, 0.22)]
    relief.fill(_left(curve(queue)), 0.07, 0.08)
    relief.line(_left([(0.29, 0.23), (0.47, 0.21)]), 0.045, 0.04)
    for x in (0.34, 0.40):
        relief.line(_left(curve([(x, 0.27), (x + 0.02, 0.40), (x, 0.52)], closed=False)), 0.02, -0.035)
    relief.line(_left(curve([(-0.10, 0.55), (0.08, 0.60), (0.30, 0.52)], closed=False)), 0.035, -0.05)  # collar
    relief.text("FAIR PLAY", 0.845, 180, 0.12)
    relief.text("2026", 0.845, 15, 0.12)


def _statesman(relief: Relief) -> None:
    """A man with short hair looking left, cut off at the neck."""
    _portrait(relief, _SHORT_NECK, _left)
    _locks(relief, _left, -0.03)
    relief.line(_left([(-0.04, 0.46), (0.08, 0.58), (0.10, 0.68)]), 0.022, -0.025)
    relief.text("TABLECOIN", 0.845, -172, 0.14)
    relief.text("2026", 0.78, 38, 0.13)


def _general(relief: Relief) -> None:
    """A man looking left with curls over the ear and a ribbon behind."""
    _portrait(relief, _SHORT_NECK, _left)
    _locks(relief, _left, 0.03)
    for y in (-0.06, 0.06, 0.18):
        relief.fill(
            _left(curve([(0.06, y - 0.07), (0.26, y - 0.08), (0.33, y), (0.26, y + 0.06), (0.06, y + 0.05)])),
            0.05,
            0.05,
        )
    relief.fill(_left(curve([(0.28, 0.20), (0.46, 0.34), (0.50, 0.52), (0.38, 0.50), (0.26, 0.32)])), 0.06, 0.07)
    relief.line(_left([(0.26, 0.26), (0.36, 0.20)]), 0.05, 0.04)
    relief.text("TABLECOIN", 0.845, -90, 0.14)
    relief.text("TRUE", 0.845, 172, 0.11)
    relief.text("2026", 0.845, 90, 0.12)


def _lady(relief: Relief) -> None:
    """A woman looking right, crowned with leaves."""
    _portrait(relief, _SHORT_NECK, _right)
    _locks(relief, _right, 0.06)
    relief.fill(_right(curve([(0.30, -0.10), (0.48, -0.04), (0.52, 0.14), (0.40, 0.22), (0.28, 0.12)])), 0.07, 0.10)
    for x, y, angle in (
        (0.24, -0.36, -65),
        (0.13, -0.48, -40),
        (-0.01, -0.55, -20),
        (-0.15, -0.55, 5),
        (0.31, -0.22, -85),
    ):
        relief.leaf(1.1 * x, 1.1 * y + 0.01, angle, 0.24, 0.06)
    relief.text("FAIR PLAY", 0.845, -90, 0.13)
    relief.text("2026", 0.845, 90, 0.12)


# -- tails ------------------------------------------------------------------------------------------------------------


def _value(relief: Relief, words: str) -> None:
    relief.text("TABLECOIN", 0.845, -90, 0.13)
    relief.text(words, 0.845, 90, 0.13)


def _words(relief: Relief, *rows: str) -> None:
    for row, word in enumerate(rows):
        for place, letter in enumerate(word):
            relief.letter(letter, 0.22 * (place - (len(word) - 1) / 2), -0.14 + 0.32 * row, 0.2, 0, 0.07)


def _block(relief: Relief, x0: float, y0: float, x1: float, y1: float, height: float = 0.05) -> None:
    relief.fill([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], height, 0.03)


def _colonnade(relief: Relief) -> None:
    """A long memorial hall with columns."""
    _block(relief, -0.70, 0.26, 0.70, 0.36)
    _block(relief, -0.64, 0.19, 0.64, 0.26, 0.04)
    _block(relief, -0.62, -0.24, 0.62, -0.13, 0.07)
    _block(relief, -0.46, -0.36, 0.46, -0.24, 0.05)
    for x in np.linspace(-0.57, 0.57, 10):
        _block(relief, x - 0.033, -0.13, x + 0.033, 0.19, 0.08)
    _value(relief, "ONE CENT")


def _shield(relief: Relief) -> None:
    """A striped shield behind a scroll."""
    relief.fill(
        curve([(-0.40, -0.48), (0.40, -0.48), (0.44, -0.1), (0.36, 0.26), (0.0, 0.58), (-0.36, 0.26), (-0.44, -0.1)]),
        0.05,
    )
    for x in np.linspace(-0.30, 0.30, 7):
        relief.line([(x, -0.24), (x, 0.46 - abs(x))], 0.04, 0.05)
    relief.line([(-0.42, -0.27), (0.42, -0.27)], 0.03, -0.05)
    _block(relief, -0.62, -0.07, 0.62, 0.13, 0.10)
    for place, letter in enumerate("ONE CENT"):
        relief.letter(letter, -0.49 + 0.14 * place, 0.03, 0.13, 0, 0.07)
    relief.text("TABLECOIN", 0.845, -90, 0.14)


def _ears(relief: Relief) -> None:
    """Two ears of wheat round the value."""
    for side in (-1, 1):
        for around in np.linspace(75, -35, 9):
            x, y = 0.70 * np.cos(np.radians(around)), 0.70 * np.sin(np.radians(around))
            for lean in (-24, 24):
                ahead = around - 90 + lean
                relief.leaf(side * x, y, ahead if side > 0 else 180 - ahead, 0.20, 0.07)
    _words(relief, "ONE", "CENT")


def _villa(relief: Relief) -> None:
    """A country house with a dome and a porch."""
    dome = [(0.30 * np.cos(t), -0.20 + 0.26 * np.sin(t)) for t in np.linspace(np.pi, 2 * np.pi, 24)]
    relief.fill(dome, 0.08, 0.2)
    _block(relief, -0.66, -0.12, 0.66, 0.26, 0.035)
    _block(relief, -0.34, -0.22, 0.34, -0.14, 0.05)
    relief.fill([(-0.30, -0.06), (0.0, -0.22), (0.30, -0.06)], 0.06, 0.06)
    for x in np.linspace(-0.24, 0.24, 4):
        _block(relief, x - 0.03, -0.05, x + 0.03, 0.26, 0.07)
    for x in (-0.56, -0.42, 0.42, 0.56):
        _block(relief, x - 0.04, 0.0, x + 0.04, 0.14, -0.05)
    _block(relief, -0.72, 0.26, 0.72, 0.34, 0.05)
    _value(relief, "FIVE CENTS")


def _ship(relief: Relief) -> None:
    """A sailing ship on waves before a low sun."""
    relief.disc(0.38, -0.26, 0.15, 0.03)
    relief.fill(curve([(-0.46, 0.18), (0.50, 0.14), (0.38, 0.36), (-0.32, 0.38)]), 0.08)
    for x, top in ((-0.24, -0.40), (0.06, -0.54), (0.30, -0.34)):
        relief.line([(x, 0.18), (x, top)], 0.025, 0.05)
        for y in np.arange(top + 0.06, 0.02, 0.20):
            relief.fill(
                curve([(x - 0.13, y), (x + 0.12, y), (x + 0.17, y + 0.09), (x + 0.12, y + 0.16), (x - 0.13, y + 0.16)]),
                0.06,
            )
    for y in (0.42, 0.50):
        wave = [(x, y + 0.025 * np.sin(16 * x + 20 * y)) for x in np.linspace(-0.6, 0.6, 40)]
        relief.line(wave, 0.03, 0.04)
    _value(relief, "FIVE CENTS")


def _torch(relief: Relief) -> None:
    """A burning torch between two twigs."""
    relief.fill([(-0.09, -0.16), (0.09, -0.16), (0.05, 0.58), (-0.05, 0.58)], 0.08)
    relief.line([(-0.11, -0.14), (0.11, -0.14)], 0.05, 0.04)
    relief.line([(-0.08, 0.04), (0.08, 0.04)], 0.03, -0.04)
    relief.fill(
        curve([(0.0, -0.60), (0.12, -0.36), (0.10, -0.20), (-0.10, -0.20), (-0.13, -0.36), (-0.04, -0.42)]), 0.09
    )
    for side in (-1, 1):
        relief.line(curve([(side * 0.16, 0.52), (side * 0.36, 0.10), (side * 0.40, -0.34)], closed=False), 0.025, 0.05)
        for y, reach in ((0.34, 0.22), (0.16, 0.27), (-0.02, 0.32), (-0.20, 0.35)):
            relief.leaf(side * reach, y, 90 - side * 130, 0.22, 0.06)
            relief.leaf(side * reach, y, 90 - side * 40 - 90, 0.20, 0.06)
    _value(relief, "ONE DIME")


def _wreath(relief: Relief) -> None:
    """A wreath of broad leaves, and the value within it."""
    for side in (-1, 1):
        for around in np.linspace(80, -60, 8):
            x, y = 0.68 * np.cos(np.radians(around)), 0.68 * np.sin(np.radians(around))
            for lean in (-34, 34):
                ahead = around - 90 + lean
                relief.leaf(side * x, y, ahead if side > 0 else 180 - ahead, 0.27, 0.07)
    _words(relief, "ONE", "DIME")


def _eagle(relief: Relief) -> None:
    """An eagle, wings spread, on a bundle of branches."""
    relief.fill(curve([(-0.10, -0.34), (0.10, -0.34), (0.16, 0.0), (0.10, 0.26), (-0.10, 0.26), (-0.16, 0.0)]), 0.09)
    relief.fill(
        curve([(-0.08, -0.36), (-0.06, -0.50), (0.06, -0.52), (0.12, -0.44), (0.22, -0.40), (0.10, -0.34)]), 0.08
    )
    for side in (-1, 1):
        wing = [
            (side * x, y)
            for x, y in (
                (0.10, -0.26),
                (0.36, -0.46),
                (0.62, -0.44),
                (0.66, -0.10),
                (0.56, 0.24),
                (0.36, 0.16),
                (0.14, 0.06),
            )
        ]
        relief.fill(curve(wing), 0.06)
        for t in np.linspace(0, 1, 7):
            relief.line(
                [(side * (0.20 + 0.38 * t), -0.20 - 0.10 * t), (side * (0.20 + 0.40 * t), 0.10 + 0.10 * t)],
                0.022,
                -0.045,
            )
    for y in (0.36, 0.42):
        relief.line(curve([(-0.52, y - 0.08), (0.0, y), (0.52, y - 0.08)], closed=False), 0.035, 0.06)
    for x in (-0.44, -0.28, 0.28, 0.44):
        relief.leaf(x, 0.36, 90 - 60 * np.sign(x), 0.18, 0.05)
    _value(relief, "QUARTER")


def _valley(relief: Relief) -> None:
    """Mountains over a lake, and a fir tree."""
    relief.fill(
        [(-0.74, 0.16), (-0.40, -0.36), (-0.20, -0.10), (0.10, -0.52), (0.44, -0.06), (0.56, -0.18), (0.74, 0.16)],
        0.06,
        0.3,
    )
    for top, foot in (((-0.39, -0.26), (-0.46, 0.0)), ((0.11, -0.40), (0.18, 0.0)), ((0.08, -0.38), (-0.02, -0.14))):
        relief.line([top, foot], 0.025, -0.05)
    for y in (0.24, 0.34, 0.44):
        relief.line([(x, y + 0.015 * np.sin(20 * x + 9 * y)) for x in np.linspace(-0.66, 0.66, 40)], 0.025, 0.04)
    for y, half in ((-0.10, 0.10), (0.06, 0.15), (0.22, 0.20)):
        relief.fill([(-0.42 - half, y + 0.20), (-0.42, y - 0.06), (-0.42 + half, y + 0.20)], 0.06, 0.06)
    _value(relief, "QUARTER")


def _lighthouse(relief: Relief) -> None:
    """A lighthouse on a rock, its beam to both sides."""
    relief.fill([(-0.12, -0.26), (0.12, -0.26), (0.20, 0.34), (-0.20, 0.34)], 0.08)
    _block(relief, -0.15, -0.32, 0.15, -0.26, 0.09)
    relief.fill([(-0.10, -0.44), (0.0, -0.56), (0.10, -0.44), (0.10, -0.32), (-0.10, -0.32)], 0.07)
    for y in (-0.08, 0.10):
        relief.line([(-0.17, y), (0.17, y + 0.06)], 0.06, -0.05)
    for side in (-1, 1):
        relief.fill([(side * 0.13, -0.39), (side * 0.66, -0.50), (side * 0.66, -0.26)], 0.035)
    relief.fill(
        curve([(-0.64, 0.42), (-0.30, 0.28), (0.0, 0.36), (0.34, 0.28), (0.60, 0.44), (0.30, 0.56), (-0.30, 0.56)]),
        0.07,
    )
    _value(relief, "QUARTER")


_DESIGNS: dict[tuple[Denomination, Face], tuple[Design, ...]] = {
    (Denomination.PENNY, Face.HEADS): (_bearded,),
    (Denomination.PENNY, Face.TAILS): (_colonnade, _shield, _ears),
    (Denomination.NICKEL, Face.HEADS): (_tied_hair,),
    (Denomination.NICKEL, Face.TAILS): (_villa, _ship),
    (Denomination.DIME, Face.HEADS): (_statesman,),
    (Denomination.DIME, Face.TAILS): (_torch, _wreath),
    (Denomination.QUARTER, Face.HEADS): (_general, _lady),
    (Denomination.QUARTER, Face.TAILS): (_eagle, _valley, _lighthouse),
}
