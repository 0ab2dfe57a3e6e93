"""JPEG files decoded whole, or not at all.

Where a JPEG is damaged, OpenCV's libjpeg fills in invented pixels and only prints a warning on standard error. So
standard error is captured while it decodes.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
from contextlib import suppress

import cv2
import numpy as np

from tablecoin.vision.frame import Image

BEGINNING = b"\xff\xd8\xff"

_SEQUENTIAL = (0xC0, 0xC1)  # frames: baseline and extended sequential, Huffman coding
_START_OF_SCAN = 0xDA
_OTHER_FRAMES = frozenset(range(0xC2, 0xD0)) - {0xC4, 0xC8, 0xCC}  # progressive, lossless, arithmetic; three are tables

# Warnings that pixels were invented. "before marker 0xd9" is none: some cameras append bytes to a whole picture.
_INVENTED = re.compile(rb"premature end of data|bad Huffman code|instead of RST|before marker 0xd[0-7]")
_capturing = threading.Lock()  # all threads share standard error


def decoded(picture: bytes, way: int = cv2.IMREAD_COLOR) -> Image | None:
    """The picture in the bytes of a file of any format, (H, W, 3) uint8 BGR; None when they hold none.

    `way`: OpenCV's IMREAD_COLOR, or one of its IMREAD_REDUCED_COLOR_….
    """
    try:
        image = cv2.imdecode(np.frombuffer(picture, np.uint8), way)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)


def is_one_scan(jpeg: bytes) -> bool:
    """Whether all pixels come in one sequential scan, so that they are decoded line by line.

    Otherwise libjpeg first collects every coefficient, 2 bytes each, at whatever size the picture is decoded. The
    markers: ITU-T T.81, sections B.1.1.3 and B.2.
    """
    at, components = 2, 0
    while at + 10 < len(jpeg) and jpeg[at] == 0xFF:
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4], "big")
        if marker in _SEQUENTIAL:
            components = jpeg[at + 9]
        elif marker == _START_OF_SCAN:
            return jpeg[at + 4] == components
        elif marker in _OTHER_FRAMES:
            return False
        at += 1 if marker == 0xFF else 2 + length
    return False


def decoded_whole(jpeg: bytes, way: int = cv2.IMREAD_COLOR) -> Image | None:
    """As `decoded`, but None where pixels were invented. Other output to standard error is passed on afterwards."""
    with _capturing:
        try:
            captured, real = tempfile.TemporaryFile(), os.dup(2)  # noqa: SIM115 (closed below)
        except OSError:  # standard error is closed, or there is no room for a file: decode without the check
            return decoded(jpeg, way)
        with captured:
            os.dup2(captured.fileno(), 2)
            try:
                image = decoded(jpeg, way)
            finally:
                os.dup2(real, 2)
                os.close(real)
            captured.seek(0)
            lines = captured.readlines()
    others = [line for line in lines if not _INVENTED.search(line)]
    with suppress(OSError):
        os.write(2, b"".join(others))
    return image if len(others) == len(lines) else None
