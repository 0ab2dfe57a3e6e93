"""The page is up before the camera opens, a service never changes to the virtual table, the ring light comes first."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from tablecoin.live import eye, service
from tablecoin.live.service import Service, choose_camera
from tablecoin.live.watchdog import Watchdog
from tablecoin.panel.screen import NoPanel
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import Message
from tablecoin.settings import KEPT_FILE, Settings, VirtualSettings, load, with_flags, with_kept
from tablecoin.vision.calibrated import FILE, Calibration, Locks, save
from tablecoin.vision.cameras import opening, reconnecting
from tablecoin.vision.cameras.camera import CameraError, CameraOptions
from tablecoin.vision.frame import Frame
from tests.live.looking import PATIENCE_S, Clock, looked

pytestmark = pytest.mark.usefixtures("loaded")

SYSTEMD = {"NOTIFY_SOCKET": "@tablecoin-test-nobody-listens"}


class Plug:
    """A camera that is plugged in or not, and what was asked of it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.name = "Pi camera test"
        self.there = False
        self.hangs: threading.Event | None = None
        self.options: list[CameraOptions] = []
        self.opened = 0

    def open(self, spec: str, options: CameraOptions) -> Plug:
        self.options.append(options)
        if self.hangs:
            assert self.hangs.wait(PATIENCE_S)
        if not self.there:
            raise CameraError(Message("camera.pi.dead", {"camera": self.name}))
        self.opened += 1
        return self

    def read(self, timeout_s: float) -> Frame:
        if not self.there:
            raise CameraError(Message("camera.pi.silent", {"camera": self.name, "error": "gone"}))
        return Frame(np.full((240, 320, 3), 90, np.uint8), 1, self._clock())

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that runs on while the camera's reader waits: to wait costs no time."""
    clock = Clock()
    monkeypatch.setattr(service, "Reconnecting", partial(reconnecting.Reconnecting, clock=clock, sleep=clock.sleep))
    monkeypatch.setattr(eye, "_RETRY_S", 0.0)
    return clock


