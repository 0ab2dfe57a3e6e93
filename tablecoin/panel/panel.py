"""What a panel is: five buttons, two lamps, a buzzer and a ring light. Its contract, its options, its one error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, Protocol

import msgspec

from tablecoin.rules.rulebook import Complaint, Message

Side = Literal["heads", "tails"]
Lamp = Literal["off", "on", "blink"]
Choice = Literal["auto", "gpio", "screen", "none"]
Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]  # BCM number


class PanelError(Complaint, OSError):
    """There is no panel: why, and what to do."""


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The BCM pin each part is wired to (hardware.md). I²C, the serial port and SPI stay free."""

    heads_done: Pin = 5
    heads_choose: Pin = 6
    tails_done: Pin = 16
    tails_choose: Pin = 20
    referee: Pin = 21
    heads_lamp: Pin = 13
    tails_lamp: Pin = 19
    buzzer: Pin = 12
    ring_light: Pin = 18

    def reserved(self) -> tuple[str, int] | None:
        """A part wired to a pin of `RESERVED`, and that pin; None when there is none."""
        return next(
            ((part, getattr(self, part)) for part in self.__struct_fields__ if getattr(self, part) in RESERVED), None
        )

    def twice(self) -> tuple[str, str] | None:
        """Two parts wired to the same pin; None when every part has its own."""
        parts: dict[int, str] = {}
        for part in self.__struct_fields__:
            other = parts.setdefault(getattr(self, part), part)
            if other != part:
                return other, part
        return None


class PanelOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a hardware panel is wired and behaves."""

    pins: Pins = Pins()
    factory: Literal["lgpio", "rpigpio", "pigpio", "native"] = "lgpio"  # only lgpio works on a Pi 5
    bounce_s: Annotated[float, msgspec.Meta(ge=0, le=0.5)] = (
        0.02  # debounce: a level counts after standing unchanged for this long
    )
    hold_s: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.5  # REFEREE pressed for this long counts as a hold
    buzzer: Literal["on", "off"] = "on"
    # Share of full brightness, 0..1. Values in between use PWM, which shows as bands in the picture.
    ring_light: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0


# What else the Raspberry Pi uses these pins for. On 2 and 3 it has pull-up resistors of its own.
RESERVED = {0: "EEPROM", 1: "EEPROM", 2: "I²C", 3: "I²C", 14: "UART", 15: "UART"}
WINK_S = 3.0  # another light lasts for this long: the table is at rest after 1 s at most, and is then read

OnPress = Callable[[str], None]  # "heads.done", "heads.choose", "tails.done", "tails.choose", "referee", "referee.hold"


class Panel(Protocol):
    """What the live table needs of any panel. No call raises for broken hardware: `fault` says it, and play goes on."""

    name: str  # for people

    @property
    def fault(self) -> Message | None:
        """What is wrong with the hardware; None when all is well."""

    def lamps(self, states: Mapping[Side, Lamp]) -> None:
        """Set the lamps in the DONE buttons. A side that is not named keeps its state."""

    def buzz(self, tune: str) -> None:
        """Start one of `tunes.TUNES` and return at once. A new tune stops an older one. KeyError: no such tune."""

    def wink(self) -> None:
        """Give another light for WINK_S and return at once: the ring light goes out, or on where it was out."""

    def close(self) -> None:
        """Turn everything off and release the pins. A second call does nothing."""
