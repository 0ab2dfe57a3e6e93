"""A picture that somebody sent, decoded in little memory, however large it is.

A file of 0.3 MB can hold 120 million pixels. Its header tells, so it is looked at first. A JPEG decodes at 1/2, 1/4 or
1/8 of its size without ever being held whole (libjpeg scales its blocks), unless its pixels come in several scans, as
in a progressive one; no other format does.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras import jpeg
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.picture import checked_size, unreadable
from tablecoin.vision.frame import Image

MOST_HELD_PX = 24_000_000  # pixels; 72 MB as BGR. Phones take 12 to 24 million, unless their owner wants more
_SHRINKING = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
_FORMATS = ("JPEG", "PNG", "WEBP")  # what browsers send


class SentPicture(NamedTuple):
    """(H, W, 3) uint8, BGR, upright, and how many times narrower it is than as it was sent: 1, 2 or 4."""

    image: Image
    shrunk: int


def decode_sent(data: bytes, name: str | Message) -> SentPicture:
    """The picture in a file's bytes. CameraError: no picture, damaged, or too large; its message calls it `name`."""
    if _is_too_large_webp(data):
        raise _too_large(name)
    width, height = checked_size(data, name, _FORMATS)
    shrunk = next((n for n in _SHRINKING if (width // n) * (height // n) <= MOST_HELD_PX), max(_SHRINKING))
    if shrunk > 1 and not (data.startswith(jpeg.BEGINNING) and jpeg.is_one_scan(data)):
        raise _too_large(name)
    image = (jpeg.decoded_whole if data.startswith(jpeg.BEGINNING) else jpeg.decoded)(data, _SHRINKING[shrunk])
    if image is None:
        raise unreadable(data, name)
    return SentPicture(image, shrunk)


def _is_too_large_webp(data: bytes) -> bool:
    """Whether it is a WebP file beyond MOST_HELD_PX. Pillow makes room for all its pixels before it tells the size.

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
    return sides[0] * sides[1] > MOST_HELD_PX


def _too_large(name: str | Message) -> CameraError:
    return CameraError(Message("picture.held", {"name": name, "millions": MOST_HELD_PX // 1_000_000}))
