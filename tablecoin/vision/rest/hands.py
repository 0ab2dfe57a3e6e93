"""What lies over the table that is no coin: the part of a picture that no settled table and no coin explains.

A hand is told from coins by its size: it is a part that differs from the last settled picture, once the discs of the
coins seen now are taken off, and is larger than a coin's rim can leave. It need not move. What comes in over the mat's
rim is a hand from a smaller size on.

A coin that is gone leaves a part that differs too: one that lies within its old disc. A part that sticks out of the
discs of coins that are gone is no absence, and counts whole: a finger over a coin. A shadow darkens all colours alike;
it is explained too, except where it lies over a coin that is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Disc, Reading
from tablecoin.vision.rest.areas import EVERYWHERE, Areas, Polygon
from tablecoin.vision.rest.change import Glance, Mask, alignment, colour_change, glance, levels, noise

HAND_MM2 = 300.0  # area from which an unexplained part is a hand: a fingertip that reaches in; a coin's rim leaves less
FINGER_MM2 = 60.0  # the same where it comes in over the mat's rim: as much of a finger as can hide a coin
SIGMAS = 6.0  # a pixel changed when it differs by at least this many standard deviations of the noise
BUMP_PX = 0.7  # of the small picture: a camera or mat that moved less was not bumped
SWAY_PX = 0.3  # the same, below which a camera that sways leaves no part as large as a hand
_COVERED = 0.10  # least change of light, as a fraction, where something lies
_COLOURED = 0.06  # the same where it changes the colour too: pale skin on paper
_NARROW_MM = 4.0  # narrower than this is a coin's rim, a shadow's edge or a crease
_OUTLINE_PX = 5  # width of a part's outline, in small pixels
_BUMP_SHARE = 0.5  # least share of the corners followed that must move as one, for the whole picture to have moved
_WIDTH_MM = 450.0  # assumed across the picture until a reading gives the scale: an A3 mat and a margin
_SHADE = 0.75  # largest darkening by a shadow, in logarithms: a half of the light
_GREY = (0.03, 0.12)  # the colours may differ by this much in a shadow, and by this share of the darkening
_BESIDE_MM = 15.0  # width of the margin round the mat within which motion counts
_RIM = 1.1  # a coin explains what lies within this many of its radii,
_SHADOW_MM = 2.0  # and this much further out: its rim and its shadow


@dataclass(frozen=True)
class Settled:
    """A table that was ruled on, with nothing over it: what a later picture is explained by."""

    view: Glance
    coins: Mask  # where its coins lay
    mat: str | None = None  # the mat that lay there, where one was seen
    unseen: Mask | None = None  # what it does not show, after it was moved; None: it shows everything

    @cached_property
    def halved(self) -> Settled:
        """The same at half the size."""
        view = self.view.halved
        coins, unseen = (None if mask is None else _sized(mask, view.log.shape) for mask in (self.coins, self.unseen))
        assert coins is not None
        return Settled(view, coins, self.mat, unseen)


class Part(NamedTuple):
    """What of a picture is not explained."""

    is_hand: bool  # whether a part of it is as large as a hand
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

    def around(self, view: Glance) -> Mask:
        """255 on the mat and a margin of _BESIDE_MM: where motion counts."""
        reach = np.ones(2 * round(_BESIDE_MM / self.small_px_mm(view)) + 1, np.uint8)
        return np.asarray(cv2.dilate(cv2.dilate(self._mat(view), reach[None]), reach[:, None]), np.uint8)

    def _mat(self, view: Glance) -> Mask:
        if self.areas.mat_px is None:
            return np.full(view.log.shape, 255, np.uint8)
        mask = np.zeros(view.log.shape, np.uint8)
        cv2.fillPoly(mask, [_small(self.areas.mat_px, view)], 255)
        return mask

    def coins(self, view: Glance, reading: Reading) -> Mask:
        """255 where the reading's coins lie, with their rims and shadows."""
        mask = np.zeros(view.log.shape, np.uint8)
        margin_px = _SHADOW_MM / self.small_px_mm(view)
        for coin in reading.coins:
            _fill_disc(mask, coin.disc, view.scale, margin_px)
        return mask

    def unexplained(self, view: Glance, tables: Sequence[Settled], coins: Mask) -> Part:
        """What no one of `tables` explains, apart from coins, there now (mask `coins`) or gone, and from shadows."""
        differs = shaded = np.full(view.log.shape, 255 if tables else 0, np.uint8)
        discs = coins
        for table in tables:
            larger, darker = _difference(view, table)
            if table.unseen is not None:
                larger &= ~table.unseen
            differs, shaded, discs = differs & larger, shaded & darker, discs | table.coins
        differs &= self.around(view)
        for polygon in self.areas.ignored_px:
            cv2.fillPoly(differs, [_small(polygon, view)], 0)
        narrow = _ellipse(max(3, round(_NARROW_MM / self.small_px_mm(view))))
        differs = np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, narrow), np.uint8)
        count, parts = cv2.connectedComponents(differs)

        here = np.flatnonzero(differs)
        part, disc, coin, shade, on_mat = (m.ravel()[here] for m in (parts, discs, coins, shaded, self._mat(view)))

        def area_mm2(where: NDArray[np.bool_]) -> NDArray[np.float64]:
            pixels = np.bincount(part[where], minlength=count)
            return np.asarray(pixels * self.small_px_mm(view) ** 2, np.float64)

        sticks_out = area_mm2(disc == 0) >= FINGER_MM2
        no_shadow = (area_mm2(shade == 0) >= FINGER_MM2) | (area_mm2((disc > 0) & (coin == 0)) >= FINGER_MM2)
        comes_in = area_mm2(on_mat == 0) > 0
        hands = sticks_out & no_shadow & (area_mm2(on_mat > 0) >= np.where(comes_in, FINGER_MM2, HAND_MM2))
        hands[0] = False
        outline = cv2.morphologyEx(_mask(hands[parts]), cv2.MORPH_GRADIENT, _ellipse(_OUTLINE_PX))
        return Part(bool(hands.any()), np.asarray(outline, np.uint8))

    def passing(self, view: Glance, table: Settled) -> Part:
        """As `unexplained`, with no coin known and at half the size: what moves over `table`, four times as fast."""
        half = table.halved
        part = self.unexplained(view.halved, [half], np.zeros_like(half.coins))
        return Part(part.is_hand, _sized(part.outline, view.log.shape))

    def moved(self, table: Settled, view: Glance, coins: Mask) -> tuple[Settled | None, float]:
        """`table` as it looks now if only the camera or the mat moved, and by how many small pixels.

        None and 0 where that does not explain `view`.
        """
        found = alignment(view, table.view)
        if found is None:
            return None, 0.0
        motion, share = found
        height, width = view.log.shape
        corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], np.float64)
        by_px = float(np.abs(corners @ motion.T - corners[:, :2]).max())
        if share < _BUMP_SHARE or by_px < SWAY_PX:
            return None, 0.0
        size = (width, height)
        small = cv2.warpAffine(table.view.small, motion, size, borderMode=cv2.BORDER_REPLICATE)
        coins_then = cv2.warpAffine(table.coins, motion, size, flags=cv2.INTER_NEAREST)
        unseen = cv2.warpAffine(np.zeros_like(coins), motion, size, flags=cv2.INTER_NEAREST, borderValue=255)
        masks = (np.asarray(mask, np.uint8) for mask in (coins_then, unseen))
        then, hidden = masks
        moved = Settled(glance(np.asarray(small, np.uint8)), then, table.mat, hidden)
        return (None, 0.0) if self.unexplained(view, [moved], coins).is_hand else (moved, by_px)


