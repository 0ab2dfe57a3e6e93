"""The panel of buttons: quickly, or each button pressed by somebody while the doctor waits."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tablecoin.checks.finding import Finding, found
from tablecoin.live.power import may_power_off
from tablecoin.panel import opening
from tablecoin.panel.panel import Panel, PanelError, PanelOptions, Side
from tablecoin.panel.pins import BUTTONS, called
from tablecoin.rules.rulebook import Message
from tablecoin.settings import PanelSettings

WATCHED_S = 3.5  # how long the buttons are watched; a shorted one is known after three seconds
PATIENCE_S = 15.0  # for each button that somebody is asked to press


@contextmanager
def shining(settings: PanelSettings, options: PanelOptions) -> Iterator[None]:
    """Let the ring light shine meanwhile, as it does in play, where there is one that answers."""
    try:
        panel = None if _without_wires(settings) else opening.open_panel(settings.kind, options, lambda press: None)
    except PanelError:  # the check of the buttons says so
        panel = None
    try:
        yield
    finally:
        if panel:
            panel.close()


def quickly(settings: PanelSettings) -> Iterator[Finding]:
    """Light both lamps, sound the buzzer, and see whether a button is shorted."""
    if _without_wires(settings):
        yield _absent(settings)
        return
    try:
        panel = opening.open_panel(settings.kind, settings, lambda press: None)
    except PanelError as error:
        yield Finding("buttons", "fail", error.message)
        return
    try:
        panel.lamps({"heads": "on", "tails": "on"})
        panel.buzz("turn")
        time.sleep(WATCHED_S)
        yield (
            Finding("buttons", "fail", panel.fault)
            if panel.fault
            else found("buttons", "ok", "buttons", panel=panel.name)
        )
    finally:
        panel.close()
    yield shutdown(settings)


def one_by_one(settings: PanelSettings, ask: Callable[[Message], None]) -> Iterator[Finding]:
    """Ask for each button in turn and say what came. A DONE that is asked for has its lamp lit."""
    if _without_wires(settings):
        yield _absent(settings)
        return
    pressed: queue.SimpleQueue[str] = queue.SimpleQueue()
    try:
        panel = opening.open_panel(settings.kind, settings, pressed.put)
    except PanelError as error:
        yield Finding("buttons", "fail", error.message)
        return
    try:
        panel.buzz("turn")
        for part, button in BUTTONS.items():
            _light_only(panel, button)
            asked = called(button, getattr(settings.pins, part))
            ask(Message("check.button.ask", {"button": asked}))
            while not pressed.empty():
                pressed.get()
            yield _came(settings, button, asked, pressed)
        if panel.fault:
            yield Finding("buttons", "fail", panel.fault)
    finally:
        panel.close()


def _came(settings: PanelSettings, button: str, asked: Message, pressed: queue.SimpleQueue[str]) -> Finding:
    try:
        press = pressed.get(timeout=PATIENCE_S)
    except queue.Empty:
        seconds = round(PATIENCE_S)
        return found("buttons", "fail", "button.silent", "button.silent.do", button=asked, seconds=seconds)
    came = press.removesuffix(".hold").removesuffix(".off")
    if came == button:
        return found("buttons", "ok", "button.pressed", button=asked)
    part = next(part for part, name in BUTTONS.items() if name == came)
    other = called(came, getattr(settings.pins, part))
    return found("buttons", "fail", "button.other", "button.other.do", button=asked, pressed=other)


def running(panel: Panel) -> Finding:
    """The panel of a running table."""
    if panel.fault:
        return Finding("buttons", "fail", panel.fault)
    if panel.ring_light is None:  # only wires have one
        return found("buttons", "ok", "buttons.screen")
    return found("buttons", "ok", "buttons.well", panel=panel.name)


def shutdown(settings: PanelSettings) -> Finding:
    """Whether REFEREE may switch the computer off."""
    if settings.shutdown == "off":
        return found("shutdown", "ok", "shutdown.off")
    match may_power_off():
        case "yes":
            return found("shutdown", "ok", "shutdown.yes")
        case "no":
            return Finding("shutdown", "ok", Message("panel.off.not_allowed"))
        case "unknown":
            return found("shutdown", "ok", "untold")


def _without_wires(settings: PanelSettings) -> bool:
    return settings.kind in ("none", "screen") or (settings.kind == "auto" and not opening.on_a_pi())


def _absent(settings: PanelSettings) -> Finding:
    return found("buttons", "ok", "buttons.none" if settings.kind == "none" else "buttons.screen")


def _light_only(panel: Panel, button: str) -> None:
    sides: tuple[Side, ...] = ("heads", "tails")
    panel.lamps({side: "on" if button == f"{side}.done" else "off" for side in sides})
