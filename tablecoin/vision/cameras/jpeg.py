"""A JPEG decoded whole, or not at all.

OpenCV's libjpeg makes up what is damaged in the middle of a picture, and says so on standard error and nowhere else. So
that is listened to while it decodes.
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

# Too many bytes at a picture's end ("before marker 0xd9") are no such sign: some cameras' are like that, and whole.
_MADE_UP = re.compile(rb"premature end of data|bad Huffman code|instead of RST|before marker 0xd[0-7]")
_one_ear = threading.Lock()  # standard error is one for all threads


def decoded(picture: bytes) -> Image | None:
    """The picture that the bytes of any kind of file hold, (H, W, 3) BGR; None when there is none."""
    try:
        image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)


def decoded_whole(jpeg: bytes) -> Image | None:
    """As `decoded`; None too where a part was made up. What others write on standard error meanwhile is passed on."""
    with _one_ear:
        try:
            heard, real = tempfile.TemporaryFile(), os.dup(2)  # noqa: SIM115 (closed below)
        except OSError:  # standard error is closed, or nothing can be written: nothing will be heard
            return decoded(jpeg)
        with heard:
            os.dup2(heard.fileno(), 2)
            try:
                image = decoded(jpeg)
            finally:
                os.dup2(real, 2)
                os.close(real)
            heard.seek(0)
            lines = heard.readlines()
    others = [line for line in lines if not _MADE_UP.search(line)]
    with suppress(OSError):
        os.write(2, b"".join(others))
    return image if len(others) == len(lines) else None
