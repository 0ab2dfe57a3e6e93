"""Opens the panel that the settings ask for. The hardware library is imported only when it is needed."""

from __future__ import annotations

from pathlib import Path

from tablecoin.panel.panel import Choice, OnPress, Panel, PanelError, PanelOptions
from tablecoin.panel.screen import NoPanel, ScreenPanel

_MODEL = Path("/proc/device-tree/model")  # "Raspberry Pi 5 Model B Rev 1.0" on a Pi; missing on a PC


def open_panel(choice: Choice, options: PanelOptions, on_press: OnPress) -> Panel:
    """The panel of this choice. It calls `on_press` once for each press, on a thread of its own.

    `auto` takes the hardware on a Raspberry Pi and falls back to the screen; the screen panel's `fault` then says why.
    Raises PanelError when `gpio` was asked for and the pins cannot be used.
    """
    match choice:
        case "gpio":
            return _hardware(options, on_press)
        case "auto" if on_a_pi():
            try:
                return _hardware(options, on_press)
            except PanelError as error:
                panel = ScreenPanel()
                panel.fault = error.message
                return panel
        case "none":
            return NoPanel()
        case _:
            return ScreenPanel()


def on_a_pi() -> bool:
    """Whether this computer is a Raspberry Pi."""
    try:
        return _MODEL.read_text(errors="replace").startswith("Raspberry Pi")
    except OSError:
        return False


def _hardware(options: PanelOptions, on_press: OnPress) -> Panel:
    from tablecoin.panel.gpio import GpioPanel, pin_factory

    panel = GpioPanel(options, on_press, pin_factory(options.factory))
    panel.start()
    return panel
