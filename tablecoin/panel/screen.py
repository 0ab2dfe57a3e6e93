"""Panels without hardware: buttons on the page, or no panel at all."""

from __future__ import annotations

from collections.abc import Mapping

from tablecoin.panel.panel import Lamp, Side
from tablecoin.panel.tunes import TUNES
from tablecoin.rules.rulebook import Message


class NoPanel:
    """No buttons: people play with their phones alone."""

    name = "no panel"
    fault: Message | None = None
    ring_light: float | None = None
    light: float | None = None
    dims = False

    def lamps(self, states: Mapping[Side, Lamp]) -> None:
        """There are no lamps."""

    def buzz(self, tune: str) -> None:
        """Play nothing, but check the name as a real buzzer does. KeyError: no such tune."""
        TUNES[tune]

    def shine(self, share: float | None) -> None:
        """There is no ring light."""

    def wink(self) -> None:
        """There is no ring light."""

    def close(self) -> None:
        """There is nothing to release."""


class ScreenPanel(NoPanel):
    """Buttons on the page. The page lights them and plays the tunes itself, from the snapshot."""

    name = "buttons on the screen"
