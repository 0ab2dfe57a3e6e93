"""Which panel each choice opens, and what the panels without hardware do."""

from __future__ import annotations

import pytest

from tablecoin.panel import opening
from tablecoin.panel.opening import open_panel
from tablecoin.panel.panel import Choice, OnPress, Panel, PanelError, PanelOptions
from tablecoin.panel.pins import GROUND, HEADER, POWER, Pins
from tablecoin.panel.screen import NoPanel, ScreenPanel
from tablecoin.rules.rulebook import Message


def ignore(button: str) -> None:
    """Drop the press."""


@pytest.mark.parametrize(("choice", "kind"), [("auto", ScreenPanel), ("screen", ScreenPanel), ("none", NoPanel)])
def test_off_a_pi_only_panels_without_hardware_open(
    choice: Choice, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "on_a_pi", lambda: False)
    panel = open_panel(choice, PanelOptions(), ignore)
    assert isinstance(panel, kind)
    assert panel.fault is None


NO_PINS = Message("panel.pins.none", {"library": "lgpio", "why": "no chip"})


def refuse(options: PanelOptions, on_press: OnPress) -> Panel:
    raise PanelError(NO_PINS)


def test_on_a_pi_with_unusable_pins_auto_takes_the_screen_and_gpio_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "on_a_pi", lambda: True)
    monkeypatch.setattr(opening, "_hardware", refuse)
    panel = open_panel("auto", PanelOptions(), ignore)
    assert isinstance(panel, ScreenPanel)
    assert panel.fault == NO_PINS
    with pytest.raises(PanelError, match="No pins answer"):
        open_panel("gpio", PanelOptions(), ignore)


@pytest.mark.parametrize("panel", [ScreenPanel(), NoPanel()])
def test_an_unknown_tune_raises(panel: Panel) -> None:
    with pytest.raises(KeyError):
        panel.buzz("fanfare")


def test_every_pin_of_the_header_is_told_once() -> None:
    assert sorted([*HEADER.values(), *GROUND, *POWER]) == list(range(1, 41))
    assert sorted(HEADER) == list(range(28))


def test_two_parts_on_one_pin_are_named() -> None:
    assert Pins().twice() is None
    assert Pins(buzzer=5).twice() == ("heads_done", "buzzer")
