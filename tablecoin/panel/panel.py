"""What a panel is: five buttons, two lamps, a buzzer and a ring light. Its contract, its options, its one error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, Protocol

import msgspec

from tablecoin.panel.pins import Pins
from tablecoin.rules.rulebook import Complaint, Message

Side = Literal["heads", "tails"]
Lamp = Literal["off", "on", "blink"]
Choice = Literal["auto", "gpio", "screen", "none"]


class PanelError(Complaint, OSError):
    """There is no panel: why, and what to do."""


class PanelOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a hardware panel is wired and behaves."""

    pins: Pins = Pins()
    factory: Literal["lgpio", "rpigpio", "pigpio", "native"] = "lgpio"  # only lgpio works on a Pi 5
    bounce_s: Annotated[float, msgspec.Meta(ge=0, le=0.5)] = (
        0.02  # debounce: a level counts after standing unchanged for this long
    )
    hold_s: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.5  # REFEREE pressed for this long counts as a hold
    # REFEREE held for `press.OFF_AFTER_S` longer switches the computer off, where the system allows it.
    shutdown: Literal["on", "off"] = "on"
    buzzer: Literal["on", "off"] = "on"
    # Share of full brightness, 0..1. Values in between use PWM, which shows as bands in the picture.
    # None: as it was when the light was calibrated, else full.
    ring_light: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None


WINK_S = 3.0  # another light lasts for this long: the table is at rest after 1 s at most, and is then read

FULL = 1.0  # the ring light's brightness where nothing else is known

# "heads.done", "heads.choose", "tails.done", "tails.choose", "referee", "referee.hold", "referee.off"
OnPress = Callable[[str], None]


class Panel(Protocol):
    """What the live table needs of any panel. No call raises for broken hardware: `fault` says it, and play goes on."""

    name: str  # for people

    @property
    def ring_light(self) -> float | None:
        """How bright the ring light usually shines, 0..1; None: there is none."""

    @property
    def fault(self) -> Message | None:
        """What is wrong with the hardware; None when all is well."""

    def lamps(self, states: Mapping[Side, Lamp]) -> None:
        """Set the lamps in the DONE buttons. A side that is not named keeps its state."""

    def buzz(self, tune: str) -> None:
        """Start one of `tunes.TUNES` and return at once. A new tune stops an older one. KeyError: no such tune."""

    @property
    def light(self) -> float | None:
        """How bright the ring light shines now, but for a wink: 0..1; None: there is none."""

    @property
    def dims(self) -> bool:
        """Whether the ring light can shine with less than full brightness."""

    def shine(self, share: float | None) -> None:
        """Let the ring light shine so bright (0..1; None: as usual, else full) until it is told otherwise.

        One that cannot be dimmed is off at 0 and on at every other share.
        """

    def wink(self) -> None:
        """Give another light for WINK_S and return at once: the ring light goes out, or on where it was out."""

    def close(self) -> None:
        """Turn everything off and release the pins. A second call does nothing."""
