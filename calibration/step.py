"""A step of the wizard: it gets the newest pictures and the calibration so far, and returns its outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from calibration.words import NOTHING, Said
from tablecoin.vision.calibrated import Calibration, Locks
from tablecoin.vision.cameras.camera import Focusing
from tablecoin.vision.coins.enrolment import Enrolment, Tray
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image


class CameraLock(Protocol):
    """Lets the camera adjust itself once more, then locks it. Raises CameraError."""

    def __call__(self) -> Locks: ...


@dataclass(frozen=True)
class Sight:
    """What a step works on. `reader` makes a Reader with the mat, lens, light and coins known so far."""

    frames: Sequence[Frame]  # at least one, oldest first
    known: Calibration
    reader: Callable[[], Reader]
    lock: CameraLock
    identifier: Callable[[], Identifier] = Identifier  # of these readers
    focusing: Focusing = "unknown"  # how the camera's lens is focused
    tray: Tray | None = None  # the coins that people say they laid out, if they were asked

    @property
    def frame(self) -> Frame:
        """The newest frame."""
        return self.frames[-1]


@dataclass(frozen=True)
class Outcome:
    """The result of a step. `changes`: new values of Calibration fields, kept where `ok` or `keep`."""

    ok: bool
    said: Said
    picture: Image  # what the step saw, with its findings drawn on it
    todo: Said = field(default_factory=lambda: NOTHING)
    figures: Mapping[str, float] = field(default_factory=dict)
    changes: Mapping[str, Any] = field(default_factory=dict)
    keep: bool = False  # keep `changes` even if not ok: a failed pass is a result too
    more: bool = False  # neither ok nor failed: the step needs another picture
    learned: Enrolment | None = None  # saved in the file that `changes` names


class Step(Protocol):
    """One step. `pictures`: how many new frames it needs. Its title and description stand in web/static/i18n."""

    @property
    def name(self) -> str: ...

    @property
    def pictures(self) -> int: ...

    @property
    def optional(self) -> bool: ...

    def run(self, sight: Sight) -> Outcome:
        """Judge the pictures. Mistakes of people are outcomes, never exceptions."""
