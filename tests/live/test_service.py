"""Settings become a running service: the virtual table with its skin, scripts that play on it, and the panel."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from tablecoin.cli import main
from tablecoin.coins import Denomination, Face
from tablecoin.live.service import Service, choose_camera, panel_options
from tablecoin.live.watchdog import Watchdog
from tablecoin.mat import load as load_mat
from tablecoin.panel.screen import ScreenPanel
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.settings import Settings, load, with_flags
from tablecoin.virtual.camera import Simulation
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.script import ScriptError
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.calibrated import FILE, Calibration, save
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.place.lens import Lens
from tests.live.looking import Clock, looked

pytestmark = pytest.mark.usefixtures("loaded")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    return with_flags(load(), camera="virtual", panel="none", data=str(tmp_path / "data"), port=0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(settings: Settings, clock: Clock) -> Iterator[Service]:
    """A service at the virtual table, without threads."""
    simulation = Simulation(clock=clock, sleep=clock.sleep)
    made = Service(settings, Watchdog(), seed=1, simulation=simulation, clock=clock)
    made.live.restore()
    yield made
    made.close()


def test_a_folder_of_pictures_is_what_the_virtual_coins_look_like(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "penny_heads_1.png"), np.full((80, 80, 3), (200, 30, 200), np.uint8))
    (tmp_path / "tablecoin.toml").write_text(f'data = "{tmp_path}"\n[virtual]\nskin = "{tmp_path}"\n')
    camera, table = choose_camera(with_flags(load(tmp_path / "tablecoin.toml"), camera="virtual"))
    assert table is not None
    x, y = load_mat("two-row").zone("row.heads").area.center_mm
    table.put([VirtualCoin(Denomination.PENNY, Face.HEADS, x, y)])
    picture = camera.read(10).image.astype(int)
    camera.close()
    violet = np.minimum(picture[..., 0], picture[..., 2]) - picture[..., 1] > 60
    assert 500 < violet.sum() < 4000  # one penny's face, and nothing else


def test_a_skin_without_pictures_gives_one_sentence(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "tablecoin.toml").write_text('[virtual]\nskin = "nowhere"\n')
    with pytest.raises(CameraError, match="holds no coin pictures"):
        choose_camera(with_flags(load(tmp_path / "tablecoin.toml"), camera="virtual"))


def played(service: Service, script: str) -> None:
    """Play a script to its end."""
    service.play(script)
    for thread in threading.enumerate():
        if thread.name == "script":
            thread.join()


def test_a_script_plays_on_a_thread_of_its_own(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    table = service.live.virtual
    assert table is not None
    with pytest.raises(ScriptError, match="line 1"):
        service.play("jump")
    played(service, "place penny heads row.heads\nwait 0.01\nplace dime tails row.tails\n")
    assert len(table.scene.coins) == 2
    with caplog.at_level(logging.WARNING):
        played(service, "clear\nplace dime tails nowhere\nplace dime tails tray")
    assert "no zone 'nowhere'" in caplog.text
    assert not table.scene.coins


def test_a_script_needs_a_virtual_table(tmp_path: Path, settings: Settings) -> None:
    cv2.imwrite(str(tmp_path / "photo.png"), np.full((240, 320, 3), 90, np.uint8))
    service = Service(with_flags(settings, camera=f"file:{tmp_path / 'photo.png'}"), Watchdog())
    with pytest.raises(ScriptError, match="--camera virtual"):
        service.play("clear")
    service.close()


def test_the_password_of_a_network_camera_is_told_nobody_while_it_does_not_answer(settings: Settings) -> None:
    """Its name is on every page, in the log and at the broker."""
    camera, _ = choose_camera(with_flags(settings, camera="http://ann:geheim@192.0.2.7:8080/video"))
    assert camera.name == "network camera 192.0.2.7"


@pytest.mark.parametrize(("size_px", "holds"), [((640, 480), True), ((480, 640), False)])
def test_a_calibration_for_pictures_of_another_size_is_not_read_by(
    settings: Settings, tmp_path: Path, size_px: tuple[int, int], holds: bool
) -> None:
    """A phone that lies the other way is the same camera."""
    mat = load_mat("two-row")
    cv2.imwrite(str(tmp_path / "table.png"), Renderer(mat, View.over(mat, size_px=size_px)).picture(Scene()))
    lens = Lens(750.0, 750.0, 319.5, 239.5)
    known = Calibration.begin("picture table.png", (640, 480), "2026-01-02T03:04:05+00:00")
    save(msgspec.structs.replace(known, lens=lens), settings.data_dir / FILE)
    service = Service(with_flags(settings, camera=f"file:{tmp_path / 'table.png'}"), Watchdog())
    service.live.restore()
    looked(service.live, lambda shown: service.live.plane)
    assert service.live.plane is not None
    assert (service.live.plane.lens == lens) is holds
    service.close()


@pytest.fixture
def signals() -> Iterator[None]:
    """`serve` replaces the signal handlers; restore pytest's own."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals")
