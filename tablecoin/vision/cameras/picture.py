"""Picture files as a camera: one picture shown for ever, or a folder's pictures in the order of their names."""

from __future__ import annotations

import errno
import io
import os
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cv2
import PIL.Image

from tablecoin.rules.rulebook import Message
from tablecoin.storage import durable, given
from tablecoin.vision.cameras import jpeg
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.pace import Pace
from tablecoin.vision.frame import Frame, Image

LARGEST_FILE = 256 << 20  # bytes; a PNG of a hundred million pixels is smaller
MOST_PX = 120_000_000  # pixels; the largest of common phones have 108 million. Decoded, this is 360 MB
MOST_HELD_PX = 24_000_000  # pixels; 72 MB as BGR. Phones take 12 to 24 million, unless their owner wants more
LITTLE_MEMORY = 2_000_000_000  # bytes; with less, no picture beyond MOST_HELD_PX is held
SMALLEST_SIDE_PX = 16  # a picture narrower than the smallest coin that the finder looks for
LONGEST_SHAPE = 20  # times as long as wide; longer is no photo, and halving it would leave no width

_BEGINNINGS = (jpeg.BEGINNING, b"\x89PNG", b"RIFF", b"II*\0", b"MM\0*")  # first bytes of JPEG, PNG, WebP, TIFF

_SHRINKING = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}

_set_log_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel  # in OpenCV 4; in OpenCV 5
_set_log_level(0)  # silent: this file reports what is wrong with a picture

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".pgm", ".ppm"})


def is_picture(path: Path) -> bool:
    """Whether the name is that of a picture file; its content is checked when it is read."""
    return path.suffix.lower() in PICTURES


def pictures_in(folder: Path) -> list[Path]:
    """The folder's pictures in the order of their names. CameraError when it holds none."""
    found = sorted(p for p in folder.iterdir() if is_picture(p) and p.is_file())
    if not found:
        raise CameraError(Message("picture.none", {"folder": str(folder)}))
    return found


class Decoded(NamedTuple):
    """(H, W, 3) uint8, BGR, upright, and how many times narrower it is than its file: 1, 2 or 4."""

    image: Image
    shrunk: int


def load_picture(path: Path, read: Callable[[Path, int], bytes] = given.read) -> Image:
    """The picture upright (EXIF applied), (H, W, 3) uint8 BGR. CameraError: missing, unreadable, empty, no picture.

    On a computer with LITTLE_MEMORY it may be smaller than its file: see `load_scaled`. `read` is `durable.read` for a
    file that must be a regular one, and no pipe that a person named.
    """
    return load_scaled(path, read).image


def load_scaled(path: Path, read: Callable[[Path, int], bytes] = given.read) -> Decoded:
    """As `load_picture`, with the scale: a picture beyond MOST_HELD_PX is decoded smaller where memory is short.

    CameraError also where memory is short and the picture's format cannot be decoded smaller.
    """
    try:
        data = read(path, LARGEST_FILE)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise CameraError(Message("picture.big", {"name": str(path)})) from None
        why = error.strerror or str(error)
        raise CameraError(Message("picture.unread", {"path": str(path), "why": why})) from None
    return _decode(data, str(path))


def decode_picture(data: bytes, name: str | Message) -> Image:
    """The picture in a file's bytes, as `load_picture`; errors call it `name`."""
    return _decode(data, name).image


def _decode(data: bytes, name: str | Message) -> Decoded:
    return decode_held(data, name, MOST_HELD_PX if memory_bytes() < LITTLE_MEMORY else MOST_PX)


