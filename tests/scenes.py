"""Drawn scenes and what the reader makes of them: made once for all tests, and kept in one file between runs.

The file is named after a hash of everything that a picture or a Reading follows from, so a change of the reader, of the
drawing or of a library makes all of them again. Every process of a run uses the same file.
"""

from __future__ import annotations

import hashlib
import pickle
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from tablecoin import mat as mats
from tablecoin.virtual import render
from tablecoin.virtual.faults import PEACE, Faults
from tablecoin.virtual.packed import Box, Packed
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.calibrated import FlatField
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image, Reading
from tablecoin.vision.place.lens import Lens
from tablecoin.vision.place.plane import Plane

ROOT = Path(__file__).parent.parent
MADE_BY = (
    *("tablecoin/coins.py", "tablecoin/mat", "tablecoin/virtual", "tablecoin/vision", "tests/scenes.py"),
    *("calibration/teach", "lab/reading/drawn_card.py"),  # the taught card
)
T = TypeVar("T")
PLAIN = Light()
NO_PICTURE = np.zeros((1, 1, 3), np.uint8)


@dataclass(frozen=True)
class Drawn:
    """A scene as data. Two that are equal have the same picture, whatever was drawn before."""

    coins: tuple[VirtualCoin, ...] = ()
    mat: str = "two-row"
    light: Light = PLAIN
    faults: Faults = PEACE
    size_px: tuple[int, int] = (1280, 960)
    tilt_deg: float = 0.0

    @property
    def view(self) -> View:
        """Where the camera stands: the ground truth for the plane."""
        return View.over(mats.load(self.mat), size_px=self.size_px, tilt_deg=self.tilt_deg)

    def picture(self) -> Image:
        """The picture of the scene, drawn now."""
        renderer = _renderer(self.mat, self.view, self.light)
        renderer.same_noise()
        return renderer.picture(Scene(self.coins, faults=self.faults))


@dataclass(frozen=True)
class Seen:
    """What a new reader makes of the first picture of a scene."""

    reading: Reading
    plane: Plane | None

    @property
    def picture(self) -> Image:
        return self.reading.frame.image