@pytest.mark.parametrize(("script", "said"), [("jump", "line 1: 'jump'"), (None, "cannot be read")])
def test_a_script_that_cannot_be_played_gives_one_sentence(
    script: str | None, said: str, tmp_path: Path, settings: Settings
) -> None:
    file = tmp_path / "demo.txt"
    if script:
        file.write_text(script)
    flags = ["--camera", "virtual", "--panel", "none", "--port", "0", "--data", str(tmp_path / "data")]
    run = CliRunner().invoke(main, ["serve", *flags, "--script", str(file)])
    assert run.exit_code == 2
    assert said in run.stderr.splitlines()[-1]


def test_a_button_pressed_while_the_service_starts_is_handled(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A panel samples its buttons as soon as it is open; the live table must exist by then."""
    presses: list[str] = []

    def held_down(choice: str, options: object, on_press: Callable[[str], None]) -> ScreenPanel:
        on_press("heads.done")
        presses.append("heads.done")
        return ScreenPanel()

    monkeypatch.setattr("tablecoin.live.service.open_panel", held_down)
    Service(settings, Watchdog(), seed=1).close()
    assert presses == ["heads.done"]


def test_a_fault_of_the_panel_is_a_health_warning(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = ScreenPanel()
    panel.fault = fault = Message("panel.silent", {"why": "a loose cable"})
    monkeypatch.setattr("tablecoin.live.service.open_panel", lambda *_: panel)
    service = Service(settings, Watchdog(), seed=1)
    service.live.restore()
    assert sentence(fault) in service.live.snapshot().health.warnings
    service.close()


def test_a_computer_that_may_not_be_switched_off_says_so_on_the_page(
    service: Service, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, asked = Message("panel.off.not_allowed"), list[str]()

    def power_off() -> Message:
        asked.append("off")
        return refused

    monkeypatch.setattr("tablecoin.live.service.power_off", power_off)
    service._pressed("referee.hold")
    assert asked == []
    service._pressed("referee.off")
    assert asked == ["off"]
    service.live.look()
    assert sentence(refused) in service.live.snapshot().health.warnings
    clock.now_s += 60
    service.live.look()
    assert sentence(refused) not in service.live.snapshot().health.warnings


@pytest.mark.parametrize(
    ("what", "calibrated", "set_to", "shines"),
    [
        ("nothing is known", None, None, None),
        ("as it was calibrated", 0.6, None, 0.6),
        ("the settings win", 0.6, 1.0, 1.0),
        ("calibrated without a ring light", None, 0.3, 0.3),
    ],
)
def test_the_ring_light_shines_as_it_did_when_the_table_was_calibrated(
    settings: Settings, what: str, calibrated: float | None, set_to: float | None, shines: float | None
) -> None:
    known = Calibration.begin("virtual table", (1456, 1088), "2026-11-22")
    save(msgspec.structs.replace(known, ring_light=calibrated), settings.data_dir / FILE)
    panel = msgspec.structs.replace(settings.panel, ring_light=set_to)
    assert panel_options(msgspec.structs.replace(settings, panel=panel)).ring_light == shines, what
