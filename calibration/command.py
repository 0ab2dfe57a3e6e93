"""`tablecoin calibrate`: the wizard's steps at a terminal, the same code as its page."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec

from calibration.enrol import USUAL
from calibration.wizard import CameraEyes, Wizard
from calibration.words import coins
from tablecoin import settings
from tablecoin.coins import Face, Heap
from tablecoin.live.service import choose_camera
from tablecoin.storage import durable
from tablecoin.virtual.script import ScriptError, play, read
from tablecoin.vision.calibrated import FILE, load, locked
from tablecoin.vision.coins.enrolment import Tray

LENS_PAUSE_S = 1.5  # between two pictures of the board when nobody presses a key
TURN_PAUSE_S = 2.0  # the same while coins are turned over
PATIENCE_S = 120.0  # how long the next picture of a step that was begun is waited for

_FIRST = {
    "aim": "Point the camera at the table and turn the lens until the picture is sharp.",
    "markers": "Lay the printed mat flat, all of it in the picture.",
    "lens": "Hold the lens board before the camera, near and leaning; another place for every picture.",
    "light": "Take everything off the mat and stand back.",
    "sizes": "Lay one penny, one nickel, one dime and one quarter on the mat, apart from one another.",
    "enrol": "Lay {tray} on the mat, {face} up, apart from one another.",
    "pass": "Lay on the mat, apart from one another: {asked}.",
}


class CalibrationError(ValueError):
    """The command was asked for something it cannot do: one sentence."""


@dataclass(frozen=True)
class Choice:
    """What was asked for on the command line."""

    camera: str | None
    mat: str
    data: str | None
    config: Path | None
    script: Path | None
    tray: Heap = USUAL.coins  # to be enrolled


def read_tray(text: str | None) -> Heap:
    """The heap written as JSON; the usual tray for None. Raises CalibrationError."""
    if text is None:
        return USUAL.coins
    try:
        return msgspec.json.decode(text, type=Heap)
    except msgspec.DecodeError:
        usual = msgspec.json.encode(USUAL.coins).decode()
        raise CalibrationError(f"--tray {text[:40]!r} is not a heap of coins: write it like {usual}.") from None


@contextmanager
def open_wizard(choice: Choice) -> Iterator[Wizard]:
    """A wizard over the chosen camera. Raises CalibrationError, CameraError, MatError, SettingsError, OSError."""
    chosen = settings.with_flags(settings.load(choice.config), camera=choice.camera, data=choice.data)
    file = chosen.data_dir / FILE
    known, _ = load(file)
    if known:
        chosen = msgspec.structs.replace(chosen, camera=locked(chosen.camera, known.locks))
    camera, virtual = choose_camera(chosen)
    try:
        if choice.script:
            if virtual is None:
                raise CalibrationError("--script moves virtual coins: use it with --camera virtual.")
            try:
                play(read(choice.script), virtual, press=lambda button: None, wait=time.sleep)
            except ScriptError as error:
                raise CalibrationError(f"{choice.script}: {error}") from None
        camera.read(10.0)  # before people are asked to do anything
        yield Wizard(CameraEyes(camera), file, choice.mat)
    finally:
        camera.close()


def walk(
    wizard: Wizard,
    names: Sequence[str],
    *,
    ask: bool,
    pictures: Path | None,
    out: Callable[[object], None] | None,
    tray: Heap = USUAL.coins,
) -> bool:
    """Run the steps named, or all that are not optional; whether every one went well. Raises CalibrationError.

    With `ask`, people are waited for before each step, and may do one that failed again. `out` takes each result.
    `tray`: the coins to be enrolled.
    """
    known = [step.name for step in wizard.steps]
    for name in names:
        if name not in (*known, "show"):
            raise CalibrationError(f"There is no step {name!r}: say {', '.join((*known, 'show'))}.")
    good = True
    for name in names or [step.name for step in wizard.steps if not step.optional]:
        if name == "show":
            state = wizard.state()
            (out or _tell)(state if out else state["said"])
            continue
        result, jpeg = _done(wizard, name, ask, tray), wizard.picture(name)
        if out:
            out(result)
        if pictures and jpeg:
            try:
                durable.replace(pictures / f"{name}.jpg", jpeg)
            except OSError as error:
                raise CalibrationError(
                    f"{pictures} cannot be written ({error.strerror}): give another folder with --pictures."
                ) from None
        good = good and result["ok"]
    return good


def _done(wizard: Wizard, name: str, ask: bool, tray: Heap) -> dict[str, Any]:
    """A step to its end, told as it goes; its last result. The lens wants several pictures, coins both their sides."""
    newest_s, before = -math.inf, None
    while True:
        state = wizard.state()
        face = Face(state["tray"]["face"])
        if ask:
            facts = {"asked": coins(state["asked"])["en"], "tray": tray, "face": face}
            click.pause(f"{name}: {_FIRST[name].format(**facts)} Then press a key.", err=True)
        result = wizard.run(name, Tray(tray, face))
        if result != before:
            _tell_result(result)
        before = result
        if result["ok"]:
            return result
        if result["more"]:
            newest_s = time.monotonic()
        elif ask and not click.confirm("Again?", default=True):
            return result
        if not ask:
            if time.monotonic() > newest_s + PATIENCE_S:
                return result
            time.sleep(LENS_PAUSE_S if name == "lens" else TURN_PAUSE_S)


def _tell_result(result: dict[str, Any]) -> None:
    mark = "ok  " if result["ok"] else "more" if result["more"] else "FAIL"
    _tell(f"{mark}  {result['step']}: {result['said']['en']}")
    if result["todo"]["en"]:
        _tell(f"      {result['todo']['en']}")
    if result["figures"]:
        _tell(f"      {', '.join(f'{key} {value}' for key, value in result['figures'].items())}")


def _tell(said: object) -> None:
    click.echo(said, file=sys.stderr)
