"""Picture files as a camera: in order, upright, at the pace asked for; other files are refused in one sentence."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablecoin.vision.cameras import picture
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.opening import open_camera
from tablecoin.vision.cameras.pace import Pace
from tablecoin.vision.cameras.picture import PictureCamera, decode_picture, load_picture, load_scaled
from tests.storage.damage import flipped
from tests.vision.cameras.clock import Clock


def grey(path: Path, level: int) -> Path:
    cv2.imwrite(str(path), np.full((16, 20, 3), level, np.uint8))
    return path


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF block of one tag: its orientation."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def test_a_folder_is_shown_in_the_order_of_its_names_and_the_last_picture_stays(tmp_path: Path) -> None:
    for name, level in [("b.png", 20), ("a.png", 10), ("c.png", 30)]:
        grey(tmp_path / name, level)
    (tmp_path / "notes.txt").write_text("no picture")
    clock = Clock(0.0)
    camera = PictureCamera(sorted(tmp_path.glob("*.png")), each_s=0.2, pace=Pace(10, clock, clock.sleep))
    frames = [camera.read(1.0) for _ in range(9)]
    assert [int(f.image[0, 0, 0]) for f in frames] == [10, 10, 20, 20, 30, 30, 30, 30, 30]
    assert [f.number for f in frames] == list(range(1, 10))
    assert [f.taken_s for f in frames] == pytest.approx([n / 10 for n in range(9)])


def test_the_current_folder_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.png", "b.png"):
        grey(tmp_path / name, 10)
    assert open_camera("file:.").name == f"2 pictures in {tmp_path.name}"


def test_a_slow_reader_misses_frames_and_does_not_fall_behind() -> None:
    clock = Clock(0.0)
    pace = Pace(10, clock, clock.sleep)
    assert pace.wait(1) == (0, 0.0)
    clock.now_s = 0.57
    assert np.array([pace.wait(1), pace.wait(1)]) == pytest.approx(np.array([(5, 0.5), (6, 0.6)]))


def test_a_tick_too_far_off_is_a_timeout() -> None:
    clock = Clock(0.0)
    pace = Pace(0.5, clock, clock.sleep)
    pace.wait(1)
    assert pace.wait(0.25) is None
    assert clock.now_s == pytest.approx(0.25)
    tick = pace.wait(5)
    assert tick is not None
    assert tick == pytest.approx((1, 2.0))


@pytest.mark.parametrize(
    ("orientation", "corner"),
    [
        (1, (0, 0)),  # as the sensor saw it
        (3, (-1, -1)),  # held upside down
        (6, (0, -1)),  # held upright: to be turned by a quarter clockwise
        (8, (-1, 0)),  # the other way
    ],
)
def test_a_phone_picture_is_upright(tmp_path: Path, orientation: int, corner: tuple[int, int]) -> None:
    stored = np.zeros((16, 32, 3), np.uint8)
    stored[:8, :8] = 255  # the sensor's top left corner is white
    jpeg = bytes(cv2.imencode(".jpg", stored)[1])
    path = tmp_path / "phone.jpg"
    path.write_bytes(with_orientation(jpeg, orientation))
    assert load_picture(path)[corner].min() > 200


def empty(path: Path) -> None:
    path.write_bytes(b"")


def words(path: Path) -> None:
    path.write_text("no picture at all")


def cut_off(path: Path) -> None:
    path.write_bytes(bytes(cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1])[:20])


def a_line(path: Path) -> None:
    cv2.imwrite(str(path), np.zeros((2, 3000, 3), np.uint8))


def a_ribbon(path: Path) -> None:
    cv2.imwrite(str(path), np.zeros((3000, 100, 3), np.uint8))


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    """A well-formed picture of 625 million pixels in little over half a million bytes."""
    rows, deflate = bytes(25_001 * 250), zlib.compressobj(wbits=-zlib.MAX_WBITS)
    hundredth = deflate.compress(rows) + deflate.flush(zlib.Z_FULL_FLUSH)  # so it may stand a hundred times
    checksum = 100 * len(rows) % 65521 << 16 | 1  # Adler-32 of zeros
    data = b"\x78\x9c" + 100 * hundredth + deflate.flush() + checksum.to_bytes(4, "big")
    path.write_bytes(png(25_000, 25_000, data))


def just_too_large(path: Path) -> None:
    """Larger than our limit, smaller than Pillow's."""
    path.write_bytes(png(12_001, 10_000, b""))


def of_no_size(path: Path) -> None:
    path.write_bytes(png(0, 50, zlib.compress(b"")))


