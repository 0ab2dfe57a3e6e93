"""When the table may be ruled on: no motion, no hand, and two readings that agree.

Every frame is glanced at; only a table that came to rest after something changed is read. Time is `Frame.taken_s` and
nothing else, so a recording settles as the live table did.

A hand is told from coins by its size: what differs from the last settled picture, once the discs of the coins seen
then and now are taken off, and is larger than any coin. It need not move. What lies absolutely still for eight
seconds, as no living hand can, is an object: it is accepted, with a warning, and known from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tablecoin.mat import ZoneKind
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin, Sighting
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.change import (
    Glance,
    Mask,
    alignment,
    change,
    colour_change,
    glance,
    largest_blob,
    noise,
    shift,
)

Polygon = Sequence[tuple[float, float]]  # corners in picture pixels

OBJECT_WARNING = "Something that is no coin lies on the mat; it is left out of account."
BUMP_WARNING = "The camera or the mat was moved; the table was read again where it is now."
DISAGREE_WARNING = "Some coins read differently from one picture to the next; they count as not sure."

_MOTION_MM2 = 12.0  # the crescents of a coin slid by half a millimetre
_HAND_MM2 = 300.0  # a fingertip that reaches in; no coin's rim leaves as much
_AT_BORDER_MM2 = 100.0  # the same for something moving that comes in over the picture's border
_WIDTH_MM = 450.0  # assumed across the picture until a reading gives the scale: an A3 mat and a margin
_CHANGED = 0.06  # the least change of light that is motion, as a fraction
_COVERED = 0.10  # the same for something lying there
_SIGMAS = 6.0  # and never less than this many standard deviations of the noise
_READ_AFTER_S = 0.2  # the first reading, while the stillness is being waited for
_AGAIN_S = 0.15  # between readings that did not agree
_TRIES = 5  # readings that keep disagreeing are passed on as not sure
_SAME_PLACE_MM = 1.5
_OBJECT_S = 8.0
_BREATH = 1.6  # a living outline changes this much more than the picture's noise
_BREATH_LEVELS = 0.7  # and at least this many grey levels
_DRIFT_S = 5.0  # slow change is followed with this time constant
_ANOTHER = 0.15  # where half the picture differs so much, that is no noise: it shows something else
_GAP_S = 3.0  # frames further apart say nothing about what happened between them
_BUMP_PX = 0.7  # of the small picture; less is no bump
_BUMP_SHARE = 0.5  # of what can be followed moved as one


@dataclass(frozen=True, slots=True)
class Areas:
    """Where a hand is looked for, in picture pixels: on the mat (None: everywhere), the prize's place left out."""

    mat_px: Polygon | None = None
    ignored_px: tuple[Polygon, ...] = ()

    @classmethod
    def over(cls, plane: Plane | None) -> Areas:
        """The mat where it lies now, without the place of the prize; everywhere while no mat is seen."""
        if plane is None:
            return cls()
        mat = plane.mat
        prizes = [zone.area.bounds_mm for zone in mat.zones if zone.kind is ZoneKind.PRIZE]
        return cls(_box_px(plane, (0.0, 0.0, mat.width_mm, mat.height_mm)), tuple(_box_px(plane, p) for p in prizes))


