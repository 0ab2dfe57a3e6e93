"""The eye: reads frames, follows the mat, and posts what it saw. It alone uses the camera and the reader."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Queue
from typing import Any, TypeVar

from tablecoin.live.bell import Bell
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.vision.cameras.camera import Camera, CameraError, Focusable, Focusing, failed
from tablecoin.vision.cameras.soundness import Sequence, fault
from tablecoin.vision.coins.enrolment import Enrolment
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.frame import Frame
from tablecoin.vision.place.drift import EVERY_S
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.settle import Look, Settler
from tablecoin.vision.shown.preview import Preview

log = logging.getLogger(__name__)

_FRAME_TIMEOUT_S = 1.0  # a camera without a picture for this long is away
_LONG_S = 2.5  # after so long between two frames the table is read anew; the referee calls 3 s a silence
_RETRY_S = 0.2  # pause after a frame that did not come or could not be read
_BEAT_S = 1.0  # an unchanged look is posted this often, so that the watchdog knows that frames go through
_FAULT = Message("camera.frame.fault")
_MEAN_OF = 10  # frames that the running mean of their interval covers


@dataclass(frozen=True)
class Astray:
    """The mat has moved and cannot be followed: nothing may be ruled on."""

    why: Message


@dataclass(frozen=True)
class Away:
    """The camera gives no picture."""

    why: Message


T = TypeVar("T")
Errand = Callable[[Camera, Reader], T]  # work with camera and reader, done by the eye between two frames


class Eye:
    """Call `watch` on a thread of its own, the rest from any thread."""

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        still_s: float,
        post: Callable[[Look | Astray | Away], None],
        film: Callable[[Frame, Look], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`post` is called with what was seen, whenever people would see a difference, and once a second; `film` with
        every frame and what was seen in it, before it is posted. Both must return at once."""
        self.pictures = Preview(lambda: reader.plane)
        self.pictured = Bell()  # rings when there is a newer picture
        self._camera, self._reader, self._still_s, self._post, self._film = camera, reader, still_s, post, film
        self._clock = clock
        self._settler = self._new_settler()
        self._checked_s = 0.0  # when the mat's place was last checked
        self._astray = False  # the mat has moved, so nothing is ruled on
        self._sequence = Sequence(still_s)
        self._logged = set[tuple[str, type]]()  # what was wrong with frames: each is logged once
        self._errands: Queue[tuple[Errand[Any], Future[Any]]] = Queue()
        self._frame_s = clock()
        self._interval_s = 0.1  # between two frames, running mean
        self._frames = 0
        self._again = threading.Event()  # the table is to be looked at again
        self._passed: Look | None = None  # what was posted last, and when
        self._passed_s = 0.0

    @property
    def name(self) -> str:
        """The camera's name."""
        return self._camera.name

    @property
    def age_s(self) -> float:
        """How long ago the newest frame came."""
        return self._clock() - self._frame_s

    @property
    def fps(self) -> float:
        """Frames read in a second, lately. It falls while none comes."""
        return 1 / max(self._interval_s, self.age_s)

    @property
    def frames(self) -> int:
        """How many frames were read since the start."""
        return self._frames

    @property
    def warning(self) -> Message | None:
        """What people should know about the mat's place; None when all is well."""
        return self._reader.drift.said

    @property
    def camera_warning(self) -> Message | None:
        """What people should know about the camera; None when all is well."""
        return self._camera.warning if isinstance(self._camera, Focusable) else None

    @property
    def focusing(self) -> Focusing:
        """How the camera's lens is focused."""
        return self._camera.focusing if isinstance(self._camera, Focusable) else "unknown"

    @property
    def plane(self) -> Plane | None:
        """Where the mat lies; None while it is not seen."""
        return self._reader.plane

    @property
    def own_coins(self) -> Enrolment | None:
        """The enrolment of the players' own coins; None where there is none."""
        return self._reader.own_coins

    def recall(self, remembered: Remembered | None) -> None:
        """Let these remembered coins help to read from the next frame on; None: none do."""
        self._reader.recall(remembered)

    def look_again(self) -> None:
        """Look at the table afresh, as if it had just come to rest. May be called from any thread."""
        self._again.set()

    def errand(self, errand: Errand[T], timeout_s: float) -> T:
        """Run `errand` between two frames and return its result. TimeoutError after `timeout_s`."""
        reply: Future[T] = Future()
        self._errands.put((errand, reply))
        return reply.result(timeout_s)

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()

    def watch(self, stopping: threading.Event) -> None:
        """Read frames until `stopping` is set."""
        while not stopping.is_set():
            self.look(stopping)

    def look(self, stopping: threading.Event) -> None:
        """Read one frame and post what it shows. `stopping` ends the pause after one that cannot be read."""
        self._run_errands()
        if self._again.is_set():
            self._again.clear()
            self._reader.look_afresh()
            self._settler.look_again()
        try:
            frame = self._sound_frame()
            arrived_s = self._clock()
            look = self._settler.see(frame)
            why = self._check_mat(frame, look)
        except CameraError as error:
            self._settler.look_again()
            self._post(Away(error.message))
            stopping.wait(_RETRY_S)
            return
        except Exception as error:  # one bad frame must not end the game
            self._log_once(_FAULT, error)
            self._settler = self._new_settler()
            self._post(Away(_FAULT))
            stopping.wait(_RETRY_S)
            return
        self._count_frame(frame, look, arrived_s)
        if self._film:
            self._film(frame, look)
        beat = frame.taken_s - self._passed_s >= _BEAT_S
        if why and (beat or self._passed is not None):
            self._passed, self._passed_s = None, frame.taken_s
            self._post(Astray(why))
        elif not why and (beat or look.sighting or _differs(look, self._passed)):
            self._passed, self._passed_s = look, frame.taken_s
            self._post(look)

    def _sound_frame(self) -> Frame:
        """The camera's next frame. Raises CameraError where there is none, or none that can be read.

        With a frame of another shape, and after one whose time is wrong, everything begins anew.
        """
        try:
            frame = self._camera.read(_FRAME_TIMEOUT_S)
        except CameraError:
            raise
        except Exception as error:
            raise self._refused(failed(self.name, error).message, error) from None
        if wrong := fault(frame.image):
            raise self._refused(wrong)
        if not self._sequence.goes_on(frame.taken_s, self._clock()):
            self._settler = self._new_settler()
            self._checked_s = self._passed_s = -math.inf
            raise self._refused(Message("camera.time", {"camera": self.name}))
        height, width = frame.image.shape[:2]
        if self._sequence.resized(frame.image.shape, frame.taken_s):
            self._log_once(Message("camera.resized", {"width": width, "height": height}))
            self._reader.begin_anew()
            self._settler = self._new_settler()
        if self._sequence.keeps_changing(frame.taken_s):
            raise self._refused(Message("camera.changing", {"camera": self.name}))
        return frame

    def _refused(self, why: Message, error: Exception | None = None) -> CameraError:
        """The error for a frame that cannot be read; what is wrong is logged once."""
        self._log_once(why, error)
        return CameraError(why)

    def _log_once(self, said: Message, error: Exception | None = None) -> None:
        """Log it, unless it was logged before; with the traceback of an error, each type of which counts anew."""
        told = sentence(said)
        if (told, type(error)) not in self._logged:
            self._logged.add((told, type(error)))
            log.warning("%s", told, exc_info=error)

    def _check_mat(self, frame: Frame, look: Look) -> Message | None:
        """Check the mat's place once a second while the table is idle (place/drift.py); why nothing may be ruled.

        After the mat moved, a new settler starts: the coins have other places on the mat now.
        """
        if not (look.moving or look.hand) and frame.taken_s - self._checked_s >= EVERY_S:
            self._checked_s = frame.taken_s
            before = self._reader.plane
            followed = self._reader.check(frame).state == "followed" and before is not None
            if followed and not self._astray:
                self._settler = self._new_settler()
        drift = self._reader.drift
        if self._astray and not drift.stops:
            self._settler = self._new_settler()
        self._astray = drift.stops
        return drift.said if drift.stops else None

    def _new_settler(self) -> Settler:
        return Settler(self._reader.read, still_s=self._still_s, areas=lambda _: Areas.over(self._reader.plane))

    def _run_errands(self) -> None:
        while not self._errands.empty():
            errand, reply = self._errands.get()
            try:
                reply.set_result(errand(self._camera, self._reader))
            except Exception as error:
                reply.set_exception(error)
            self._settler = self._new_settler()

    def _count_frame(self, frame: Frame, look: Look, arrived_s: float) -> None:
        if arrived_s - self._frame_s >= _LONG_S:
            self._settler.look_again()
        now = self._clock()
        self._interval_s += (now - self._frame_s - self._interval_s) / _MEAN_OF
        self._frame_s = now
        self._frames += 1
        self.pictures.put(frame, stirs=look.moving)
        self.pictured.ring()


def _differs(look: Look, before: Look | None) -> bool:
    """Whether people would see a difference between two looks."""
    return (
        before is None
        or (look.moving, look.hand, look.is_overdue) != (before.moving, before.hand, before.is_overdue)
        or look.reading is not before.reading
    )
