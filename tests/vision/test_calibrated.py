"""The calibration file is read as it was written; a faulty one is reported, and the program runs without it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.coins import Denomination
from tablecoin.rules.rulebook import sentence
from tablecoin.vision.calibrated import (
    Calibration,
    FlatField,
    Locks,
    Pass,
    PlaneThen,
    Size,
    even,
    load,
    locked,
    save,
)
from tablecoin.vision.cameras.camera import CameraOptions
from tablecoin.vision.place.lens import Lens

GAINS = tuple(tuple(1.0 + 0.02 * (row + column) for column in range(4)) for row in range(3))
FULL = msgspec.structs.replace(
    Calibration.begin("webcam 0", (1456, 1088), "2026-11-20T12:00:00+00:00"),
    lens=Lens(1500.0, 1500.0, 727.5, 543.5, k1=-0.2),
    lens_error_px=0.2,
    light=FlatField(GAINS, (1.05, 1.0, 0.95)),
    locks=Locks(8000, 1.5, (1.9, 1.4), 2.5),
    plane=PlaneThen("two-row", (0.34, 0.0, -8.0, 0.0, 0.34, -15.0, 1e-9, 0.0, 1.0), 0.08, 0.34),
    sizes=(Size(Denomination.DIME, 17.91, 18.0),),
    passes=(Pass("2026-11-20", "webcam 0", True, 5, 40, 40, 0, 0, 0, 0, 0),),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "calibration.json"


def test_it_is_read_as_it_was_written(file: Path) -> None:
    save(FULL, file)
    known, said = load(file, "webcam 0")
    assert known == FULL
    assert "40 of 40" in sentence(said)
    assert len(file.read_text().splitlines()) < 100  # short enough for people to read


def test_every_flipped_bit_is_noticed_or_harmless(file: Path) -> None:
    save(FULL, file)
    whole, chance = file.read_bytes(), np.random.default_rng(18)
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(chance.integers(8))
        file.write_bytes(damaged)
        known, said = load(file)
        assert known in (None, FULL), place
        assert known == FULL or "left aside" in sentence(said), place


def test_a_digit_changed_by_hand_is_noticed_and_the_way_out_is_said(file: Path) -> None:
    save(FULL, file)
    file.write_text(file.read_text().replace("1500.0", "1600.0"))
    known, said = load(file)
    assert known is None
    assert "take out its line sha256" in sentence(said)
    lines = [line for line in file.read_text().splitlines() if "sha256" not in line]
    file.write_text("\n".join(lines).removesuffix(",\n}") + "\n}\n")
    assert load(file)[0] == msgspec.structs.replace(FULL, lens=Lens(1600.0, 1600.0, 727.5, 543.5, k1=-0.2))


def test_what_a_newer_version_knows_besides_is_left_out(file: Path) -> None:
    save(FULL, file)
    lines = file.read_text().splitlines()[:-2]
    content = "\n".join([*lines, ' "moon": 3']) + "\n}\n"
    digest = hashlib.sha256(content.encode()).hexdigest()
    file.write_text(content.removesuffix("\n}\n") + f',\n "sha256": "{digest}"\n}}\n')
    assert load(file)[0] == FULL


def test_a_table_without_one_says_how_to_calibrate(file: Path) -> None:
    known, said = load(file)
    assert known is None
    assert "/calibrate" in sentence(said)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff\xfe",
        b"null",
        b"[1, 2]",
        b'{"kind": "something else"}',
        b"[" * 100_000,
        b'{"kind": "tablecoin calibration", "version": 1}',
        b'{"kind": "tablecoin calibration", "version": 99, "date": "", "camera": "", "size_px": [640, 480]}',
        b'{"kind": "tablecoin calibration", "version": "one"}',
    ],
    ids=["empty", "binary", "null", "list", "other", "deep", "half", "newer", "odd"],
)
def test_a_broken_file_is_reported_and_not_used(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    known, said = load(file)
    assert known is None
    assert sentence(said).startswith("calibration.json is left aside")
    assert "calibrate anew" in sentence(said)
    assert "\n" not in sentence(said)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("lens", "fx_px"), 3.0),
        (("lens", "cx_px"), -4000.0),
        (("plane", "homography"), [0.0] * 9),
        (("light", "gains"), [[1.0, 1.0], [1.0]]),
        (("light", "gains"), [[9.0, 1.0], [1.0, 1.0]]),
        (("sizes", 0, "true_mm"), 25.0),
        (("locks", "gain"), 0.0),
        (("size_px",), [3, 3]),
        (("surprise",), 1),
    ],
)
def test_impossible_values_are_refused(file: Path, path: tuple[str | int, ...], value: object) -> None:
    raw = msgspec.to_builtins(FULL)
    at = raw
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    file.parent.mkdir()
    file.write_text(json.dumps(raw))
    known, said = load(file)
    assert known is None
    assert "left aside" in sentence(said)


@given(st.binary(max_size=300))
def test_no_bytes_at_all_raise(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("any") / "calibration.json"
    file.write_bytes(content)
    assert load(file)[0] is None


def test_a_file_of_another_camera_is_not_used(file: Path) -> None:
    save(FULL, file)
    known, said = load(file, "Pi camera imx296")
    assert known is None
    assert "belongs to the webcam 0" in sentence(said)


def test_a_folder_in_its_place_does_not_stop_the_program(file: Path) -> None:
    file.mkdir(parents=True)
    assert load(file)[0] is None


def test_an_endless_file_does_not_stop_the_program(file: Path) -> None:
    file.parent.mkdir()
    file.symlink_to("/dev/zero")
    known, said = load(file)
    assert known is None
    assert sentence(said).startswith(
        "calibration.json is left aside (it is a device, not a regular file): calibrate anew"
    )


def test_a_folder_that_may_not_be_entered_does_not_stop_the_program() -> None:
    known, said = load(Path("x" * 300) / "calibration.json")  # refused to root too
    assert known is None
    assert "left aside (File name too long)" in sentence(said)


def test_locks_hold_the_camera_where_the_settings_say_nothing() -> None:
    options = locked(CameraOptions(gain=4.0), FULL.locks)
    assert (options.exposure_us, options.gain, options.focus_dioptres) == (8000, 4.0, 2.5)
    assert locked(CameraOptions(), None) == CameraOptions()


def test_the_flat_field_evens_out_what_it_was_measured_from() -> None:
    light = FlatField(((1.0, 1.0, 1.5), (1.0, 1.0, 1.5)), (1.1, 1.0, 1.0))
    image = np.full((60, 90, 3), 120, np.uint8)
    flat = even(image, light)
    assert flat[30, 5].tolist() == [132, 120, 120]
    assert flat[30, 85].tolist() == [198, 180, 180]
    assert flat.dtype == np.uint8


def test_an_even_light_costs_nothing() -> None:
    image = np.zeros((4, 4, 3), np.uint8)
    assert even(image, None) is image
    assert even(image, FlatField(((1.0, 1.02), (1.01, 1.0)))) is image