def _difference(view: Glance, table: Settled) -> tuple[Mask, Mask]:
    """Where `view` differs from the table by enough to count, and where it is only darker there, as in a shadow."""
    blue, green, red = colour_change(view, table.view)
    palest = np.maximum(np.maximum(blue, green), red)
    darkest = np.minimum(np.minimum(blue, green), red)
    size = np.maximum(palest, -darkest)
    noisy = levels(view.log, table.view.log)
    noisy *= size
    grey = palest - darkest < _GREY[0] - _GREY[1] * darkest
    shaded = grey & (palest < 0) & (darkest > -_SHADE)
    coloured = _COLOURED if table.unseen is None else _COVERED  # a table moved by part of a pixel has softer edges
    differs = (size > np.where(shaded, _COVERED, coloured)) & (noisy > SIGMAS * noise(noisy))
    return _mask(differs), _mask(shaded)


def _sized(mask: Mask, shape: tuple[int, ...]) -> Mask:
    """The mask at another size, (h, w)."""
    return np.asarray(cv2.resize(mask, (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST), np.uint8)


def _mask(where: NDArray[np.bool_]) -> Mask:
    return np.where(where, np.uint8(255), np.uint8(0))


def _small(polygon: Polygon, view: Glance) -> NDArray[np.int32]:
    return np.round(np.asarray(polygon) / view.scale).astype(np.int32)


def _ellipse(diameter_px: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (diameter_px, diameter_px)), np.uint8)


def _fill_disc(mask: Mask, disc: Disc, scale: int, margin_px: float) -> None:
    centre = (round((disc.x_px + 0.5) / scale - 0.5), round((disc.y_px + 0.5) / scale - 0.5))
    cv2.circle(mask, centre, round(disc.r_px / scale * _RIM + margin_px), 255, cv2.FILLED)
