"""Puts the rooms together: from settings to a running house, with its panel and its watchdog."""

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
_LIVE = ("pi", "usb")


class Service(AbstractContextManager["Service"]):
    """Everything that runs but the web pages. Starts when entered, stops when left."""

    def __init__(self, settings: Settings, watchdog: Watchdog, seed: int | None = None) -> None:
        """Raises CameraError, PanelError, JournalError or MatError: each one sentence.

        `seed` makes the virtual table's tosses the same each time.
        """
        mapfiles.look_also_in(settings.maps_dir)
        cv2.setNumThreads(1)  # one core reads; the others serve pages and the system
        self.watchdog = watchdog
        self.calibration_file = settings.data_dir / FILE
        camera, virtual, calibration, self.calibration_said = _calibrated_camera(settings, seed)
        self.said = f"camera: {camera.name}"
        self.live = LiveTable(
            camera,
            self._reader(settings, calibration),
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
        try:  # last: a button may be down already, and then there must be a house to press at
            self.panel: Panel = open_panel(settings.panel.kind, settings.panel, self._pressed)
        except PanelError:
            self.live.stop()
            raise
        self._signals = Signals(self.panel)

    def play(self, script: str) -> None:
        """Let hands do at the virtual table what `script` says, while the house goes on. ScriptError: they cannot.

        A line that turns out to be impossible ends it, and is said in the log.
        """
        virtual = self.live.virtual
        if virtual is None:
            raise ScriptError("a script moves virtual coins: use it with --camera virtual.")
        parse(script)

        def wait(seconds: float) -> None:
            if self.live.stopping.wait(seconds):
                sys.exit()  # ends this thread alone

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

    def _reader(self, settings: Settings, known: Calibration | None) -> Reader:
        """By the calibration and the table's own coins, as far as they can be used."""
        identifier = Identifier()
        coins, said = own_coins(known, settings.data_dir, identifier)
        identifier.know(coins)
        self.calibration_said = f"{self.calibration_said} {said}".strip()
        lens, light = (known.lens, known.light) if known else (None, None)
        return Reader(settings.table.mat, lens, identifier, light)

    def _pressed(self, button: str) -> None:
        self.live.press(button)


def _calibrated_camera(
    settings: Settings, seed: int | None
) -> tuple[Camera, VirtualTable | None, Calibration | None, str]:
    """The camera, held as it was calibrated; what is known of another camera is left aside. Raises CameraError."""
    path = settings.data_dir / FILE
    known, said = load(path)
    held = known and msgspec.structs.replace(settings, camera=locked(settings.camera, known.locks))
    camera, virtual = choose_camera(held or settings, seed)
    if known and camera.name != settings.camera.source:  # a camera that is away still has its source for a name
        known, said = load(path, camera.name)
        if known is None and virtual is None and held != settings:
            camera.close()
            camera, virtual = choose_camera(settings, seed)
    return camera, virtual, known, said


def choose_camera(settings: Settings, seed: int | None = None) -> tuple[Camera, VirtualTable | None]:
    """The camera asked for; with `auto` the virtual table where no real camera answers. Raises CameraError."""
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
        if source.partition(":")[0] in _LIVE:  # it may yet be plugged in: the page says what is missing
            return Reconnecting(lambda: open_camera(source, settings.camera), source), None
        raise
    first = [camera]  # already open; opened anew by its name when it vanishes
    return Reconnecting(lambda: first.pop() if first else open_camera(source, settings.camera), camera.name), None


def _virtual(settings: Settings, seed: int | None) -> tuple[Camera, VirtualTable]:
    name = settings.table.mat
    table = VirtualTable(mats.load("two-row" if name == "auto" else name), seed)
    memory.keep(table, settings.data_dir / VIRTUAL)
    try:
        skin = Skin.folder(Path(settings.virtual.skin).expanduser()) if settings.virtual.skin else None
    except SkinError as error:
        raise CameraError(str(error)) from None
    return VirtualCamera(table, skin=skin), table
