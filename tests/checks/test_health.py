"""The checks of a running table: by its own pictures, once for everybody who looks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace as replaced
from pathlib import Path

import pytest
from msgspec.structs import replace

from tablecoin import mat as mats
from tablecoin.checks.finding import Finding
from tablecoin.checks.health import KEPT_S, LiveHealth
from tablecoin.panel.screen import ScreenPanel
from tablecoin.referee.referee import Referee
from tablecoin.referee.showing import health as told
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import Message, texts
from tablecoin.settings import Settings, load, with_flags
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame
from tablecoin.vision.place.plane import Plane

EMPTY = Referee(lambda events: None).snapshot()


class Running:
    """A running table with three pictures of the virtual one."""

    virtual: object | None = None

    def __init__(self) -> None:
        camera = VirtualCamera(VirtualTable(mats.load("two-row"), seed=1), fps=0, sleep=lambda s: None)
        self.pictures = [camera.read(1.0) for _ in range(3)]
        self.asked = 0
        self.age_s = 0.1
        self.warnings: tuple[Message, ...] = ()
        self.unread: tuple[Message, ...] = ()
        reader = Reader("two-row")
        reader.read(self.pictures[0])
        self.plane: Plane | None = reader.plane

    def snapshot(self) -> Snapshot:
        return replace(EMPTY, health=told(self.warnings, "usb:0", 20), age_s=self.age_s)

    def acknowledge(self, read: Collection[Message]) -> None:
        self.unread = tuple(message for message in self.unread if message not in read)

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        self.asked += 1
        return next((each for each in self.pictures if each.number > after), None)


@pytest.fixture(scope="module")
def made() -> Running:
    return Running()


@pytest.fixture
def running(made: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    """Each test changes its own copy."""
    for name, value in vars(made).items():
        monkeypatch.setattr(made, name, value)
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return with_flags(load(), data=str(tmp_path / "coins"))


def found_by(health: LiveHealth) -> dict[str, Finding]:
    return {finding.what: finding for finding in health.findings()}


def test_a_running_table_is_examined_by_its_own_pictures(running: Running, settings: Settings) -> None:
    found = found_by(LiveHealth(running, ScreenPanel(), settings))
    well = ("table", "camera", "mat", "scale", "focus", "light", "flicker", "buttons", "disk")
    assert {found[what].status for what in well} == {"ok"}
    assert found["calibration"].said == "this table is not calibrated"
    assert found["disk"].said.startswith("coins: "), "the folder's place on the disk is nobody's business"


def test_a_virtual_table_need_not_be_calibrated(
    running: Running, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Running, "virtual", object())
    assert found_by(LiveHealth(running, ScreenPanel(), settings))["calibration"].status == "ok"


def test_without_a_mat_focus_and_light_are_not_told(running: Running, settings: Settings) -> None:
    running.plane = None
    found = found_by(LiveHealth(running, ScreenPanel(), settings))
    assert (found["mat"].status, found["mat"].said) == ("warn", "no mat in the picture")
    assert {"focus", "light", "scale"} & set(found) == set()
    running.pictures = [replaced(frame, image=frame.image[:, ::-1].copy()) for frame in running.pictures]
    found = found_by(LiveHealth(running, ScreenPanel(), settings))
    assert (found["mat"].status, found["mat"].todo) == ("warn", "switch mirroring off in the camera or its app.")


@pytest.mark.parametrize(("what", "age_s", "pictures"), [("old", 9.0, 3), ("none", 0.1, 0)])
def test_a_camera_that_went_away_is_told(
    running: Running, settings: Settings, what: str, age_s: float, pictures: int
) -> None:
    running.age_s, running.pictures = age_s, running.pictures[:pictures]
    found = found_by(LiveHealth(running, ScreenPanel(), settings))
    assert (found["camera"].status, found["camera"].said) == ("fail", "no picture comes"), what
    assert found["mat"].said == "not checked without a camera"


def test_what_the_table_warns_of_is_told_in_every_language(running: Running, settings: Settings) -> None:
    running.warnings = (Message("vision.dark"), Message("panel.silent", {"why": "a wire"}))
    panel = ScreenPanel()
    panel.fault = running.warnings[1]
    findings = LiveHealth(running, panel, settings).findings()
    warned = [finding for finding in findings if finding.what in ("table", "buttons")]
    assert [finding.status for finding in warned] == ["warn", "fail"]
    assert texts(warned[0].message) == texts(Message("vision.dark"))


def test_losses_of_the_journal_are_told_until_they_are_acknowledged(running: Running, settings: Settings) -> None:
    lost, later = Message("journal.gone", {"kept": 3, "lost": 1, "apart": 0}), Message("journal.copy_gone", {"kept": 3})
    running.unread = running.warnings = (lost,)
    health = LiveHealth(running, ScreenPanel(), settings)
    assert [each.what for each in health.findings()].count("journal") == 1
    assert found_by(health)["table"].status == "ok", "it is not told twice"
    running.unread = (lost, later)
    health.acknowledge()
    assert "journal" not in found_by(health)
    assert list(running.unread) == [later], "what nobody has seen yet stays"


def test_however_many_look_the_table_is_examined_once_in_ten_seconds(running: Running, settings: Settings) -> None:
    now_s = [100.0]
    health = LiveHealth(running, ScreenPanel(), settings, clock=lambda: now_s[0])
    first = health.findings()
    asked = running.asked
    assert health.findings() is first
    now_s[0] += KEPT_S + 1
    assert health.findings() is not first
    assert running.asked == 2 * asked


class Publishing:
    """A table that publishes, or fails to."""

    trouble: Message | None = None


def test_what_is_wrong_with_the_broker_is_told(running: Running, settings: Settings) -> None:
    publisher = Publishing()
    assert found_by(LiveHealth(running, ScreenPanel(), settings, publisher=publisher))["broker"].status == "ok"
    publisher.trouble = Message("mqtt.slow", {"broker": "club:1883"})
    found = found_by(LiveHealth(running, ScreenPanel(), settings, publisher=publisher))["broker"]
    assert (found.status, "club:1883 is slow" in found.said) == ("warn", True)
