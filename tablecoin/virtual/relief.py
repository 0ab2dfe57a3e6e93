"""Low relief: shapes pressed into a height map, and the height map rendered as metal under a lamp.

Coordinates are the coin's own: its centre is (0, 0), its edge lies at radius 1, x to the right and y down.
Heights are in coin radii, exaggerated, with 0 for the field.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

SIZE_PX = 288  # side of the height map; a coin in a camera picture is rarely a quarter of it

Heights = NDArray[np.float32]  # (SIZE_PX, SIZE_PX)
Points = Sequence[tuple[float, float]]

_SHIFT = 4  # fractional bits of OpenCV's drawing coordinates


class Relief:
    """A height map in the making. Each method presses one shape into `heights`."""

    def __init__(self) -> None:
        self.heights: Heights = np.zeros((SIZE_PX, SIZE_PX), np.float32)

    def fill(self, outline: Points, height: float = 0.06, edge: float = 0.12) -> None:
        """A pillow: the inside of the outline, rising from its edge to `height` over about `edge`."""
        mask = _blank()
        cv2.fillPoly(mask, [_grid(outline)], 255, cv2.LINE_AA, _SHIFT)
        self._pillow(mask, height, edge)

    def line(self, points: Points, width: float = 0.03, height: float = 0.03) -> None:
        """A rounded ridge along an open line; a negative height cuts a groove."""
        mask = _blank()
        thickness = max(1, round(width * SIZE_PX / 2))
        cv2.polylines(mask, [_grid(points)], isClosed=False, color=255, thickness=thickness, lineType=cv2.LINE_AA,
                      shift=_SHIFT)  # fmt: skip
        self.heights += cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32) * (height / 255)

    def disc(self, x: float, y: float, radius: float, height: float = 0.05) -> None:
        """A round boss."""
        turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        self.fill(list(zip(x + radius * np.cos(turn), y + radius * np.sin(turn), strict=True)), height, radius)

    def ring(self, inner: float, outer: float, height: float) -> None:
        """A flat ring round the centre: the rim."""
        radius = _radius()
        ramp = 2.5 / SIZE_PX
        rise = np.clip((radius - inner) / ramp, 0, 1) * np.clip((outer - radius) / ramp, 0, 1)
        self.heights += (height * rise).astype(np.float32)

    def leaf(self, x: float, y: float, angle_deg: float, length: float, height: float = 0.05) -> None:
        """A pointed leaf growing from (x, y); 0° points right, 90° down."""
        along, side = _directions(angle_deg)
        stations = ((0.0, 0.0), (0.3, 0.22), (0.65, 0.2), (1.0, 0.0), (0.65, -0.2), (0.3, -0.22))
        spots = [np.array((x, y)) + length * (a * along + s * side) for a, s in stations]
        self.fill([(float(p[0]), float(p[1])) for p in spots], height, 0.06)

    def text(self, words: str, radius: float, middle_deg: float, size: float = 0.13, height: float = 0.06) -> None:
        """Letters along a circle, their middle at `middle_deg` (-90 the top, 90 the bottom), upright for the reader.

        In the lower half the feet of the letters point outwards, so the words read from left to right there too.
        """
        below = 1.0 if np.sin(np.radians(middle_deg)) > 0 else -1.0
        step = size * 0.92 / radius
        for place, letter in enumerate(words):
            turn = np.radians(middle_deg) - below * step * (place - (len(words) - 1) / 2)
            x, y = radius * np.cos(turn), radius * np.sin(turn)
            self.letter(letter, x, y, size, np.degrees(turn) - below * 90, height)

    def letter(self, letter: str, x: float, y: float, size: float, turned_deg: float = 0, height: float = 0.06) -> None:
        """One letter centred on (x, y), `size` high, turned clockwise."""
        font, stamp_px = cv2.FONT_HERSHEY_DUPLEX, 64
        stamp = np.zeros((stamp_px, stamp_px), np.uint8)
        (width, tall), _ = cv2.getTextSize(letter, font, 1.0, 3)
        cv2.putText(stamp, letter, ((stamp_px - width) // 2, (stamp_px + tall) // 2), font, 1.0, 255, 4, cv2.LINE_AA)
        scale = size * SIZE_PX / 2 / max(tall, 1)
        turn = np.asarray(cv2.getRotationMatrix2D((stamp_px / 2, stamp_px / 2), -turned_deg, scale), np.float64)
        turn[:, 2] += (np.array((x, y)) + 1) * SIZE_PX / 2 - stamp_px / 2
        mask = np.asarray(cv2.warpAffine(stamp, turn, (SIZE_PX, SIZE_PX), flags=cv2.INTER_AREA), np.float32)
        self.heights += mask * np.float32(height / 255)

    def _pillow(self, mask: NDArray[np.uint8], height: float, edge: float) -> None:
        inside = (mask > 127).astype(np.uint8)
        depth = cv2.distanceTransform(inside, cv2.DIST_L2, 3) * (2 / SIZE_PX)
        rise = 1 - np.exp(-3 * depth / edge)
        step = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32) / 255
        self.heights += (height * step * (0.35 + 0.65 * rise)).astype(np.float32)


def curve(points: Points, closed: bool = True) -> list[tuple[float, float]]:
    """A smooth curve along control points: Chaikin's corner cutting (1974), three times."""
    path = np.asarray(points, float)
    for _ in range(3):
        following = np.roll(path, -1, axis=0)
        cut = np.stack((0.75 * path + 0.25 * following, 0.25 * path + 0.75 * following), axis=1)
        path = cut.reshape(-1, 2) if closed else np.vstack((path[:1], cut[:-1].reshape(-1, 2), path[-1:]))
    return [(float(x), float(y)) for x, y in path]


