"""The hardware panel, driven by gpiozero. No other file imports gpiozero, and this one only when it is needed.

We choose the pin factory ourselves: on a computer without pins gpiozero's own fallback ends in four warnings and a
traceback. Buttons are sampled 100 times a second and debounced by `press.Contact`.
"""

from __future__ import annotations

import logging
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from functools import partial
from importlib import import_module
from typing import Any

from gpiozero import LED, PWMLED, Button, TonalBuzzer
from gpiozero.tones import Tone

from tablecoin.panel.panel import FULL, WINK_S, Lamp, OnPress, PanelError, PanelOptions, Side
from tablecoin.panel.pins import BUTTONS, called
from tablecoin.panel.press import OFF_AFTER_S, Contact, Gesture
from tablecoin.panel.tunes import TUNES
from tablecoin.rules.rulebook import Message, sentence

log = logging.getLogger(__name__)

_SAMPLE_S = 0.01  # between two samples of the buttons
_BLINK_S = 0.35  # a blinking lamp is on and off for this long in turn
_COUNT_S = 0.5  # while seconds are counted, both lamps are on for this long in each
_REPORTED = {Gesture.PRESS: "", Gesture.HOLD: ".hold", Gesture.OFF: ".off"}  # what the name of the button gets


def pin_factory(name: str) -> Any:
    """The gpiozero pin factory of that name. Raises PanelError where its library or the pins are missing."""
    kinds = {"lgpio": "LGPIOFactory", "rpigpio": "RPiGPIOFactory", "pigpio": "PiGPIOFactory", "native": "NativeFactory"}
    try:
        with _temporary_folder():
            return getattr(import_module(f"gpiozero.pins.{name}"), kinds[name])()
    except ImportError:
        raise PanelError(Message("panel.library", {"library": name})) from None
    except Exception as error:  # lgpio.error, OSError, BadPinFactory: each library has its own error for missing pins
        raise PanelError(Message("panel.pins.none", {"library": name, "why": str(error)})) from None


@contextmanager
def _temporary_folder() -> Iterator[None]:
    """Work in a temporary folder: lgpio makes a pipe, `.lgd-nfy0`, in the current one while it is imported.

    lgpio holds the pipe open, so it needs the folder no more afterwards.
    """
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        yield


