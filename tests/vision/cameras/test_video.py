"""A video plays frame by frame at its own speed; its last picture stays."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.opening import open_camera

LEVELS = (40, 90, 140, 190)


def film(path: Path, fps: float) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for level in LEVELS:
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return path


def test_every_picture_comes_once_and_the_last_stays(tmp_path: Path) -> None:
    camera = open_camera(f"file:{film(tmp_path / 'v.avi', 100)}")
    frames = [camera.read(1.0) for _ in range(6)]
    assert [f.image[10, 10, 0] for f in frames] == pytest.approx([*LEVELS, 190, 190], abs=6)
    assert np.diff([f.taken_s for f in frames]).min() >= 0.01 - 1e-9
    camera.close()


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    path.write_bytes(b"not a film")
    with pytest.raises(CameraError, match="neither a picture nor a video"):
        open_camera(f"file:{path}")
