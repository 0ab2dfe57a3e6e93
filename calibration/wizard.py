"""The wizard: runs one step at a time on new pictures and saves each result in the calibration file at once.

Page and commands both use this class. A step may be repeated at any time; its earlier result stays until the step
succeeds again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import cv2
import msgspec
import numpy as np

from calibration.aim import AimStep
from calibration.enrol import EnrolStep
from calibration.lens import LensStep
from calibration.light import LightStep
from calibration.markers import MarkersStep
from calibration.measured import ASKED, PassStep
from calibration.sizes import SizesStep
from calibration.step import Outcome, Sight, Step
from calibration.words import say
from tablecoin import mat as mats
from tablecoin.journal.unwritten import why_and_do
from tablecoin.live.table import LiveTable
from tablecoin.rules.rulebook import Message, sentence, texts
from tablecoin.vision.calibrated import Calibration, Locks, is_there, load, save
from tablecoin.vision.cameras.camera import Camera, CameraError, Focusable, Focusing, Lockable
from tablecoin.vision.coins.enrolled import own_coins
from tablecoin.vision.coins.enrolment import Enrolment, Tray
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image

ANY_MAT = "auto"
_PICTURE_S = 12.0  # longest wait for a new picture
_OLD_S = 5.0  # a newest picture older than this is of a camera that went away
_WIDEST_PX = 1280  # of the pictures shown
_DONE_FIELD = {"markers": "plane", "lens": "lens", "light": "light", "sizes": "sizes"}
_READ_BY = {"lens", "light", "coins"}  # fields of the calibration that a reader uses


class Eyes(Protocol):
    """The source of the wizard's pictures."""

    @property
    def name(self) -> str:
        """The camera's name."""

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """The newest picture whose number is above `after`; None where there is none within `timeout_s`."""

    @property
    def focusing(self) -> Focusing:
        """How the camera's lens is focused."""

    @property
    def ring_light(self) -> float | None:
        """How bright the panel's ring light shines, 0..1; None: there is none."""

    def lock(self) -> Locks:
        """Let the camera adjust itself to what it sees, then lock it. Raises CameraError."""

    def go_by(self, calibration: Calibration, coins: Enrolment | None) -> None:
        """Use this calibration and these enrolled coins from now on."""


class LiveEyes:
    """The camera of a running live table."""

    def __init__(self, live: LiveTable, ring_light: float | None = None) -> None:
        self._live, self.ring_light = live, ring_light

    @property
    def name(self) -> str:
        return self._live.snapshot().health.camera

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        return self._live.frame(after, timeout_s)

    @property
    def focusing(self) -> Focusing:
        return self._live.focusing

    def lock(self) -> Locks:
        return self._live.run_errand(lambda camera, reader: _lock(camera))

    def go_by(self, calibration: Calibration, coins: Enrolment | None) -> None:
        lens, light, size_px = calibration.lens, calibration.light, calibration.size_px
        self._live.run_errand(lambda camera, reader: reader.calibrated(lens, light, coins, size_px))


class CameraEyes:
    """A camera that the commands opened themselves."""

    def __init__(self, camera: Camera, ring_light: float | None = None) -> None:
        self._camera, self.ring_light = camera, ring_light

    @property
    def name(self) -> str:
        return self._camera.name

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        try:
            return self._camera.read(timeout_s)
        except CameraError:
            return None

    @property
    def focusing(self) -> Focusing:
        return _focusing(self._camera)

    def lock(self) -> Locks:
        return _lock(self._camera)

    def go_by(self, calibration: Calibration, coins: Enrolment | None) -> None:
        """Nothing to do: each command reads the calibration file."""


class NoEyes:
    """No camera: what the calibration file holds can be shown all the same."""

    focusing: Focusing = "unknown"
    ring_light: float | None = None

    def __init__(self, file: Path) -> None:
        """Its name is that of the camera that was calibrated, if one was."""
        known, _ = load(file)
        self.name = known.camera if known else ""

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        return None

    def lock(self) -> Locks:
        return Locks()

    def go_by(self, calibration: Calibration, coins: Enrolment | None) -> None:
        """Nothing goes by it."""


class Busy(Exception):
    """Another step is running; `texts` says so in every language."""

    def __init__(self) -> None:
        self.texts = say("busy")
        super().__init__(self.texts["en"])


