"""The calibration of one table, in one readable file: written by the room `calibration`, read at every start.

The file is indented JSON with its kind and version, and is validated on loading. Its last line is the SHA-256 of the
lines before it, so that no damaged number is taken for a right one; older files have none. A file that is broken, or
belongs to another version or camera, is reported in a sentence and not used: the program then runs uncalibrated and
reads less accurately.
"""

from __future__ import annotations

import hashlib
import math
import re
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import cv2
import msgspec
import numpy as np

from tablecoin.coins import Denomination
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage import durable
from tablecoin.storage.documents import read_json
from tablecoin.vision.cameras.camera import CameraOptions
from tablecoin.vision.frame import Image
from tablecoin.vision.place.lens import Lens

FILE = "calibration.json"  # in the data folder
VERSION = 1
LARGEST_FILE = 1_000_000  # bytes; a usual one has about 10,000
GAIN_LOW, GAIN_HIGH = 0.6, 1.8  # of the flat-field correction; light that needs more must be fixed at the lamp
EVEN = 0.06  # a flat field whose gains are all this near to 1 is not applied: it would gain less than it costs

_DIGEST = re.compile(rb',\n "sha256": "([0-9a-f]{64})"\n}\n\Z')  # in place of the object's end

Matrix = Annotated[tuple[float, ...], msgspec.Meta(min_length=9, max_length=9)]
Share = Annotated[float, msgspec.Meta(ge=GAIN_LOW, le=GAIN_HIGH)]


class Locks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The values that the camera chose on the empty mat and is held at; None: it lacks or does not report it."""

    exposure_us: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    gain: Annotated[float, msgspec.Meta(ge=1, le=64)] | None = None
    colour_gains: tuple[float, float] | None = None  # (red, blue) against green
    focus_dioptres: float | None = None
    driver: dict[str, float] | None = None  # what a webcam's driver tells in units of its own


class FlatField(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A flat-field correction: the gains that make the empty paper equally bright everywhere.

    `gains` are rows of a coarse grid over the whole picture; `colour` are gains for blue, green and red that make the
    paper grey.
    """

    gains: Annotated[tuple[tuple[Share, ...], ...], msgspec.Meta(min_length=2, max_length=64)]
    colour: tuple[Share, Share, Share] = (1.0, 1.0, 1.0)

    @property
    def unevenness(self) -> float:
        """The largest distance of any gain from 1, colours included."""
        grid = np.asarray(self.gains)
        return float(max(np.abs(grid - 1).max(), np.abs(np.asarray(self.colour) - 1).max()))


class PlaneThen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the mat lay when it was calibrated: a first guess at the next start, which also shows if it was moved."""

    mat: str
    homography: Matrix  # pixels of an ideal camera -> millimetres, row by row
    residual_mm: Annotated[float, msgspec.Meta(ge=0)]
    mm_per_px: Annotated[float, msgspec.Meta(gt=0)]


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One coin measured on the mat, to check the scale."""

    coin: Denomination
    true_mm: float
    measured_mm: float


