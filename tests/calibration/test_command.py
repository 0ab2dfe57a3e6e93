"""`tablecoin calibrate`: the wizard's steps at a terminal, without anybody to press a key."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace as Namespace
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.command import CalibrationError, read_tray, walk
from calibration.enrol import USUAL
from calibration.own_coins import Shown
from calibration.wizard import CameraEyes, Wizard
from tablecoin import mat as mats
from tablecoin.cli import main
from tablecoin.coins import Coin, Face, Heap
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualCoin, VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.calibrated import FILE, Calibration, save
from tablecoin.vision.coins.enrolment import Count, Enrolment
from tablecoin.vision.coins.network import Identifier

MAT = mats.load("two-row")
TRAY = Heap(penny=1, nickel=1, dime=1, quarter=1)


@pytest.fixture
def table() -> VirtualTable:
    return VirtualTable(MAT, seed=4)


@pytest.fixture
def wizard(table: VirtualTable, tmp_path: Path) -> Wizard:
    view = View.over(MAT, size_px=(960, 720))
    return Wizard(CameraEyes(VirtualCamera(table, view=view, fps=0, sleep=lambda s: None)), tmp_path / FILE)


def lay(table: VirtualTable, face: Face) -> None:
    coins = [Coin.of(kind, face) for kind in TRAY]
    table.put(VirtualCoin(c.denomination, c.face, 90 + 40 * k, 50, 17.0 * k) for k, c in enumerate(coins))


@pytest.mark.heavy  # two trays are read
def test_enrolling_waits_until_the_coins_are_turned_over(
    table: VirtualTable,
    wizard: Wizard,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def learned(shown: Sequence[Shown], identifier: Identifier) -> Enrolment:
        return Enrolment(np.zeros((6, 193), np.float32), identifier.network, 8, Count(8, 8, 0), Count(8, 7, 0))

    monkeypatch.setattr("calibration.enrol.enrol", learned)  # tested in tests/calibration/test_own_coins.py
    lay(table, Face.HEADS)
    waits: list[float] = []

    def turn_over(seconds: float) -> None:
        waits.append(seconds)
        lay(table, Face.HEADS if len(waits) < 2 else Face.TAILS)

    monkeypatch.setattr("calibration.command.time", Namespace(monotonic=time.monotonic, sleep=turn_over))
    told: list[Any] = []
    assert walk(wizard, ["markers", "enrol"], ask=False, pictures=tmp_path / "seen", out=told.append, tray=TRAY)
    assert [(each["step"], each["ok"]) for each in told] == [("markers", True), ("enrol", True)]
    assert len(waits) == 2
    said = capsys.readouterr().err
    assert "Now turn every coin over" in said
    assert "4 of the 4 coins show heads" in said
    assert (tmp_path / "seen" / "enrol.jpg").stat().st_size > 10_000


def test_enrolling_fails_if_the_coins_are_never_turned_over(
    table: VirtualTable, wizard: Wizard, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(table, Face.HEADS)
    now_s = [0.0]

    def sleep(seconds: float) -> None:
        now_s[0] += seconds

    monkeypatch.setattr("calibration.command.time", Namespace(monotonic=lambda: now_s[0], sleep=sleep))
    monkeypatch.setattr("calibration.command.PATIENCE_S", 1.5)
    told: list[Any] = []
    assert not walk(wizard, ["markers", "enrol"], ask=False, pictures=None, out=told.append, tray=TRAY)
    assert "show heads" in told[-1]["said"]["en"]


def test_ctrl_c_before_a_step_ends_the_command(wizard: Wizard, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("click.getchar", pressed)
    told: list[Any] = []
    with pytest.raises(KeyboardInterrupt):
        walk(wizard, ["aim"], ask=True, pictures=None, out=told.append)
    assert told == []


def test_a_key_is_waited_for_also_where_results_are_piped(wizard: Wizard, monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[str] = []
    monkeypatch.setattr("click.getchar", lambda: keys.append("key"))
    walk(wizard, ["aim", "markers"], ask=True, pictures=None, out=lambda result: None)
    assert len(keys) == 2


def test_a_tray_is_a_heap() -> None:
    assert read_tray(None) == USUAL.coins
    assert read_tray('{"penny": 2}') == Heap(penny=2)
    for wrong in ("", "3", '{"penny": "two"}', '{"yen": 1}', '{"penny": -1}'):
        with pytest.raises(CalibrationError, match="write it like"):
            read_tray(wrong)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nosuch"], "There is no step 'nosuch': say aim, markers, lens, light, sizes, enrol, pass, show."),
        (["enrol", "--tray", "yen"], "write it like"),
        (["aim", "--mat", "nosuch"], "There is no mat 'nosuch'"),
    ],
)
def test_bad_words_are_one_sentence(tmp_path: Path, words: list[str], says: str) -> None:
    result = CliRunner().invoke(main, ["calibrate", *words, "--camera", "virtual", "--data", str(tmp_path)])
    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output


def test_a_step_that_fails_is_status_2(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "night.png"), np.zeros((240, 320, 3), np.uint8))
    words = ["calibrate", "markers", "--camera", f"file:{tmp_path / 'night.png'}", "--data", str(tmp_path)]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, "FAIL  markers" in result.stderr) == (2, True)


def test_pictures_that_cannot_be_saved_are_one_sentence(wizard: Wizard, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CalibrationError, match=r"cannot be written \(.*\): give another folder with --pictures"):
        walk(wizard, ["markers"], ask=False, pictures=tmp_path / "file", out=None)


def test_a_forbidden_data_folder_is_shown_as_left_aside() -> None:
    forbidden = "x" * 300  # refused to root too
    shown = CliRunner().invoke(main, ["calibrate", "show", "--camera", "virtual", "--data", forbidden, "--json"])
    assert shown.exit_code == 0
    assert "left aside (File name too long)" in json.loads(shown.stdout)["left_aside"]


def test_show_prints_the_calibration_so_far(tmp_path: Path) -> None:
    command = ["calibrate", "show", "--camera", "virtual", "--data", str(tmp_path), "--json"]
    shown = json.loads(CliRunner().invoke(main, command).stdout)
    assert "not calibrated" in shown["said"]
    save(Calibration.begin("virtual table", (1456, 1088), "2026-01-02T03:04:05"), tmp_path / FILE)
    assert "Calibrated 2026-01-02" in json.loads(CliRunner().invoke(main, command).stdout)["said"]
