"""The virtual camera: reproducible pictures, coins at their places, and visible faults."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tablecoin import mat
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.art import designs, draw_coin
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.skin import Skin, SkinError
from tablecoin.virtual.table import VirtualCoin, VirtualTable
from tablecoin.vision.cameras.camera import CameraError

TWO_ROW = mat.load("two-row")


def looking_at(*coins: VirtualCoin, skin: Skin | None = None) -> VirtualCamera:
    table = VirtualTable(TWO_ROW, seed=1)
    table.put(coins)
    return VirtualCamera(table, skin=skin, fps=0, sleep=lambda seconds: None)


def penny(x_mm: float, y_mm: float, face: Face = Face.HEADS) -> VirtualCoin:
    return VirtualCoin(Denomination.PENNY, face, x_mm, y_mm)


def test_the_same_calls_give_the_same_pictures() -> None:
    one, other = looking_at(penny(100, 50)), looking_at(penny(100, 50))
    for _ in range(2):
        assert np.array_equal(one.read(1).image, other.read(1).image)


def test_a_coin_that_moved_leaves_no_trace() -> None:
    camera, fresh = looking_at(penny(100, 50), penny(106, 52)), looking_at(penny(106, 52), penny(200, 60))
    camera.read(1)
    camera.table.move(0, 200, 60)
    fresh.read(1)  # the noise of both cameras is one picture on
    assert np.array_equal(camera.read(1).image, fresh.read(1).image)


def test_a_coin_is_seen_where_it_lies() -> None:
    camera = looking_at(penny(150, 50))
    frame = camera.read(1)
    x, y = np.rint(camera.view.to_px([(150, 50)])[0]).astype(int)
    blue, _, red = frame.image[y - 8 : y + 8, x - 8 : x + 8].reshape(-1, 3).mean(axis=0)
    assert red > 1.5 * blue  # copper
    assert frame.number == 1


@pytest.mark.parametrize("fault", ["camera_bumped", "marker_lost", "dim_light", "foreign_coin", "glare", "blur"])
def test_a_fault_shows_in_the_picture(fault: str) -> None:
    camera = looking_at()
    before = camera.read(1).image
    camera.table.fault(**{fault: True})
    assert np.abs(camera.read(1).image.astype(int) - before).max() > 60


def test_a_frozen_and_a_closed_camera_say_so() -> None:
    camera = looking_at()
    camera.table.fault(camera_frozen=True)
    with pytest.raises(CameraError, match="frozen"):
        camera.read(0.1)
    camera.table.fault(camera_frozen=False)
    assert camera.read(0.1).number == 1
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read(0.1)


def test_frames_come_at_their_rate_and_are_dropped() -> None:
    now = [0.0]
    table = VirtualTable(TWO_ROW, clock=lambda: now[0])

    def sleep(seconds: float) -> None:
        now[0] += seconds

    camera = VirtualCamera(table, fps=10, clock=lambda: now[0], sleep=sleep)
    times = [camera.read(1).taken_s for _ in range(3)]
    assert np.diff(times) == pytest.approx([0.1, 0.1])
    table.fault(frame_dropped=True)
    assert camera.read(1).taken_s - times[-1] == pytest.approx(0.2)


def test_every_face_has_its_designs_and_they_differ() -> None:
    for kind in BY_VALUE:
        assert designs(kind, Face.HEADS) >= 1
        assert designs(kind, Face.TAILS) >= 2
        faces = [draw_coin(kind, face, k, 48) for face in Face for k in range(designs(kind, face))]
        assert all(face.shape == (48, 48, 4) and face[0, 0, 3] == 0 and face[24, 24, 3] == 255 for face in faces)
        assert len({face.tobytes() for face in faces}) == len(faces)
        with pytest.raises(IndexError):
            draw_coin(kind, Face.HEADS, designs(kind, Face.HEADS), 48)


def test_a_folder_of_cutouts_is_used_instead(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "penny_heads_green.png"), np.full((60, 60, 3), (0, 200, 0), np.uint8))
    camera = looking_at(penny(150, 50), skin=Skin.folder(tmp_path))
    x, y = np.rint(camera.view.to_px([(150, 50)])[0]).astype(int)
    blue, green, _ = camera.read(1).image[y, x].astype(int)
    assert green > blue + 60
    with pytest.raises(SkinError, match="no coin pictures"):
        Skin.folder(tmp_path / "nothing")
