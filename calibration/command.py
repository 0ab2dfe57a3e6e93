"""`tablecoin calibrate`: the wizard's steps at a terminal, by the same code as its page."""

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
from calibration.wizard import CameraEyes, NoEyes, Wizard
from calibration.words import coins, say, word
from tablecoin import settings
from tablecoin.coins import Face, Heap
from tablecoin.live.service import choose_camera, panel_options
from tablecoin.panel.opening import open_panel
from tablecoin.settings import Settings
from tablecoin.storage import durable
from tablecoin.virtual.script import ScriptError, play, read
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.calibrated import FILE
from tablecoin.vision.cameras.camera import Camera
from tablecoin.vision.coins.enrolment import Tray

LENS_PAUSE_S = 1.5  # between two pictures of the lens board, where nobody presses a key
TURN_PAUSE_S = 2.0  # the same while people turn coins over
PATIENCE_S = 120.0  # longest wait for the next good picture of a step that has begun


class CalibrationError(ValueError):
    """The command cannot do what was asked; `str()` is one sentence with what to do."""


@dataclass(frozen=True)
class Choice:
    """The options of the command line."""

    camera: str | None
    mat: str
    data: str | None
    config: Path | None
    script: Path | None
    tray: Heap = USUAL.coins  # the coins to enrol
    ring_light: float | None = None  # how bright it shines meanwhile, 0..1; None: as it was
    only_shows: bool = False  # what is kept: no camera is opened


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
    """A wizard over the chosen camera, under the panel's ring light.

    Raises CalibrationError, CameraError, PanelError, MatError, SettingsError, OSError.
    """
    if choice.only_shows:
        file = settings.with_flags(settings.load(choice.config), data=choice.data).data_dir / FILE
        yield Wizard(NoEyes(file), file, choice.mat)
        return
    script = _read(choice.script) if choice.script else None
    chosen = settings.at_start(choice.config, camera=choice.camera, data=choice.data)
    file = chosen.data_dir / FILE
    light = panel_options(chosen)
    if choice.ring_light is not None:
        light = msgspec.structs.replace(light, ring_light=choice.ring_light)
    panel = open_panel(chosen.panel.kind, light, lambda press: None)
    try:
        with _opened(chosen) as (camera, virtual):
            if script is not None:
                _play(script, choice.script, virtual)
            camera.read(10.0)  # a camera that fails should fail before people lay anything out
            yield Wizard(CameraEyes(camera, panel.ring_light), file, choice.mat)
    finally:
        panel.close()


@contextmanager
def _opened(chosen: Settings) -> Iterator[tuple[Camera, VirtualTable | None]]:
    camera, virtual = choose_camera(chosen, missing="wait")  # nobody wants to calibrate the virtual table by mistake
    try:
        yield camera, virtual
    finally:
        camera.close()


def _read(script: Path) -> str:
    try:
        return read(script)
    except ScriptError as error:
        raise CalibrationError(f"{script}: {error}") from None
    except OSError as error:
        raise CalibrationError(f"{script} cannot be read ({error.strerror}): check the path.") from None


def _play(text: str, script: Path | None, virtual: VirtualTable | None) -> None:
    if virtual is None:
        raise CalibrationError("--script moves virtual coins: use it with --camera virtual.")
    try:
        play(text, virtual, press=lambda button: None, wait=time.sleep)
    except ScriptError as error:
        raise CalibrationError(f"{script}: {error}") from None


def walk(
    wizard: Wizard,
    names: Sequence[str],
    *,
    ask: bool,
    pictures: Path | None,
    out: Callable[[object], None] | None,
    tray: Heap = USUAL.coins,
) -> bool:
    """Run the steps named, or all that are not optional, and return whether all succeeded. Raises CalibrationError.

    `ask`: wait for a key before each step, and offer to repeat a failed one. `pictures`: a folder for what each step
    saw. `out` gets each result. `tray`: the coins to enrol.
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
                pictures.mkdir(parents=True, exist_ok=True)
                durable.replace(pictures / f"{name}.jpg", jpeg, 0o666)
            except OSError as error:
                raise CalibrationError(
                    f"{pictures} cannot be written ({error.strerror}): give another folder with --pictures."
                ) from None
        good = good and result["ok"]
    return good


def _done(wizard: Wizard, name: str, ask: bool, tray: Heap) -> dict[str, Any]:
    """Run a step to its end and return its last result. The lens needs several pictures, enrolling both sides."""
    newest_s, before = -math.inf, None
    while True:
        state = wizard.state()
        face = Face(state["tray"]["face"])
        if ask:
            facts = {"asked": coins(state["asked"]), "coins": str(tray), "face": word(face)}
            _wait_for_key(f"{name}: {say(f'{name}.first', **facts)['en']} Then press a key.")
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


def _wait_for_key(said: str) -> None:
    """Say it and wait. Ctrl-C ends the command.

    `click.pause` goes on then, and it does not wait where results are piped.
    """
    click.echo(said, nl=False, err=True)
    try:
        click.getchar()
    finally:
        click.echo(err=True)


def _tell_result(result: dict[str, Any]) -> None:
    mark = "ok  " if result["ok"] else "more" if result["more"] else "FAIL"
    _tell(f"{mark}  {result['step']}: {result['said']['en']}")
    if result["todo"]["en"]:
        _tell(f"      {result['todo']['en']}")
    if result["figures"]:
        _tell(f"      {', '.join(f'{key} {value}' for key, value in result['figures'].items())}")


def _tell(said: object) -> None:
    click.echo(said, file=sys.stderr)
