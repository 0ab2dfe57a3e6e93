"""The picture for watchers: which frame it is, how large, from where, and that it is encoded only once."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np
import pytest

from tablecoin import mat
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.table import Scene
from tablecoin.virtual.view import View
from tablecoin.vision.frame import Frame, Image
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.shown.preview import Picture, Preview

TABLE = mat.load("two-row")
NOW, LONG = 0.05, 30.0  # seconds: for what does not come, and for what comes


def frame(number: int, size_px: tuple[int, int] = (640, 480)) -> Frame:
    """A grey picture, `size_px` wide and high."""
    return Frame(np.full((size_px[1], size_px[0], 3), 120, np.uint8), number, float(number))


def decoded(jpeg: bytes) -> Image:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture, np.uint8)


def no_plane() -> Plane | None:
    return None


def test_before_the_first_frame_there_is_no_picture() -> None:
    preview = Preview(no_plane)
    assert preview.jpeg(0, "camera", NOW) is None
    assert preview.frame(0, NOW) is None


@pytest.mark.parametrize(("after", "number"), [(0, 7), (6, 7), (7, None), (8, None)])
def test_only_a_newer_picture_is_given(after: int, number: int | None) -> None:
    preview = Preview(no_plane)
    preview.put(frame(7))
    told = preview.jpeg(after, "camera", NOW)
    assert (told and told[0]) == number


@pytest.mark.parametrize(
    ("size_px", "shown_px"),
    [((640, 480), (640, 480)), ((1280, 960), (1280, 960)), ((2560, 1440), (1280, 720)), ((4000, 3000), (1280, 960))],
)
def test_a_picture_is_never_wider_than_a_phone_needs(size_px: tuple[int, int], shown_px: tuple[int, int]) -> None:
    preview = Preview(no_plane)
    preview.put(frame(1, size_px))
    told = preview.jpeg(0, "camera", NOW)
    assert told
    assert decoded(told[1]).shape[1::-1] == shown_px


def test_the_mat_is_shown_from_straight_above_once_it_is_found() -> None:
    image = Renderer(TABLE, View.over(TABLE, size_px=(1280, 960), tilt_deg=20)).picture(Scene())
    plane = find_plane(image)
    assert plane is not None
    above = Preview(lambda: plane)
    above.put(Frame(image, 1, 0.0))
    told = above.jpeg(0, "mat", NOW)
    assert told
    assert told.mat == TABLE.name
    height, width = decoded(told[1]).shape[:2]
    assert width / height == pytest.approx(TABLE.width_mm / TABLE.height_mm, rel=0.01)


def test_without_a_mat_the_mats_view_is_the_cameras() -> None:
    preview = Preview(no_plane)
    preview.put(frame(1))
    told = preview.jpeg(0, "mat", NOW)
    assert told
    assert told.mat is None
    assert decoded(told[1]).shape == (480, 640, 3)


def test_a_picture_is_encoded_once_for_all_watchers(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []
    encode = Preview._encode

    def counted(self: Preview, one: Frame, view: str) -> Picture:
        encoded.append(one.number)
        return encode(self, one, view)

    monkeypatch.setattr(Preview, "_encode", counted)
    preview = Preview(no_plane)
    preview.put(frame(1))
    assert preview.jpeg(0, "camera", NOW) == preview.jpeg(0, "camera", NOW)
    assert encoded == [1]
    preview.put(frame(2))
    preview.jpeg(0, "camera", NOW)
    preview.jpeg(0, "mat", NOW)
    assert encoded == [1, 2, 2]


REST = [(second, False) for second in range(1, 6)]  # of the table, a frame a second


@pytest.mark.parametrize(
    ("frames", "changed"),
    [
        ([(0, False)], 0),  # the first is always new
        ([(0, False), *REST[:3]], 0),
        ([(0, False), *REST], 4),  # one now and then, because light that fades slowly is no motion
        ([(0, False), (1, True)], 1),
        ([(0, False), (1, True), (2, False)], 2),  # where things came to rest
        ([(0, False), (1, True), (2, False), (3, False)], 2),
    ],
)
def test_a_picture_of_a_table_at_rest_shows_nothing_new(frames: list[tuple[int, bool]], changed: int) -> None:
    preview = Preview(no_plane)
    for number, stirs in frames:
        preview.put(frame(number), stirs)
    assert preview.changed == changed
    told = preview.changed_jpeg(changed - 1, "camera")
    assert told
    assert told[0] == frames[-1][0]
    assert preview.changed_jpeg(changed, "camera") is None


def test_a_change_is_encoded_once_for_all_who_wait_for_it() -> None:
    preview = Preview(no_plane)
    preview.put(frame(0), stirs=False)
    first = preview.changed_jpeg(-1, "camera")
    preview.put(frame(1), stirs=False)
    assert preview.changed_jpeg(-1, "camera") == first


def test_who_waits_is_given_the_next_frame() -> None:
    preview = Preview(no_plane)
    threading.Timer(NOW, preview.put, [frame(5)]).start()
    waited = preview.frame(0, LONG)
    assert waited is not None
    assert waited.number == 5


def test_who_waits_can_be_let_go() -> None:
    preview = Preview(no_plane)
    threading.Timer(NOW, preview.wake).start()
    began = time.monotonic()
    assert preview.frame(0, LONG) is None
    assert time.monotonic() - began < LONG


def test_the_mats_corners_are_shares_of_the_newest_picture() -> None:
    plane = Plane(TABLE, (1.0, 0.0, -20.0, 0.0, 1.0, -10.0, 0.0, 0.0, 1.0), None, (), (), 0.0)
    assert Preview(lambda: plane).corners() is None, "there is no picture yet"
    without = Preview(no_plane)
    without.put(frame(1))
    assert without.corners() is None, "no mat is found"
    preview = Preview(lambda: plane)
    preview.put(frame(1, (800, 400)))
    found = preview.corners()
    assert found is not None
    left, top, right, bottom = 20.5 / 800, 10.5 / 400, (20.5 + TABLE.width_mm) / 800, (10.5 + TABLE.height_mm) / 400
    assert np.array(found) == pytest.approx(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]))
