"""Pictures that were sent: large ones come out smaller, and what could fill the memory is refused by its header."""

from __future__ import annotations

import resource
import struct
import zlib

import cv2
import numpy as np
import pytest

from tablecoin.vision.cameras import picture
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.jpeg import is_one_scan
from tablecoin.vision.cameras.sent import decode_sent
from tests.vision.cameras.test_picture import png, with_orientation

WIDE = np.zeros((60, 100, 3), np.uint8)
WIDE[:30, :50] = 255  # white in its top left quarter


def encoded(kind: str, *options: int, image: np.ndarray = WIDE) -> bytes:
    return bytes(cv2.imencode(kind, image, list(options))[1])


def webp(width: int, height: int, chunk: bytes) -> bytes:
    """The beginning of a WebP file of that size; `chunk` names its kind of header."""
    lossy = bytes(6) + (width & 0x3FFF).to_bytes(2, "little") + (height & 0x3FFF).to_bytes(2, "little")
    lossless = b"\x2f" + (((width - 1) & 0x3FFF) | ((height - 1) & 0x3FFF) << 14).to_bytes(4, "little")
    extended = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    head = {b"VP8 ": lossy, b"VP8L": lossless, b"VP8X": extended}[chunk]
    return b"RIFF" + struct.pack("<I", 40) + b"WEBP" + chunk + struct.pack("<I", len(head)) + head


@pytest.mark.parametrize(
    ("most", "shape", "shrunk"), [(6000, (60, 100), 1), (5999, (30, 50), 2), (1500, (30, 50), 2), (1499, (15, 25), 4)]
)
def test_a_jpeg_comes_out_as_large_as_may_be_held(
    most: int, shape: tuple[int, int], shrunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "MOST_HELD_PX", most)
    image, times = decode_sent(encoded(".jpg"), "the photo")
    assert (image.shape[:2], times) == (shape, shrunk)
    assert image[0, 0].min() > 200
    assert image[-1, -1].max() < 50


def test_a_smaller_one_is_upright_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "MOST_HELD_PX", 5999)
    image, _ = decode_sent(with_orientation(encoded(".jpg"), 6), "the photo")  # to be turned clockwise
    assert image.shape == (50, 30, 3)
    assert image[0, -1].min() > 200


@pytest.mark.parametrize("kind", [".png", ".webp"])
def test_other_formats_are_taken_as_they_are(kind: str) -> None:
    image, times = decode_sent(encoded(kind), "the photo")
    assert (image.shape, times) == (WIDE.shape, 1)


@pytest.mark.parametrize(
    ("what", "data", "says"),
    [
        ("a PNG of 25 million pixels", png(5000, 5000, zlib.compress(bytes(5001 * 5000))), "24 million"),
        ("a lossy WebP", webp(16_383, 16_383, b"VP8 "), "24 million"),
        ("a lossless WebP", webp(16_383, 16_383, b"VP8L"), "24 million"),
        ("a WebP with more in it", webp(16_777_216, 16, b"VP8X"), "24 million"),
        ("a WebP cut off", b"RIFF\0\0\0\0WEBP", "damaged or cut off"),
        ("a JPEG beyond all cameras", encoded(".jpg").replace(b"\0\x3c\0\x64", b"\xff\xff\xff\xff"), "120 million"),
        ("a BMP", encoded(".bmp"), "not a picture that can be read"),
        ("a TIFF", encoded(".tif"), "damaged"),
        ("nothing", b"", "empty file"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_would_fill_the_memory_is_refused_before_it_is_decoded(what: str, data: bytes, says: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(CameraError, match=says):
        decode_sent(data, "the photo")
    grown_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown_mb < 40, what


@pytest.mark.parametrize(
    ("options", "one"),
    [
        ([], True),
        ([cv2.IMWRITE_JPEG_RST_INTERVAL, 4], True),
        ([cv2.IMWRITE_JPEG_OPTIMIZE, 1], True),
        ([cv2.IMWRITE_JPEG_PROGRESSIVE, 1], False),
    ],
)
def test_which_jpegs_are_decoded_line_by_line(options: list[int], one: bool) -> None:
    assert is_one_scan(encoded(".jpg", *options)) is one


def test_a_jpeg_whose_colours_come_one_after_the_other_is_not() -> None:
    whole = bytearray(encoded(".jpg"))
    scan = whole.index(b"\xff\xda")
    whole[scan + 4] = 1  # the first scan holds one component of three
    assert not is_one_scan(bytes(whole))


def test_a_large_progressive_jpeg_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "MOST_HELD_PX", 5999)
    with pytest.raises(CameraError, match="make it smaller, or send it as an ordinary JPEG"):
        decode_sent(encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1), "the photo")
