"""`tablecoin doctor`: checks what tablecoin needs. One line per finding, with what to do; never a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tablecoin import mat as mats
from tablecoin.checks import broker, buttons, machine, picture
from tablecoin.checks.calibration import calibration
from tablecoin.checks.disk import disk, journal
from tablecoin.checks.finding import Finding, each, found
from tablecoin.live.service import JOURNAL, panel_options
from tablecoin.rules.rulebook import Message
from tablecoin.settings import Settings
from tablecoin.vision.calibrated import FILE
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.opening import called, open_camera
from tablecoin.vision.cameras.reconnecting import Reconnecting
from tablecoin.vision.cameras.soundness import fault
from tablecoin.vision.coins.reader import Reader

_OPENING_S = 8.0  # longest wait for the first picture; a camera that hangs says so after five
_NEXT_S = 3.0  # the same for each later one


def examine(settings: Settings, ask: Callable[[Message], None] | None = None) -> Iterator[Finding]:
    """Run all checks and yield each finding as it is made.

    `ask` asks somebody to press a button; where it is given, each button is waited for.
    """
    yield from each("versions", lambda: machine.machine(settings))
    yield from each("disk", lambda: _disk(settings))
    yield from each("camera", lambda: _camera(settings))
    if ask:
        yield from each("buttons", partial(buttons.one_by_one, settings.panel, ask))
    else:
        yield from each("buttons", lambda: buttons.quickly(settings.panel))
    if settings.mqtt.address:
        yield from each("broker", lambda: iter([broker.asked(settings.mqtt)]))
    yield from each("port", lambda: machine.port(settings.web))


def _disk(settings: Settings) -> Iterator[Finding]:
    found_there = list(disk(settings.data_dir))
    yield from found_there
    file = settings.data_dir / JOURNAL
    if found_there[0].status != "fail" and file.exists():
        yield journal(file)


def _camera(settings: Settings) -> Iterator[Finding]:
    source = settings.camera.source
    if source == "virtual":
        yield found("camera", "ok", "camera.virtual")
        yield from _virtual(settings)
        return
    with buttons.shining(settings.panel, panel_options(settings)):
        yield from _real(settings, source)


def _real(settings: Settings, source: str) -> Iterator[Finding]:
    # Through this it gives up on drivers that hang.
    camera = Reconnecting(lambda: open_camera(source, settings.camera), called(source))
    try:
        frames = [camera.read(_OPENING_S), *(camera.read(_NEXT_S) for _ in range(picture.FRAMES - 1))]
        if wrong := fault(frames[-1].image):
            raise CameraError(wrong)
        fps = (len(frames) - 1) / max(frames[-1].taken_s - frames[0].taken_s, 1e-3)
        seen = picture.Seen(camera.name, frames, fps, camera.warning)
    except CameraError as error:
        if source == "auto":
            yield Finding("camera", "warn", error.message, Message("check.camera.virtual.do"))
            yield from _virtual(settings)
        else:
            yield Finding("camera", "fail", error.message)
            yield found("mat", "warn", "mat.unchecked", "mat.unchecked.do")
            yield calibration(settings.data_dir / FILE, ring_light=settings.panel.ring_light)
        return
    finally:
        camera.close()
    yield picture.camera(seen)
    yield from _read(settings, seen)


def _virtual(settings: Settings) -> Iterator[Finding]:
    """The same checks on the virtual table: they show that the reader works."""
    from tablecoin.virtual.camera import VirtualCamera
    from tablecoin.virtual.table import VirtualTable

    name = settings.table.mat
    try:
        table = VirtualTable(mats.load("two-row" if name == "auto" else name))
    except mats.MatError as error:
        yield Finding("mat", "fail", Message("check.broken", {"error": str(error)}))
        return
    camera = VirtualCamera(table)
    frames = [camera.read(1.0), camera.read(1.0)]
    yield from _read(settings, picture.Seen(camera.name, frames, 20.0), needed=False)


def _read(settings: Settings, seen: picture.Seen, *, needed: bool = True) -> Iterator[Finding]:
    """What the reader makes of the newest picture, and what the calibration says of this camera."""
    try:
        reader = Reader(settings.table.mat)
    except mats.MatError as error:
        yield Finding("mat", "fail", Message("check.broken", {"error": str(error)}))
        return
    reading = reader.read(seen.frames[-1])
    if reading.mat is None:
        yield picture.no_mat(seen)
    elif reading.warnings:
        hidden = any(warning.key == "vision.markers.hidden" for warning in reading.warnings)  # others say what to do
        advice = "mat.warned.do" if hidden else None
        yield found("mat", "warn", "mat.warned", advice, mat=reading.mat, warnings=reading.warnings)
    else:
        yield found("mat", "ok", "mat", mat=reading.mat, coins=len(reading.coins))
    if reading.mat is not None:
        yield picture.scale(reading.mm_per_px or 0.0)
    yield from picture.measured(picture.Seen(seen.camera, seen.frames, seen.fps, plane=reader.plane))
    height, width = seen.image.shape[:2]
    file, ring_light = settings.data_dir / FILE, settings.panel.ring_light
    yield calibration(file, seen.camera, (width, height), ring_light=ring_light, needed=needed)
