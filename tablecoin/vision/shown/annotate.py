"""A Reading drawn over its picture: each coin's circle, name, face and probability, and the sum and scale below."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tablecoin.coins import Denomination, Heap
from tablecoin.vision.frame import Image, Reading, SeenCoin

COLOURS_BGR = {
    Denomination.PENNY: (60, 120, 235),
    Denomination.NICKEL: (210, 160, 60),
    Denomination.DIME: (120, 190, 60),
    Denomination.QUARTER: (190, 90, 190),
}
UNKNOWN_BGR = (140, 140, 140)
INK, PAPER = (30, 30, 30), (250, 250, 250)
LONGEST_PX = 2000
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotate(reading: Reading) -> Image:
    """The frame's picture, at most LONGEST_PX long, with the reading drawn on it and a legend below; a new array."""
    image = reading.frame.image
    height, width = image.shape[:2]
    zoom = min(LONGEST_PX / max(height, width), max(1.0, 900 / max(height, width)))
    way = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    canvas = np.ascontiguousarray(cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=way), np.uint8)
    text = max(canvas.shape[:2]) / 2200
    for coin in reading.coins:
        _draw(canvas, coin, zoom, text)
    return np.vstack([canvas, _legend(reading, canvas.shape[1], text)])


def _draw(canvas: Image, coin: SeenCoin, zoom: float, text: float) -> None:
    kind, face = coin.denomination, coin.face
    colour = COLOURS_BGR[kind] if kind else UNKNOWN_BGR
    # OpenCV draws at whole pixels unless given fractional bits: here 4, so sixteenths of a pixel.
    centre = (round(((coin.disc.x_px + 0.5) * zoom - 0.5) * 16), round(((coin.disc.y_px + 0.5) * zoom - 0.5) * 16))
    radius, thick = round(coin.disc.r_px * zoom * 16), max(2, round(text * 5))
    cv2.circle(canvas, centre, radius, PAPER, thick + 2, cv2.LINE_AA, 4)
    if coin.sure:
        cv2.circle(canvas, centre, radius, colour, thick, cv2.LINE_AA, 4)
    else:  # dashed: not sure
        size = (round(radius / 16), round(radius / 16))
        middle = (round(centre[0] / 16), round(centre[1] / 16))
        for start in range(0, 360, 24):
            cv2.ellipse(canvas, middle, size, 0, start, start + 13, colour, thick, cv2.LINE_AA)
    name = f"{kind} {face}" if kind else "not ours"
    if kind and not coin.sure:
        name += " ?"
    share = max(coin.denominations) * coin.face_confidence if kind else 1 - sum(coin.denominations)
    x, y, r = centre[0] / 16, centre[1] / 16, radius / 16
    fit = max(0.3, min(text * 1.1, 2 * r / (19 * max(len(name), 8))))
    _tag(canvas, name, x, y + 0.62 * r, fit, colour)
    _tag(canvas, f"{math.floor(share * 1000) / 10:.1f} %", x, y + 0.62 * r + 26 * fit, fit * 0.75, colour)


def _tag(canvas: Image, words: str, x: float, y: float, size: float, colour: tuple[int, int, int]) -> None:
    thick = max(1, round(size * 2))
    (wide, high), _ = cv2.getTextSize(words, _FONT, size, thick)
    left, base = round(x - wide / 2), round(y + high / 2)
    pad = max(2, round(size * 6))
    cv2.rectangle(canvas, (left - pad, base - high - pad), (left + wide + pad, base + pad), PAPER, -1, cv2.LINE_AA)
    cv2.rectangle(canvas, (left - pad, base - high - pad), (left + wide + pad, base + pad), colour, 1, cv2.LINE_AA)
    cv2.putText(canvas, words, (left, base), _FONT, size, INK, thick, cv2.LINE_AA)


def _legend(reading: Reading, width: int, text: float) -> Image:
    heap = Heap.of(coin.denomination for coin in reading.coins if coin.denomination)
    unsure = sum(coin.denomination is not None and not coin.sure for coin in reading.coins)
    parts = [f"{heap.cents} cents: {heap}"]
    if unsure:
        parts.append(f"not sure of {unsure}")
    if reading.mm_per_px:
        parts.append(f"{reading.mm_per_px:.3f} mm a pixel")
    if reading.mat:
        parts.append(f"mat {reading.mat}")
    words = "   |   ".join(parts)
    size = text * 1.3
    (wide, high), base = cv2.getTextSize(words, _FONT, size, 2)
    size = max(0.35, min(size, size * (width - 24) / max(wide, 1)))
    strip = np.full((round((high + base) * 2.2) + 8, width, 3), PAPER, np.uint8)
    cv2.putText(
        strip, words, (12, round(strip.shape[0] * 0.65)), _FONT, size, INK, max(1, round(size * 2)), cv2.LINE_AA
    )
    return strip
