"""`tablecoin calibrate`: the wizard's steps at a terminal, the same code as its page."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from calibration.wizard import CameraEyes, Wizard
from calibration.words import coins
from tablecoin import settings
from tablecoin.service import choose_camera
from tablecoin.virtual.script import ScriptError, play
from tablecoin.vision.calibrated import FILE, load, locked

LENS_PAUSE_S = 1.5  # between two pictures of the board when nobody presses a key

_FIRST = {
    "aim": "Point the camera at the table and turn the lens until the picture is sharp.",
    "markers": "Lay the printed mat flat, all of it in the picture.",
    "lens": "Hold the lens board before the camera, near and leaning; another place for every picture.",
    "light": "Take everything off the mat and stand back.",
    "sizes": "Lay one penny, one nickel, one dime and one quarter on the mat, apart from one another.",
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


@contextmanager
def open_wizard(choice: Choice) -> Iterator[Wizard]:
    """A wizard over the chosen camera. Raises CalibrationError, CameraError, MatError, SettingsError, OSError."""
    chosen = settings.with_flags(settings.load(choice.config), camera=choice.camera, data=choice.data)
    file = chosen.data_dir / FILE
    known, _ = load(file)
    if known:
        chosen = settings.Settings(
            locked(chosen.camera, known.locks), chosen.table, chosen.panel, chosen.web, chosen.data
        )
    camera, virtual = choose_camera(chosen)
    try:
        if choice.script:
            if virtual is None:
                raise CalibrationError("--script moves virtual coins: use it with --camera virtual.")
            try:
                play(choice.script.read_text("utf-8"), virtual, press=lambda button: None, wait=time.sleep)
            except (ScriptError, UnicodeDecodeError) as error:
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
) -> bool:
    """Run the steps named, or all that are not optional; whether every one went well.

    With `ask`, people are waited for before each step, and may do one that failed again. `out` takes each result.
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
        while not (done := _one(wizard, name, ask, pictures, out)) and ask and click.confirm("Again?", default=True):
            pass
        good = good and done
    return good


def _one(wizard: Wizard, name: str, ask: bool, pictures: Path | None, out: Callable[[object], None] | None) -> bool:
    if ask:
        asked = coins(wizard.state()["asked"])["en"]
        click.pause(f"{name}: {_FIRST[name].format(asked=asked)} Then press a key.", err=True)
    result = wizard.run(name)
    while name == "lens" and not ask and not result["ok"] and _goes_on(result):
        _tell(f"lens: {result['said']['en']} {result['todo']['en']}")
        time.sleep(LENS_PAUSE_S)
        result = wizard.run(name)
    figures = ", ".join(f"{key} {value}" for key, value in result["figures"].items())
    _tell(f"{'ok  ' if result['ok'] else 'FAIL'}  {name}: {result['said']['en']}")
    if result["todo"]["en"]:
        _tell(f"      {result['todo']['en']}")
    if figures:
        _tell(f"      {figures}")
    if out:
        out(result)
    jpeg = wizard.picture(name)
    if pictures and jpeg:
        pictures.mkdir(parents=True, exist_ok=True)
        (pictures / f"{name}.jpg").write_bytes(jpeg)
    return bool(result["ok"])


def _goes_on(result: dict[str, Any]) -> bool:
    """Whether a picture of the board was taken and more are wanted."""
    figures: dict[str, float] = result["figures"]
    return 0 < figures.get("views", 0) < figures.get("wanted", 0)


def _tell(said: object) -> None:
    click.echo(said, file=sys.stderr)
