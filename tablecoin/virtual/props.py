"""Things on the virtual table besides mat and coins, drawn as seen from above.

Each is a picture with alpha at `px_per_mm`; the renderer chooses the place.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Cutout = NDArray[np.uint8]  # (H, W, 4) BGRA

HAND_MM = (190, 330)  # width and height of the hand's picture; its fingertips point up
HAND_TIP_MM = (92, 40)  # the fingertips' place in it
FOREIGN_MM = 23.25
_SKIN_BGR = (128, 160, 205)


@lru_cache(maxsize=4)
def hand(px_per_mm: float) -> Cutout:
    """A right hand and forearm reaching in from below, fingers together, sleeve at the wrist."""
    width, height = (round(side * px_per_mm) for side in HAND_MM)
    mask = np.zeros((height, width), np.uint8)

    def bone(points: tuple[tuple[float, float], ...], thick_mm: float) -> None:
        path = np.round(np.asarray(points) * px_per_mm).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(mask, [path], False, 255, max(1, round(thick_mm * px_per_mm)), cv2.LINE_AA)

    bone(((78, 120), (72, 80), (74, 46)), 19)  # index
    bone(((94, 118), (92, 74), (92, 38)), 19)  # middle
    bone(((110, 120), (112, 80), (109, 46)), 18.5)  # ring
    bone(((124, 128), (130, 94), (127, 66)), 15)  # little
    bone(((72, 158), (50, 128), (56, 98)), 20)  # thumb
    bone(((98, 142), (98, 168)), 66)  # palm
    bone(((98, 170), (102, 330)), 52)  # forearm
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / px_per_mm
    light = np.clip(0.72 + 0.035 * depth, 0, 1.08)[..., None]
    picture = light * np.array(_SKIN_BGR, float)
    down = np.arange(height)[:, None] / px_per_mm
    sleeve = np.repeat(down > 232, width, axis=1)
    picture[sleeve] = (light * np.array((110, 84, 62), float))[sleeve]
    for x, y in ((74, 42), (92, 33), (109, 42), (127, 62)):
        centre = (round(x * px_per_mm), round(y * px_per_mm))
        cv2.ellipse(picture, centre, (round(4 * px_per_mm), round(5 * px_per_mm)), 0, 0, 360, (168, 186, 226), -1)
    alpha = cv2.GaussianBlur(mask, (0, 0), max(0.3, 0.5 * px_per_mm))
    return np.dstack((np.asarray(np.clip(picture, 0, 255), np.uint8), np.asarray(alpha, np.uint8)))


@lru_cache(maxsize=4)
def foreign_coin(px_per_mm: float) -> Cutout:
    """A foreign coin of two metals."""
    side = round(FOREIGN_MM * px_per_mm)
    axis = np.arange(side) - (side - 1) / 2
    radius = np.hypot(axis[:, None], axis[None, :]) / (side / 2)
    picture = np.where(radius[..., None] < 0.68, (170.0, 176.0, 178.0), (88.0, 158.0, 196.0))
    around = np.arctan2(axis[:, None], axis[None, :])
    stars = (np.abs(radius - 0.83) < 0.06) & (np.abs((around * 6 / np.pi) % 1 - 0.5) < 0.16)
    bars = (radius < 0.5) & ((np.abs(axis[:, None] / side + 0.1) < 0.03) | (np.abs(axis[:, None] / side - 0.1) < 0.03))
    picture[stars | bars] *= 0.6
    picture *= (1.08 - 0.25 * (axis[:, None] + axis[None, :]) / side)[..., None]
    alpha = np.clip((1 - radius) * side / 2, 0, 1) * 255
    return np.dstack((np.asarray(np.clip(picture, 0, 255), np.uint8), np.asarray(alpha, np.uint8)))


@lru_cache(maxsize=4)
def bottle(px_per_mm: float) -> Cutout:
    """A bottle from above: shoulders of green glass, neck and crown cap."""
    side = round(58 * px_per_mm)
    middle = (side // 2, side // 2)
    picture = np.zeros((side, side, 3), np.uint8)
    alpha = np.zeros((side, side), np.uint8)
    cv2.circle(alpha, middle, side // 2 - 2, 255, -1, cv2.LINE_AA)
    for share, ink in ((1.0, (38, 62, 30)), (0.86, (52, 92, 44)), (0.7, (44, 76, 36)), (0.5, (40, 66, 32))):
        cv2.circle(picture, middle, round(share * side / 2), ink, -1, cv2.LINE_AA)
    axes = (round(0.36 * side), round(0.36 * side))
    cv2.ellipse(picture, middle, axes, 0, 190, 255, (150, 190, 140), max(1, side // 40), cv2.LINE_AA)
    for turn in np.linspace(0, 2 * np.pi, 21, endpoint=False):
        tooth = (round(middle[0] + 0.245 * side * np.cos(turn)), round(middle[1] + 0.245 * side * np.sin(turn)))
        cv2.circle(picture, tooth, max(1, round(0.03 * side)), (40, 170, 215), -1, cv2.LINE_AA)
    cv2.circle(picture, middle, round(0.245 * side), (44, 178, 224), -1, cv2.LINE_AA)
    cv2.circle(picture, middle, round(0.18 * side), (60, 200, 240), max(1, side // 60), cv2.LINE_AA)
    return np.dstack((picture, alpha))


def paper_slip(width_px: int, height_px: int) -> Cutout:
    """A blank slip of paper, as large as asked for."""
    picture = np.full((height_px, width_px, 4), 250, np.uint8)
    picture[..., 3] = 255
    return picture


def wood(width_px: int, height_px: int) -> NDArray[np.uint8]:
    """A table top of boards, (H, W, 3) BGR, always the same."""
    chance = np.random.default_rng(7)
    streaks = chance.normal(0, 1, (height_px // 6 + 2, width_px // 90 + 2)).astype(np.float32)
    grain = cv2.resize(streaks, (width_px, height_px), interpolation=cv2.INTER_CUBIC)
    fine = cv2.GaussianBlur(chance.normal(0, 1, (height_px, width_px)).astype(np.float32), (0, 0), 9, sigmaY=0.8)
    board = np.arange(height_px)[:, None] // 260 % 2 * 7 - (np.arange(height_px)[:, None] % 260 < 3) * 34
    tone = 6 * grain + 60 * fine + board
    return np.asarray(
        cv2.merge([np.asarray(np.clip(tone + ink, 0, 255), np.uint8) for ink in (72, 106, 146)]), np.uint8
    )
