"""When the table may be ruled on: no motion, no hand, and two readings that agree.

Every frame is glanced at or, once the table lies still, compared in some of its pixels (`idle.py`). Only a table that
came to rest after something changed is read. The only clock is `Frame.taken_s`, so a recording settles exactly as the
live table did.

What lies absolutely still for eight seconds, as no living hand can, is an object: it is accepted with a warning, and
explained from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Frame, Reading, SeenCoin, Sighting
from tablecoin.vision.rest.areas import EVERYWHERE, Areas
from tablecoin.vision.rest.average import Average, MeanFrame
from tablecoin.vision.rest.change import Field, Glance, Mask, change, edges, glance, levels, noise, shift, sway
from tablecoin.vision.rest.hands import BUMP_PX, SIGMAS, Scope, Settled
from tablecoin.vision.rest.idle import Idle
from tablecoin.vision.rest.unrest import Unrest

OBJECT_WARNING = Message("vision.object")
BUMP_WARNING = Message("vision.moved")
DISAGREE_WARNING = Message("vision.disagree")

_MOTION_MM2 = 12.0  # changed area from which there is motion: the two crescents of a coin slid by half a millimetre
_CHANGED = 0.06  # least change of light, as a fraction, of a pixel that moved
_TOUCHED = 0.025  # the same of the mean picture of a second
_FAR = 0.2  # share of the mat that changed, above which it is motion whatever the camera does
_LOOSE = 0.7  # of a sway: so much of it an edge may still show, because small pixels catch print by chance
_READ_AFTER_S = 0.2  # of stillness, after which the table is read first, while the rest of `still_s` passes
_AGAIN_S = 0.15  # between readings that did not agree
_TRIES = 5  # readings; if they still disagree, the last is passed on with the coins in doubt as not sure
_SAME_PLACE_MM = 1.5  # a coin in two readings is the same within this distance
_SAME_PLACE = 0.15  # the same in radii, where no scale is known
_OBJECT_S = 8.0  # without a stir, after which what lies there is an object
_BREATH = 1.6  # a living outline changes by at least this many times the picture's noise
_BREATH_LEVELS = 0.7  # and by at least this many grey levels
_DRIFT_S = 5.0  # time constant with which slow changes of light are followed
_ANOTHER = 0.15  # noise above this is no noise: half the picture differs, so it shows something else
_PASSING_S = 0.09  # between searches for a hand while things move: a search takes longer than all the rest of a frame
_OVERDUE_S = 1.6  # of stillness, after which a table should have been ruled on: the tries take 1.2 s
_UNCLEAR_S = 4.0  # after which a picture that was not clear is read again: light that comes slowly is no motion
_IDLE_S = 1.0  # of stillness, after which most frames need no full look
_GAP_S = 3.0  # frames further apart say nothing about what happened between them


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows."""

    moving: bool
    hand: bool  # something that is no coin lies over the mat, moving or not
    still_s: float  # since the last motion
    reading: Reading | None  # the newest, perhaps of an earlier frame
    sighting: Sighting | None  # None unless this frame completed one
    restless: Message | None = None  # why the table has not come to rest for some seconds; None where it has

    @property
    def is_overdue(self) -> bool:
        """Whether it lies still for so long that people should know why, if it is not ruled on."""
        return not self.moving and self.still_s >= _OVERDUE_S


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
        self._anchor: Glance | None = None  # the picture that frames are compared with to see motion
        self._table: Settled | None = None  # as it was last ruled on
        self._bare: Settled | None = None  # as it was before an object was accepted; None: no object lies there
        self._scope = Scope()
        self._last_s = 0.0
        self._still_since_s = 0.0
        self._due_s: float | None = None  # seconds of stillness at which to read next; None: nothing to read
        self._tries: list[Reading] = []  # readings since the last motion
        self._reading: Reading | None = None
        self._read_s = 0.0  # when it was read
        self._hand: Mask | None = None  # its outline, while something lies there
        self._hand_since_s = 0.0  # when it last stirred
        self._searched_s = -_PASSING_S  # when a hand was last searched for among moving things
        self._bumped = False  # whether the camera or mat was moved since the last sighting
        self._count = 0
        self._unrest = Unrest()
        self._average = Average()
        self._mean = MeanFrame()  # of the still pictures since the last reading
        self._idle = Idle()

    def see(self, frame: Frame) -> Look:
        """Take the next frame, in the order of `taken_s`."""
        if self._idle.spares(frame):
            return Look(False, False, frame.taken_s - self._still_since_s, self._reading, None)
        look = self._look(frame)
        if self._due_s is None and not (look.moving or look.hand or look.restless) and look.still_s >= _IDLE_S:
            self._idle.looked_at(frame)
        else:
            self._idle.clear()
        return look

    def _look(self, frame: Frame) -> Look:
        """A full look at `frame`."""
        view = glance(frame.image)
        moving = self._moved(view, frame.taken_s)
        self._last_s = frame.taken_s
        if moving:
            if self._anchor is not None:
                self._unrest.moved(view.log, self._anchor.log, frame.taken_s)
            self._anchor = view
            self._still_since_s = self._hand_since_s = frame.taken_s
            self._due_s = min(_READ_AFTER_S, self._still_s)
            self._tries.clear()
            self._average.clear()
            self._mean.clear()
            if frame.taken_s - self._searched_s >= _PASSING_S:
                self._hand, self._searched_s = self._something_passing(view), frame.taken_s
        still_s = frame.taken_s - self._still_since_s
        if still_s >= self._still_s:
            self._unrest.rested()
        rests = not moving and self._hand is None
        if rests and (self._touched(view, frame.taken_s) or self._may_be_clear_now(frame.taken_s)):
            self._average.clear()
            self._due_s = still_s
            self._tries.clear()
        sighting = None
        if self._due_s is not None and not moving:
            self._mean.add(frame.image)
        if self._due_s is not None and still_s >= self._due_s:
            sighting = self._consider(frame, view, still_s)
        elif self._hand is not None and not moving and self._is_an_object(view, frame.taken_s):
            sighting = self._accept_object(frame, view)
        why = self._unrest.said(frame.taken_s)
        return Look(moving, self._hand is not None, still_s, self._reading, sighting, why)

    def look_again(self) -> None:
        """Call when frames were missed: whatever happened meanwhile, the table is read anew once it is at rest."""
        self._anchor = None
        self._idle.clear()

    # -- motion -------------------------------------------------------------------------------------------------------

    def _moved(self, view: Glance, now_s: float) -> bool:
        """Whether something moved since the anchor was taken. While nothing does, the anchor follows slow changes."""
        anchor = self._anchor
        if anchor is None or anchor.log.shape != view.log.shape or now_s - self._last_s > _GAP_S:
            return True
        difference = change(view.log, anchor.log)
        if noise(difference) > _ANOTHER or self._stirs(difference, view, anchor):
            return True
        share = np.float32(1 - np.exp((self._last_s - now_s) / _DRIFT_S))
        self._anchor = replace(anchor, log=anchor.log + share * (view.log - anchor.log))
        return False

    def _touched(self, view: Glance, now_s: float) -> bool:
        """Whether the mean picture of the table at rest changed, although no single picture shows motion."""
        means = self._average.add(view.log, now_s)
        if means is None:
            return False
        least_px = self._scope.area_px(_MOTION_MM2, view)
        return cv2.countNonZero(self._unlike(change(*means), *means, _TOUCHED) & self._scope.around(view)) >= least_px

    def _may_be_clear_now(self, now_s: float) -> bool:
        """Whether the last picture that was read was too dark, or not clear in another way, and it is long ago."""
        unclear = self._reading is not None and self._reading.unclear is not None
        return unclear and self._due_s is None and now_s - self._read_s >= _UNCLEAR_S

    def _stirs(self, difference: Field, view: Glance, anchor: Glance) -> bool:
        """Whether more changed than the camera's sway and noise explain."""
        least_px = self._scope.area_px(_MOTION_MM2, view)
        around = self._scope.around(view)
        changed = np.asarray(np.abs(difference) > _CHANGED, np.uint8) & around
        if cv2.countNonZero(cv2.erode(changed, _SPECK)) < least_px:
            return False
        if cv2.countNonZero(changed) > _FAR * cv2.countNonZero(around):
            return True
        changed &= self._unlike(difference, view.log, anchor.log, _CHANGED)
        return cv2.countNonZero(cv2.erode(changed, _SPECK)) >= least_px

    def _unlike(self, difference: Field, now: Field, then: Field, least: float) -> Mask:
        """Where more than `least` changed from `then` to `now`, apart from the camera's sway and noise."""
        swayed, movement_px = sway(difference, now, then)
        left = np.abs(difference - swayed)
        if movement_px <= BUMP_PX:
            left -= np.float32(_LOOSE * movement_px) * edges(then)
        noisy = left * levels(now, then)
        return np.asarray((left > least) & (noisy > SIGMAS * noise(noisy)), np.uint8)

    def _something_passing(self, view: Glance) -> Mask | None:
        """The outline of what moves over the mat or comes in over the border; None when no more than coins moved."""
        if self._table is None:
            return None
        part = self._scope.passing(view, self._table)
        return part.outline if part.is_hand else None

    def _is_an_object(self, view: Glance, now_s: float) -> bool:
        """Whether what lies there has not stirred for _OBJECT_S. A stir starts that time again."""
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
        if reading.frame.image is not frame.image:  # what lies there is explained in the picture that was read
            view = glance(reading.frame.image)
        if self._table and reading.mat not in (None, self._table.mat):
            self._table = self._bare = None  # another mat was laid: what lay there before explains nothing on it
        known = self._scope.coins(view, reading)
        part = self._scope.unexplained(view, [t for t in (self._table, self._bare) if t], known)
        covered = part.is_hand
        if self._table and (covered or max(map(abs, shift(view.log, self._table.view.log))) > BUMP_PX):
            moved, by_px = self._scope.moved(self._table, view, known)
            covered &= moved is None
            if moved is not None and by_px >= BUMP_PX:
                self._table, self._bare, self._bumped = moved, None, True
        if reading.hand or covered:
            self._hand, self._due_s = part.outline, None
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
        """Read the table although something lies over it, which no longer counts as a hand."""
        reading = self._read_now(frame)
        self._bare = self._bare or self._table
        self._hand = None
        return self._rule_on(replace(reading, hand=False), view)

    def _rule_on(self, reading: Reading, view: Glance, *warnings: Message) -> Sighting:
        """A Sighting of `reading`, which later pictures are explained by."""
        coins = self._scope.coins(view, reading)
        if self._bumped:
            warnings += (BUMP_WARNING,)
        if self._bare is not None:
            if self._scope.unexplained(view, [self._bare], coins).is_hand:
                warnings += (OBJECT_WARNING,)
            else:
                self._bare = None
        self._reading = replace(reading, warnings=reading.warnings + warnings)
        self._table = Settled(view, coins, reading.mat)
        self._due_s = None
        self._count += 1
        sighting = Sighting(self._count, self._reading)
        self._bumped = False
        return sighting

    def _read_now(self, frame: Frame) -> Reading:
        reading = self._read(self._mean.take(frame))
        self._reading, self._read_s = reading, frame.taken_s
        self._scope = Scope(self._areas_of(reading), reading.mm_per_px or self._scope.mm_per_px)
        return reading


_SPECK = np.ones((2, 2), np.uint8)  # erosion by it removes single noisy pixels


def _unmatched(now: Reading, before: Reading) -> list[SeenCoin]:
    """The coins of `now` that `before` does not show in the same place, or where both are sure of different coins."""
    reach_px = _SAME_PLACE_MM / now.mm_per_px if now.mm_per_px else None

    def same(a: SeenCoin, b: SeenCoin) -> bool:
        apart_px = np.hypot(a.disc.x_px - b.disc.x_px, a.disc.y_px - b.disc.y_px)
        reach = reach_px if reach_px is not None else _SAME_PLACE * a.disc.r_px
        return bool(apart_px <= reach) and (a.coin == b.coin or not (a.sure and b.sure))

    return [coin for coin in now.coins if not any(same(coin, other) for other in before.coins)]
