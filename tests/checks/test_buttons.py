"""`doctor --buttons`: each button is asked for, on gpiozero's mock pins and under a made-up finger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from tablecoin.checks import buttons
from tablecoin.checks.finding import Finding
from tablecoin.panel import opening
from tablecoin.panel.gpio import GpioPanel
from tablecoin.panel.panel import Choice, OnPress, Panel, PanelOptions
from tablecoin.panel.pins import BUTTONS
from tablecoin.panel.screen import ScreenPanel
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.settings import PanelSettings

WIRED = PanelSettings(kind="gpio")


class Rig:
    """A panel on mock pins whose clock runs a second at each question, and a finger that answers."""

    def __init__(self, factory: MockFactory, answers: dict[str, str]) -> None:
        """`answers`: what is pressed when a button is asked for, by their names in the pin table; missing: nothing."""
        self.factory, self.answers, self.now_s = factory, answers, 0.0
        self.asked: list[str] = []
        self.lit: list[tuple[int, int]] = []

    def open(self, choice: Choice, options: PanelOptions, on_press: OnPress) -> Panel:
        self.panel = GpioPanel(options, on_press, self.factory, clock=lambda: self.now_s)
        self.wait(0.1)
        return self.panel

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.01)):
            self.now_s += 0.01
            self.panel.poll()

    def ask(self, message: Message) -> None:
        part = list(BUTTONS)[len(self.asked)]
        self.asked.append(sentence(message))
        pins = WIRED.pins
        self.lit.append(tuple(self.factory.pin(pin).state for pin in (pins.heads_lamp, pins.tails_lamp)))
        self.later = self.answers.get(part)

    def press(self) -> None:
        """What the finger does once it is asked."""
        pin = self.factory.pin(getattr(WIRED.pins, str(self.later)))
        pin.drive_low()
        self.wait(0.1)
        pin.drive_high()
        self.wait(0.2)


Examined = Callable[[dict[str, str]], tuple[Rig, list[Finding]]]


@pytest.fixture
def examined(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> Examined:
    """Examine a panel whose buttons are answered so."""

    def examine(answers: dict[str, str]) -> tuple[Rig, list[Finding]]:
        rig = Rig(factory, answers)
        monkeypatch.setattr(opening, "open_panel", rig.open)
        monkeypatch.setattr(buttons, "PATIENCE_S", 0.01)
        came = buttons._came

        def press_first(*args: object) -> Finding:
            if rig.later:
                rig.press()
            return came(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(buttons, "_came", press_first)
        return rig, list(buttons.one_by_one(WIRED, rig.ask))

    return examine


def test_every_button_is_asked_for_and_works(examined: Examined) -> None:
    rig, found = examined({part: part for part in BUTTONS})
    assert [each.status for each in found] == ["ok"] * 5
    assert rig.asked[0] == "Press DONE of the heads side (BCM 5, header pin 29)."
    assert found[4].said == "REFEREE (BCM 21, header pin 40) works"
    assert rig.lit == [(1, 0), (0, 0), (0, 1), (0, 0), (0, 0)], "a DONE that is asked for has its lamp lit"


def test_two_exchanged_wires_are_told(examined: Examined) -> None:
    wires = {part: part for part in BUTTONS} | {"heads_done": "tails_done", "tails_done": "heads_done"}
    _, found = examined(wires)
    assert [each.status for each in found] == ["fail", "ok", "fail", "ok", "ok"]
    assert found[0].said.startswith("DONE of the tails side (BCM 16, header pin 36) came where DONE of the heads side")
    assert "the two wires are exchanged" in found[0].todo


def test_a_button_that_never_comes_is_told_with_its_pin(examined: Examined) -> None:
    _, found = examined({part: part for part in BUTTONS if part != "referee"})
    assert [each.status for each in found] == ["ok"] * 4 + ["fail"]
    assert "nothing came from REFEREE (BCM 21, header pin 40)" in found[4].said
    assert "wired to this pin and to ground" in found[4].todo


@pytest.mark.parametrize(("kind", "said"), [("screen", "on the screen"), ("none", "none, as set")])
def test_without_wires_nothing_is_asked(kind: Choice, said: str) -> None:
    asked: list[Message] = []
    (found,) = buttons.one_by_one(PanelSettings(kind=kind), asked.append)
    assert (found.status, found.said, asked) == ("ok", said, [])


def test_pins_that_do_not_answer_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (found,) = buttons.one_by_one(WIRED, lambda message: None)
    assert found.status == "fail"
    with buttons.shining(WIRED, WIRED):  # a check of the camera goes on without its ring light
        pass


def test_the_ring_light_shines_while_the_camera_is_examined(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "open_panel", Rig(factory, {}).open)
    pin = factory.pin(WIRED.pins.ring_light)
    with buttons.shining(WIRED, PanelOptions(ring_light=1.0)):
        assert pin.state == 1
    assert not pin.state


@pytest.mark.parametrize(("answer", "said"), [("yes", "for six seconds"), ("no", "may not"), ("unknown", "not tell")])
def test_whether_referee_may_switch_the_computer_off_is_told(
    monkeypatch: pytest.MonkeyPatch, answer: str, said: str
) -> None:
    monkeypatch.setattr(buttons, "may_power_off", lambda: answer)
    assert said in buttons.shutdown(PanelSettings()).said
    assert "as set" in buttons.shutdown(PanelSettings(shutdown="off")).said


def test_the_panel_of_a_running_table_is_told() -> None:
    panel = ScreenPanel()
    assert buttons.running(panel).said == "on the screen"
    panel.fault = Message("panel.silent", {"why": "a wire"})
    assert buttons.running(panel).status == "fail"
