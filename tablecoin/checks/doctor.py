"""`tablecoin doctor`: checks what tablecoin needs. One line per finding, with what to do; never a traceback."""

from __future__ import annotations

import platform
import shutil
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

import msgspec

from tablecoin import __version__
from tablecoin.rules.rulebook import sentence
from tablecoin.settings import Settings

GOOD_MM_PER_PX, WORKING_MM_PER_PX = 0.35, 0.5  # hardware.md
_LEAST_FREE_MB = 500
_BUTTONS_S = 3.5  # how long the buttons are watched; a shorted one is known after three seconds
_OPENING_S = 8.0  # longest wait for the first picture; a camera that hangs says so after five
_ANEW = "calibrate the table: open /calibrate, or run `tablecoin calibrate`."
_PACKAGES = ("numpy", "opencv-python-headless", "onnxruntime", "flask", "uvicorn", "msgspec", "gpiozero")


class Finding(msgspec.Struct, frozen=True):
    """One line of the report. `warn`: works, but should be corrected; `fail`: does not work."""

    what: str
    status: Literal["ok", "warn", "fail"]
    said: str
    todo: str = ""


def examine(settings: Settings) -> Iterator[Finding]:
    """Run all checks and yield each finding as it is made."""
    checks: list[tuple[str, Callable[[Settings], Iterator[Finding]]]] = [
        ("versions", _versions),
        ("disk", _disk),
        ("camera", _camera),
        ("buttons", _buttons),
        ("port", _port),
    ]
    for what, check in checks:
        try:
            yield from check(settings)
        except Exception as error:  # a check that fails itself is a finding too
            yield Finding(what, "fail", f"{type(error).__name__}: {error}".splitlines()[0], "please report this.")


def line(finding: Finding) -> str:
    mark = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}[finding.status]
    todo = f" → {finding.todo}" if finding.todo else ""
    return f"{mark}  {finding.what}: {finding.said}{todo}"


def _versions(settings: Settings) -> Iterator[Finding]:
    found, missing = [], []
    for package in _PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    here = f"tablecoin {__version__}, Python {platform.python_version()} on {platform.machine()}, {', '.join(found)}"
    if missing:
        # OpenCV and numpy may be system packages of another name; then they work although they are not listed.
        yield Finding(
            "versions", "warn", f"{here}; not listed: {', '.join(missing)}", "if pages fail, run `make run` again."
        )
    else:
        yield Finding("versions", "ok", here)


def _disk(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    try:
        there = next(path for path in (folder, *folder.parents) if path.exists())
        probe = there / f".tablecoin-doctor-{time.time_ns()}"
        probe.write_bytes(b"test")
        probe.unlink()
    except OSError as error:
        todo = "correct its permissions, or choose another folder with --data."
        yield Finding("disk", "fail", f"{folder} cannot be written ({error.strerror})", todo)
        return
    free_mb = shutil.disk_usage(there).free // 1_000_000
    if free_mb < _LEAST_FREE_MB:
        yield Finding(
            "disk", "warn", f"{folder}: only {free_mb} MB free", "free some disk space: evidence pictures need it."
        )
    else:
        yield Finding("disk", "ok", f"{folder}: {free_mb / 1000:.1f} GB free")
    journal = folder / "journal.sqlite"
    if journal.exists():
        yield _journal(journal)


def _journal(path: Path) -> Finding:
    """Runs SQLite's quick check on a read-only connection."""
    import sqlite3

    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2)
        try:
            (answer,) = connection.execute("pragma quick_check").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        answer = str(error)
    if answer == "ok":
        return Finding("journal", "ok", f"{path.name} is undamaged")
    todo = "leave it where it is: tablecoin builds it anew from its second copy when it starts."
    return Finding("journal", "fail", f"{path} is damaged ({answer})", todo)


def _camera(settings: Settings) -> Iterator[Finding]:
    from tablecoin.vision.cameras.camera import CameraError
    from tablecoin.vision.cameras.opening import open_camera
    from tablecoin.vision.cameras.reconnecting import Reconnecting

    source = settings.camera.source
    if source == "virtual":
        yield Finding("camera", "ok", "the virtual table, as set")
        yield from _virtual(settings)
        return
    camera = Reconnecting(lambda: open_camera(source, settings.camera), source)  # it gives up on drivers that hang
    try:
        frames = [camera.read(_OPENING_S), *(camera.read(3.0) for _ in range(9))]
        fps = 9 / max(frames[-1].taken_s - frames[0].taken_s, 1e-3)
        warned = camera.warning
    except CameraError as error:
        if source == "auto":
            todo = "only the virtual table can be used; a service waits for a camera."
            yield Finding("camera", "warn", str(error), todo)
            yield from _virtual(settings)
        else:
            yield Finding("camera", "fail", str(error))
            yield Finding("mat", "warn", "not checked without a camera", "correct the camera first.")
            yield _calibration(settings)
        return
    finally:
        camera.close()
    height, width = frames[-1].image.shape[:2]
    level = float(frames[-1].image.mean())
    said = f"{camera.name}, {width}×{height}, {fps:.0f} frames a second, mean brightness {level:.0f} of 255"
    if not 40 <= level <= 220:
        yield Finding(
            "camera", "warn", said, "give it more light." if level < 40 else "give it less light or exposure."
        )
    elif warned:
        yield Finding("camera", "warn", f"{said}. {sentence(warned)}")
    else:
        yield Finding("camera", "ok", said)
    yield from _mat(settings, frames[-1])
    yield _calibration(settings, camera.name, (width, height))


