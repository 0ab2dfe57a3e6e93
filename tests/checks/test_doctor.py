"""The doctor: one line per finding, with what to do, whatever is broken."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from tablecoin.checks import buttons, disk, doctor, machine, picture
from tablecoin.checks.calibration import calibration
from tablecoin.checks.doctor import examine
from tablecoin.checks.finding import Finding, found, line
from tablecoin.cli import main
from tablecoin.journal.journal import Journal
from tablecoin.panel import opening
from tablecoin.rules.rulebook import Message
from tablecoin.settings import KEPT_FILE, Settings, load, with_flags
from tablecoin.vision.calibrated import FILE, Calibration, Pass, save
from tablecoin.vision.cameras.camera import Camera, CameraError
from tablecoin.vision.frame import Frame


def findings(settings: Settings) -> dict[str, Finding]:
    return {finding.what: finding for finding in examine(settings)}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(opening, "on_a_pi", lambda: False)
    monkeypatch.chdir(tmp_path)
    return with_flags(load(), camera="virtual", data=str(tmp_path), port=0)


def test_on_the_virtual_table_everything_is_ok(settings: Settings) -> None:
    told = findings(settings)
    of_the_computer = {"versions", "temperature", "clock", "network", "card"}  # as it is where the tests run
    assert set(told) - of_the_computer == {
        "disk", "camera", "mat", "scale", "focus", "light", "flicker", "calibration", "buttons", "port"
    }  # fmt: skip
    assert {f.status for what, f in told.items() if what not in of_the_computer} == {"ok"}


def test_a_missing_camera_says_what_to_do(settings: Settings) -> None:
    told = findings(with_flags(settings, camera="usb:987"))
    assert told["camera"].status == "fail"
    assert "plug it in" in told["camera"].said


def test_pictures_that_cannot_be_read_are_no_fault_to_report(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Flat:
        name = "flat"
        number = 0

        def read(self, timeout_s: float) -> Frame:
            self.number += 1
            return Frame(np.zeros((64, 4096, 3), np.uint8), self.number, float(self.number))

        def close(self) -> None:
            """Nothing is held."""

    monkeypatch.setattr("tablecoin.checks.doctor.open_camera", lambda source, options: Flat())
    told = findings(with_flags(settings, camera="usb:0"))
    assert told["camera"].status == "fail"
    assert "4096 × 64 pixels, too narrow to show a table" in told["camera"].said


def test_a_forbidden_data_folder_is_one_finding_and_the_other_checks_go_on(settings: Settings) -> None:
    told = findings(
        with_flags(settings, data="x" * 300)
    )  # too long for a name: refused like a forbidden folder, but to root too
    assert (told["disk"].status, told["camera"].status, told["calibration"].status) == ("fail", "ok", "warn")
    assert told["disk"].todo == "check the data folder and its disk, or choose another folder with --data."
    assert "left aside (File name too long)" in told["calibration"].said


def test_a_dark_picture_without_a_mat(settings: Settings, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "night.png"), np.full((240, 320, 3), 5, np.uint8))
    told = findings(with_flags(settings, camera=f"file:{tmp_path / 'night.png'}"))
    assert (told["camera"].status, told["camera"].todo) == ("warn", "give it more light.")
    assert (told["mat"].status, told["mat"].said) == ("warn", "no mat in the picture")
    assert "tablecoin mat" in told["mat"].todo


@pytest.mark.parametrize(("mm_per_px", "status"), [(0.2, "ok"), (0.4, "warn"), (0.7, "fail")])
def test_the_scale_is_judged(mm_per_px: float, status: str) -> None:
    assert picture.scale(mm_per_px).status == status


MADE = Calibration.begin("usb:0", (1280, 960), "2026-03-04T05:06:07+00:00")
GOOD = Pass("2026-03-04", "usb:0", True, 5, 40, 40, 0, 0, 0, 0, 0)
GHOSTLY = Pass("2026-03-04", "usb:0", False, 5, 40, 40, 0, 10, 0, 0, 10)
POOR = Pass("2026-03-04", "usb:0", False, 5, 40, 31, 9, 2, 0, 0, 0)


@pytest.mark.parametrize(
    ("changes", "camera", "size_px", "status", "said", "todo"),
    [
        ({"passes": (GOOD,)}, "usb:0", (1280, 960), "ok", "2026-03-04 for usb:0: nothing; newest pass 40 of 40", ""),
        ({"passes": (GOOD,)}, None, None, "ok", "40 of 40", ""),
        ({}, "usb:0", (1280, 960), "warn", "no measured pass yet", "measured pass"),
        ({"passes": (POOR,)}, "usb:0", (1280, 960), "warn", "31 of 40 right, not passed", "light and focus"),
        ({"passes": (GHOSTLY,)}, "usb:0", None, "warn", "40 of 40 right but 10 invented, not passed", "pass again"),
        ({"passes": (GOOD,)}, "usb:1", (1280, 960), "warn", "belongs to the usb:0, not to the usb:1", "/calibrate"),
        (
            {"passes": (GOOD,)},
            "usb:0",
            (640, 480),
            "warn",
            "for 1280×960 pixels, while the camera gives 640×480",
            "/cal",
        ),
        (
            {"passes": (GOOD,), "coins": "coins.npz"},
            "usb:0",
            None,
            "warn",
            "coins.npz cannot be read",
            "enrol your coins",
        ),
        ({"version": 9}, "usb:0", None, "warn", "of version 9", "/calibrate"),
    ],
)
def test_the_calibration_is_one_line(
    settings: Settings,
    tmp_path: Path,
    changes: dict[str, Any],
    camera: str | None,
    size_px: Any,
    status: str,
    said: str,
    todo: str,
) -> None:
    save(msgspec.structs.replace(MADE, **changes), tmp_path / FILE)
    found = calibration(tmp_path / FILE, camera, size_px)
    assert (found.what, found.status) == ("calibration", status)
    assert said in found.said
    assert todo in found.todo
    assert len(line(found).splitlines()) == 1


def test_a_calibration_that_is_missing_or_broken(settings: Settings, tmp_path: Path) -> None:
    missing = calibration(tmp_path / FILE, "usb:0")
    assert (missing.status, missing.said) == ("warn", "this table is not calibrated")
    assert "tablecoin calibrate" in missing.todo
    (tmp_path / FILE).write_text("{ broken")
    told = findings(settings)["calibration"]
    assert told.status == "warn"
    assert "left aside" in told.said


def test_a_damaged_journal_is_found(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"not a database, but long enough to be looked at " * 50)
    told = {f.what: f for f in doctor._disk(settings)}
    assert told["journal"].status == "fail"
    assert "damaged" in told["journal"].said


def test_what_is_wrong_in_the_kept_settings_is_told(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / KEPT_FILE).write_text('[table]\nlanguage = "fr"\n')
    told = {f.what: f for f in machine.machine(settings)}["settings"]
    assert (told.status, told.said) == (
        "warn", "table.language in settings.toml cannot be used, so the table runs without it",
    )  # fmt: skip
    (tmp_path / KEPT_FILE).write_text("[table")
    told = {f.what: f for f in machine.machine(settings)}["settings"]
    assert told.said.startswith("settings.toml cannot be read, so the table runs without the settings")


def test_a_data_folder_that_is_no_folder(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (found,) = disk.disk(tmp_path / "file" / "data")
    assert found.status == "fail"
    assert "--data" in found.todo


def test_a_port_in_use(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        (port,) = machine.port(with_flags(settings, port=taken.getsockname()[1]).web)
    assert port.status == "warn"


def test_buttons_asked_for_where_there_are_none(settings: Settings) -> None:
    (found,) = buttons.quickly(with_flags(settings, panel="gpio").panel)
    assert found.status == "fail"


def test_a_check_that_fails_itself_is_a_finding(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Settings) -> None:
        raise RuntimeError("surprise\nand more")

    monkeypatch.setattr(doctor, "_camera", broken)
    told = findings(settings)
    assert (told["camera"].status, told["camera"].said) == ("fail", "RuntimeError: surprise")
    assert told["port"].status == "ok"
    assert line(told["camera"]) == "FAIL  camera: RuntimeError: surprise → please report this."


@pytest.mark.parametrize(("strict", "status"), [([], 0), (["--strict"], 1)])
def test_a_failure_ends_a_strict_doctor_with_1(
    strict: list[str], status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tablecoin.checks.doctor.examine", lambda *_: [found("mat", "fail", "mat.none")])
    run = CliRunner().invoke(main, ["doctor", *strict, "--data", str(tmp_path)])
    assert run.exit_code == status


def test_the_doctor_checks_the_data_folder_given(tmp_path: Path) -> None:
    save(msgspec.structs.replace(MADE, camera="virtual table", passes=(GOOD,)), tmp_path / FILE)
    run = CliRunner().invoke(main, ["doctor", "--camera", "virtual", "--data", str(tmp_path)])
    assert run.exit_code == 0
    assert "newest pass 40 of 40 right" in run.stdout


def test_a_package_that_is_not_listed_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_PACKAGES", ("numpy", "no-such-package"))
    versions = machine.versions()
    assert (versions.status, "not listed: no-such-package" in versions.said) == ("warn", True)


@pytest.mark.parametrize(("free_bytes", "status"), [(499_000_000, "warn"), (500_000_000, "ok")])
def test_a_disk_that_is_nearly_full_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, free_bytes: int, status: str
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=free_bytes))
    found = next(disk.disk(settings.data_dir))
    assert (found.what, found.status) == ("disk", status)


def test_an_undamaged_journal_is_ok(settings: Settings, tmp_path: Path) -> None:
    Journal(tmp_path / "journal.sqlite").close()
    told = {f.what: f for f in doctor._disk(settings)}
    assert (told["journal"].status, told["journal"].said) == ("ok", "journal.sqlite is undamaged")


def no_camera(*_: object) -> Camera:
    raise CameraError(Message("camera.none", {"reasons": ""}))


def test_without_a_camera_auto_looks_at_the_virtual_table(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablecoin.checks.doctor.open_camera", no_camera)
    told = findings(with_flags(settings, camera="auto"))
    assert told["camera"].status == "warn"
    assert told["camera"].todo == "only the virtual table can be used; a service waits for a camera."
    assert told["mat"].status == "ok"


class Failing:
    """A camera that opens and never sends a picture."""

    name = "usb:0"
    closed = False

    def read(self, timeout_s: float) -> Frame:
        raise CameraError(Message("camera.pi.silent", {"camera": "usb:0", "error": "late"}))

    def close(self) -> None:
        self.closed = True


def test_a_camera_that_sends_no_picture_is_told_and_closed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = Failing()
    monkeypatch.setattr("tablecoin.checks.doctor.open_camera", lambda *_: camera)
    told = findings(with_flags(settings, camera="usb:0"))
    assert (told["camera"].status, told["camera"].said) == ("fail", "The usb:0 sent no picture (late).")
    assert told["calibration"].status == "warn"
    assert told["mat"].said == "not checked without a camera"
    assert camera.closed


@pytest.mark.parametrize(
    ("camera", "called"), [("pi", "(pi)"), ("http://ann:geheim@192.0.2.7/video", "(network camera 192.0.2.7)")]
)
def test_a_camera_whose_driver_hangs_does_not_hang_the_doctor(
    camera: str, called: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def hang(*_: object) -> Camera:
        go_on.wait(60)
        raise AssertionError("never used")

    monkeypatch.setattr("tablecoin.checks.doctor.open_camera", hang)
    monkeypatch.setattr(doctor, "_OPENING_S", 0.2)
    monkeypatch.setattr("tablecoin.vision.cameras.reconnecting._HANGS_S", 0.1)
    told = findings(with_flags(settings, camera=camera))
    go_on.set()
    assert told["camera"].status == "fail"
    assert f"The camera {called} does not answer: check its cable" in told["camera"].said


@pytest.mark.parametrize("camera", ["virtual", "file:grey.png"])
def test_a_mat_that_does_not_exist_is_told(settings: Settings, tmp_path: Path, camera: str) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((240, 320, 3), 120, np.uint8))
    table = msgspec.structs.replace(settings.table, mat="no-such-mat")
    told = findings(msgspec.structs.replace(with_flags(settings, camera=camera), table=table))
    assert told["mat"].status == "fail"
    assert "no-such-mat" in told["mat"].said


class FakePanel:
    """Buttons whose lamps and buzzer are only remembered."""

    name = "a panel on wires"
    ring_light: float | None = 1.0

    def __init__(self, fault: Message | None) -> None:
        self.fault, self.did = fault, list[str]()

    def lamps(self, wanted: dict[str, str]) -> None:
        self.did += [f"{seat} {lamp}" for seat, lamp in wanted.items()]

    def buzz(self, tune: str) -> None:
        self.did.append(tune)

    def wink(self) -> None:
        self.did.append("wink")

    def close(self) -> None:
        self.did.append("closed")


STUCK = Message("panel.silent", {"why": "stuck"})


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [(None, "ok", "a panel on wires; both lamps were lit"), (STUCK, "fail", "The panel stopped answering (stuck)")],
)
def test_lamps_and_buzzer_are_tried(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, fault: Message | None, status: str, said: str
) -> None:
    panel = FakePanel(fault)
    monkeypatch.setattr(opening, "open_panel", lambda *_: panel)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    pressed, _ = buttons.quickly(with_flags(settings, panel="gpio").panel)
    assert pressed.status == status
    assert pressed.said.startswith(said)
    assert panel.did == ["heads on", "tails on", "turn", "closed"]


def test_a_camera_that_cannot_exist_is_bad_input(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["doctor", "--camera", "nonsense", "--data", str(tmp_path)])
    assert run.exit_code == 2
    assert run.stdout == ""
    assert run.stderr.startswith("tablecoin: the command line: There is no camera 'nonsense': say pi, pi:1, usb:0")


def test_json_is_a_line_a_finding(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["doctor", "--camera", "virtual", "--buttons", "--json", "--data", str(tmp_path)])
    assert run.exit_code == 0
    told = [json.loads(line) for line in run.stdout.splitlines()]
    assert all(set(each) == {"what", "status", "said", "todo"} for each in told)
    assert {"camera", "focus", "light", "flicker", "buttons"} <= {each["what"] for each in told}