def decode_held(data: bytes, name: str | Message, most_px: int, formats: tuple[str, ...] | None = None) -> Decoded:
    """The picture in a file's bytes, with `most_px` pixels at most. `formats`: as for `checked_size`.

    A JPEG decodes at 1/2, 1/4 or 1/8 of its size without ever being held whole (libjpeg scales its blocks), unless its
    pixels come in several scans, as in a progressive one. No other format does, so others are refused: CameraError.
    """
    if _is_webp_beyond(most_px, data):
        raise _too_large(name, most_px)
    width, height = checked_size(data, name, formats)  # first: a small file may hold a picture too large for the memory
    shrunk = next((n for n in _SHRINKING if (width // n) * (height // n) <= most_px), max(_SHRINKING))
    is_jpeg = data.startswith(jpeg.BEGINNING)
    if shrunk > 1 and not (is_jpeg and jpeg.is_one_scan(data)):
        raise _too_large(name, most_px)
    image = (jpeg.decoded_whole if is_jpeg else jpeg.decoded)(data, _SHRINKING[shrunk])
    if image is None:
        raise unreadable(data, name)
    return Decoded(image, shrunk)


def _is_webp_beyond(most_px: int, data: bytes) -> bool:
    """Whether it is a WebP file with more pixels. Pillow makes room for all its pixels before it tells the size.

    The three kinds of header: RFC 9649, sections 2.5 to 2.7.
    """
    if not (data.startswith(b"RIFF") and data[8:12] == b"WEBP"):
        return False
    match data[12:16]:
        case b"VP8X":
            sides = (int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1)
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            sides = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case _:
            sides = int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return sides[0] * sides[1] > most_px


def _too_large(name: str | Message, most_px: int) -> CameraError:
    return CameraError(Message("picture.held", {"name": name, "millions": most_px // 1_000_000}))


@cache
def memory_bytes() -> int:
    """The memory that this program may use: the computer's, or its control group's where that has a lower limit."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        group = Path("/proc/self/cgroup").read_text("ascii").strip().rpartition("::")[2]
        return min(whole, int(Path(f"/sys/fs/cgroup{group}/memory.max").read_text("ascii")))
    except (
        OSError,
        ValueError,
    ):  # no control groups of version 2, no memory controller as on Raspberry Pi OS, or "max"
        return whole


def checked_size(data: bytes, name: str | Message, formats: tuple[str, ...] | None = None) -> tuple[int, int]:
    """(width, height) from the header alone, in pixels. `formats`: those allowed, as Pillow names them; None: all.

    CameraError where it is no picture, or none of a table.
    """
    if not data:
        raise CameraError(Message("picture.empty", {"name": name}))
    width, height = _size_px(data, name, formats)
    short, long = sorted((width, height))
    if short * long > MOST_PX:
        raise CameraError(Message("picture.most", {"name": name, "millions": MOST_PX // 1_000_000}))
    if short < SMALLEST_SIDE_PX or long > LONGEST_SHAPE * short:
        raise CameraError(Message("picture.shape", {"name": name, "width": width, "height": height}))
    return width, height


def _size_px(data: bytes, name: str | Message, formats: tuple[str, ...] | None) -> tuple[int, int]:
    """(width, height) from the header alone. CameraError where it, or the checksum of a PNG chunk, is wrong."""
    try:
        with warnings.catch_warnings(action="ignore"), PIL.Image.open(io.BytesIO(data), formats=formats) as picture:
            size = picture.size
            picture.verify()  # otherwise libpng prints errors on standard error
            return size
    except PIL.Image.DecompressionBombError:  # Pillow's limit is higher than MOST_PX
        return MOST_PX, MOST_PX
    except Exception:  # Pillow raises many kinds of errors on broken headers
        raise unreadable(data, name) from None


def unreadable(data: bytes, name: str | Message) -> CameraError:
    """The error for what begins like a picture and is none, or does not even begin like one."""
    key = "picture.damaged" if data.startswith(_BEGINNINGS) else "picture.other"
    return CameraError(Message(key, {"name": name}))


class PictureCamera:
    """Shows each picture for `each_s` seconds at the rate of `pace`; the last one stays."""

    def __init__(self, paths: Sequence[Path], each_s: float = 2.0, pace: Pace | None = None) -> None:
        """CameraError when the first picture cannot be read; `read` raises it for a later one."""
        folder = paths[0].parent.absolute().name  # the absolute path has a name for `.` too
        self.name = f"picture {paths[0].name}" if len(paths) == 1 else f"{len(paths)} pictures in {folder}"
        self._paths = tuple(paths)
        self._pace = pace or Pace(fps=10.0)
        self._frames_each = max(1, round(each_s * self._pace.fps))
        self._shown = 0
        self._image: Image | None = load_picture(self._paths[0], durable.read)
        self._number = 0

    def read(self, timeout_s: float) -> Frame:
        if self._image is None:
            raise CameraError(Message("camera.closed", {"camera": self.name}))
        tick = self._pace.wait(timeout_s)
        if tick is None:
            raise CameraError(Message("camera.late", {"camera": self.name, "seconds": f"{timeout_s:g}"}))
        index, taken_s = tick
        which = min(index // self._frames_each, len(self._paths) - 1)
        if which != self._shown:
            self._shown, self._image = which, load_picture(self._paths[which], durable.read)
        self._number += 1
        return Frame(self._image, self._number, taken_s)

    def close(self) -> None:
        self._image = None
