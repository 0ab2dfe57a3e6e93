"""The panel: five buttons, two lamps, a buzzer and a ring light, of hardware, on the screen, or none at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal, Protocol

import msgspec

from tablecoin.panel.tunes import TUNES

Side = Literal["heads", "tails"]
Lamp = Literal["off", "on", "blink"]
Choice = Literal["auto", "gpio", "screen", "none"]
Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]  # BCM number

_MODEL = Path("/proc/device-tree/model")


class PanelError(OSError):
    """There is no panel, or it went away: `str()` is one plain sentence with what to do."""


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which BCM pin each part is wired to (hardware.md). I²C, the serial port and SPI stay free."""

    heads_done: Pin = 5
    heads_choose: Pin = 6
    tails_done: Pin = 16
    tails_choose: Pin = 20
    referee: Pin = 21
    heads_lamp: Pin = 13
    tails_lamp: Pin = 19
    buzzer: Pin = 12
    ring_light: Pin = 18

    def twice(self) -> tuple[str, str] | None:
        """Two parts on one pin, or None as it should be."""
        parts: dict[int, str] = {}
        for part in self.__struct_fields__:
            other = parts.setdefault(getattr(self, part), part)
            if other != part:
                return other, part
        return None


class PanelOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the panel of hardware is built and behaves."""

    pins: Pins = Pins()
    factory: Literal["lgpio", "rpigpio", "pigpio", "native"] = "lgpio"  # a Pi 5 works with lgpio only
    bounce_s: Annotated[float, msgspec.Meta(ge=0, le=0.5)] = 0.02
    hold_s: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.5  # REFEREE held this long is a hold
    buzzer: Literal["on", "off"] = "on"
    ring_light: Annotated[float, msgspec.Meta(ge=0, le=1)] = (
        1.0  # share of full brightness; between 0 and 1 it flickers
    )


OnPress = Callable[[str], None]  # "heads.done", "heads.choose", "tails.done", "tails.choose", "referee", "referee.hold"


class Panel(Protocol):
    """What the service needs of any panel. None of these calls raises: a fault is told by `fault`, and play goes on."""

    name: str  # for people
    fault: str | None  # one sentence when the hardware went away

    def lamps(self, states: Mapping[Side, Lamp]) -> None:
        """The lamps in the DONE buttons; a side not named keeps its state."""

    def buzz(self, tune: str) -> None:
        """Play one of `tunes.TUNES` without waiting; a newer one cuts off an older. KeyError: no such tune."""

    def close(self) -> None:
        """Everything off, pins let go. Twice does no harm."""


class NoPanel:
    """Phones alone."""

    name = "no panel"
    fault: str | None = None

    def lamps(self, states: Mapping[Side, Lamp]) -> None:
        """Nothing to light."""

    def buzz(self, tune: str) -> None:
        TUNES[tune]

    def close(self) -> None:
        """Nothing to let go."""


class ScreenPanel(NoPanel):
    """Buttons on the page, which lights them and sounds by itself from what it is told."""

    name = "buttons on the screen"


def open_panel(choice: Choice, options: PanelOptions, on_press: OnPress) -> Panel:
    """The panel of this choice; `on_press` is called from a thread of its own, once for each press.

    `auto` is the hardware on a Raspberry Pi where it can be had, else the screen. PanelError: `gpio` was asked for and
    cannot be had.
    """
    match choice:
        case "gpio":
            return _hardware(options, on_press)
        case "auto" if on_a_pi():
            try:
                return _hardware(options, on_press)
            except PanelError as error:
                panel = ScreenPanel()
                panel.fault = str(error)
                return panel
        case "none":
            return NoPanel()
        case _:
            return ScreenPanel()


def on_a_pi() -> bool:
    try:
        return _MODEL.read_text(errors="replace").startswith("Raspberry Pi")
    except OSError:
        return False


def _hardware(options: PanelOptions, on_press: OnPress) -> Panel:
    from tablecoin.panel.gpio import GpioPanel, pin_factory

    panel = GpioPanel(options, on_press, pin_factory(options.factory))
    panel.start()
    return panel