class GpioPanel:
    """Five buttons to ground, a lamp in each DONE button, a passive buzzer, a ring light behind a transistor."""

    def __init__(
        self,
        options: PanelOptions,
        on_press: OnPress,
        factory: Any,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises PanelError when a pin cannot be used. Sampling begins with `start`; tests call `poll` instead."""
        self.name = f"panel on {options.factory} pins"
        self._broken: Message | None = None  # the first failure of the hardware
        self._options, self._on_press, self._clock = options, on_press, clock
        self._stopping = threading.Event()
        self._tunes: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._devices: list[Any] = []
        self._winks_until_s: float | None = None  # when the ring light shines as usual again
        off_s = options.hold_s + OFF_AFTER_S if options.shutdown == "on" else None
        self._contacts = {button: Contact(options.bounce_s) for button in BUTTONS.values()}
        self._contacts["referee"] = Contact(options.bounce_s, options.hold_s, off_s)
        # The referee's thread and the panel's set the lamps; gpiozero blinks on threads of its own and guards neither.
        self._lighting = threading.Lock()
        self._counting = False  # whether the lamps count the seconds to switching off
        self._shown: dict[Side, Lamp] = {}
        self.ring_light = FULL if options.ring_light is None else options.ring_light
        self._share = self.ring_light  # of its brightness, with which the ring light shines now but for a wink
        pins = options.pins
        try:
            self._buttons = {
                button: self._keep(Button(getattr(pins, part), bounce_time=None, pin_factory=factory))
                for part, button in BUTTONS.items()
            }
            self._lamps: dict[Side, Any] = {
                "heads": self._keep(LED(pins.heads_lamp, pin_factory=factory)),
                "tails": self._keep(LED(pins.tails_lamp, pin_factory=factory)),
            }
            # One octave up and down from A4 (440 Hz): the tunes use 262 to 880 Hz.
            self._buzzer = self._keep(TonalBuzzer(pins.buzzer, octaves=1, pin_factory=factory))
            self._ring = self._ring_light(pins.ring_light, self.ring_light, factory)
        except Exception as error:  # lgpio.error of a pin that another program holds is none of OSError's kind
            self.close()
            raise PanelError(Message("panel.pins", {"why": str(error)})) from None

    @property
    def fault(self) -> Message | None:
        """What is wrong: the hardware does not answer, or a button seems to be shorted and is left out."""
        now_s = self._clock()
        pins = self._options.pins
        stuck = [
            called(button, getattr(pins, part))
            for part, button in BUTTONS.items()
            if self._contacts[button].stuck(now_s)
        ]
        return self._broken or (Message("panel.stuck", {"buttons": stuck}) if stuck else None)

    def start(self) -> None:
        """Start two threads: one samples the buttons, one plays the tunes."""
        for work in (self._sample_forever, self._play_forever):
            thread = threading.Thread(target=work, name=f"panel {work.__name__.strip('_')}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def poll(self) -> None:
        """Sample every button once and report each press; end a wink whose time is over."""
        now_s = self._clock()
        if self._winks_until_s is not None and now_s >= self._winks_until_s:
            self._winks_until_s = None
            self._shine(self._share)
        for button, device in self._buttons.items():
            pressed = self._try(partial(getattr, device, "is_pressed"))
            gesture = self._contacts[button].sample(now_s, bool(pressed))
            if gesture is not None:
                self._count(gesture)
            if gesture in _REPORTED:
                self._report(f"{button}{_REPORTED[gesture]}")

    def lamps(self, states: Mapping[Side, Lamp]) -> None:
        with self._lighting:
            for side, state in states.items():
                if self._shown.get(side) == state:  # blinking anew would begin with a long flash each time
                    continue
                self._shown[side] = state
                if not self._counting:
                    self._light(side, state)

    def buzz(self, tune: str) -> None:
        TUNES[tune]
        if self._options.buzzer == "on":
            self._tunes.put(tune)

    @property
    def light(self) -> float:
        return self._share

    @property
    def dims(self) -> bool:
        return isinstance(self._ring, PWMLED)

    def shine(self, share: float | None) -> None:
        wanted = (self.ring_light or FULL) if share is None else share
        self._share = wanted if self.dims else FULL if wanted else 0.0
        self._winks_until_s = None
        self._shine(self._share)

    def wink(self) -> None:
        self._winks_until_s = self._clock() + WINK_S
        self._shine(0.0 if self._share else FULL)

    def close(self) -> None:
        self._stopping.set()
        self._tunes.put(None)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=2.0)
        for device in self._devices:
            self._try(device.close)
        self._devices.clear()

    def play(self, tune: str) -> None:
        """Play one tune. A newer tune in the queue, or `close`, ends it early."""
        for beep in TUNES[tune]:
            if self._stopping.is_set() or not self._tunes.empty():
                break
            if beep.hz:
                self._try(partial(self._buzzer.play, Tone.from_frequency(beep.hz)))
            else:
                self._try(self._buzzer.stop)
            self._stopping.wait(beep.seconds)
        self._try(self._buzzer.stop)

    def _count(self, gesture: Gesture) -> None:
        """Say what letting go would do: a beep for a hold, both lamps and a beep for each second counted."""
        match gesture:
            case Gesture.RIPE:
                self.buzz("press")
            case Gesture.COUNT:
                self.buzz("count")
                with self._lighting:
                    self._counting = True
                    for lamp in self._lamps.values():
                        self._try(partial(lamp.blink, _COUNT_S, 0, n=1))
            case Gesture.COUNTED:
                self.buzz("off")
                with self._lighting:
                    for lamp in self._lamps.values():
                        self._try(lamp.off)
            case _ if self._counting:
                with self._lighting:
                    self._counting = False
                    for side, state in self._shown.items():
                        self._light(side, state)

    def _light(self, side: Side, state: Lamp) -> None:
        """Have a lamp show this. Whoever calls holds `_lighting`."""
        lamp = self._lamps[side]
        match state:
            case "on":
                self._try(lamp.on)
            case "off":
                self._try(lamp.off)
            case "blink":
                self._try(partial(lamp.blink, _BLINK_S, _BLINK_S))

    def _ring_light(self, pin: int, share: float, factory: Any) -> Any:
        """The ring light at `share` of its brightness. Only values between 0 and 1 need PWM (visible as bands)."""
        if share in (0.0, 1.0):
            return self._keep(LED(pin, initial_value=share == 1.0, pin_factory=factory))
        return self._keep(PWMLED(pin, initial_value=share, frequency=800, pin_factory=factory))

    def _shine(self, share: float) -> None:
        """Set the ring light to this share of its brightness."""
        self._try(partial(setattr, self._ring, "value", share))

    def _keep(self, device: Any) -> Any:
        self._devices.append(device)
        return device

    def _try(self, act: Callable[[], Any]) -> Any:
        """Run `act`. Hardware may fail at any moment: the first failure is kept, and play goes on with phones."""
        try:
            return act()
        except Exception as error:  # lgpio.error, OSError or GPIOZeroError
            if self._broken is None:
                self._broken = Message("panel.silent", {"why": str(error)})
                log.warning("%s", sentence(self._broken))
            return None

    def _report(self, press: str) -> None:
        try:
            self._on_press(press)
        except Exception:  # the thread must live on to report the next press
            log.exception("the press of %s could not be handled", press)

    def _sample_forever(self) -> None:
        while not self._stopping.wait(_SAMPLE_S):
            self.poll()

    def _play_forever(self) -> None:
        while (tune := self._tunes.get()) is not None:
            self.play(tune)
