"""What a step of the wizard is: it takes the newest pictures and what is known so far, and says how it went."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from calibration.words import NOTHING, Said
from tablecoin.vision.calibrated import Calibration, Locks
from tablecoin.vision.coins.enrolment import Enrolment, Tray
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image


class CameraLock(Protocol):
    """Lets the camera adjust itself once more and then holds it. Raises CameraError."""

    def __call__(self) -> Locks: ...


@dataclass(frozen=True)
class Sight:
    """What a step may look at. `reader` gives a new one that goes by what is known of mat, lens, light and coins."""

    frames: Sequence[Frame]  # at least one, oldest first
    known: Calibration
    reader: Callable[[], Reader]
    lock: CameraLock
    identifier: Callable[[], Identifier] = Identifier  # of those readers
    tray: Tray | None = None  # what people say lies there, where they were asked

    @property
    def frame(self) -> Frame:
        """The newest."""
        return self.frames[-1]


@dataclass(frozen=True)
class Outcome:
    """How a step went. `changes` are new values for fields of the Calibration, kept when `ok` (or `keep`)."""

    ok: bool
    said: Said
    picture: Image  # what the step saw, with what it found drawn on it
    todo: Said = field(default_factory=lambda: NOTHING)
    figures: Mapping[str, float] = field(default_factory=dict)
    changes: Mapping[str, Any] = field(default_factory=dict)
    keep: bool = False  # keep `changes` although not ok: a failed pass is a result too
    more: bool = False  # not ok yet, and nothing wrong: the step goes on with another picture
    learned: Enrolment | None = None  # to be kept in the file that `changes` names


class Step(Protocol):
    """One step. `pictures` is how many new frames it wants; what it says of itself is in web/static/i18n."""

    @property
    def name(self) -> str: ...

    @property
    def pictures(self) -> int: ...

    @property
    def optional(self) -> bool: ...

    def run(self, sight: Sight) -> Outcome:
        """Look, judge and say. Never raises for anything people can do wrong."""
