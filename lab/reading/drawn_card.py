"""A map card as drawn by hand, a photo of it, and the lesson that teaches it: for tests and measures."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.teach.lesson import Lesson, Region, Space
from tablecoin.vision.frame import Image

Array = NDArray[np.float64]

SIZE_MM = (220.0, 150.0)
PX_PER_MM = 6.0
REGIONS = {"H": "Hills", "W": "Woods", "S": "Shore"}
PLACES_MM = (  # region and middle of each space
    ("H", (34.0, 30.0)),
    ("H", (84.0, 26.0)),
    ("H", (30.0, 78.0)),
    ("H", (72.0, 66.0)),
    ("W", (134.0, 32.0)),
    ("W", (184.0, 30.0)),
    ("W", (124.0, 76.0)),
    ("S", (46.0, 122.0)),
    ("S", (108.0, 122.0)),
    ("S", (176.0, 106.0)),
)
_RING_MM = 17.0
_CRAYONS_BGR = {"H": (70, 120, 190), "W": (80, 150, 90), "S": (190, 140, 70)}


def draw_card(seed: int = 5) -> Image:
    """The card from straight above, filling the picture at PX_PER_MM; another seed draws another one."""
    chance = np.random.default_rng(seed)
    width, height = (round(side * PX_PER_MM) for side in SIZE_MM)
    grain = cv2.GaussianBlur(chance.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 2.0)
    paper = np.array((214, 232, 238), np.float32) + 5 * np.asarray(grain / grain.std())[..., None]
    card = np.ascontiguousarray(np.clip(paper, 0, 255), np.uint8)
    for region, at in PLACES_MM:
        for _ in range(70):
            start = np.array(at) * PX_PER_MM + chance.normal(0, 70, 2)
            _stroke(card, np.array((start, start + chance.normal(0, 30, 2))), _CRAYONS_BGR[region], 2)
    for _ in range(90):  # little trees, stones and waves
        start = chance.uniform(0, 1, 2) * (width, height)
        _stroke(card, start + np.cumsum(chance.normal(0, 10, (5, 2)), axis=0), (60, 50, 45), 2)
    for number, (region, at) in enumerate(PLACES_MM, 1):
        x, y = (round(v * PX_PER_MM) for v in at)
        cv2.circle(card, (x, y), round(_RING_MM * PX_PER_MM), (226, 238, 242), -1, cv2.LINE_AA)
        turn = np.linspace(0, 2 * np.pi, 90)
        radius = _RING_MM * PX_PER_MM + 3 * np.sin(3 * turn + chance.uniform(0, 6)) + chance.normal(0, 0.6, 90)
        _stroke(card, np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)]), (40, 40, 60), 3)
        label = f"{REGIONS[region]} {number}"
        cv2.putText(card, label, (x - 55, y + 132), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 1.1, (50, 40, 90), 2, cv2.LINE_AA)
    title = "The Isle of Small Change"
    cv2.putText(card, title, (640, 860), cv2.FONT_HERSHEY_SCRIPT_COMPLEX, 1.5, (60, 40, 40), 3, cv2.LINE_AA)
    return card


def photo(seed: int = 5) -> tuple[Image, Array]:
    """The card on a table, photographed aslant; and (3, 3) from its millimetres to pixels of the photo."""
    width, height = SIZE_MM
    corners = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
    seen = np.array(((310, 300), (1650, 220), (1790, 1200), (190, 1240)), np.float32)
    to_px = np.asarray(cv2.getPerspectiveTransform(corners, seen), float)
    grown = np.array(((1 / PX_PER_MM, 0, 0.5 / PX_PER_MM), (0, 1 / PX_PER_MM, 0.5 / PX_PER_MM), (0, 0, 1)))
    image = cv2.warpPerspective(draw_card(seed), to_px @ grown, (2000, 1500), borderValue=(60, 90, 130))
    return np.asarray(image, np.uint8), to_px


def lesson(name: str, to_px: Array) -> Lesson:
    """What a player would tap on a photo in which the card's millimetres lie at `to_px` (3, 3)."""

    def seen(place: tuple[float, float]) -> tuple[float, float]:
        x, y, depth = to_px @ (*place, 1.0)
        return float(x / depth), float(y / depth)

    width, height = SIZE_MM
    return Lesson(
        name=name,
        size_mm=SIZE_MM,
        title="The Isle of Small Change",
        regions=tuple(Region(own, said) for own, said in REGIONS.items()),
        spaces=tuple(Space(region, seen(at)) for region, at in PLACES_MM),
        corners_px=tuple(seen(corner) for corner in ((0, 0), (width, 0), (width, height), (0, height))),
    )


def _stroke(card: Image, path: Array, ink: tuple[int, ...], wide: int) -> None:
    cv2.polylines(card, [np.round(path).astype(np.int32)], False, ink, wide, cv2.LINE_AA)
