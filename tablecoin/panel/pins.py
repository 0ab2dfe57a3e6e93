"""The pins: which part is wired to which, where each is on the 40-pin header, and which belong to the Pi.

This is the one pin table. Settings, panel, doctor and the wiring diagram of hardware.md (`docs/drawings.py`) read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from tablecoin.rules.rulebook import Message

Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]  # BCM number

# BCM number -> pin of the 40-pin header (Raspberry Pi documentation, GPIO pinout).
HEADER: Mapping[int, int] = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10,
    16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)  # header pins
POWER: Mapping[int, str] = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}  # header pins
# What else the Raspberry Pi uses these pins for. On 2 and 3 it has pull-up resistors of its own.
RESERVED: Mapping[int, str] = {0: "EEPROM", 1: "EEPROM", 2: "I²C", 3: "I²C", 14: "UART", 15: "UART"}
# Each button's part in the pin table -> what a press of it is called.
BUTTONS: Mapping[str, str] = {
    "heads_done": "heads.done",
    "heads_choose": "heads.choose",
    "tails_done": "tails.done",
    "tails_choose": "tails.choose",
    "referee": "referee",
}


def called(button: str, pin: int) -> Message:
    """A button, or another part of the pin table, as people find it: its name and its wire. `pin` is a BCM number."""
    return Message(f"panel.part.{button}", {"pin": pin, "header": HEADER[pin]})


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
