"""Picture files as a camera: one picture shown for ever, or a folder's pictures in the order of their names."""

from __future__ import annotations

import errno
import io
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

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
SMALLEST_SIDE_PX = 16  # a picture narrower than the smallest coin that the finder looks for
LONGEST_SHAPE = 20  # times as long as wide; longer is no photo, and halving it would leave no width

_BEGINNINGS = (jpeg.BEGINNING, b"\x89PNG", b"RIFF", b"II*\0", b"MM\0*")  # first bytes of JPEG, PNG, WebP, TIFF

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


def load_picture(path: Path, read: Callable[[Path, int], bytes] = given.read) -> Image:
    """The picture upright (EXIF applied), (H, W, 3) uint8 BGR. CameraError: missing, unreadable, empty, no picture.

    `read` is `durable.read` for a file that must be a regular one, and no pipe that a person named.
    """
    try:
        data = read(path, LARGEST_FILE)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise CameraError(Message("picture.big", {"name": str(path)})) from None
        why = error.strerror or str(error)
        raise CameraError(Message("picture.unread", {"path": str(path), "why": why})) from None
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str | Message) -> Image:
    """The picture in a file's bytes, as `load_picture`; errors call it `name`."""
    checked_size(data, name)  # first: a small file may hold a picture too large for the memory
    image = jpeg.decoded_whole(data) if data.startswith(jpeg.BEGINNING) else jpeg.decoded(data)
    if image is None:
        raise unreadable(data, name)
    return image


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
