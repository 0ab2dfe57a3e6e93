"""The reader: a frame in, a Reading out, in three stages over one batch of candidates.

    propose     circles that may be coins
    identify    what each circle is, by its looks and its size
    resolve     of circles that cover each other one coin, with its place and zone

With a mat in view the scale is known, so only circles of coins' sizes on the mat are proposed. Without one, circles of
all sizes are, and the coins themselves tell the scale.
"""

from __future__ import annotations

import time
from dataclasses import replace

from tablecoin.rules.rulebook import Message
from tablecoin.vision.calibrated import FlatField, even
from tablecoin.vision.coins import find, identify, propose, resolve
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.enrolment import Enrolment
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.coins.sureness import TOLD
from tablecoin.vision.coins.touched import Search
from tablecoin.vision.coins.unmoved import NOTHING_YET, LastReading
from tablecoin.vision.frame import Frame, Grey, Reading
from tablecoin.vision.place.drift import Drift, is_dark
from tablecoin.vision.place.lens import Lens
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.place.tracker import MatTracker
from tablecoin.vision.rest.clearness import GLARE, clearness, glares, is_noise

FEW = 3  # coins of a photo, below which their sizes hardly tell the scale
NOISE, CROWDED = Message("vision.noise"), Message("vision.crowded")
NO_MAT, DARK, MIRRORED = (Message(f"vision.mat.{why}") for why in ("none", "dark", "mirrored"))
FEW_COINS, NOT_WHOLE = Message("vision.coins.few"), Message("vision.coins.more")


