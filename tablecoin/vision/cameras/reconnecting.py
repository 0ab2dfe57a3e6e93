"""A camera that is opened again when it vanishes, while its reader never waits for longer than it asked to."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import replace
from typing import Any, TypeVar

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.camera import Camera, CameraError, Focusable, Focusing, Lockable, failed
from tablecoin.vision.cameras.soundness import SAME_S, Repeats, fault
from tablecoin.vision.frame import Frame

log = logging.getLogger(__name__)

_HANGS_S = 5.0  # a camera that takes longer to open is said to hang; a Pi camera that focuses takes about 4 s
_STUCK_S = 10.0  # a driver that sent the very same picture for so long is opened again
_CLOSING_S = 2.0  # how long the program waits at its end for a camera to close
T = TypeVar("T")


class Reconnecting:
    """A camera that is opened again when it vanishes, after a pause that doubles from `pause_s` up to `longest_s`.

    Opening and closing happen on a thread of their own, because a driver may hang in either: `read` always returns
    within about its timeout. While there is no camera, it raises CameraError with the reason. A new try begins only
    when the one before has ended. Frame numbers continue when the camera is back. `met` is called by `read` with each
    camera that was opened. `repeats` notices a live camera whose driver hangs and sends one picture for ever: that is a
    warning first, and after a while the camera is opened again; None for a source that may stand still. `clock` and
    `sleep` are injected for tests. The first read opens the camera, so the constructor never fails.
    """

    def __init__(
        self,
        open_one: Callable[[], Camera],
        name: str = "camera",
        pause_s: float = 0.5,
        longest_s: float = 10.0,
        met: Callable[[Camera], None] = lambda camera: None,
        repeats: Repeats | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self._open_one, self._met = open_one, met
        self._first_pause_s = self._pause_s = pause_s
        self._longest_s = longest_s
        self._clock, self._sleep = clock, sleep
        self._repeats = repeats
        self._camera: Camera | None = None
        self._opening: Future[Camera] | None = None
        self._opening_s = 0.0  # when it began
        self._closing: Future[None] | None = None
        self._retry_at_s = clock()
        self._why = Message("camera.opening")
        self._number = 0

    def read(self, timeout_s: float) -> Frame:
        """The next frame of the camera now connected; CameraError while there is none."""
        try:
            frame = self._connected(timeout_s).read(timeout_s)
            self._look_for_repeats(frame)
        except _NotYet:
            raise CameraError(self._why) from None
        except CameraError as error:
            self._lose(error)
            raise
        except Exception as error:
            raise self._failed(error) from None
        self._pause_s = self._first_pause_s
        self._number += 1
        return replace(frame, number=self._number)

    def lock(self) -> dict[str, Any]:
        """As `Lockable.lock`; {} for a camera that cannot be locked. Raises CameraError while there is no camera.

        One that failed half way may adjust itself for the rest of the evening, so the next read opens it anew, locked.
        """
        if self._camera is None:
            raise CameraError(self._why)
        try:
            return self._camera.lock() if isinstance(self._camera, Lockable) else {}
        except CameraError as error:
            self._lose(error)
            raise
        except Exception as error:
            raise self._failed(error) from None

    @property
    def focusing(self) -> Focusing:
        """How the lens of the camera now connected is focused."""
        return self._camera.focusing if isinstance(self._camera, Focusable) else "unknown"

    @property
    def warning(self) -> Message | None:
        """What the camera now connected warns of."""
        if self._repeats and self._repeats.same_s >= SAME_S:
            return self._repeated
        return self._camera.warning if isinstance(self._camera, Focusable) else None

    def close(self) -> None:
        """Release the device; the next read opens it again."""
        self._release()
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.add_done_callback(_close_unused)
        if self._closing is not None:
            wait([self._closing], _CLOSING_S)

    @property
    def _repeated(self) -> Message:
        return Message("camera.repeats", {"camera": self.name})

    def _look_for_repeats(self, frame: Frame) -> None:
        """Raises CameraError where the camera should be opened again."""
        if self._repeats is None or fault(frame.image):
            return
        self._repeats.see(frame)
        if self._repeats.same_s >= _STUCK_S:
            self._repeats.begin_anew()
            raise CameraError(self._repeated)

    def _connected(self, timeout_s: float) -> Camera:
        """The open camera. Raises _NotYet after `timeout_s` without one, CameraError when opening failed."""
        if self._camera is not None:
            return self._camera
        if self._opening is None:
            wait_s = self._retry_at_s - self._clock()
            if wait_s > 0:
                self._sleep(min(wait_s, timeout_s))
            if wait_s > timeout_s:
                raise _NotYet
            closing = self._closing
            self._opening = _on_a_thread(lambda: self._open_after(closing))
            self._opening_s = self._clock()
        wait([self._opening], timeout_s)
        if not self._opening.done():
            if self._clock() - self._opening_s >= _HANGS_S:
                self._why = Message("camera.hangs", {"camera": self.name})
            raise _NotYet
        opened, self._opening = self._opening, None
        try:
            self._camera = opened.result()
        except CameraError:
            raise
        except Exception as error:  # a driver may raise anything
            log.warning("the %s could not be opened", self.name, exc_info=True)
            raise failed(self.name, error) from None
        self.name = self._camera.name
        self._met(self._camera)
        return self._camera

    def _open_after(self, closing: Future[None] | None) -> Camera:
        """Open the camera once the one before is closed, which frees the device."""
        if closing is not None:
            wait([closing])
        return self._open_one()

    def _failed(self, error: Exception) -> CameraError:
        """Let go of a camera whose driver raised `error`."""
        log.warning("the driver of the %s failed", self.name, exc_info=error)
        failure = failed(self.name, error)
        self._lose(failure)
        return failure

    def _lose(self, error: CameraError) -> None:
        """Let go of the camera, which failed. It is opened again after the pause; each further failure doubles that."""
        self._release()
        self._why = error.message
        self._retry_at_s = self._clock() + self._pause_s
        self._pause_s = min(2 * self._pause_s, self._longest_s)

    def _release(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            self._closing = _on_a_thread(lambda: _closed(camera))


class _NotYet(Exception):
    """No camera is open yet, and nothing new is known about why."""


def _on_a_thread(work: Callable[[], T]) -> Future[T]:
    """Begin `work` on a daemon thread: one that hangs in a driver does not keep the program from ending."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except Exception as error:
            result.set_exception(error)

    threading.Thread(target=run, name="camera", daemon=True).start()
    return result


def _closed(camera: Camera) -> None:
    try:
        camera.close()
    except Exception:  # drivers of an unplugged device may raise anything here; it is opened again all the same
        log.warning("the %s could not be closed", camera.name, exc_info=True)


def _close_unused(opening: Future[Camera]) -> None:
    if opening.exception() is None:
        _closed(opening.result())