@pytest.fixture
def plug(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Plug:
    plug = Plug(clock)
    monkeypatch.setattr(opening, "open_camera", plug.open)
    return plug


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    return with_flags(load(), camera="pi", panel="none", data=str(tmp_path / "data"), port=0)


@pytest.fixture
def stuck(plug: Plug) -> Iterator[None]:
    """The camera's driver hangs while it opens."""
    plug.hangs = threading.Event()
    yield
    plug.hangs.set()


def warnings(shown: Snapshot) -> str:
    return " ".join(shown.health.warnings)


def restored(settings: Settings, watchdog: Watchdog) -> Service:
    """A service that shows its page and looks for the camera when told to."""
    table = Service(settings, watchdog, seed=1)
    table.live.restore()
    return table


@pytest.mark.usefixtures("stuck")
def test_the_page_is_up_before_the_camera_opens_and_says_what_hangs_within_six_seconds(
    plug: Plug, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(restored(settings, Watchdog())) as table:
        assert table.live.snapshot().prompt.kind == "lobby"
        assert plug.options == [], "the start waits for no camera"
        monkeypatch.setattr(eye, "_FRAME_TIMEOUT_S", 0.0)
        table.live.look()
        assert "being started" in warnings(table.live.snapshot())
        clock.now_s += 4.9
        table.live.look()
        assert "being started" in warnings(table.live.snapshot())
        clock.now_s += 0.1
        table.live.look()
        assert "does not answer: check its cable" in warnings(table.live.snapshot())


def test_a_camera_is_tried_for_ever_and_used_when_it_is_there(plug: Plug, settings: Settings) -> None:
    with closing(restored(settings, Watchdog())) as table:
        looked(table.live, lambda shown: "both ends of its ribbon cable" in warnings(shown))
        looked(table.live, lambda shown: len(plug.options) >= 3)
        plug.there = True
        looked(table.live, lambda shown: plug.opened == 1)
        looked(table.live, lambda shown: "ribbon cable" not in warnings(shown))
        plug.there = False  # the cable comes loose in play
        looked(table.live, lambda shown: "sent no picture" in warnings(shown))
        plug.there = True
        looked(table.live, lambda shown: plug.opened == 2)


def test_a_service_never_changes_to_the_virtual_table(plug: Plug, settings: Settings) -> None:
    with closing(restored(with_flags(settings, camera="auto"), Watchdog(SYSTEMD))) as table:
        looked(table.live, lambda shown: "ribbon cable" in warnings(shown))
        assert table.live.virtual is None
        plug.there = True
        looked(table.live, lambda shown: shown.health.camera == "Pi camera test")


def test_elsewhere_the_virtual_table_stands_in_and_says_so_in_capitals(plug: Plug, settings: Settings) -> None:
    with closing(restored(with_flags(settings, camera="auto"), Watchdog({}))) as table:
        assert table.live.virtual is not None
        assert "THIS IS THE VIRTUAL TABLE" in warnings(table.live.snapshot())
        assert "ribbon cable" in warnings(table.live.snapshot())


def test_a_virtual_table_that_was_asked_for_says_nothing(settings: Settings) -> None:
    camera, virtual = choose_camera(with_flags(settings, camera="virtual"))
    assert virtual is not None
    assert getattr(camera, "warning", "missing") is None
    camera.close()


def chosen_on_the_page(settings: Settings, source: str) -> Settings:
    """The settings of the next start."""
    settings.data_dir.mkdir()
    (settings.data_dir / KEPT_FILE).write_text(f'[camera]\nsource = "{source}"\n')
    return with_kept(settings)


@pytest.mark.usefixtures("clock")
def test_a_file_chosen_on_the_page_is_waited_for(settings: Settings, tmp_path: Path) -> None:
    """Only the page can choose another one."""
    picture = tmp_path / "p.png"
    with closing(restored(chosen_on_the_page(settings, f"file:{picture}"), Watchdog({}))) as table:
        assert table.live.virtual is None
        looked(table.live, lambda shown: "There is no file" in warnings(shown))
        picture.write_text("no picture")
        looked(table.live, lambda shown: "is not a picture" in warnings(shown))
        cv2.imwrite(str(picture), np.full((240, 320, 3), 90, np.uint8))
        looked(table.live, lambda shown: shown.health.camera == "picture p.png")


@pytest.mark.usefixtures("clock")
def test_a_virtual_table_chosen_on_the_page_that_cannot_be_drawn_says_why(settings: Settings, tmp_path: Path) -> None:
    undrawn = msgspec.structs.replace(settings, virtual=VirtualSettings(skin=str(tmp_path)))
    with closing(restored(chosen_on_the_page(undrawn, "virtual"), Watchdog({}))) as table:
        looked(table.live, lambda shown: "holds no coin pictures" in warnings(shown))


def test_a_file_of_the_command_line_or_tablecoin_toml_must_be_there(settings: Settings) -> None:
    with pytest.raises(CameraError, match="There is no file"):
        choose_camera(with_flags(chosen_on_the_page(settings, "usb:0"), camera="file:nowhere.png"))


def test_the_panel_is_opened_before_the_camera(plug: Plug, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A camera that chooses its exposure must see the ring light."""
    order: list[str] = []

    def panel(*_: object) -> NoPanel:
        order.append("panel")
        return NoPanel()

    def camera(spec: str, options: CameraOptions) -> Plug:
        order.append("camera")
        return plug

    plug.there = True
    monkeypatch.setattr(service, "open_panel", panel)
    monkeypatch.setattr(opening, "open_camera", camera)
    with closing(restored(with_flags(settings, camera="auto"), Watchdog({}))) as table:
        table.live.look()
    assert order[:2] == ["panel", "camera"]


LOCKS = Locks(exposure_us=10_000, gain=2.0, focus_dioptres=2.5, driver={"focus": 35.0})


@pytest.mark.parametrize(("calibrated", "expected"), [("Pi camera test", LOCKS), ("webcam 0", Locks())])
def test_calibrated_values_are_set_again_at_every_opening_if_they_are_of_this_camera(
    plug: Plug, settings: Settings, calibrated: str, expected: Locks
) -> None:
    camera, _ = choose_camera(settings)
    plug.there = True
    camera.read(5.0)
    assert plug.options[-1].driver is None
    made = Calibration.begin(calibrated, (320, 240), "2026-11-22T12:00:00+00:00")
    settings.data_dir.mkdir(parents=True)
    save(msgspec.structs.replace(made, locks=LOCKS), settings.data_dir / FILE)
    plug.there = False
    with pytest.raises(CameraError):
        camera.read(5.0)
    plug.there = True
    camera.read(5.0)
    found = {name: getattr(plug.options[-1], name) for name in Locks.__struct_fields__}
    assert found == msgspec.structs.asdict(expected)
    camera.close()


def test_the_hang_is_said_within_six_seconds_of_the_first_try() -> None:
    assert reconnecting._HANGS_S + 1.0 <= 6.0, "the eye reads with a timeout of one second"