class Wizard:
    """Runs steps. Thread-safe: raises Busy while another step is running."""

    busy: type[Exception] = Busy

    def __init__(self, eyes: Eyes, file: Path, mat: str = ANY_MAT, clock: Callable[[], float] = time.monotonic) -> None:
        """`file`: the calibration file; results in it for this camera are kept. `clock`: by which its pictures are
        dated. Raises MatError: no such mat."""
        self._mats = None if mat == ANY_MAT else (mats.load(mat),)
        self._enrol = EnrolStep()
        self.steps = self._begun()
        self._eyes, self._file, self._clock = eyes, file, clock
        self._network: Identifier | None = None
        self._known: Calibration | None = None  # what the steps made of the calibration; None: what the file holds
        self._filed: Calibration | None = None  # what the file held when it was last looked at
        self._outcomes: dict[str, Outcome] = {}
        self._running = threading.Lock()

    # -- for page and commands ----------------------------------------------------------------------------------------

    def run(self, name: str, tray: Tray | None = None) -> dict[str, Any]:
        """Run a step on new pictures and return its result as JSON values. Raises KeyError: no such step; Busy.

        `tray`: the coins that people say they laid out, for the step that enrols them.
        """
        step = {step.name: step for step in self.steps}[name]
        if not self._running.acquire(blocking=False):
            raise Busy
        try:
            self._outcomes[name] = self._run(step, tray)
        finally:
            self._running.release()
        return self._result(name)

    def aim(self) -> dict[str, Any]:
        """Run the first step on one picture, for the live aid. Changes nothing."""
        frame = self._eyes.frame(-1, _PICTURE_S)
        if frame is None or self._clock() - frame.taken_s > _OLD_S:
            return _json("aim", _no_picture())
        return _json("aim", self.steps[0].run(self._sight((frame,), self._begin(frame))))

    def state(self) -> dict[str, Any]:
        """What the page shows: the steps, whether they are done, their newest results, and what the file holds."""
        found, said = self._in_file()
        known = self._known or found
        passes = known.passes if known else ()
        own, own_said = self._own_coins(known)
        aside = None if known or not is_there(self._file) else texts(said)
        unused = texts(own_said) if own is None and own_said else None
        return {
            "camera": self._eyes.name,
            "file": self._file.name,
            "date": known.date if known and known.begun else None,
            "left_aside": aside and aside["en"],
            "left_aside_texts": aside,
            "said": " ".join(sentence(each) for each in (said, own_said) if each),
            "steps": [
                {
                    "name": step.name,
                    "optional": step.optional,
                    "done": own is not None if step.name == "enrol" else self._is_done(step.name, known),
                    "result": self._result(step.name) if step.name in self._outcomes else None,
                }
                for step in self.steps
            ],
            "asked": {str(coin): count for coin, count in ASKED.items()},
            "tray": msgspec.to_builtins(self._enrol.tray),
            "shown": [str(face) for face in self._enrol.shown],
            "left_coins": unused and unused["en"],
            "left_coins_texts": unused,
            "passes": msgspec.to_builtins(passes),
        }

    def picture(self, name: str) -> bytes | None:
        """The newest picture of a step as JPEG, with its findings drawn on it; None before the step ran."""
        outcome = self._outcomes.get(name)
        return _jpeg(outcome.picture) if outcome else None

    def restart(self) -> None:
        """Start again with an empty calibration. The file stays until a step succeeds. Raises Busy."""
        if not self._running.acquire(blocking=False):
            raise Busy
        try:
            self._outcomes.clear()
            self._enrol = EnrolStep()
            self.steps = self._begun()
            found, _ = self._in_file()
            if before := self._known or found:
                self._known = empty = Calibration.begin(before.camera, before.size_px, _now())
                self._eyes.go_by(empty, None)
        finally:
            self._running.release()

    # -- inside -------------------------------------------------------------------------------------------------------

    def _begun(self) -> tuple[Step, ...]:
        """New steps in order."""
        return AimStep(), MarkersStep(self._mats), LensStep(), LightStep(), SizesStep(), self._enrol, PassStep()

    def _run(self, step: Step, tray: Tray | None) -> Outcome:
        if step.name == "aim":  # the lamps may be others than when the camera was opened
            try:
                self._eyes.lock()
            except CameraError:
                return _no_picture()
        frames = self._frames(step.pictures)
        if not frames:
            return _no_picture()
        known = self._known = self._begin(frames[-1])
        try:
            outcome = step.run(self._sight(frames, known, tray))
        except CameraError as error:  # the camera went away while the step locked it
            return Outcome(False, say("no_camera", why=error), frames[-1].image, say("no_camera.do"))
        if outcome.changes and (outcome.ok or outcome.keep):
            outcome = self._keep(known, outcome)
        return outcome

    def _sight(self, frames: Sequence[Frame], known: Calibration, tray: Tray | None = None) -> Sight:
        def reader() -> Reader:
            identifier, mat = self._identifier(), known.plane.mat if known.plane else ANY_MAT
            identifier.know(self._own_coins(known)[0])
            return Reader(mat, lens=known.lens, light=known.light, identifier=identifier)

        return Sight(frames, known, reader, self._eyes.lock, self._identifier, self._eyes.focusing, tray)

    def _identifier(self) -> Identifier:
        self._network = self._network or Identifier()
        return self._network

    def _own_coins(self, known: Calibration | None) -> tuple[Enrolment | None, Message | None]:
        """The enrolled coins, if they can be used, and a sentence about them."""
        return own_coins(known, self._file.parent, self._identifier())

    def _keep(self, known: Calibration, outcome: Outcome) -> Outcome:
        lit = {"ring_light": self._eyes.ring_light} if "locks" in outcome.changes else {}  # those values hold under it
        self._known = kept = msgspec.structs.replace(known, date=_now(), **outcome.changes, **lit)
        try:
            if outcome.learned and kept.coins:
                outcome.learned.save(self._file.with_name(kept.coins))
            save(kept, self._file)
            self._filed = kept
        except OSError as error:
            said, todo = (say(key, **why_and_do(error)) for key in ("not_saved", "not_saved.do"))
            outcome = Outcome(False, said, outcome.picture, todo, outcome.figures)
        if _READ_BY & set(outcome.changes):
            self._eyes.go_by(kept, self._own_coins(kept)[0])
        return outcome

    def _in_file(self) -> tuple[Calibration | None, Message]:
        """What the file holds, and a sentence about it. What another program wrote to it since counts from now on."""
        found, said = load(self._file, self._eyes.name)
        if found != self._filed:
            self._filed, self._known = found, None
        return found, said

    def _begin(self, frame: Frame) -> Calibration:
        """The calibration of this camera and picture size: from memory, from the file, or an empty one."""
        size_px = frame.image.shape[1], frame.image.shape[0]
        found, _ = self._in_file()
        for known in (self._known, found):
            if known and known.camera == self._eyes.name and known.size_px == size_px:
                return known
        return Calibration.begin(self._eyes.name, size_px, _now())

    def _frames(self, count: int) -> list[Frame]:
        """`count` pictures of one size taken after this call; fewer where the camera stops."""
        newest = self._eyes.frame(-1, _PICTURE_S)
        frames: list[Frame] = []
        end_s = time.monotonic() + count * _PICTURE_S
        while newest and len(frames) < count and time.monotonic() < end_s:
            newest = self._eyes.frame(newest.number, _PICTURE_S)
            if newest and frames and newest.image.shape != frames[-1].image.shape:  # a phone was turned
                frames.clear()
            if newest:
                frames.append(newest)
        return frames

    def _is_done(self, name: str, known: Calibration | None) -> bool:
        if name == "aim":
            return bool((outcome := self._outcomes.get("aim")) and outcome.ok)
        if known is None:
            return False
        if name == "pass":
            return bool(known.passes and known.passes[-1].passed)
        return bool(getattr(known, _DONE_FIELD[name]))

    def _result(self, name: str) -> dict[str, Any]:
        return _json(name, self._outcomes[name])


def _lock(camera: Camera) -> Locks:
    return msgspec.convert(camera.lock(), Locks) if isinstance(camera, Lockable) else Locks()


def _focusing(camera: Camera) -> Focusing:
    return camera.focusing if isinstance(camera, Focusable) else "unknown"


def _no_picture() -> Outcome:
    return Outcome(False, say("no_picture"), np.full((240, 320, 3), 40, np.uint8), say("no_picture.do"))


def _json(name: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "step": name,
        "ok": outcome.ok,
        "more": outcome.more,
        "said": dict(outcome.said),
        "todo": dict(outcome.todo),
        "figures": dict(outcome.figures),
    }


def _jpeg(picture: Image) -> bytes:
    if picture.shape[1] > _WIDEST_PX:
        height = round(picture.shape[0] * _WIDEST_PX / picture.shape[1])
        picture = np.asarray(cv2.resize(picture, (_WIDEST_PX, height), interpolation=cv2.INTER_AREA), np.uint8)
    _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return jpeg.tobytes()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
