"""The hardware panel on gpiozero's mock pins: presses, lamps, tunes and faults."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from gpiozero.tones import Tone

from tablecoin.panel import gpio
from tablecoin.panel.gpio import GpioPanel, pin_factory
from tablecoin.panel.panel import WINK_S, PanelError, PanelOptions
from tablecoin.panel.pins import Pins
from tablecoin.panel.tunes import TUNES
from tablecoin.rules.rulebook import sentence

PINS = Pins()


class Rig:
    """A panel on mock pins, a finger and a clock."""

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
        self.wait(0.2)


@pytest.fixture
def rig(factory: MockFactory) -> Iterator[Rig]:
    rig = Rig(factory, PanelOptions(hold_s=1.0))
    rig.wait(0.1)
    yield rig
    rig.panel.close()


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
def test_each_button_reports_its_name_once(rig: Rig, pin: int, button: str) -> None:
    rig.press(pin)
    assert rig.pressed == [button]


HELD = [
    ("pressed", 0.3, ["referee"], ""),
    ("held for 1.5 s", 1.6, ["referee.hold"], "press"),
    ("until the first second was counted", 3.1, [], "press count"),
    ("just not long enough", 5.9, [], "press count count count"),
    ("held for 6 s", 6.1, ["referee.off"], "press count count count off"),
    ("shorted in play", 20.0, [], "press count count count off"),
]


@pytest.mark.parametrize(("what", "seconds", "pressed", "heard"), HELD, ids=[row[0] for row in HELD])
def test_how_long_referee_is_held_says_what_it_does(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, what: str, seconds: float, pressed: list[str], heard: str
) -> None:
    rig, tunes = Rig(factory, PanelOptions()), list[str]()
    monkeypatch.setattr(rig.panel, "buzz", tunes.append)
    rig.wait(0.1)
    rig.press(PINS.referee, seconds)
    rig.panel.close()
    assert (rig.pressed, " ".join(tunes)) == (pressed, heard)


def test_where_switching_off_is_not_wanted_a_long_hold_stays_a_hold(factory: MockFactory) -> None:
    rig = Rig(factory, PanelOptions(shutdown="off"))
    rig.wait(0.1)
    rig.press(PINS.referee, 7.0)
    rig.panel.close()
    assert rig.pressed == ["referee.hold"]


def test_both_lamps_count_the_seconds_and_then_show_the_game_again(factory: MockFactory) -> None:
    rig = Rig(factory, PanelOptions())
    heads, tails = factory.pin(PINS.heads_lamp), factory.pin(PINS.tails_lamp)
    rig.wait(0.1)
    rig.panel.lamps({"heads": "on", "tails": "off"})
    factory.pin(PINS.referee).drive_low()
    rig.wait(2.9)
    assert (heads.state, tails.state) == (1, 0)
    counted = []
    for _ in range(6):
        rig.wait(0.5)
        counted.append((heads.state, tails.state))
    assert counted == [(1, 1), (0, 0)] * 3
    rig.wait(0.2)
    assert (heads.state, tails.state) == (0, 0)
    rig.panel.lamps({"heads": "off", "tails": "on"})  # the game goes on meanwhile
    rig.press(PINS.heads_done)
    assert (heads.state, tails.state) == (0, 0), "the lamps count on"
    factory.pin(PINS.referee).drive_high()
    rig.wait(0.1)
    assert (heads.state, tails.state) == (0, 1)
    rig.panel.close()


def test_only_the_referee_button_can_be_held(rig: Rig) -> None:
    rig.press(PINS.referee, 2.0)
    rig.press(PINS.heads_done, 2.0)
    assert rig.pressed == ["referee.hold", "heads.done"]


@pytest.mark.parametrize(
    ("pin", "name"),
    [
        (PINS.referee, "REFEREE (BCM 21, header pin 40)"),
        (PINS.heads_done, "DONE of the heads side (BCM 5, header pin 29)"),
    ],
)
def test_a_shorted_button_does_nothing_at_the_start_and_is_said(factory: MockFactory, pin: int, name: str) -> None:
    rig = Rig(factory, PanelOptions())
    factory.pin(pin).drive_low()  # before the first sample, and for ever
    rig.wait(30)
    rig.press(PINS.tails_done)
    assert rig.pressed == ["tails.done"], "the others work"
    assert rig.panel.fault is not None
    assert f"left out: {name}." in sentence(rig.panel.fault)
    factory.pin(pin).drive_high()
    rig.wait(1)
    assert rig.panel.fault is None, "the wire was mended"
    rig.panel.close()


def test_a_referee_button_that_is_shorted_in_play_takes_nothing_back(rig: Rig) -> None:
    rig.press(PINS.referee, 30)
    assert rig.pressed == []


def test_a_blinking_lamp_does_not_restart_with_each_snapshot(rig: Rig, factory: MockFactory) -> None:
    lamp, shown = factory.pin(PINS.heads_lamp), list[int]()
    for _ in range(14):
        rig.panel.lamps({"heads": "blink"})
        rig.wait(0.09 if not shown else 0.1)
        shown.append(int(lamp.state))
    assert shown == [1, 1, 1, 0, 0, 0, 0] * 2
    rig.panel.lamps({"heads": "on"})
    rig.wait(0.5)
    assert lamp.state == 1


def test_the_pipe_that_lgpio_makes_is_not_left_in_the_working_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[Path] = []

    def library(name: str) -> None:  # as lgpio 0.2.2 does while it is imported
        made.append(Path.cwd() / ".lgd-nfy0")
        os.mkfifo(made[0])
        raise ImportError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gpio, "import_module", library)
    with pytest.raises(PanelError):
        pin_factory("lgpio")
    assert not made[0].exists()
    assert list(tmp_path.iterdir()) == []
    assert Path.cwd() == tmp_path


def test_a_lamp_that_is_not_named_keeps_its_state(rig: Rig, factory: MockFactory) -> None:
    heads, tails = factory.pin(PINS.heads_lamp), factory.pin(PINS.tails_lamp)
    rig.panel.lamps({"heads": "on", "tails": "off"})
    assert (heads.state, tails.state) == (1, 0)
    rig.panel.lamps({"tails": "on"})
    assert (heads.state, tails.state) == (1, 1)
    rig.panel.lamps({"heads": "off"})
    assert (heads.state, tails.state) == (0, 1)


@pytest.mark.parametrize("tune", TUNES)
def test_every_tune_plays_on_the_buzzer_and_ends_in_silence(
    rig: Rig, factory: MockFactory, tune: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rig.panel._stopping, "wait", lambda seconds: False)
    heard: list[float | None] = []
    pin = factory.pin(PINS.buzzer)
    play = rig.panel._devices["buzzer"].play

    def listen(tone: Tone) -> None:
        play(tone)
        heard.append(pin.frequency)

    monkeypatch.setattr(rig.panel._devices["buzzer"], "play", listen)
    rig.panel.play(tune)
    assert heard == pytest.approx([beep.hz for beep in TUNES[tune] if beep.hz], rel=0.01)
    assert pin.state == 0
    assert rig.panel.fault is None


@pytest.mark.parametrize(("share", "state"), [(1.0, 1.0), (0.0, 0.0), (0.4, 0.4)])
def test_the_ring_light_is_on_from_the_start(factory: MockFactory, share: float, state: float) -> None:
    rig = Rig(factory, PanelOptions(ring_light=share))
    assert factory.pin(PINS.ring_light).state == pytest.approx(state)
    rig.panel.close()


@pytest.mark.parametrize(("share", "meanwhile"), [(1.0, 0.0), (0.4, 0.0), (0.0, 1.0)])
def test_a_wink_gives_another_light_for_a_while(factory: MockFactory, share: float, meanwhile: float) -> None:
    rig = Rig(factory, PanelOptions(ring_light=share))
    pin = factory.pin(PINS.ring_light)
    rig.panel.wink()
    assert pin.state == pytest.approx(meanwhile)
    rig.wait(WINK_S - 0.1)
    assert pin.state == pytest.approx(meanwhile)
    rig.wait(0.2)
    assert pin.state == pytest.approx(share)
    rig.panel.close()


@pytest.mark.parametrize(("share", "on"), [(1.0, 1.0), (0.6, 0.6), (0.0, 1.0)])
def test_the_ring_light_is_switched_until_it_is_switched_again(factory: MockFactory, share: float, on: float) -> None:
    rig = Rig(factory, PanelOptions(ring_light=share))
    pin = factory.pin(PINS.ring_light)
    rig.panel.shine(0.0)
    assert (rig.panel.light, pin.state) == (0.0, 0)
    rig.panel.wink()  # in the dark another light is a light
    rig.wait(WINK_S + 0.1)
    assert pin.state == 0
    rig.panel.shine(None)
    assert rig.panel.light == pytest.approx(on)
    assert pin.state == pytest.approx(on)
    rig.panel.close()


@pytest.mark.parametrize(("share", "dims", "shines"), [(0.6, True, 0.3), (1.0, False, 1.0), (0.0, False, 1.0)])
def test_only_a_ring_light_that_was_set_up_with_pwm_dims(
    factory: MockFactory, share: float, dims: bool, shines: float
) -> None:
    """PWM shows as bands in the picture, so a ring light that shines fully does without."""
    rig = Rig(factory, PanelOptions(ring_light=share))
    assert rig.panel.dims is dims
    rig.panel.shine(0.3)
    assert rig.panel.light == pytest.approx(shines)
    assert factory.pin(PINS.ring_light).state == pytest.approx(shines)
    rig.panel.close()


def test_close_releases_every_pin_and_may_be_called_twice(factory: MockFactory) -> None:
    rig = Rig(factory, PanelOptions())
    rig.panel.start()
    rig.panel.buzz("turn")
    rig.panel.lamps({"heads": "blink"})
    rig.panel.close()
    rig.panel.close()
    Rig(factory, PanelOptions()).panel.close()  # the pins are free again


def test_without_the_library_the_error_says_what_to_install() -> None:
    with pytest.raises(PanelError, match=r"lgpio|pins answer"):
        pin_factory("lgpio")


def test_a_press_that_raises_does_not_stop_later_presses(factory: MockFactory) -> None:
    heard: list[str] = []

    def on_press(button: str) -> None:
        heard.append(button)
        if len(heard) == 1:
            raise RuntimeError("not ready")

    rig = Rig(factory, PanelOptions())
    rig.panel.close()
    rig.panel = GpioPanel(PanelOptions(), on_press, factory, clock=lambda: rig.now_s)
    rig.wait(0.1)
    rig.press(PINS.heads_done)
    rig.press(PINS.tails_done)
    rig.panel.close()
    assert heard == ["heads.done", "tails.done"]
