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

# Warnings that pixels were invented. "before marker 0xd9" is none: some cameras append bytes to a whole picture.
_INVENTED = re.compile(rb"premature end of data|bad Huffman code|instead of RST|before marker 0xd[0-7]")
_capturing = threading.Lock()  # all threads share standard error


def decoded(picture: bytes) -> Image | None:
    """The picture in the bytes of a file of any format, (H, W, 3) uint8 BGR; None when they hold none."""
    try:
        image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)


def decoded_whole(jpeg: bytes) -> Image | None:
    """As `decoded`, but None where pixels were invented. Other output to standard error is passed on afterwards."""
    with _capturing:
        try:
            captured, real = tempfile.TemporaryFile(), os.dup(2)  # noqa: SIM115 (closed below)
        except OSError:  # standard error is closed, or there is no room for a file: decode without the check
            return decoded(jpeg)
        with captured:
            os.dup2(captured.fileno(), 2)
            try:
                image = decoded(jpeg)
            finally:
                os.dup2(real, 2)
                os.close(real)
            captured.seek(0)
            lines = captured.readlines()
    others = [line for line in lines if not _INVENTED.search(line)]
    with suppress(OSError):
        os.write(2, b"".join(others))
    return image if len(others) == len(lines) else None