class Reader:
    """Reads frames. Remembers the mat's plane and the last reading, so one reader belongs to one camera and thread."""

    def __init__(
        self,
        mat: str = "auto",
        lens: Lens | None = None,
        identifier: Identifier | None = None,
        light: FlatField | None = None,
        effort: find.Effort = find.PHOTO,
    ) -> None:
        """`mat` is a mat's name, `auto` (any known one that is seen) or `none`. MatError: no such mat.

        `lens` and `light` are the calibration's; without a lens its distortion is fitted to the markers.
        `effort`: what a picture without a mat may cost.
        """
        self._tracker = MatTracker(mat)
        self._lens, self._light, self._effort = lens, light, effort
        self._size_px: tuple[int, int] | None = None  # of the pictures for which lens and light hold; None: of any
        self._identifier = identifier or Identifier()
        self._last = NOTHING_YET
        self._search: Search | None = None

    @property
    def plane(self) -> Plane | None:
        """Where the mat lay when its markers were last seen well; None before that."""
        return self._tracker.plane

    @property
    def drift(self) -> Drift:
        """How the newest frame's markers stand to the plane."""
        return self._tracker.drift

    @property
    def own_coins(self) -> Enrolment | None:
        """The table's own coins, where they were enrolled."""
        return self._identifier.enrolled

    def check(self, frame: Frame) -> Drift:
        """Look at the mat's markers alone: a few milliseconds. A mat that moved is followed where its markers show."""
        lens, _ = self._known_of(frame)
        self._tracker.locate(frame.image, find.greyed(frame.image), lens)
        return self._tracker.drift

    def calibrated(
        self,
        lens: Lens | None,
        light: FlatField | None,
        coins: Enrolment | None = None,
        size_px: tuple[int, int] | None = None,
    ) -> None:
        """Use another calibration and enrolled coins from the next frame on.

        `size_px`: width and height of the pictures for which lens and light hold; None: of any.
        """
        self._lens, self._light, self._size_px = lens, light, size_px
        self._identifier.know(coins)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Read the next frame as the first: the plane is found anew, and no coin keeps what it was read as."""
        self._tracker.forget()
        self.look_afresh()

    def look_afresh(self) -> None:
        """Read the next frame as if none had been read before: no coin keeps what it was read as."""
        self._last, self._search = NOTHING_YET, None

    def recall(self, remembered: Remembered | None) -> None:
        """Let these remembered coins vote from the next frame on. May be called from any thread."""
        self._identifier.recall(remembered)

    def read(self, frame: Frame) -> Reading:
        """All the coins of `frame`."""
        return self._read(frame, TOLD, find.KNOWN_VOTES)

    def read_tray(self, frame: Frame) -> Reading:
        """As `read`, for a mat on which nothing but coins lies: every round thing counts, however odd it looks."""
        return self._read(frame, 0.0, find.PLAIN_VOTES)

    def read_on(self, frame: Frame, plane: Plane) -> Reading:
        """All the coins of `frame`, a photo of which a rectified part is read: its plane is known already."""
        return self._on_mat(frame, plane, TOLD, find.KNOWN_VOTES, is_photo=True)

    def _read(self, frame: Frame, least: float, votes: int) -> Reading:
        start_s = time.thread_time()
        grey = find.greyed(frame.image)
        if is_noise(grey):  # every search of it would take seconds
            return Reading(frame, (), None, unclear=NOISE)
        lens, light = self._known_of(frame)
        plane = self._tracker.locate(frame.image, grey, lens)
        clear = clearness(grey, plane) if plane else None
        plane_ms = (time.thread_time() - start_s) * 1000
        if light is not None:
            frame = replace(frame, image=even(frame.image, light))
        reading = self._on_mat(frame, plane, least, votes) if plane else self._anywhere(frame)
        if plane is None and self._tracker.seeks and self._effort is find.LIVE:
            reading = self._without_mat(reading, grey)
        unclear = (clear.fault if clear else None) or reading.unclear
        return replace(reading, stages_ms={"plane": plane_ms, **reading.stages_ms}, unclear=unclear)

    def _known_of(self, frame: Frame) -> tuple[Lens | None, FlatField | None]:
        """The calibrated lens and light for this frame."""
        height, width = frame.image.shape[:2]
        return (self._lens, self._light) if self._size_px in (None, (width, height)) else (None, None)

    def _on_mat(self, frame: Frame, plane: Plane, least: float, votes: int, is_photo: bool = False) -> Reading:
        """`least` is the probability from which a candidate is a coin, `votes` the Hough votes of a circle."""
        height, width = frame.image.shape[:2]
        picture = Halvings(frame.image)
        stages = Stages()
        above, flat = propose.upright(frame.image, plane)
        proposed, self._search = propose.on_mat(picture, above, flat, plane, self._last, votes, self._search)
        stages.end("find")
        if len(proposed) > find.MOST_CIRCLES:
            return Reading(frame, (), None, plane.mat.name, stages_ms=stages.ms, unclear=CROWDED)
        identified = identify.on_mat(proposed, picture, plane, self._last, self._identifier, is_photo)
        self._last = LastReading.of(identified, picture)
        stages.end("identify")
        coins = resolve.on_mat(identified, plane, least)
        stages.end("resolve")
        scale = plane.mm_per_px_at((width / 2, height / 2))
        said = (*plane.warnings, GLARE) if glares(above, flat) else plane.warnings
        return Reading(frame, coins, scale, plane.mat.name, warnings=said, stages_ms=stages.ms)

    def _anywhere(self, frame: Frame) -> Reading:
        stages = Stages()
        found = propose.anywhere(frame.image, self._effort)
        stages.end("find")
        if len(found.discs) > self._effort.circles:
            return Reading(frame, (), None, stages_ms=stages.ms, unclear=CROWDED)
        identified, mm_per_px = identify.anywhere(Candidates.proposed(found.discs), frame.image, self._identifier)
        stages.end("identify")
        coins = resolve.anywhere(identified)
        stages.end("resolve")
        few = mm_per_px is not None and sum(coin.denomination is not None for coin in coins) < FEW
        more = bool(coins) and not found.is_whole and self._effort is find.PHOTO
        said = tuple(warning for warning, holds in ((FEW_COINS, few), (NOT_WHOLE, more)) if holds)
        unclear = None if coins or found.is_whole else CROWDED
        return Reading(frame, coins, mm_per_px, warnings=said, stages_ms=stages.ms, unclear=unclear)

    def _without_mat(self, reading: Reading, grey: Grey) -> Reading:
        """The reading with what people at a running table need to know of a picture that does not show the mat."""
        if is_dark(grey):
            return replace(reading, unclear=DARK)
        if self._tracker.mirrors(grey):
            return replace(reading, unclear=MIRRORED)
        return replace(reading, warnings=(NO_MAT, *(each for each in reading.warnings if each != FEW_COINS)))


class Stages:
    """A stopwatch of this thread's processor time. `ms` is what each stage took, in the order they ended."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._since_s = time.thread_time()

    def end(self, stage: str) -> None:
        """Call when `stage` ends; the next one begins."""
        now_s = time.thread_time()
        self.ms[stage] = (now_s - self._since_s) * 1000
        self._since_s = now_s