class Pass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How coins that people laid out as asked were read. All counts are coins times pictures."""

    date: str
    camera: str
    passed: bool
    pictures: int
    coins: int
    right: int  # denomination and face
    wrong: int  # read as another coin
    wrong_and_sure: int  # wrong, and sure
    not_sure: int
    missed: int
    invented: int


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """All that set-up measured. What was not done yet is None or empty."""

    kind: Literal["tablecoin calibration"]
    version: int
    date: str  # of the newest step, ISO 8601
    camera: str  # its name
    size_px: tuple[Annotated[int, msgspec.Meta(ge=64, le=16384)], Annotated[int, msgspec.Meta(ge=64, le=16384)]]
    lens: Lens | None = None
    lens_error_px: float | None = None  # root mean square reprojection error, for people
    light: FlatField | None = None
    locks: Locks | None = None
    ring_light: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None  # its share of full brightness at that time
    plane: PlaneThen | None = None
    sizes: tuple[Size, ...] = ()
    coins: str | None = None  # name of the file of enrolled coins, in the same folder
    passes: tuple[Pass, ...] = ()

    @classmethod
    def begin(cls, camera: str, size_px: tuple[int, int], date: str) -> Calibration:
        """An empty calibration."""
        return cls("tablecoin calibration", VERSION, date, camera, size_px)

    @property
    def begun(self) -> bool:
        """Whether any step was done."""
        return self != Calibration.begin(self.camera, self.size_px, self.date)

    @property
    def summary(self) -> str:
        """One line for people."""
        newest = self.passes[-1] if self.passes else None
        steps = {"lens": self.lens, "light": self.light, "plane": self.plane, "sizes": self.sizes, "coins": self.coins}
        done = ", ".join(name for name, there in steps.items() if there) or "nothing"
        measured = f"; newest pass {newest.right} of {newest.coins} right" if newest else "; no measured pass yet"
        measured += f" but {newest.invented} invented" if newest and newest.invented else ""
        measured += ", not passed" if newest and not newest.passed else ""
        return f"Calibrated {self.date[:10]} for {self.camera}: {done}{measured}"


def is_there(path: Path) -> bool:
    """Whether there is a calibration file. True also where the folder may not be read: `load` then says so."""
    try:
        return path.exists()
    except OSError:
        return True


class _Unusable(Complaint, ValueError):
    """The file holds no calibration that can be used."""


def load(path: Path, camera: str | None = None) -> tuple[Calibration | None, Message]:
    """The calibration in `path`, and one sentence about it; (None, why) where it cannot be used.

    A `camera` must be the one that the file names. Never raises.
    """
    if not is_there(path):
        return None, Message("calibration.none")
    try:
        data = durable.read(path, LARGEST_FILE)
        raw = read_json(data)
        if not isinstance(raw, dict) or raw.get("kind") != "tablecoin calibration":
            raise _Unusable(Message("calibration.other"))
        if raw.get("version") != VERSION:
            raise _Unusable(Message("calibration.version", {"version": raw.get("version"), "own": VERSION}))
        if raw.pop("sha256", None) is not None:
            if not _is_whole(data):
                raise _Unusable(Message("calibration.fault.digest"))
            # It was written so. A newer version may know more: what is unknown here is left out.
            raw = {name: value for name, value in raw.items() if name in Calibration.__struct_fields__}
        found = msgspec.convert(raw, Calibration)
        if fault := _fault(found):
            raise _Unusable(Message(f"calibration.fault.{fault}"))
    except (OSError, ValueError) as error:
        return None, Message("calibration.aside", {"file": path.name, "why": _short(error)})
    if camera is not None and found.camera != camera:
        return None, Message("calibration.camera", {"file": path.name, "camera": found.camera, "here": camera})
    return found, Message("calibration.found", {"summary": found.summary})


def save(calibration: Calibration, path: Path) -> None:
    """Write the file; after a power cut it is the old one or the new one. Raises OSError."""
    text = msgspec.json.format(msgspec.json.encode(calibration), indent=1).decode()
    lines = re.sub(
        r"\[[-+\d.,eE\s]*\]", lambda numbers: " ".join(numbers[0].split()), text
    )  # a row of numbers on one line
    content = lines.encode() + b"\n"
    digest = hashlib.sha256(content).hexdigest()
    durable.replace(path, content.removesuffix(b"\n}\n") + f',\n "sha256": "{digest}"\n}}\n'.encode())


def _is_whole(data: bytes) -> bool:
    """Whether a file that holds a digest ends with that of its other lines."""
    found = _DIGEST.search(data)
    return found is not None and hashlib.sha256(data[: found.start()] + b"\n}\n").hexdigest().encode() == found[1]


Options = TypeVar("Options", bound=CameraOptions)


def locked(options: Options, locks: Locks | None) -> Options:
    """`options` with the calibrated locks where the settings say nothing themselves."""
    if locks is None:
        return options
    missing = {name: getattr(locks, name) for name in Locks.__struct_fields__ if getattr(options, name) is None}
    return msgspec.structs.replace(options, **missing)


def even(image: Image, light: FlatField | None) -> Image:
    """`image` with the flat-field correction applied; the same array where that would change little.

    The coarse gains are interpolated to the picture's size once and kept: then about a millisecond at 1456 x 1088.
    """
    if light is None or light.unevenness < EVEN:
        return image
    key = light, image.shape[1], image.shape[0]
    if key not in _FULL:
        _FULL.clear()
        grid = np.asarray(light.gains, np.float32)[..., None] * np.asarray(light.colour, np.float32)
        _FULL[key] = np.asarray(cv2.resize(grid, key[1:], interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(cv2.multiply(image, _FULL[key], dtype=cv2.CV_8U), np.uint8)


_FULL: dict[tuple[FlatField, int, int], np.ndarray[tuple[int, ...], np.dtype[np.float32]]] = {}  # holds one: the newest


def _fault(found: Calibration) -> str | None:
    """The key of what is impossible in a file of the right form; None: nothing."""
    numbers = list(msgspec.structs.astuple(found.lens)) if found.lens else []
    if found.plane:
        numbers += found.plane.homography
    if not all(math.isfinite(number) for number in numbers):
        return "infinite"
    width, height = found.size_px
    if found.lens and not (
        0.2 * width < found.lens.fx_px < 20 * width and 0.2 < found.lens.fx_px / found.lens.fy_px < 5
    ):
        return "lens"
    if found.lens and not (0 <= found.lens.cx_px <= width and 0 <= found.lens.cy_px <= height):
        return "lens.past"
    if found.light and len({len(row) for row in found.light.gains}) != 1:
        return "light"
    if found.plane and abs(np.linalg.det(np.reshape(found.plane.homography, (3, 3)))) < 1e-15:
        return "plane"
    if found.coins is not None and Path(found.coins).name != found.coins:
        return "coins"
    if any(abs(size.true_mm - size.coin.diameter_mm) > 0.01 for size in found.sizes):
        return "sizes"
    return None


def _short(error: Exception) -> Message | str:
    if isinstance(error, _Unusable):
        return error.message
    said = error.strerror if isinstance(error, OSError) else None
    return said or " ".join(str(error).split())[:120]