class Scenes:
    """Everything that was made, by its description. One for each process; all of them share a file."""

    def __init__(self, folder: Path, key: str) -> None:
        """`key` names the file. Files of other keys are stale and are deleted."""
        file = folder / f"{key}.sqlite"
        for other in folder.glob("*.sqlite*"):
            if not other.name.startswith(file.name):
                other.unlink(missing_ok=True)
        self._file = sqlite3.connect(file, timeout=60.0, isolation_level=None, check_same_thread=False)
        self._file.execute("PRAGMA synchronous=OFF")  # whatever is lost can be made again
        self._file.execute("CREATE TABLE IF NOT EXISTS made (name TEXT PRIMARY KEY, made BLOB NOT NULL)")
        self._bare: dict[str, Unpacked] = {}

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """What `make` returns, from the file where it was made before. `name` describes it fully."""
        if (found := self._found(name)) is None:
            with self._alone():
                if (found := self._found(name)) is None:
                    found = pickle.dumps(make(), 5)
                    self._file.execute("INSERT INTO made VALUES (?, ?)", (name, found))
        return pickle.loads(found)  # type: ignore[no-any-return]

    def _found(self, name: str) -> bytes | None:
        row = self._file.execute("SELECT made FROM made WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While this process makes something, no other one does: it may be the same."""
        if self._file.in_transaction:  # something is made for something else
            yield
            return
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    def picture(self, drawn: Drawn) -> Image:
        """The picture of the scene; it may be changed."""
        return self.kept(f"picture of {drawn}", drawn.picture)

    def seen(self, drawn: Drawn) -> Seen:
        """What a new reader that looks for the scene's mat makes of its picture."""

        def read() -> Seen:
            reader = Reader(drawn.mat)
            reading = reader.read(Frame(self.picture(drawn), 0, 0.0))
            return Seen(replace(reading, frame=Frame(NO_PICTURE, 0, 0.0)), reader.plane)

        seen = self.kept(f"reading of {drawn}", read)
        return replace(seen, reading=replace(seen.reading, frame=Frame(self.picture(drawn), 0, 0.0)))

    def reading(self, drawn: Drawn) -> Reading:
        """The Reading alone."""
        return self.seen(drawn).reading

    def reader(
        self,
        mat: str = "auto",
        lens: Lens | None = None,
        identifier: Identifier | None = None,
        light: FlatField | None = None,
    ) -> KeptReader:
        """Stands for `Reader` where a test is not about reading."""
        return KeptReader(self, mat, lens, identifier or Identifier(), light)

    def draw(self, *names: str) -> None:
        """Draw these mats where no process drew them before."""
        for name in names:
            self.bare(msgspec.json.encode(mats.load(name)), render.PX_PER_MM)

    def bare(self, plan: bytes, px_per_mm: float) -> Packed | Unpacked:
        """The table without coins, as a Renderer gets it; replaces `render._packed`.

        The mat of a player's own map is drawn for each test, because its plan does not hold the card's picture.
        """
        if msgspec.json.decode(plan, type=mats.Mat).card:
            return DRAW_OWN(plan, px_per_mm)
        name = f"mat {hashlib.sha256(plan).hexdigest()} {px_per_mm}"
        if name not in self._bare:
            self._bare[name] = Unpacked(self.kept(name, lambda: DRAW_BARE(plan, px_per_mm)))
        return self._bare[name]


class Unpacked:
    """The picture of a `Packed`, decoded once: each of a hundred Renderers would need 30 ms for it."""

    def __init__(self, packed: Packed) -> None:
        self.shape, self._picture = packed.shape, packed.unpacked()

    def restore(self, onto: Image, box: Box) -> None:
        left, top, right, bottom = box
        onto[top:bottom, left:right] = self._picture[top:bottom, left:right]

    def unpacked(self) -> Image:
        return self._picture.copy()


class KeptReader:
    """A reader that reads a picture only where no reader of the same set-up read the same pictures before."""

    def __init__(
        self, scenes: Scenes, mat: str, lens: Lens | None, identifier: Identifier, light: FlatField | None
    ) -> None:
        own = identifier.enrolled
        self._scenes, self._reader = scenes, Reader(mat, lens, identifier, light)
        self._name = hashlib.sha256(f"{mat} {lens} {light}".encode())
        self._name.update(own.change.tobytes() if own else b"")
        self._unread: list[Callable[[], Reading]] = []  # pictures whose Readings were kept
        self.plane: Plane | None = None

    def read(self, frame: Frame) -> Reading:
        return self._kept("read", frame, lambda: self._reader.read(frame))

    def read_tray(self, frame: Frame) -> Reading:
        return self._kept("tray", frame, lambda: self._reader.read_tray(frame))

    def read_on(self, frame: Frame, plane: Plane) -> Reading:
        return self._kept(f"on {plane}", frame, lambda: self._reader.read_on(frame, plane))

    def _kept(self, how: str, frame: Frame, read: Callable[[], Reading]) -> Reading:
        self._name.update(f"{how} {frame.image.shape}".encode() + frame.image.tobytes())
        self._unread.append(read)

        def caught_up() -> Seen:
            *_, reading = [again() for again in self._unread]
            self._unread.clear()
            return Seen(replace(reading, frame=Frame(NO_PICTURE, 0, 0.0)), self._reader.plane)

        seen = self._scenes.kept(f"reading {self._name.hexdigest()}", caught_up)
        self.plane = seen.plane
        return replace(seen.reading, frame=frame)


DRAW_OWN, DRAW_BARE, DRAW_GRAIN = render._packed, render._packed.__wrapped__, render._grain


def grain(chance: np.random.Generator, size: tuple[int, ...], strength: float) -> NDArray[np.int8]:
    """What `render._grain` returns, drawn once for generators of the same seed. `chance` ends in the same state."""
    bits = chance.bit_generator
    field, bits.state = _drawn_grain(msgspec.json.encode(bits.state), size, strength)
    return field


@lru_cache(maxsize=16)
def _drawn_grain(state: bytes, size: tuple[int, ...], strength: float) -> tuple[NDArray[np.int8], Mapping[str, Any]]:
    chance = np.random.default_rng()
    chance.bit_generator.state = msgspec.json.decode(state)
    return DRAW_GRAIN(chance, size, strength), chance.bit_generator.state


def key() -> str:
    """A hash of what pictures, Readings and the taught card follow from."""
    said = hashlib.sha256(
        f"{sys.version_info[:2]} {np.__version__} {cv2.__version__} {version('onnxruntime')}".encode()
    )
    for name in MADE_BY:
        place = ROOT / name
        for file in sorted(place.rglob("*") if place.is_dir() else [place]):
            if file.is_file() and file.suffix != ".pyc":
                said.update(f"{file.relative_to(ROOT)} {file.stat().st_size} ".encode() + file.read_bytes())
    return said.hexdigest()[:16]


class _Repeatable(Renderer):
    def same_noise(self) -> None:
        """Give the next picture the noise of a first one."""
        self._chance = np.random.default_rng(self._seed)


@lru_cache(maxsize=4)
def _renderer(mat: str, view: View, light: Light) -> _Repeatable:
    return _Repeatable(mats.load(mat), view, light)