EVERYWHERE = Areas()


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame told."""

    moving: bool
    hand: bool  # something that is no coin lies over the mat, moving or not
    still_s: float  # since the last motion
    reading: Reading | None  # the newest, maybe of an earlier frame
    sighting: Sighting | None  # new in this call


@dataclass(frozen=True, slots=True)
class _Settled:
    """A table that was ruled on, with nothing over it: what a later picture is explained by."""

    view: Glance
    known: Mask  # where its coins lay, and what it does not show
    mat: str | None = None  # the mat that lay there, where one was seen


class Settler:
    """Frames in, Looks out. `read` is called only for still frames of a table that changed."""

    def __init__(
        self,
        read: Callable[[Frame], Reading],
        still_s: float = 0.6,
        areas: Callable[[Reading], Areas] = lambda _: EVERYWHERE,
    ) -> None:
        """`still_s`: how long nothing may move before a Sighting. `areas`: where to look for hands, by the reading."""
        self._read, self._still_s, self._areas_of = read, still_s, areas
        self._anchor: Glance | None = None  # what frames are held against to see motion
        self._table: _Settled | None = None  # as it was last ruled on
        self._bare: _Settled | None = None  # as it was before an object was accepted; None: there is none
        self._areas = EVERYWHERE
        self._mm_per_px: float | None = None
        self._last_s = 0.0
        self._still_since_s = 0.0
        self._due_s: float | None = None  # the stillness at which to read next; None: nothing to read
        self._tries: list[Reading] = []  # readings of this stillness
        self._reading: Reading | None = None
        self._hand: Mask | None = None  # its outline, while something lies there
        self._hand_since_s = 0.0  # when it was last seen to stir
        self._bumped = False  # since the sighting before
        self._touched = True  # nobody saw what happened before the first frame
        self._count = 0

    def see(self, frame: Frame) -> Look:
        """Take the next frame, in the order of `taken_s`."""
        view = glance(frame.image)
        moving = self._moved(view, frame.taken_s)
        self._last_s = frame.taken_s
        if moving:
            self._anchor = view
            self._still_since_s = self._hand_since_s = frame.taken_s
            self._due_s = min(_READ_AFTER_S, self._still_s)
            self._tries.clear()
            self._touched = True
            self._hand = self._something_passing(view)
        still_s = frame.taken_s - self._still_since_s
        sighting = None
        if self._due_s is not None and still_s >= self._due_s:
            sighting = self._consider(frame, view, still_s)
        elif self._hand is not None and not moving and self._lies_dead(view, frame.taken_s):
            sighting = self._accept_object(frame, view)
        return Look(moving, self._hand is not None, still_s, self._reading, sighting)

    def look_again(self) -> None:
        """Frames were missed, and nobody knows what happened meanwhile: the table is read anew once it is at rest."""
        self._anchor = None

    # -- motion -------------------------------------------------------------------------------------------------------

    def _moved(self, view: Glance, now_s: float) -> bool:
        anchor = self._anchor
        if anchor is None or anchor.log.shape != view.log.shape or now_s - self._last_s > _GAP_S:
            return True
        difference = np.abs(change(view.log, anchor.log))
        grain = noise(difference)
        if grain > _ANOTHER:
            return True
        changed = np.asarray(difference > max(_CHANGED, _SIGMAS * grain), np.uint8)
        if cv2.countNonZero(cv2.erode(changed, _SPECK)) >= self._area_px(_MOTION_MM2, view):
            return True
        share = np.float32(1 - np.exp((self._last_s - now_s) / _DRIFT_S))
        self._anchor = replace(anchor, log=anchor.log + share * (view.log - anchor.log))
        return False

    def _something_passing(self, view: Glance) -> Mask | None:
        """What moves over the mat, or comes in over the border: its mask, or None when no more than coins moved."""
        if self._table is None:
            return None
        area, touches, outline = self._unexplained(view, [self._table], np.zeros_like(self._table.known))
        least = _AT_BORDER_MM2 if touches else _HAND_MM2
        return outline if area >= self._area_px(least, view) else None

    def _lies_dead(self, view: Glance, now_s: float) -> bool:
        """Whether what lies there has not stirred for eight seconds. A stir starts the eight seconds again."""
        assert self._anchor is not None
        assert self._hand is not None
        levels = np.abs(change(view.log, self._anchor.log)) * np.exp(view.log)
        stir = float(np.sqrt(np.mean(np.square(levels[self._hand > 0])))) if self._hand.any() else 0.0
        if stir > max(_BREATH * noise(levels), _BREATH_LEVELS):
            self._hand_since_s, self._anchor = now_s, view
        return now_s - self._hand_since_s >= _OBJECT_S

    # -- rest ---------------------------------------------------------------------------------------------------------

    def _consider(self, frame: Frame, view: Glance, still_s: float) -> Sighting | None:
        """Read a table that came to rest; a Sighting when nothing lies over it and two readings agree."""
        reading = self._read_now(frame)
        if self._table and self._table.mat and reading.mat not in (None, self._table.mat):
            self._table = self._bare = None  # another mat was laid: what the first looked like explains nothing on it
        known = self._coins(view, reading)
        area, _, outline = self._unexplained(view, [t for t in (self._table, self._bare) if t], known)
        covered = area >= self._area_px(_HAND_MM2, view)
        if self._table and (covered or max(map(abs, shift(view.log, self._table.view.log))) > _BUMP_PX):
            moved = self._moved_table(self._table, view, known)
            if moved is not None:
                self._table, self._bare, self._bumped, covered = moved, None, True, False
        if reading.hand or covered:
            self._hand, self._due_s = outline, None
            self._reading = replace(reading, hand=True)
            return None
        self._hand = None
        self._tries.append(reading)
        if len(self._tries) < 2 or still_s < self._still_s:
            self._due_s = max(self._still_s, still_s + 1e-3)
            return None
        before, now = self._tries[-2:]
        doubtful = _unmatched(now, before)
        if doubtful or len(now.coins) != len(before.coins):
            if len(self._tries) < _TRIES:
                self._due_s = still_s + _AGAIN_S
                return None
            now = replace(now, coins=tuple(replace(c, sure=c.sure and c not in doubtful) for c in now.coins))
            return self._rule_on(now, view, DISAGREE_WARNING)
        return self._rule_on(now, view)

    def _accept_object(self, frame: Frame, view: Glance) -> Sighting:
        reading = self._read_now(frame)
        self._bare = self._bare or self._table
        self._hand = None
        return self._rule_on(replace(reading, hand=False), view)

    def _rule_on(self, reading: Reading, view: Glance, *warnings: str) -> Sighting:
        coins = self._coins(view, reading)
        if self._bumped:
            warnings += (BUMP_WARNING,)
        if self._bare is not None:
            left, _, _ = self._unexplained(view, [self._bare], coins)
            if left >= self._area_px(_HAND_MM2, view):
                warnings += (OBJECT_WARNING,)
            else:
                self._bare = None
        self._reading = replace(reading, warnings=reading.warnings + warnings)
        self._table = _Settled(view, coins, reading.mat)
        self._due_s = None
        self._count += 1
        sighting = Sighting(self._count, self._reading, self._touched)
        self._touched = self._bumped = False
        return sighting

    def _read_now(self, frame: Frame) -> Reading:
        reading = self._read(frame)
        self._reading = reading
        self._mm_per_px = reading.mm_per_px or self._mm_per_px
        self._areas = self._areas_of(reading)
        return reading

    # -- what explains a picture --------------------------------------------------------------------------------------

    def _unexplained(self, view: Glance, tables: Sequence[_Settled], coins: Mask) -> tuple[float, bool, Mask]:
        """The largest part that differs from every one of `tables`, coins aside: (area in small pixels, touches the
        border, its outline)."""
        differs = np.zeros(view.log.shape, np.float32) if not tables else None
        for table in tables:
            part = colour_change(view, table.view)
            least = max(_COVERED, _SIGMAS * noise(part))
            part[(table.known | coins) > 0] = 0
            part /= least
            differs = part if differs is None else np.minimum(differs, part)
        assert differs is not None
        mask = np.where(differs > 1, np.uint8(255), np.uint8(0))
        mask &= self._looked_at(view)
        reach = max(3, round(4.0 / self._small_px_mm(view)))  # narrower than 4 mm is a rim, a shadow's edge, a crease
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _ellipse(reach)), np.uint8)
        area, touches = largest_blob(mask)
        outline = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, _ellipse(5))
        return area, touches, np.asarray(outline, np.uint8)

    def _moved_table(self, table: _Settled, view: Glance, coins: Mask) -> _Settled | None:
        """`table` as it looks now if only the camera or the mat was moved; None where that does not explain `view`."""
        found = alignment(view, table.view)
        if found is None:
            return None
        motion, share = found
        height, width = view.log.shape
        corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], np.float64)
        if share < _BUMP_SHARE or np.abs(corners @ motion.T - corners[:, :2]).max() < _BUMP_PX:
            return None
        size = (width, height)
        small = cv2.warpAffine(table.view.small, motion, size, borderMode=cv2.BORDER_REPLICATE)
        known = cv2.warpAffine(table.known, motion, size, flags=cv2.INTER_NEAREST, borderValue=255)
        moved = _Settled(glance(np.asarray(small, np.uint8)), np.asarray(known, np.uint8), table.mat)
        area, _, _ = self._unexplained(view, [moved], coins)
        return moved if area < self._area_px(_HAND_MM2, view) else None

    def _coins(self, view: Glance, reading: Reading) -> Mask:
        """Where the reading's coins lie, with their rims and shadows."""
        mask = np.zeros(view.log.shape, np.uint8)
        margin = 2.0 / self._small_px_mm(view)
        for coin in reading.coins:
            _fill_disc(mask, coin.disc, view.scale, margin)
        return mask

    def _looked_at(self, view: Glance) -> Mask:
        mask = np.full(view.log.shape, 0 if self._areas.mat_px else 255, np.uint8)
        for polygon, value in [(self._areas.mat_px, 255), *((p, 0) for p in self._areas.ignored_px)]:
            if polygon:
                cv2.fillPoly(mask, [np.round(np.asarray(polygon) / view.scale).astype(np.int32)], value)
        return mask

    def _small_px_mm(self, view: Glance) -> float:
        """Millimetres across one small pixel."""
        return self._mm_per_px * view.scale if self._mm_per_px else _WIDTH_MM / view.log.shape[1]

    def _area_px(self, area_mm2: float, view: Glance) -> float:
        return area_mm2 / self._small_px_mm(view) ** 2