def _virtual(settings: Settings) -> Iterator[Finding]:
    """The same checks on the virtual table: they show that the reader works."""
    from tablecoin import mat as mats
    from tablecoin.virtual.camera import VirtualCamera
    from tablecoin.virtual.table import VirtualTable

    name = settings.table.mat
    try:
        table = VirtualTable(mats.load("two-row" if name == "auto" else name))
    except mats.MatError as error:
        yield Finding("mat", "fail", str(error))
        return
    camera = VirtualCamera(table)
    frame = camera.read(1.0)
    yield from _mat(settings, frame)
    yield _calibration(settings, camera.name, (frame.image.shape[1], frame.image.shape[0]), needed=False)


def _mat(settings: Settings, frame: Any) -> Iterator[Finding]:
    from tablecoin.mat import MatError
    from tablecoin.vision.coins.reader import Reader

    try:
        reading = Reader(settings.table.mat).read(frame)
    except MatError as error:
        yield Finding("mat", "fail", str(error))
        return
    if reading.mat is None:
        todo = "lay a printed mat under the camera, all markers in the picture (`tablecoin mat two-row -o mat.pdf`)."
        yield Finding("mat", "warn", "no mat in the picture", todo)
        return
    if reading.warnings:
        yield Finding(
            "mat", "warn", f"{reading.mat}: {' '.join(map(sentence, reading.warnings))}", "uncover the markers."
        )
    else:
        yield Finding("mat", "ok", f"{reading.mat}, {len(reading.coins)} coins on it")
    yield _scale(reading.mm_per_px or 0.0)


def _scale(mm_per_px: float) -> Finding:
    """The scale at which the camera sees the table."""
    said = f"{mm_per_px:.2f} mm per pixel"
    if mm_per_px > WORKING_MM_PER_PX:
        return Finding("scale", "fail", said, "move the camera nearer, or set a larger picture (hardware.md).")
    if mm_per_px > GOOD_MM_PER_PX:
        return Finding(
            "scale", "warn", said, "at 0.35 or less, readings are surer: move the camera nearer (hardware.md)."
        )
    return Finding("scale", "ok", said)


def _calibration(
    settings: Settings, camera: str | None = None, size_px: tuple[int, int] | None = None, *, needed: bool = True
) -> Finding:
    """The calibration: is there one, for this camera and picture size, with a measured pass and usable enrolled coins?

    `camera` and `size_px`: of the camera that answered, if any. Without `needed` a missing calibration is fine.
    """
    from tablecoin.vision.calibrated import FILE, is_there, load
    from tablecoin.vision.coins.enrolled import own_coins
    from tablecoin.vision.coins.network import Identifier

    file = settings.data_dir / FILE
    if not is_there(file):
        said = "this table is not calibrated" + ("" if needed else ", which a virtual table need not be")
        return Finding("calibration", "warn" if needed else "ok", said, _ANEW if needed else "")
    known, told = load(file, camera)
    if known is None:
        return Finding("calibration", "warn", sentence(told).rstrip("."), _ANEW)
    if size_px is not None and known.size_px != size_px:
        then, now = ("×".join(map(str, size)) for size in (known.size_px, size_px))
        return Finding(
            "calibration", "warn", f"{known.summary}, but for {then} pixels, while the camera gives {now}", _ANEW
        )
    coins, coins_said = own_coins(known, file.parent, Identifier())
    said = f"{known.summary}{f'; {len(known.sizes)} coins measured' if known.sizes else ''}"
    if coins is None and coins_said:
        todo = f"enrol your coins again at /calibrate, or run `tablecoin calibrate enrol --data {file.parent}`."
        return Finding("calibration", "warn", f"{said}. {sentence(coins_said).rstrip('.')}", todo)
    if not known.passes:
        return Finding("calibration", "warn", said, "do the last calibration step, the measured pass.")
    if not known.passes[-1].passed:
        return Finding("calibration", "warn", said, "improve light and focus, and do the measured pass again.")
    return Finding("calibration", "ok", f"{said}. {sentence(coins_said)}" if coins_said else said)


def _buttons(settings: Settings) -> Iterator[Finding]:
    from tablecoin.panel.opening import on_a_pi, open_panel
    from tablecoin.panel.panel import PanelError

    kind = settings.panel.kind
    if kind == "none" or (kind in ("auto", "screen") and not (kind == "auto" and on_a_pi())):
        yield Finding("buttons", "ok", "on the screen" if kind != "none" else "none, as set")
        return
    try:
        panel = open_panel(kind, settings.panel, lambda button: None)
    except PanelError as error:
        yield Finding("buttons", "fail", str(error))
        return
    try:
        panel.lamps({"heads": "on", "tails": "on"})
        panel.buzz("turn")
        time.sleep(_BUTTONS_S)
        if panel.fault:
            yield Finding("buttons", "fail", sentence(panel.fault))
        else:
            yield Finding("buttons", "ok", f"{panel.name}; both lamps were lit and the buzzer sounded just now")
    finally:
        panel.close()


def _port(settings: Settings) -> Iterator[Finding]:
    import socket

    host, port = settings.web.host, settings.web.port
    try:
        with socket.create_server((host, port)):
            pass
    except OSError as error:
        said = f"{host}:{port} cannot be used ({error.strerror})"
        yield Finding(
            "port", "warn", said, "another program uses it, perhaps tablecoin itself; choose another port with --port."
        )
    else:
        yield Finding("port", "ok", f"{host}:{port} is free")
