"""What lies over the table that is no coin: the part of a picture that no settled table and no coin explains.

A hand is told from coins by its size: it is a part that differs from the last settled picture, once the discs of the
coins seen then and now are taken off, and is larger than a coin's rim can leave. It need not move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import cv2
import numpy as np

from tablecoin.vision.frame import Disc, Reading
from tablecoin.vision.rest.areas import EVERYWHERE, Areas
from tablecoin.vision.rest.change import Glance, Mask, alignment, colour_change, glance, largest_blob, noise

HAND_MM2 = 300.0  # area from which an unexplained part is a hand: a fingertip that reaches in; a coin's rim leaves less
AT_BORDER_MM2 = 100.0  # the same for something moving that comes in over the picture's border
SIGMAS = 6.0  # a pixel changed when it differs by at least this many standard deviations of the noise
BUMP_PX = 0.7  # of the small picture: a camera or mat that moved less was not bumped
_COVERED = 0.10  # least change of light, as a fraction, where something lies
_NARROW_MM = 4.0  # narrower than this is a coin's rim, a shadow's edge or a crease
_OUTLINE_PX = 5  # width of a part's outline, in small pixels
_BUMP_SHARE = 0.5  # least share of the corners followed that must move as one, for the whole picture to have moved
_WIDTH_MM = 450.0  # assumed across the picture until a reading gives the scale: an A3 mat and a margin
_RIM = 1.1  # a coin explains what lies within this many of its radii,
_SHADOW_MM = 2.0  # and this much further out: its rim and its shadow


@dataclass(frozen=True, slots=True)
class Settled:
    """A table that was ruled on, with nothing over it: what a later picture is explained by."""

    view: Glance
    known: Mask  # where its coins lay, and what it does not show
    mat: str | None = None  # the mat that lay there, where one was seen


class Part(NamedTuple):
    """The largest connected part of a picture that is not explained."""

    area_px: float  # in small pixels; 0 where everything is explained
    touches: bool  # whether it touches the picture's border
    outline: Mask  # of all unexplained parts


@dataclass(frozen=True, slots=True)
class Scope:
    """Where hands are looked for, and the scale of the picture; None until a reading gives it."""

    areas: Areas = EVERYWHERE
    mm_per_px: float | None = None

    def small_px_mm(self, view: Glance) -> float:
        """Millimetres across one small pixel."""
        return self.mm_per_px * view.scale if self.mm_per_px else _WIDTH_MM / view.log.shape[1]

    def area_px(self, area_mm2: float, view: Glance) -> float:
        """An area of the table in small pixels."""
        return area_mm2 / self.small_px_mm(view) ** 2

    def mask(self, view: Glance) -> Mask:
        """255 where hands are looked for."""
        mask = np.full(view.log.shape, 0 if self.areas.mat_px else 255, np.uint8)
        for polygon, value in [(self.areas.mat_px, 255), *((p, 0) for p in self.areas.ignored_px)]:
            if polygon:
                cv2.fillPoly(mask, [np.round(np.asarray(polygon) / view.scale).astype(np.int32)], value)
        return mask

    def coins(self, view: Glance, reading: Reading) -> Mask:
        """255 where the reading's coins lie, with their rims and shadows."""
        mask = np.zeros(view.log.shape, np.uint8)
        margin_px = _SHADOW_MM / self.small_px_mm(view)
        for coin in reading.coins:
            _fill_disc(mask, coin.disc, view.scale, margin_px)
        return mask

    def unexplained(self, view: Glance, tables: Sequence[Settled], coins: Mask) -> Part:
        """What differs from every one of `tables`, apart from the coins there and in the mask `coins`."""
        parts = [_difference(view, table, coins) for table in tables]
        differs = reduce(np.minimum, parts) if parts else np.zeros(view.log.shape, np.float32)
        mask = np.where(differs > 1, np.uint8(255), np.uint8(0)) & self.mask(view)
        narrow_px = max(3, round(_NARROW_MM / self.small_px_mm(view)))
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _ellipse(narrow_px)), np.uint8)
        area_px, touches = largest_blob(mask)
        outline = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, _ellipse(_OUTLINE_PX))
        return Part(area_px, touches, np.asarray(outline, np.uint8))

    def moved(self, table: Settled, view: Glance, coins: Mask) -> Settled | None:
        """`table` as it looks now if only the camera or the mat moved; None where that does not explain `view`."""
        found = alignment(view, table.view)
        if found is None:
            return None
        motion, share = found
        height, width = view.log.shape
        corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], np.float64)
        if share < _BUMP_SHARE or np.abs(corners @ motion.T - corners[:, :2]).max() < BUMP_PX:
            return None
        size = (width, height)
        small = cv2.warpAffine(table.view.small, motion, size, borderMode=cv2.BORDER_REPLICATE)
        known = cv2.warpAffine(table.known, motion, size, flags=cv2.INTER_NEAREST, borderValue=255)
        moved = Settled(glance(np.asarray(small, np.uint8)), np.asarray(known, np.uint8), table.mat)
        part = self.unexplained(view, [moved], coins)
        return moved if part.area_px < self.area_px(HAND_MM2, view) else None


def _difference(view: Glance, table: Settled, coins: Mask) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """(h, w): the change since `table`, in units of the least change that counts; 0 on coins of then and now."""
    part = colour_change(view, table.view)
    least = max(_COVERED, SIGMAS * noise(part))
    part[(table.known | coins) > 0] = 0
    part /= least
    return part


def _ellipse(diameter_px: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (diameter_px, diameter_px)), np.uint8)


def _fill_disc(mask: Mask, disc: Disc, scale: int, margin_px: float) -> None:
    centre = (round((disc.x_px + 0.5) / scale - 0.5), round((disc.y_px + 0.5) / scale - 0.5))
    cv2.circle(mask, centre, round(disc.r_px / scale * _RIM + margin_px), 255, cv2.FILLED)
