"""Focus, light and flicker, measured on pictures of the virtual table whose blur, brightness and swing are known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.checks.finding import Finding
from tablecoin.checks.picture import Seen, camera, flicker, light_swing, measured
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image


@pytest.fixture(scope="module")
def sharp() -> Image:
    return VirtualCamera(VirtualTable(mats.load("two-row"), seed=1), fps=0, sleep=lambda s: None).read(1.0).image


def seen(*images: Image, warning: Message | None = None) -> Seen:
    """A camera's pictures, with the mat found in the first."""
    frames = [Frame(image, k, 0.05 * k) for k, image in enumerate(images)]
    reader = Reader("two-row")
    reader.read(frames[0])
    return Seen("usb:0", frames, 20.0, warning, reader.plane)


def told(*images: Image) -> dict[str, Finding]:
    return {finding.what: finding for finding in measured(seen(*images))}


def brighter(image: Image, times: float) -> Image:
    return np.asarray(cv2.convertScaleAbs(image, alpha=times), np.uint8)


@pytest.mark.parametrize(("sigma_px", "status"), [(0.0, "ok"), (2.0, "warn"), (3.2, "fail")])
def test_the_focus_is_the_width_of_the_markers_edges(sharp: Image, sigma_px: float, status: str) -> None:
    """A step blurred by a Gaussian is sqrt(2 pi) sigma wide; a pixel is a third of a millimetre here."""
    image = np.asarray(cv2.GaussianBlur(sharp, (0, 0), sigma_px), np.uint8) if sigma_px else sharp
    focus = told(image)["focus"]
    assert focus.status == status
    assert ("focus the camera" in focus.todo) == (status != "ok")


@pytest.mark.parametrize(
    ("what", "times", "status", "todo"),
    [
        ("well lit", 1.0, "ok", ""),
        ("dim", 0.22, "warn", "bring a lamp, or move it nearer."),
        ("dark", 0.08, "fail", "bring a lamp, or move it nearer."),
        ("overexposed", 1.6, "warn", "dim the lamp, or move it aside so that it is not mirrored in the mat."),
    ],
)
def test_the_light_is_contrast_noise_and_overexposure(
    sharp: Image, what: str, times: float, status: str, todo: str
) -> None:
    found = told(brighter(sharp, times))["light"]
    assert (found.status, found.todo) == (status, todo), what


SWINGS = [
    ("steady", [1.0, 1.0, 1.0], "ok"),
    ("one per cent", [1.0, 0.99, 1.0], "ok"),
    ("a lamp at the wrong frame rate", [1.0, 0.9, 1.0], "warn"),
]


@pytest.mark.parametrize(("what", "levels", "status"), SWINGS, ids=[row[0] for row in SWINGS])
def test_flicker_is_a_swing_of_the_light(sharp: Image, what: str, levels: list[float], status: str) -> None:
    found = flicker([brighter(sharp, 0.8 * level) for level in levels])
    assert found.status == status
    assert ("mains_hz" in found.todo) == (status == "warn")


def test_bands_of_a_rolling_shutter_are_flicker(sharp: Image) -> None:
    rows = np.arange(len(sharp))[:, None, None]
    banded = [sharp * (0.8 + 0.08 * np.sin(rows / 60 + turn)) for turn in (0.0, 2.0, 4.0)]
    assert light_swing([np.asarray(image, np.uint8) for image in banded]) > 0.08


def test_a_hand_that_comes_in_is_no_flicker(sharp: Image) -> None:
    hand = sharp.copy()
    hand[:, : sharp.shape[1] // 3] //= 2
    assert flicker([sharp, hand, sharp]).status == "ok"


def test_without_a_mat_only_flicker_is_measured(sharp: Image) -> None:
    grey = np.full_like(sharp, 120)
    frames = [Frame(grey, k, 0.05 * k) for k in range(2)]
    assert [found.what for found in measured(Seen("usb:0", frames, 20.0))] == ["flicker"]


def test_what_the_camera_says_itself_is_told(sharp: Image) -> None:
    warned = camera(seen(sharp, warning=Message("camera.unfocused", {"camera": "usb:0"})))
    assert warned.status == "warn"
    assert "usb:0, 1280×960, 20 frames a second" in warned.said
    assert "found no focus" in warned.said