def png(width: int, height: int, data: bytes) -> bytes:
    """A grey one."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", data), (b"IEND", b"")]
    made = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(made)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (huge, "has more than 120 million pixels"),
        (just_too_large, "has more than 120 million pixels"),
        (of_no_size, "is damaged or cut off"),
        (empty, "is an empty file"),
        (words, "is not a picture"),
        (cut_off, "is damaged or cut off"),
        (a_line, "3000 × 2 pixels, which is no picture of a table"),
        (a_ribbon, "100 × 3000 pixels, which is no picture of a table"),
        (endless, "it is a device, not a regular file"),
        (os.mkfifo, "it is a pipe, not a regular file"),
    ],
)
def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, make: Callable[[Path], None], says: str) -> None:
    path = tmp_path / "p.jpg"
    make(path)
    with pytest.raises(CameraError, match=says):
        open_camera(f"file:{path}")


def test_a_picture_file_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "LARGEST_FILE", 20)
    with pytest.raises(CameraError, match="is too big a picture"):
        load_picture(grey(tmp_path / "p.png", 90))


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".tif"])
@pytest.mark.parametrize("share", [0.01, 0.5, 0.9])
def test_a_picture_cut_off_is_reported_once(
    tmp_path: Path, kind: str, share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """In one sentence, with nothing from the decoders on standard error."""
    whole = bytes(cv2.imencode(kind, np.random.default_rng(1).integers(0, 255, (90, 120, 3), np.uint8))[1])
    path = tmp_path / f"p{kind}"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(CameraError, match="is damaged or cut off: copy it again, or take the picture again"):
        load_picture(path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("way", [[], [cv2.IMWRITE_JPEG_PROGRESSIVE, 1], [cv2.IMWRITE_JPEG_RST_INTERVAL, 4]])
def test_a_jpeg_damaged_in_its_middle_is_reported_once(
    tmp_path: Path, way: list[int], capfd: pytest.CaptureFixture[str]
) -> None:
    """By a bad card or a broken copy: its beginning and its end are intact."""
    image = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8), (9, 9), 0)
    whole = bytes(cv2.imencode(".jpg", image, way)[1])
    half = len(whole) // 2
    path = tmp_path / "p.jpg"
    path.write_bytes(whole)
    load_picture(path)
    for damaged in (whole[:half] + bytes(1024) + whole[half + 1024 :], whole[:half] + whole[half + 2000 :]):
        path.write_bytes(damaged)
        with pytest.raises(CameraError, match="is damaged or cut off: copy it again, or take the picture again"):
            load_picture(path)
    assert capfd.readouterr() == ("", "")


def test_other_output_while_a_jpeg_is_read_is_passed_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    picture = bytes(cv2.imencode(".jpg", np.zeros((20, 20, 3), np.uint8))[1])

    def decode(data: bytes, way: int) -> None:
        os.write(2, b"a log line\nCorrupt JPEG data: 3 extraneous bytes before marker 0xd9\n")

    monkeypatch.setattr("tablecoin.vision.cameras.jpeg.decoded", decode)
    with pytest.raises(CameraError):
        decode_picture(picture, "p.jpg")
    os.write(2, b"and after it\n")
    assert [line.split()[0] for line in capfd.readouterr().err.splitlines()] == ["a", "Corrupt", "and"]


def test_a_folder_without_pictures_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="holds no pictures"):
        open_camera(f"file:{tmp_path}")


def test_a_closed_camera_gives_no_more_frames(tmp_path: Path) -> None:
    camera = open_camera(f"file:{grey(tmp_path / 'p.png', 1)}")
    camera.read(1.0)
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read(1.0)


def decoded_or_none(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None:
    try:
        return decode_picture(data, "it")
    except CameraError:
        return None


def test_whatever_bit_of_a_png_is_flipped_it_is_the_same_picture_or_refused() -> None:
    """So is the picture of a card that was taught."""
    picture = np.random.default_rng(4).integers(0, 256, (40, 60, 3)).astype(np.uint8)
    content = cv2.imencode(".png", picture)[1].tobytes()
    found = [decoded_or_none(damaged) for damaged in flipped(content, 2000)]
    assert all(np.array_equal(one, picture) for one in found if one is not None)
    assert sum(one is None for one in found) > 1900


GB_2 = 2_000_000_000


def a_large_picture(
    kind: str, options: tuple[int, ...], memory: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A picture of one pixel too many, on a computer with so much memory."""
    monkeypatch.setattr(picture, "memory_bytes", lambda: memory)
    monkeypatch.setattr(picture, "MOST_HELD_PX", 60 * 100 - 1)
    file = folder / f"photo{kind}"
    cv2.imwrite(str(file), np.zeros((60, 100, 3), np.uint8), options)
    return file


@pytest.mark.parametrize(("memory", "kind", "narrower"), [(GB_2, ".jpg", 1), (GB_2 - 1, ".jpg", 2), (GB_2, ".png", 1)])
def test_a_large_jpeg_is_decoded_smaller_where_memory_is_short(
    memory: int, kind: str, narrower: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = load_scaled(a_large_picture(kind, (), memory, tmp_path, monkeypatch))
    assert (found.image.shape, found.shrunk) == ((60 // narrower, 100 // narrower, 3), narrower)


@pytest.mark.parametrize(
    ("kind", "options"), [(".png", ()), (".webp", ()), (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1))]
)
def test_other_large_pictures_are_refused_there(
    kind: str, options: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = a_large_picture(kind, options, GB_2 - 1, tmp_path, monkeypatch)
    with pytest.raises(CameraError, match="pixels: make it smaller, or send it as an ordinary JPEG"):
        load_picture(file)


def test_the_memory_is_known() -> None:
    assert 100_000_000 < picture.memory_bytes() < 1 << 50
