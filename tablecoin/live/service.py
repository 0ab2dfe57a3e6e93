"""The service: from settings to a live table with its camera, panel and watchdog."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Literal

import cv2
from msgspec.structs import replace

from tablecoin import mat as mats
from tablecoin.journal.journal import Journal
from tablecoin.live.clips import Clips
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.live.power import power_off
from tablecoin.live.referee_thread import Watchers
from tablecoin.live.signals import Signals
from tablecoin.live.table import LiveTable
from tablecoin.live.watchdog import Watchdog
from tablecoin.panel.opening import open_panel
from tablecoin.panel.panel import Panel, PanelOptions
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.settings import Settings, is_kept_camera
from tablecoin.storage import durable, mapfiles
from tablecoin.virtual import memory
from tablecoin.virtual.camera import REAL_TIME, Simulation
from tablecoin.virtual.script import ScriptError, parse, play
from tablecoin.virtual.skin import Skin, SkinError
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.calibrated import FILE, Calibration, load, locked
from tablecoin.vision.cameras.camera import Camera, CameraError, CameraOptions
from tablecoin.vision.cameras.opening import Opener, called, is_live, open_camera
from tablecoin.vision.cameras.reconnecting import Reconnecting
from tablecoin.vision.cameras.soundness import Repeats
from tablecoin.vision.coins import find
from tablecoin.vision.coins.enrolled import own_coins
from tablecoin.vision.coins.enrolment import Enrolment
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader

log = logging.getLogger(__name__)

JOURNAL = "journal.sqlite"
VIRTUAL = "virtual.json"
_REFUSED_S = 60.0  # how long people are told why the computer was not switched off
_ANSWER_S = 8.0  # how long `auto` waits for a real camera before it takes the virtual table

Missing = Literal["wait", "virtual"]  # what `auto` does where no camera answers


class Service(AbstractContextManager["Service"]):
    """Everything that runs except the web pages. Entering the context starts it, leaving stops it."""

    def __init__(
        self,
        settings: Settings,
        watchdog: Watchdog,
        seed: int | None = None,
        *,
        took_press: Callable[[str], bool] = lambda button: False,
        simulation: Simulation = REAL_TIME,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises CameraError, PanelError, JournalError or MatError, each with one sentence.

        `seed` fixes the virtual table's tosses. `took_press` is called with every button that is pressed on the panel;
        the referee does not get a press for which it returns true.
        """
        mapfiles.look_also_in(settings.maps_dir)
        cv2.setNumThreads(1)  # OpenCV reads on one core; pages and the system have the others
        self.watchdog = watchdog
        self.calibration_file = settings.data_dir / FILE
        self._data_dir, self._identifier = settings.data_dir, Identifier()
        self._reader = Reader(settings.table.mat, identifier=self._identifier, effort=find.LIVE)
        _, _, self.calibration_said = self._calibration()
        self._press: Callable[[str], None] = lambda button: None  # until the live table is there
        self._clock = clock
        self._stays_on: tuple[Message, float] | None = None  # why it was not switched off, and until when that is told
        self._took_press = took_press
        # First of all, because a camera that chooses its exposure must see the ring light.
        self.panel: Panel = open_panel(settings.panel.kind, panel_options(settings), self._pressed)
        try:
            # Under systemd a camera is always waited for: the virtual table must never take over a real game.
            missing: Missing = "wait" if watchdog.supervised else "virtual"
            camera, virtual = choose_camera(settings, seed, missing, self._met, simulation)
            self.said = f"camera: {camera.name}"
            self.journal = journal = Journal(settings.data_dir / JOURNAL)
            self.live = LiveTable(
                camera,
                self._reader,
                journal,
                still_s=settings.table.still_s,
                virtual=virtual,
                watchers=Watchers(
                    on_snapshot=lambda snapshot: self._signals(snapshot),
                    on_progress=watchdog.frame_passed,
                    on_camera_away=watchdog.camera_away,
                    panel_fault=self._panel_fault,
                ),
                kept=KeptCoins(settings.data_dir, settings.table.learn, self._identifier.recogniser),
                clips=Clips(journal) if settings.table.clips == "on" else None,
                clock=clock,
            )
        except BaseException:
            self.panel.close()
            raise
        self._signals = Signals(self.panel, settings.table.sounds)
        self._press = self.live.press

    def play(self, script: str) -> None:
        """Play `script` at the virtual table, on a thread of its own. Raises ScriptError where it cannot begin.

        A line that turns out to be impossible ends the script, with a warning in the log.
        """
        virtual = self.live.virtual
        if virtual is None:
            raise ScriptError("a script moves virtual coins: use it with --camera virtual.")
        parse(script)

        def wait(seconds: float) -> None:
            if self.live.stopping.wait(seconds):
                sys.exit()  # ends only this thread

        def act() -> None:
            try:
                play(script, virtual, press=self._pressed, wait=wait)
            except ScriptError as error:
                log.warning("the script stops at %s", error)

        threading.Thread(target=act, name="script", daemon=True).start()

    def __enter__(self) -> Service:
        self.live.start()
        self.watchdog.ready(f"Refereeing, {self.said}.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.watchdog.stopping()
        self.close()

    def close(self) -> None:
        """End every thread, and release camera, panel and journal. Also for a service that was never entered."""
        self.live.stop()
        self.panel.close()

    def _calibration(self, camera: str | None = None) -> tuple[Calibration | None, Enrolment | None, str]:
        """What is known of this table and its coins, and that in sentences. `camera` must be the calibrated one."""
        known, said = load(self.calibration_file, camera)
        coins, coins_said = own_coins(known, self._data_dir, self._identifier)
        return known, coins, " ".join(sentence(each) for each in (said, coins_said) if each)

    def _met(self, camera: Camera) -> None:
        """A camera was opened: from now on the reader goes by its calibration. Called before the first frame."""
        known, coins, self.calibration_said = self._calibration(camera.name)
        if known:
            self._reader.calibrated(known.lens, known.light, coins, known.size_px)
        else:
            self._reader.calibrated(None, None, coins)

    def _pressed(self, button: str) -> None:
        """A button of the panel was pressed. Only a real one can switch the computer off: no phone sends that."""
        if button == "referee.off":
            self._switch_off()
            return
        if not self._took_press(button):
            self._press(button)

    def _switch_off(self) -> None:
        """Every ruling is on the disk already, so the computer may go down at any moment."""
        why_not = power_off()
        if why_not:
            log.warning("%s", sentence(why_not))
            self._stays_on = why_not, self._clock() + _REFUSED_S
            self.panel.buzz("refused")

    def _panel_fault(self) -> Message | None:
        """What people are told about the panel now."""
        if self._stays_on and self._clock() < self._stays_on[1]:
            return self._stays_on[0]
        return self.panel.fault


def panel_options(settings: Settings) -> PanelOptions:
    """The panel's options, with the ring light as bright as the table was calibrated where the settings say nothing."""
    if settings.panel.ring_light is not None:
        return settings.panel
    known, _ = load(settings.data_dir / FILE)
    return replace(settings.panel, ring_light=known.ring_light) if known else settings.panel


def choose_camera(
    settings: Settings,
    seed: int | None = None,
    missing: Missing = "virtual",
    met: Callable[[Camera], None] = lambda camera: None,
    simulation: Simulation = REAL_TIME,
) -> tuple[Camera, VirtualTable | None]:
    """The camera of the settings, with the values it was calibrated to.

    A device is not opened yet, but by its first `read`, and again after it vanished. `met` is called with every camera
    that was opened, before its first frame. Where no device answers to `auto`, `missing` says whether to wait for one
    or to take the virtual table, with a warning.

    Raises CameraError where a file or the virtual table cannot be used. If the page chose it, the camera is one whose
    `read` says why: the program must start, because only its page can choose another one.
    """
    source = settings.camera.source
    try:
        if source == "virtual":
            return _virtual(settings, seed, met, simulation)
        first = [] if is_live(source) else [open_camera(source, settings.camera)]
    except CameraError as error:
        if not is_kept_camera(settings):
            raise
        log.warning("the camera chosen on the page cannot be used: %s", error)
        return _missed(source, error, met), None
    if first:
        name = first[0].name
        return Reconnecting(lambda: first.pop() if first else open_camera(source), name, met=met), None
    # Over RTSP comes H.264, which sends nothing for a picture that hardly changed: then decoded pictures are the same.
    repeats = None if source.startswith("rtsp:") else Repeats()
    camera = Reconnecting(_calibrated(settings), called(source), met=met, repeats=repeats)
    if source == "auto" and missing == "virtual":
        try:
            camera.read(_ANSWER_S)
        except CameraError as error:
            camera.close()
            return _virtual(settings, seed, met, simulation, error.message)
    return camera, None


def _missed(source: str, why: CameraError, met: Callable[[Camera], None]) -> Camera:
    """A camera that could not be opened. It says why, and tries a file again."""

    def open_one() -> Camera:
        if source == "virtual":
            raise why
        return open_camera(source)

    return Reconnecting(open_one, called(source), met=met)


def check_camera(settings: Settings) -> None:
    """Open the file that the source names, or look for the virtual table's pictures of coins. Raises CameraError.

    A device or an address is not opened, because this program may hold it already.
    """
    source = settings.camera.source
    if source == "virtual":
        _skin(settings)
    elif not is_live(source):
        open_camera(source, settings.camera).close()


def _calibrated(settings: Settings) -> Callable[[], Camera]:
    """Opens the camera with the values held in the calibration file of that moment, if they are of this camera."""
    path = settings.data_dir / FILE

    def options() -> CameraOptions:
        known, _ = load(path)
        return locked(settings.camera, known.locks) if known else settings.camera

    open_locked, open_free = (
        Opener(settings.camera.source, options),
        Opener(settings.camera.source, lambda: settings.camera),
    )

    def open_one() -> Camera:
        camera = open_locked()
        known, _ = load(path)
        if known is None or known.camera == camera.name or known.locks is None:
            return camera
        camera.close()
        return open_free()

    return open_one


def _virtual(
    settings: Settings,
    seed: int | None,
    met: Callable[[Camera], None],
    simulation: Simulation,
    instead: Message | None = None,
) -> tuple[Camera, VirtualTable]:
    """The virtual table. `instead`: why no real camera answers, which people are then told."""
    name = settings.table.mat
    table = simulation.table(mats.load("two-row" if name == "auto" else name), seed)
    table.put_json({"sets_itself": True})
    memory.keep(table, settings.data_dir / VIRTUAL)
    camera = simulation.camera_over(table, _skin(settings))
    camera.warning = instead and Message("camera.virtual.instead", {"why": instead})
    met(camera)
    return camera, table


def _skin(settings: Settings) -> Skin | None:
    """What the virtual table's coins look like; None: drawn. Raises CameraError."""
    try:
        return Skin.folder(durable.expanded(settings.virtual.skin)) if settings.virtual.skin else None
    except SkinError as error:
        raise CameraError(Message("vision.camera", {"said": str(error)})) from None
