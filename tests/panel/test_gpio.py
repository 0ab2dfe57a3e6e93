"""The panel of hardware on gpiozero's mock pins: what a finger does, what shines, sounds, breaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory

from tablecoin.panel.gpio import GpioPanel, pin_factory
from tablecoin.panel.panel import PanelError, PanelOptions, Pins
from tablecoin.panel.tunes import TUNES

PINS = Pins()


class Desk:
    """A panel, a finger and a clock."""

    def __init__(self, factory: MockFactory, options: PanelOptions) -> None:
        self.now_s = 0.0
        self.pressed: list[str] = []
        self.factory = factory
        self.panel = GpioPanel(options, self.pressed.append, factory, clock=lambda: self.now_s)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.01)):
            self.now_s += 0.01
            self.panel.poll()

    def press(self, pin: int, seconds: float = 0.1) -> None:
        """Buttons pull their pin to ground."""
        self.factory.pin(pin).drive_low()
        self.wait(seconds)
        self.factory.pin(pin).drive_high()
        self.wait(0.1)


@pytest.fixture
def desk(factory: MockFactory) -> Iterator[Desk]:
    desk = Desk(factory, PanelOptions(hold_s=1.0))
    desk.wait(0.1)
    yield desk
    desk.panel.close()


@pytest.mark.parametrize(
    ("pin", "button"),
    [
        (PINS.heads_done, "heads.done"),
        (PINS.heads_choose, "heads.choose"),
        (PINS.tails_done, "tails.done"),
        (PINS.tails_choose, "tails.choose"),
        (PINS.referee, "referee"),
    ],
)
def test_each_button_tells_its_name_once(desk: Desk, pin: int, button: str) -> None:
    desk.press(pin)
    assert desk.pressed == [button]


def test_only_the_referee_button_can_be_held(desk: Desk) -> None:
    desk.press(PINS.referee, 2.0)
    desk.press(PINS.heads_done, 2.0)
    assert desk.pressed == ["referee.hold", "heads.done"]


def test_lamps_shine_as_told_and_the_other_side_keeps_its_own(desk: Desk, factory: MockFactory) -> None:
    heads, tails = factory.pin(PINS.heads_lamp), factory.pin(PINS.tails_lamp)
    desk.panel.lamps({"heads": "on", "tails": "off"})
    assert (heads.state, tails.state) == (1, 0)
    desk.panel.lamps({"tails": "on"})
    assert (heads.state, tails.state) == (1, 1)
    desk.panel.lamps({"heads": "off"})
    assert (heads.state, tails.state) == (0, 1)


@pytest.mark.parametrize("tune", TUNES)
def test_every_tune_can_be_played_on_the_buzzer_and_ends_in_silence(
    desk: Desk, factory: MockFactory, tune: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk.panel._stopping, "wait", lambda seconds: False)
    heard: list[float | None] = []
    pin = factory.pin(PINS.buzzer)
    play = desk.panel._buzzer.play
    monkeypatch.setattr(desk.panel._buzzer, "play", lambda tone: (play(tone), heard.append(pin.frequency)))
    desk.panel.play(tune)
    assert heard == pytest.approx([beep.hz for beep in TUNES[tune] if beep.hz], rel=0.01)
    assert pin.state == 0
    assert desk.panel.fault is None


@pytest.mark.parametrize(("share", "state"), [(1.0, 1.0), (0.0, 0.0), (0.4, 0.4)])
def test_the_ring_light_shines_from_the_start(factory: MockFactory, share: float, state: float) -> None:
    desk = Desk(factory, PanelOptions(ring_light=share))
    assert factory.pin(PINS.ring_light).state == pytest.approx(state)
    desk.panel.close()


def test_a_pulled_cable_is_said_once_and_play_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def dead() -> None:
        raise OSError("Input/output error")

    monkeypatch.setattr(desk.panel._lamps["heads"], "on", dead)
    desk.panel.lamps({"heads": "on"})
    assert desk.panel.fault is not None
    assert "stopped answering" in desk.panel.fault
    desk.press(PINS.tails_done)
    assert desk.pressed == ["tails.done"], "what still works goes on working"


def test_closing_lets_every_pin_go_and_twice_does_no_harm(factory: MockFactory) -> None:
    desk = Desk(factory, PanelOptions())
    desk.panel.start()
    desk.panel.buzz("turn")
    desk.panel.lamps({"heads": "blink"})
    desk.panel.close()
    desk.panel.close()
    Desk(factory, PanelOptions()).panel.close()  # the pins can be had again


def test_two_parts_on_one_pin_is_one_sentence(factory: MockFactory) -> None:
    with pytest.raises(PanelError, match=r"see the pin table in hardware\.md"):
        Desk(factory, PanelOptions(pins=Pins(heads_lamp=5)))


def test_without_the_library_the_sentence_says_what_to_install() -> None:
    with pytest.raises(PanelError, match=r"lgpio|pins answer"):
        pin_factory("lgpio")


def test_the_pin_table_in_hardware_md_is_the_one_in_the_code() -> None:
    """Rows such as `| heads_done | 5 | 29 | ... |`."""
    page = Path(__file__).parents[2] / "hardware.md"
    lines = page.read_text("utf-8").splitlines()
    rows = [[cell.strip(" `") for cell in line.strip("| ").split("|")] for line in lines if line.startswith("|")]
    table = {
        row[0]: (int(row[1]), int(row[2])) for row in rows if row[0] in PINS.__struct_fields__ and row[1].isdecimal()
    }
    assert table == {part: (bcm, HEADER[bcm]) for part, bcm in msgspec.structs.asdict(PINS).items()}


# Where the BCM numbers come out on the 40-pin header (pinout of the Raspberry Pi documentation).
HEADER = {5: 29, 6: 31, 12: 32, 13: 33, 16: 36, 18: 12, 19: 35, 20: 38, 21: 40}


def test_a_press_that_comes_to_nothing_silences_no_later_one(factory: MockFactory) -> None:
    heard: list[str] = []

    def on_press(button: str) -> None:
        heard.append(button)
        if len(heard) == 1:
            raise RuntimeError("nobody is at home yet")

    desk = Desk(factory, PanelOptions())
    desk.panel.close()
    desk.panel = GpioPanel(PanelOptions(), on_press, factory, clock=lambda: desk.now_s)
    desk.press(PINS.heads_done)
    desk.press(PINS.tails_done)
    desk.panel.close()
    assert heard == ["heads.done", "tails.done"]