def _box_px(plane: Plane, bounds_mm: tuple[float, float, float, float]) -> Polygon:
    left, top, right, bottom = bounds_mm
    corners = plane.to_px([(left, top), (right, top), (right, bottom), (left, bottom)])
    return [(float(x), float(y)) for x, y in corners]


_SPECK = np.ones((2, 2), np.uint8)


def _ellipse(diameter_px: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (diameter_px, diameter_px)), np.uint8)


def _fill_disc(mask: Mask, disc: Disc, scale: int, margin_px: float) -> None:
    centre = (round((disc.x_px + 0.5) / scale - 0.5), round((disc.y_px + 0.5) / scale - 0.5))
    cv2.circle(mask, centre, round(disc.r_px / scale * 1.1 + margin_px), 255, cv2.FILLED)


def _unmatched(now: Reading, before: Reading) -> list[SeenCoin]:
    """The coins of `now` that `before` did not show within 1.5 mm, or for which both were sure of different coins."""
    reach_px = _SAME_PLACE_MM / now.mm_per_px if now.mm_per_px else None

    def same(a: SeenCoin, b: SeenCoin) -> bool:
        apart_px = np.hypot(a.disc.x_px - b.disc.x_px, a.disc.y_px - b.disc.y_px)
        reach = reach_px if reach_px is not None else 0.15 * a.disc.r_px
        return bool(apart_px <= reach) and (a.coin == b.coin or not (a.sure and b.sure))

    return [coin for coin in now.coins if not any(same(coin, other) for other in before.coins)]
