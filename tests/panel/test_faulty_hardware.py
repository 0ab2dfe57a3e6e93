"""Presses counted against presses made on faulty hardware: failed reads, bounce, chatter, busy pins, calls that hang.

gpiozero's mock pins under an injected clock. `python -m tests.panel.test_faulty_hardware` prints the long table.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tablecoin.panel.gpio import GpioPanel
from tablecoin.panel.panel import PanelError, PanelOptions
from tablecoin.panel.pins import BUTTONS, Pins
from tablecoin.rules.rulebook import sentence

PINS = Pins()
DONE = PINS.heads_done
Edges = Sequence[tuple[float, bool]]  # (s, whether the contact is closed from then on)


class Held(Exception):
    """As lgpio.error, which is derived from Exception alone."""


def well() -> None:
    """Do what hardware does that works."""


class FaultyPin(MockPWMPin):  # type: ignore[misc]
    reading: Callable[[], None] = staticmethod(well)
    writing: Callable[[], None] = staticmethod(well)

    def _get_state(self) -> Any:
        self.reading()
        return super()._get_state()

    def _set_state(self, value: float) -> None:
        self.writing()
        super()._set_state(value)


class FaultyPins(MockFactory):  # type: ignore[misc]
    """Pins of which another program holds some."""

    def __init__(self, busy: Sequence[int] = ()) -> None:
        super().__init__(pin_class=FaultyPin)
        self.busy = busy

    def pin(self, name: int) -> Any:
        if name in self.busy:
            raise Held("'GPIO busy'")
        return super().pin(name)


class Rig:
    """A panel on faulty pins, a finger and a clock."""

    def __init__(self, busy: Sequence[int] = (), options: PanelOptions | None = None) -> None:
        self.now_s = 0.0
        self.named = False  # whether `play` met a fault
        self.pressed: list[str] = []
        self.pins = FaultyPins(busy)
        self.panel = GpioPanel(options or PanelOptions(), self.pressed.append, self.pins, clock=lambda: self.now_s)

    def play(self, pin: int, edges: Edges, until_s: float) -> None:
        """Sample 100 times a second while the contact opens and closes."""
        waiting = list(edges)
        while self.now_s < until_s:
            self.now_s += 0.01
            while waiting and waiting[0][0] <= self.now_s:
                _, closed = waiting.pop(0)
                self.pins.pin(pin).drive_low() if closed else self.pins.pin(pin).drive_high()
            self.panel.poll()
            if round(self.now_s * 100) % 50 == 0:
                self.named |= bool(self.panel.fault)

    def wait(self, seconds: float) -> None:
        self.play(DONE, (), self.now_s + seconds - 0.005)

    @property
    def fault(self) -> str:
        return sentence(self.panel.fault) if self.panel.fault else ""


@pytest.fixture
def rigs() -> Iterator[Callable[..., Rig]]:
    made: list[Rig] = []

    def make(*args: Any, **options: Any) -> Rig:
        made.append(Rig(*args, **options))
        return made[-1]

    yield make
    for rig in made:
        rig.panel.close()
        rig.pins.reset()


def failing(share: float, chance: random.Random) -> Callable[[], None]:
    """Fail in this share of the calls."""

    def fail() -> None:
        if chance.random() < share:
            raise Held("'bad handle'")

    return fail


def presses(count: int, chance: random.Random, bounce_s: float = 0.0, from_s: float = 0.5) -> tuple[Edges, float]:
    """(edges, end) of so many presses by a finger, 0.1 to 0.4 s long. Both edges bounce."""
    edges, now = list[tuple[float, bool]](), from_s
    for _ in range(count):
        for closed, lasts_s in ((True, chance.uniform(0.1, 0.4)), (False, chance.uniform(0.15, 0.5))):
            edges.append((now, closed))
            bounce = now + chance.uniform(0.0005, 0.003)
            while bounce < now + bounce_s:
                edges.append((bounce, not edges[-1][1]))
                bounce += chance.uniform(0.0005, 0.003)
            edges.append((now + bounce_s, closed))
            now += bounce_s + lasts_s
    return edges, now + 1.0


def chatter(rate: float, chance: random.Random, seconds: float = 5.0, from_s: float = 0.5) -> tuple[Edges, float]:
    """(edges, end) of a loose contact that changes `rate` times a second on average, and is open afterwards."""
    edges, now = list[tuple[float, bool]](), from_s
    while (now := now + chance.expovariate(rate)) < from_s + seconds:
        edges.append((now, len(edges) % 2 == 0))
    return [*edges, (from_s + seconds, False)], from_s + seconds + 3.0


@pytest.mark.parametrize("bounce_s", [0.0, 0.02])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6])
def test_every_press_counts_once_although_reads_fail(rigs: Callable[..., Rig], share: float, bounce_s: float) -> None:
    rig, chance = rigs(), random.Random(4)
    rig.pins.pin(DONE).reading = failing(share, chance)
    edges, end = presses(20, chance, bounce_s)
    rig.play(DONE, edges, end)
    assert rig.pressed == ["heads.done"] * 20
    assert rig.fault == ""


def test_a_done_that_is_held_is_one_press_although_reads_fail(rigs: Callable[..., Rig]) -> None:
    rig, chance = rigs(), random.Random(5)
    rig.pins.pin(DONE).reading = failing(0.6, chance)
    rig.play(DONE, [(0.5, True), (8.0, False)], 9.0)
    assert rig.pressed == ["heads.done"]


def dead() -> None:
    raise Held("'bad handle'")


def test_a_press_under_way_is_dropped_when_reads_fail_for_half_a_second(rigs: Callable[..., Rig]) -> None:
    rig = rigs()
    pin = rig.pins.pin(PINS.referee)
    rig.play(PINS.referee, [(0.5, True)], 3.7)  # its first second is counted
    assert rig.pins.pin(PINS.tails_lamp).state == 1
    rig.panel.lamps({"heads": "on", "tails": "off"})
    pin.reading = dead
    rig.wait(0.45)
    assert rig.fault == ""
    rig.wait(0.2)
    assert "stopped answering ('bad handle')" in rig.fault
    assert [rig.pins.pin(lamp).state for lamp in (PINS.heads_lamp, PINS.tails_lamp)] == [1, 0], "the game again"
    pin.reading = well
    rig.wait(1.0)
    assert rig.fault == "", "reads work again"
    pin.drive_high()
    rig.wait(1.0)
    assert rig.pressed == []
    pin.drive_low()
    rig.wait(0.2)
    pin.drive_high()
    rig.wait(0.3)
    assert rig.pressed == ["referee"], "after a release that was read"


def test_chatter_gives_no_press_and_its_button_is_named(rigs: Callable[..., Rig]) -> None:
    rig = rigs()
    edges, end = chatter(1400, random.Random(1))
    rig.play(DONE, edges, 4.0)
    assert "too fast for a finger and are left out: DONE of the heads side (BCM 5, header pin 29)." in rig.fault
    rig.play(DONE, [edges[-1]], end)
    assert rig.pressed == []
    assert rig.fault == "", "the contact was mended"
    again, end = presses(3, random.Random(2), 0.02, from_s=rig.now_s)
    rig.play(DONE, again, end)
    assert rig.pressed == ["heads.done"] * 3


def test_a_button_that_cannot_be_read_leaves_the_others_alone(rigs: Callable[..., Rig]) -> None:
    rig = rigs()
    rig.pins.pin(DONE).reading = dead
    rig.play(PINS.tails_done, [(1.0, True), (1.2, False)], 2.0)
    assert rig.pressed == ["tails.done"]


@pytest.mark.parametrize("part", Pins.__struct_fields__)
def test_one_busy_pin_is_named_and_the_other_parts_work(rigs: Callable[..., Rig], part: str) -> None:
    rig = rigs([getattr(PINS, part)])
    assert "These pins cannot be used ('GPIO busy'): " in rig.fault
    assert f"(BCM {getattr(PINS, part)}, header pin " in rig.fault
    for button in (each for each in BUTTONS if each != part):
        pin = getattr(PINS, button)
        rig.play(pin, [(rig.now_s + 0.1, True), (rig.now_s + 0.3, False)], rig.now_s + 0.6)
    assert rig.pressed == [name for button, name in BUTTONS.items() if button != part]
    rig.panel.lamps({"heads": "on", "tails": "on"})
    rig.panel.buzz("turn")
    rig.panel.wink()
    rig.panel.shine(None)
    lights = [each for each in ("heads_lamp", "tails_lamp", "ring_light") if each != part]
    assert [rig.pins.pin(getattr(PINS, each)).state for each in lights] == [1] * len(lights)
    assert (rig.panel.ring_light is None) == (part == "ring_light")


def test_two_parts_on_one_pin_are_said(rigs: Callable[..., Rig]) -> None:
    assert "the lamp of the heads side (BCM 5" in rigs(options=PanelOptions(pins=Pins(heads_lamp=5))).fault


def test_without_any_button_there_is_no_panel_and_its_pins_are_free() -> None:
    with pytest.raises(PanelError, match=r"'GPIO busy'"):
        Rig([getattr(PINS, part) for part in BUTTONS])


@pytest.mark.parametrize(("lamp", "state"), [("heads_lamp", 1), ("ring_light", 0)])
def test_a_light_whose_call_failed_is_set_again(rigs: Callable[..., Rig], lamp: str, state: int) -> None:
    rig = rigs()
    pin = rig.pins.pin(getattr(PINS, lamp))
    pin.writing = dead
    rig.panel.lamps({"heads": "on"})
    rig.panel.shine(0.0)
    rig.wait(1.0)
    assert pin.state != state
    assert "stopped answering" in rig.fault
    rig.play(PINS.tails_done, [(1.5, True), (1.7, False)], 2.5)
    assert rig.pressed == ["tails.done"], "the buttons still work"
    pin.writing = well
    rig.wait(0.1)
    assert (pin.state, rig.fault) == (state, "")


def test_a_buzzer_that_could_not_be_silenced_is_silenced_later(rigs: Callable[..., Rig]) -> None:
    rig = rigs()
    pin = rig.pins.pin(PINS.buzzer)
    stop, failed = rig.panel._devices["buzzer"].stop, threading.Event()

    def fail_once() -> None:
        rig.panel._devices["buzzer"].stop = stop
        failed.set()
        dead()

    rig.panel._devices["buzzer"].stop = fail_once
    rig.panel.play("press")
    assert failed.is_set()
    assert pin.state > 0
    rig.panel.buzz("press")
    rig.panel._tunes.put(None)
    rig.panel._play_forever()
    assert pin.state == 0


@pytest.mark.parametrize("part", ["heads_lamp", "ring_light"])
def test_a_lamp_call_that_hangs_stops_neither_the_referee_nor_the_buttons(rigs: Callable[..., Rig], part: str) -> None:
    rig = rigs()
    rig.wait(0.1)
    hangs, free = threading.Event(), threading.Event()

    def hang() -> None:
        hangs.set()
        free.wait(10)

    rig.pins.pin(getattr(PINS, part)).writing = hang
    lights = threading.Thread(target=rig.panel._light_forever, daemon=True)
    rig.panel._threads.append(lights)
    lights.start()
    rig.panel.lamps({"heads": "on", "tails": "on"})  # as the referee's thread does
    rig.panel.shine(0.0)
    assert hangs.wait(5)
    rig.panel.lamps({"heads": "off", "tails": "blink"})
    for _ in range(300):
        rig.now_s += 0.01
        rig.panel._sample()
    assert "does not return from a call" in rig.fault
    rig.pins.pin(DONE).drive_low()
    for _ in range(20):
        rig.now_s += 0.01
        rig.panel._sample()
    assert rig.pressed == ["heads.done"]
    free.set()
    rig.panel.close()


def table() -> None:
    """Print presses made and counted for every fault."""

    def row(edges: Edges, end: float, reading: Callable[[], None] = well) -> tuple[int, bool]:
        rig = Rig()
        rig.pins.pin(DONE).reading = reading
        rig.play(DONE, edges, end)
        rig.panel.close()
        return len(rig.pressed), rig.named

    print(f"{'fault':44}{'made':>8}{'counted':>9}{'named':>8}")
    for bounce_s in (0.0, 0.02):
        for share in (0.0, 0.1, 0.3, 0.6):
            counted = 0
            for seed in range(10):
                chance = random.Random(seed)
                edges, end = presses(20, chance, bounce_s)
                counted += row(edges, end, failing(share, chance))[0]
            print(f"{f'{share:.0%} of reads fail, bounce {bounce_s * 1000:.0f} ms':44}{200:8}{counted:9}")
    for share in (0.1, 0.3, 0.6):
        counted = sum(
            row([(0.5, True), (5.5, False)], 6.5, failing(share, random.Random(seed)))[0] for seed in range(50)
        )
        print(f"{f'DONE held for 5 s, {share:.0%} of reads fail':44}{50:8}{counted:9}")
    for rate in (50, 100, 200, 500, 1400, 5000):
        found = [row(*chatter(rate, random.Random(seed))) for seed in range(50)]
        count, named = sum(each[0] for each in found), sum(each[1] for each in found)
        print(f"{f'chatter, {rate} edges/s for 5 s, 50 times':44}{0:8}{count:9}{named:8}")
    for what, edges in (("stuck from the start", [(0.0, True)]), ("stuck in play", [(0.5, True)])):
        count, said = row(edges, 20.0)
        print(f"{what:44}{'':8}{count:9}{said:8}")


if __name__ == "__main__":
    table()
