"""`python -m lab.enduring.failing`: what `tablecoin serve` runs, on a virtual table that fails as its input says.

A line is the name of a fault and `on` or `off`. What fails is what lies outside the program: the camera's pictures, the
disk, the system's clock, a button. The program itself is as people run it.
"""

from __future__ import annotations

import errno
import logging
import math
import os
import resource
import signal
import sys
import threading
import time
from typing import Any

import click
import cv2
import numpy as np
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tablecoin import settings
from tablecoin.appliance import Appliance
from tablecoin.cli.stopping import on_signal
from tablecoin.live import allocator
from tablecoin.panel import gpio
from tablecoin.panel.panel import PanelOptions
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.camera import Simulation, VirtualCamera
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.frame import Frame, Image

UNPLUGGED, OTHER_SHAPE, LIGHT_OFF, FLICKER = "unplugged", "other-shape", "light-off", "flicker"
DISK_FULL, READ_ONLY, CLOCK_JUMPED, STUCK_BUTTON = "disk-full", "read-only", "clock-jumped", "stuck-button"
OWN = (UNPLUGGED, OTHER_SHAPE, LIGHT_OFF, FLICKER, DISK_FULL, READ_ONLY, CLOCK_JUMPED, STUCK_BUTTON)

_DARK = 0.05  # of the light is left when the lamp is off
_RIPPLE = 0.3  # swing of the light around its mean
_BEAT_HZ = 3.7  # how often pictures become brighter and darker: a lamp that beats with the camera
_LEAST_BYTES = 1  # no file may grow beyond this while the disk is full or read-only
_JUMP_S = 86_400.0
_STUCK = PanelOptions().pins.heads_done  # this button closes and does not open again

_on: set[str] = set()
_pins = MockFactory(pin_class=MockPWMPin)


class FailingCamera(VirtualCamera):
    """The virtual table's camera with the faults that a real one has on its way to the program."""

    def read(self, timeout_s: float) -> Frame:
        frame = super().read(timeout_s)
        if UNPLUGGED in _on:
            raise CameraError(Message("camera.virtual.frozen"))
        return Frame(seen(frame.image, frozenset(_on), frame.taken_s), frame.number, frame.taken_s)


def seen(image: Image, faults: frozenset[str], now_s: float) -> Image:
    """The picture, (H, W, 3) uint8 BGR, as it comes with these faults; of another shape with OTHER_SHAPE."""
    if OTHER_SHAPE in faults:
        image = np.asarray(cv2.resize(image, (800, 448), interpolation=cv2.INTER_AREA), np.uint8)
    light = _DARK if LIGHT_OFF in faults else 1.0
    if FLICKER in faults:
        light *= 1 + _RIPPLE * math.sin(2 * math.pi * _BEAT_HZ * now_s)
    return image if light == 1.0 else np.asarray(cv2.convertScaleAbs(image, alpha=light), np.uint8)


def obey(line: str) -> None:
    """Switch one fault as `line` says. Raises ValueError."""
    name, _, switch = line.strip().partition(" ")
    if name not in OWN or switch not in ("on", "off"):
        raise ValueError(f"not a fault and a switch: {line!r}")
    begins = switch == "on"
    (_on.add if begins else _on.discard)(name)
    if name in (DISK_FULL, READ_ONLY):  # the kernel then refuses to make files longer, as it does on such a disk
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (_LEAST_BYTES if begins else hard, hard))
    if name == STUCK_BUTTON:
        pin = _pins.pin(_STUCK)
        (pin.drive_low if begins else pin.drive_high)()


def _write_as_told(data: str) -> None:
    """Let Python's own writes into the data folder fail while it is read-only; SQLite's fail as on a full disk."""
    opened, written = os.open, os.pwrite

    def refuse() -> None:
        if READ_ONLY in _on:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def open_file(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & os.O_CREAT and str(path).startswith(data):
            refuse()
        return opened(path, flags, *more, **named)

    def write(file: int, content: Any, place: int, /) -> int:
        refuse()
        return written(file, content, place)

    os.open, os.pwrite = open_file, write


def _listen() -> None:
    for line in sys.stdin:
        obey(line)


@click.command()
@click.option("--port", type=int)
@click.option("--data")
@click.option("--seed", type=int)
def _serve(port: int, data: str, seed: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write on the full disk fails instead of ending the program
    gpio.pin_factory = lambda name: _pins
    real = time.time
    time.time = lambda: real() + (_JUMP_S if CLOCK_JUMPED in _on else 0.0)
    _write_as_told(data)
    threading.Thread(target=_listen, name="faults", daemon=True).start()
    allocator.frugal()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    chosen = settings.at_start(None, camera="virtual", panel="gpio", port=port, data=data)
    appliance = Appliance(chosen, seed=seed, simulation=Simulation(camera=FailingCamera))
    on_signal(appliance.stop)
    with appliance:
        appliance.run(lambda said: click.echo(said, err=True))


if __name__ == "__main__":
    _serve()
