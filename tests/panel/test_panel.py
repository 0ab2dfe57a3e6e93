"""Which panel one gets, and what one without hardware still shows."""

from __future__ import annotations

import pytest

from tablecoin.panel import panel as room
from tablecoin.panel.panel import NoPanel, PanelError, PanelOptions, Pins, ScreenPanel, open_panel


def ignore(button: str) -> None:
    """Nobody listens."""


@pytest.mark.parametrize(("choice", "kind"), [("auto", ScreenPanel), ("screen", ScreenPanel), ("none", NoPanel)])
def test_without_pins_the_screen_is_the_panel(choice: room.Choice, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "on_a_pi", lambda: False)
    panel = open_panel(choice, PanelOptions(), ignore)
    assert isinstance(panel, kind)
    assert panel.fault is None


def refuse(options: PanelOptions, on_press: room.OnPress) -> room.Panel:
    raise PanelError("No pins answer.")


def test_on_a_pi_whose_pins_are_taken_auto_goes_on_with_the_screen_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "on_a_pi", lambda: True)
    monkeypatch.setattr(room, "_hardware", refuse)
    panel = open_panel("auto", PanelOptions(), ignore)
    assert isinstance(panel, ScreenPanel)
    assert panel.fault == "No pins answer."
    with pytest.raises(PanelError, match="No pins answer"):
        open_panel("gpio", PanelOptions(), ignore)


@pytest.mark.parametrize("panel", [ScreenPanel(), NoPanel()])
def test_a_tune_nobody_wrote_is_a_fault_of_ours(panel: room.Panel) -> None:
    with pytest.raises(KeyError):
        panel.buzz("fanfare")


def test_pins_used_twice_are_named() -> None:
    assert Pins().twice() is None
    assert Pins(buzzer=5).twice() == ("heads_done", "buzzer")