def mirrored(points: Points) -> list[tuple[float, float]]:
    """The points mirrored at the vertical axis."""
    return [(-x, y) for x, y in points]


def worn(heights: Heights, seed: int) -> Heights:
    """The relief with the fine grain of a used coin."""
    grain = np.random.default_rng(seed).normal(0, 1, heights.shape).astype(np.float32)
    return np.asarray(heights + 0.0012 * cv2.GaussianBlur(grain, (0, 0), 1.2), np.float32)


def cast(heights: Heights, metal: tuple[float, float, float], turned_deg: float) -> NDArray[np.uint8]:
    """The relief in metal, turned clockwise, lit by a lamp up and to the left: (SIZE_PX, SIZE_PX, 3) uint8 BGR.

    Lambert's diffuse and Blinn's specular term over the height map's normals, darker in hollows, where dirt stays.
    """
    middle = (SIZE_PX - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), -turned_deg, 1)
    lying = cv2.warpAffine(heights, turn, (SIZE_PX, SIZE_PX), flags=cv2.INTER_LINEAR)
    slope_x = cv2.Sobel(lying, cv2.CV_32F, 1, 0, ksize=3) * (SIZE_PX / 16)
    slope_y = cv2.Sobel(lying, cv2.CV_32F, 0, 1, ksize=3) * (SIZE_PX / 16)
    length = np.sqrt(slope_x**2 + slope_y**2 + 1)
    lamp = _unit(-0.45, -0.55, 0.70)
    half = _unit(lamp[0], lamp[1], lamp[2] + 1)
    lit = np.clip((-slope_x * lamp[0] - slope_y * lamp[1] + lamp[2]) / length, 0, 1)
    shine = np.clip((-slope_x * half[0] - slope_y * half[1] + half[2]) / length, 0, 1)
    shine = cv2.pow(shine, 40)  # three times as fast as numpy
    hollow = np.clip(cv2.GaussianBlur(lying, (0, 0), SIZE_PX / 40) - lying, 0, None)
    axis = np.linspace(-1, 1, SIZE_PX, dtype=np.float32)
    sky = 0.06 * (-axis[:, None] - axis[None, :])  # the field reflects the brighter side of the room
    tone = 0.24 + 0.9 * lit + 1.1 * np.clip(lying, -0.05, 0.15) - 5.0 * hollow + sky
    channels = [np.clip(tone * np.float32(ink) + 70 * shine, 0, 255).astype(np.uint8) for ink in metal]
    return np.asarray(cv2.merge(channels), np.uint8)


def _blank() -> NDArray[np.uint8]:
    return np.zeros((SIZE_PX, SIZE_PX), np.uint8)


def _grid(points: Points) -> NDArray[np.int32]:
    spots = (np.asarray(points, float) + 1) * (SIZE_PX / 2) - 0.5
    return np.round(spots * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)


def _radius() -> NDArray[np.float32]:
    axis = (np.arange(SIZE_PX, dtype=np.float32) + 0.5) * (2 / SIZE_PX) - 1
    return np.asarray(np.hypot(axis[:, None], axis[None, :]), np.float32)


def _unit(x: float, y: float, z: float) -> tuple[float, float, float]:
    length = float(np.sqrt(x * x + y * y + z * z))
    return x / length, y / length, z / length


def _directions(angle_deg: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    turn = np.radians(angle_deg)
    return np.array((np.cos(turn), np.sin(turn))), np.array((-np.sin(turn), np.cos(turn)))
