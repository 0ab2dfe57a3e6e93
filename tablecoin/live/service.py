"""The service: from settings to a live table with its camera, panel and watchdog."""

from __future__ import annotations

import logging
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

import cv2
import msgspec

from tablecoin import mat as mats
from tablecoin.journal.journal import Journal
from tablecoin.live.referee_thread import Watchers
from tablecoin.live.signals import Signals
from tablecoin.live.table import LiveTable
from tablecoin.live.watchdog import Watchdog
from tablecoin.panel.opening import open_panel
from tablecoin.panel.panel import Panel, PanelError
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.settings import Settings
from tablecoin.storage import mapfiles
from tablecoin.virtual import memory
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.script import ScriptError, parse, play
from tablecoin.virtual.skin import Skin, SkinError
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.calibrated import FILE, Calibration, load, locked
from tablecoin.vision.cameras.camera import Camera, CameraError, NoSuchCamera
from tablecoin.vision.cameras.opening import Reconnecting, open_camera
from tablecoin.vision.coins.enrolled import own_coins
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader

log = logging.getLogger(__name__)

JOURNAL = "journal.sqlite"
VIRTUAL = "virtual.json"
_PLUGGED_IN = ("pi", "usb")  # cameras that may be plugged in later


class Service(AbstractContextManager["Service"]):
    """Everything that runs except the web pages. Entering the context starts it, leaving stops it."""

    def __init__(self, settings: Settings, watchdog: Watchdog, seed: int | None = None) -> None:
        """Raises CameraError, PanelError, JournalError or MatError, each with one sentence.

        `seed` fixes the virtual table's tosses.
        """
        mapfiles.look_also_in(settings.maps_dir)
        cv2.setNumThreads(1)  # OpenCV reads on one core; pages and the system have the others
        self.watchdog = watchdog
        self.calibration_file = settings.data_dir / FILE
        camera, virtual, calibration, calibration_said = _calibrated_camera(settings, seed)
        self.said = f"camera: {camera.name}"
        self.live = LiveTable(
            camera,
            self._reader(settings, calibration, calibration_said),
            Journal(settings.data_dir / JOURNAL),
            still_s=settings.table.still_s,
            virtual=virtual,
            watchers=Watchers(
                on_snapshot=lambda snapshot: self._signals(snapshot),
                on_progress=watchdog.frame_passed,
                on_camera_away=watchdog.camera_away,
                panel_fault=lambda: self.panel.fault,
            ),
        )
        try:  # last: a button may already be down, and its press needs the live table
            self.panel: Panel = open_panel(settings.panel.kind, settings.panel, self._pressed)
        except PanelError:
            self.live.stop()
            raise
        self._signals = Signals(self.panel)

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
        self.live.stop()
        self.panel.close()

    def _reader(self, settings: Settings, known: Calibration | None, calibration_said: Message) -> Reader:
        """The reader, with what is known of the lens, the light and the players' own coins."""
        identifier = Identifier()
        coins, said = own_coins(known, settings.data_dir, identifier)
        identifier.know(coins)
        self.calibration_said = " ".join(sentence(each) for each in (calibration_said, said) if each)
        lens, light = (known.lens, known.light) if known else (None, None)
        return Reader(settings.table.mat, lens, identifier, light)

    def _pressed(self, button: str) -> None:
        self.live.press(button)


def _calibrated_camera(
    settings: Settings, seed: int | None
) -> tuple[Camera, VirtualTable | None, Calibration | None, Message]:
    """The camera with its calibrated settings; a calibration of another camera is not used. Raises CameraError."""
    path = settings.data_dir / FILE
    known, said = load(path)
    held = known and msgspec.structs.replace(settings, camera=locked(settings.camera, known.locks))
    camera, virtual = choose_camera(held or settings, seed)
    if known and camera.name != settings.camera.source:  # a camera that is away is named by its source
        known, said = load(path, camera.name)
        if known is None and virtual is None and held != settings:
            camera.close()
            camera, virtual = choose_camera(settings, seed)
    return camera, virtual, known, said


def choose_camera(settings: Settings, seed: int | None = None) -> tuple[Camera, VirtualTable | None]:
    """The camera of the settings. `auto` takes the virtual table where no real camera answers. Raises CameraError."""
    source = settings.camera.source
    if source == "virtual":
        return _virtual(settings, seed)
    try:
        camera = open_camera(source, settings.camera)
    except NoSuchCamera:
        raise
    except CameraError:
        if source == "auto":
            return _virtual(settings, seed)
        if source.partition(":")[0] in _PLUGGED_IN:  # the page says what is missing until it is there
            return Reconnecting(lambda: open_camera(source, settings.camera), source), None
        raise
    first = [camera]  # open already; when it vanishes it is opened again
    return Reconnecting(lambda: first.pop() if first else open_camera(source, settings.camera), camera.name), None


def _virtual(settings: Settings, seed: int | None) -> tuple[Camera, VirtualTable]:
    name = settings.table.mat
    table = VirtualTable(mats.load("two-row" if name == "auto" else name), seed)
    memory.keep(table, settings.data_dir / VIRTUAL)
    try:
        skin = Skin.folder(Path(settings.virtual.skin).expanduser()) if settings.virtual.skin else None
    except SkinError as error:
        raise CameraError(Message("vision.camera", {"said": str(error)})) from None
    return VirtualCamera(table, skin=skin), table
