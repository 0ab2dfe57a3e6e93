"""The Pi camera on a stand-in for picamera2: what is locked, how long it waits, what is said when it fails."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import pytest

from tablecoin.rules.rulebook import sentence
from tablecoin.vision.calibrated import Calibration, load, save
from tablecoin.vision.cameras import pi
from tablecoin.vision.cameras.camera import UNLOCKED, CameraError, CameraOptions, Control
from tablecoin.vision.cameras.flicker import MainsHz
from tablecoin.vision.cameras.opening import open_camera
from tablecoin.vision.cameras.pi import PiCamera
from tests.vision.cameras.fake_picamera2 import COLOUR, MONOCHROME, FakePicamera2, Module

LOCKED = CameraOptions(640, 480, 20.0, exposure_us=8000, gain=1.5, colour_gains=(1.9, 1.4), focus_dioptres=2.0)
FREE = CameraOptions(640, 480)


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Module:
    picamera2 = ModuleType("picamera2")
    picamera2.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    libcamera = ModuleType("libcamera")
    libcamera.Transform = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    module = Module()
    monkeypatch.setattr(FakePicamera2, "module", module)
    return module


def opened(module: Module, options: CameraOptions = FREE) -> PiCamera:
    return PiCamera(options, module.clock, module.clock.sleep)


def held(module: Module) -> dict[str, Any]:
    """Every control as it was last asked for."""
    return {name: value for controls in module.asked for name, value in controls.items()}


def test_frames_have_the_size_asked_for_and_their_padding_is_cut_off(module: Module) -> None:
    camera = opened(module, CameraOptions(1457, 1088))
    assert camera.name == "Pi camera imx708"
    first, second = camera.read(1.0), camera.read(1.0)
    assert first.image.shape == (1088, 1456, 3)
    assert (first.number, second.number) == (1, 2)
    assert first.image.min() > 0, "padding must not show"
    assert module.configured["main"] == {"size": (1456, 1088), "format": "RGB888"}
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read(1.0)


# -- 1: a camera that is listed but sends nothing ----------------------------------------------------------------------


def test_a_camera_that_is_listed_but_sends_nothing_is_one_sentence_within_six_seconds(module: Module) -> None:
    module.dead = True
    began_s = module.clock.now_s
    with pytest.raises(CameraError, match=r"imx708 is listed but sends no picture: .*both ends of its ribbon cable"):
        opened(module)
    assert module.clock.now_s - began_s <= 6
    module.dead = False
    opened(module)  # it was left free: the next try works


@pytest.mark.parametrize("work", ["read", "lock"])
def test_a_cable_that_comes_loose_in_play_is_one_sentence_in_time(module: Module, work: str) -> None:
    camera = opened(module)
    module.dead = True
    began_s = module.clock.now_s
    with pytest.raises(CameraError, match="sent no picture" if work == "read" else "could not be locked"):
        camera.read(1.0) if work == "read" else camera.lock()
    assert module.clock.now_s - began_s <= 6
    camera.close()  # fails in the stand-in where a job that timed out was not cancelled
    module.dead = False
    assert opened(module).read(1.0).number == 1


def test_frames_that_come_back_are_not_swallowed_by_jobs_that_timed_out(module: Module) -> None:
    camera = opened(module)
    for _ in range(10):
        module.dead = True
        with pytest.raises(CameraError):
            camera.read(0.2)
        module.dead = False
        camera.read(1.0)


# -- 3: lamps on the mains ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mains_hz", [50, 60])
def test_an_exposure_that_the_camera_chose_is_whole_swings_of_the_lamps(module: Module, mains_hz: MainsHz) -> None:
    camera = opened(module, CameraOptions(640, 480, mains_hz=mains_hz))
    swing = {50: 10_000, 60: 8_333}[mains_hz]
    assert held(module)["AeFlickerPeriod"] == swing
    assert held(module)["ExposureTime"] % swing == 0
    assert held(module)["ExposureTime"] * held(module)["AnalogueGain"] == pytest.approx(module.lit_us, rel=0.02)
    locked = camera.lock()
    assert locked["exposure_us"] % swing == 0


def test_an_exposure_that_people_set_stays_as_they_set_it(module: Module) -> None:
    opened(module, LOCKED)
    assert held(module)["ExposureTime"] == 8000


# Lamps of both mains, and mains 0.2 % off; ripple as measured on LED bulbs.
LAMPS_HZ = (100.0, 120.0, 100.2, 119.76)


@pytest.mark.parametrize("rolling", [True, False])
@pytest.mark.parametrize("lamp_hz", LAMPS_HZ)
@pytest.mark.parametrize("exposure_us", [None, 4000, 14_200])
def test_twenty_frames_a_second_look_alike_under_any_mains_lamp(
    module: Module, lamp_hz: float, exposure_us: int | None, rolling: bool
) -> None:
    module.lamp_hz, module.ripple, module.rolling, module.lit_us = lamp_hz, 0.3, rolling, 2.0 * (exposure_us or 12_000)
    camera = opened(module, CameraOptions(320, 240, exposure_us=exposure_us, gain=2.0 if exposure_us else None))
    assert largest_change(camera) <= 4, "grey levels from one frame to the next"


def test_thirty_frames_a_second_do_not(module: Module) -> None:
    module.lamp_hz, module.ripple, module.lit_us = 100.0, 0.3, 8000
    camera = opened(module, CameraOptions(320, 240, 30.0, exposure_us=4000, gain=2.0))
    assert largest_change(camera) > 20


def largest_change(camera: PiCamera) -> int:
    """The largest change of any pixel from one of twenty frames to the next, in grey levels."""
    frames = [camera.read(1.0).image.astype(int) for _ in range(20)]
    return int(max(np.abs(after - before).max() for before, after in pairwise(frames)))


# -- 4: focus ----------------------------------------------------------------------------------------------------------


def test_a_motor_focuses_at_opening_where_no_focus_is_set(module: Module) -> None:
    camera = opened(module)
    assert (camera.focusing, camera.warning) == ("motor", None)
    assert (module.scanned, held(module)["AfMode"], held(module)["LensPosition"]) == (1, 0, 2.4)


def test_a_focus_that_is_set_is_held_without_a_scan(module: Module) -> None:
    opened(module, LOCKED)
    assert (module.scanned, held(module)["LensPosition"]) == (0, 2.0)


@pytest.mark.parametrize("fault", ["nothing sharp", "the scan never begins"])
def test_a_focus_that_was_not_found_is_said_and_not_stored(module: Module, fault: str) -> None:
    module.sharp_at, module.scans = (None, True) if fault == "nothing sharp" else (2.4, False)
    camera = opened(module)
    assert camera.warning is not None
    assert camera.warning.key == "camera.unfocused"
    assert "focus_dioptres" not in camera.lock()
    module.sharp_at, module.scans = 3.1, True
    assert camera.lock()["focus_dioptres"] == 3.1
    assert camera.warning is None


def test_a_lens_without_a_motor_is_focused_by_hand(module: Module) -> None:
    module.controls = COLOUR
    assert opened(module, LOCKED).focusing == "by hand"
    assert "LensPosition" not in held(module)


# -- locks -------------------------------------------------------------------------------------------------------------

SEEN = {"ExposureTime": 16_666, "AnalogueGain": 2.0, "ColourGains": (2.1, 1.6)}
CHOSEN = {"ExposureTime": 16_666, "AnalogueGain": 2.0}


@pytest.mark.parametrize(
    ("options", "controls", "expected"),
    [
        # calibrated: exactly what was stored
        (LOCKED, COLOUR, {"ExposureTime": 8000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4), "AwbEnable": False}),
        # not calibrated: what the camera had chosen itself on the empty mat
        (UNLOCKED, COLOUR, CHOSEN | {"ColourGains": (2.1, 1.6), "AwbEnable": False}),
        # a monochrome module has no white balance to lock
        (UNLOCKED, MONOCHROME, CHOSEN),
    ],
)
def test_everything_automatic_is_locked(
    options: CameraOptions, controls: tuple[str, ...], expected: dict[str, Any]
) -> None:
    assert pi.locks(SEEN, options, dict.fromkeys(controls)) == {"AeEnable": False} | expected


def test_the_values_locked_are_those_after_automatic_exposure_has_settled(module: Module) -> None:
    """It begins at every start with values of its own, and controls act some frames late."""
    camera = opened(module)
    levels = [int(camera.read(1.0).image[0, 0, 0]) for _ in range(10)]
    assert set(levels) == {128}, "also the very first frame is as bright as the last"


def test_locking_anew_takes_the_light_as_it_is_now(module: Module) -> None:
    camera = opened(module)
    before = held(module)["ExposureTime"] * held(module)["AnalogueGain"]
    module.lit_us /= 2  # the ring light was switched on
    after = camera.lock()
    assert after["exposure_us"] * after["gain"] == pytest.approx(before / 2, rel=0.05)
    assert int(camera.read(1.0).image[0, 0, 0]) == pytest.approx(128, abs=2)


# -- 13: frames --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fps", [10.0, 20.0, 30.0])
def test_no_frame_is_thrown_away(module: Module, fps: float) -> None:
    camera = opened(module, CameraOptions(64, 48, fps))
    before, began_s = module.sent, module.clock.now_s
    for _ in range(30):
        camera.read(1.0)
        module.clock.sleep(0.3 / fps)  # the reader takes a third of a frame time
    assert module.sent - before == 30
    assert module.clock.now_s - began_s == pytest.approx(30 / fps, abs=1 / fps)


def test_one_frame_a_second_is_enough(module: Module) -> None:
    camera = opened(module, CameraOptions(64, 48, 1.0))
    numbers = []
    for _ in range(5):
        numbers.append(camera.read(1.0).number)
        module.clock.sleep(0.04)
    assert numbers == [1, 2, 3, 4, 5]


# -- which module, which way up, and further controls ------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "place", "name"), [("pi", 0, "imx708"), ("pi:0", 0, "imx708"), ("pi:1", 1, "imx296")])
def test_any_of_the_modules_can_be_used_and_no_webcam(module: Module, spec: str, place: int, name: str) -> None:
    module.more = ("imx296",)
    camera = open_camera(spec, LOCKED)
    assert (module.opened, camera.name.split(" (")[0]) == (place, f"Pi camera {name}")


def test_a_number_that_no_module_has_is_one_sentence(module: Module) -> None:
    with pytest.raises(CameraError, match=r"no Pi camera number 1; 1 are connected"):
        open_camera("pi:1")


@pytest.mark.parametrize(
    ("rotate", "flip", "transform"),
    [(180, False, (True, True)), (0, True, (True, False)), (180, True, (False, True))],
)
def test_the_picture_is_rotated_and_mirrored(
    module: Module, rotate: Literal[0, 180], flip: bool, transform: tuple[bool, bool]
) -> None:
    opened(module, CameraOptions(rotate=rotate, flip=flip))
    assert tuple(module.configured["transform"][name] for name in ("hflip", "vflip")) == transform


def test_what_moves_the_picture_asks_for_a_new_calibration(module: Module, tmp_path: Path) -> None:
    tuning = tmp_path / "own.json"
    tuning.write_text("{}")
    module.more = (module.model,)
    changes = [
        CameraOptions(64, 48, rotate=180),
        CameraOptions(64, 48, flip=True),
        CameraOptions(64, 48, tuning=str(tuning)),
        CameraOptions(64, 48, tuning="imx708_wide.json"),
        CameraOptions(64, 48, controls={"ScalerCrop": (0, 0, 2304, 1296)}),
        CameraOptions(64, 48, controls={"ScalerCrop": (8, 0, 2304, 1296)}),
    ]
    names = []
    for options in changes:
        names.append((camera := opened(module, options)).name)
        camera.close()
    names.append(PiCamera(CameraOptions(64, 48), module.clock, module.clock.sleep, 1).name)
    assert len(set(names)) == 7
    calibration = tmp_path / "calibration.json"
    save(Calibration.begin("Pi camera imx708", (1456, 1088), "2026"), calibration)
    for name in names:
        known, said = load(calibration, name)
        assert known is None
        assert "Calibrate again" in sentence(said)


def test_a_tuning_file_is_a_path_or_one_of_libcameras_own(module: Module, tmp_path: Path) -> None:
    (own := tmp_path / "own.json").write_text("{}")
    opened(module, CameraOptions(tuning=str(own))).close()
    assert module.tuning == str(own)
    opened(module, CameraOptions(tuning="imx708_wide.json")).close()
    assert module.tuning == {"version": 2.0}
    with pytest.raises(CameraError, match=r"no tuning file imx709\.json"):
        opened(module, CameraOptions(tuning="imx709.json"))


def test_further_controls_are_passed_through_and_stay(module: Module) -> None:
    controls: dict[str, Control] = {
        "Sharpness": 2,
        "NoiseReductionMode": 2,
        "AfRange": 1,
        "ScalerCrop": (0, 0, 2304, 1296),
    }
    camera = opened(module, CameraOptions(controls=controls))
    assert {name: held(module)[name] for name in controls} == controls
    assert isinstance(held(module)["Sharpness"], float)
    assert camera.name == "Pi camera imx708 (ScalerCrop [0, 0, 2304, 1296])"


@pytest.mark.parametrize(
    ("control", "value", "said"),
    [
        ("Sharpnes", 1.0, "no control Sharpnes. Write Sharpness"),
        ("Xyz", 1.0, r"no control Xyz. Delete it under \[camera.controls\]"),
        ("Sharpness", 17.0, r"Sharpness = 17.0 does not fit .* from 0.0 to 16.0"),
        ("Sharpness", True, "does not fit"),
        ("NoiseReductionMode", 1.5, "does not fit"),
        ("ScalerCrop", (0, 0, 9999, 1), r"from \[0, 0, 64, 64\] to \[0, 0, 4608, 2592\]"),
        ("ScalerCrop", (0, 0, 64), "does not fit"),
        ("AfRange", (1, 3), "does not fit"),
    ],
)
def test_a_control_that_the_module_lacks_or_cannot_take_is_named(
    module: Module, control: str, value: Control, said: str
) -> None:
    with pytest.raises(CameraError, match=said):
        opened(module, CameraOptions(controls={control: value}))
    assert opened(module).read(1.0).number == 1, "it was left free"


def test_a_monochrome_module_is_said(module: Module) -> None:
    module.controls = MONOCHROME
    camera = opened(module)
    assert camera.warning is not None
    assert "is monochrome" in sentence(camera.warning)
    camera.lock()
    assert camera.warning.key == "camera.monochrome"


# -- 8 and other faults ------------------------------------------------------------------------------------------------


def test_a_start_that_failed_leaves_the_camera_free(module: Module) -> None:
    module.refuses = "Failed to start camera: Device or resource busy"
    with pytest.raises(CameraError, match="Device or resource busy"):
        opened(module)
    module.refuses = None
    assert opened(module).read(1.0).number == 1


def test_a_camera_that_another_program_uses_is_one_sentence(module: Module) -> None:
    module.holder = "another program"
    with pytest.raises(CameraError, match="close other programs"):
        opened(module)


def test_webcams_that_libcamera_lists_are_no_pi_cameras(module: Module) -> None:
    module.listed = False
    with pytest.raises(CameraError, match="ribbon cable"):
        open_camera("pi")


def test_without_picamera2_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        open_camera("pi")
