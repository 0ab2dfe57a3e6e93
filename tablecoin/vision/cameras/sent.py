"""A picture that somebody sent, decoded in little memory, however large it is.

A file of 0.3 MB can hold 120 million pixels, so its header is read first.
"""

from __future__ import annotations

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras import picture
from tablecoin.vision.cameras.picture import Decoded, decode_held

_FORMATS = ("JPEG", "PNG", "WEBP")  # what browsers send


def decode_sent(data: bytes, name: str | Message) -> Decoded:
    """The picture in a file's bytes. CameraError: no picture, damaged, or too large; its message calls it `name`."""
    return decode_held(data, name, picture.MOST_HELD_PX, _FORMATS)
