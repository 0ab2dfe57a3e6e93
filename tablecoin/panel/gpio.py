"""The hardware panel, driven by gpiozero. No other file imports gpiozero, and this one only when it is needed.

We choose the pin factory ourselves: on a computer without pins gpiozero's own fallback ends in four warnings and a
traceback. Buttons are sampled 100 times a second and debounced by `press.Contact`.

Any call of the hardware may fail or never return. So each kind of call has a thread of its own: one reads the buttons,
one sets the lights, one plays the tunes. The referee's thread only writes down what the lights are to show.
"""

from __future__ import annotations

import logging
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
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
_LIGHTS_S = 0.05  # between two looks at what the lights are to show; a light whose call failed is set again then
_BLINK_S = 0.35  # a blinking lamp is on and off for this long in turn
_COUNT_S = 0.5  # while seconds are counted, both lamps are on for this long in each
_HANGS_S = 2.0  # a call that takes this long does not return
_LOGGED_S = 60.0  # faults that come and go are logged once in this time
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
        """Raises PanelError when no button's pin can be used; a part whose pin cannot be used is left out.

        The threads begin with `start`; tests call `poll` instead.
        """
        self.name = f"panel on {options.factory} pins"
        self._options, self._on_press, self._clock = options, on_press, clock
        self._stopping, self._changed = threading.Event(), threading.Event()
        self._tunes: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._devices: dict[str, Any] = {}  # part of the pin table -> what drives it
        self._unusable: dict[str, str] = {}  # part -> why its pin cannot be used
        self._failing: dict[str, tuple[float, str]] = {}  # part -> (since when its calls fail, why)
        self._calls: dict[str, float] = {}  # part -> since when a call of it has been under way
        self._logged_s = float("-inf")
        off_s = options.hold_s + OFF_AFTER_S if options.shutdown == "on" else None
        self._contacts = {part: Contact(options.bounce_s) for part in BUTTONS}
        self._contacts["referee"] = Contact(options.bounce_s, options.hold_s, off_s)
        self._lamps: dict[Side, tuple[Lamp, float]] = {"heads": ("off", 0.0), "tails": ("off", 0.0)}  # and since when
        self._counting_s: float | None = None  # when the lamps began to count a second; None: they show the game
        self._winks_until_s = float("-inf")  # when the ring light shines as usual again
        self._set: dict[str, float] = {}  # part -> how bright it was last set
        for part in BUTTONS:
            self._open(part, partial(Button, bounce_time=None), factory)
        if not self._devices:
            self.close()
            raise PanelError(Message("panel.pins", {"why": next(iter(self._unusable.values()))}))
        self._open("heads_lamp", LED, factory)
        self._open("tails_lamp", LED, factory)
        # One octave up and down from A4 (440 Hz): the tunes use 262 to 880 Hz.
        self._open("buzzer", partial(TonalBuzzer, octaves=1), factory)
        share = FULL if options.ring_light is None else options.ring_light
        # Only values between 0 and 1 need PWM (visible as bands).
        ring = LED if share in (0.0, FULL) else partial(PWMLED, frequency=800)
        self._open("ring_light", partial(ring, initial_value=share), factory)
        self.ring_light = share if "ring_light" in self._devices else None
        self._share = share  # of its brightness, with which the ring light shines now but for a wink

    @property
    def fault(self) -> Message | None:
        """What is wrong: hardware does not answer, a pin cannot be used, or a button is shorted or chatters."""
        now_s = self._clock()
        for since_s, why in list(self._failing.values()):
            if now_s - since_s >= Contact.LOST_S:
                return Message("panel.silent", {"why": why})
        for part, since_s in list(self._calls.items()):
            if now_s - since_s >= _HANGS_S:
                return Message("panel.hangs", {"part": self._named(part)})
        if chattering := [self._named(part) for part, contact in self._contacts.items() if contact.chattering]:
            return Message("panel.chatter", {"buttons": chattering})
        stuck = [self._named(part) for part, contact in self._contacts.items() if contact.stuck(now_s)]
        if stuck:
            return Message("panel.stuck", {"buttons": stuck})
        if self._unusable:  # last, because it lasts until the next start
            parts = [self._named(part) for part in self._unusable]
            return Message("panel.unusable", {"parts": parts, "why": next(iter(self._unusable.values()))})
        return None

    def start(self) -> None:
        """Start three threads: one samples the buttons, one sets the lights, one plays the tunes."""
        for work in (self._sample_forever, self._light_forever, self._play_forever):
            name = work.__name__.strip("_").replace("_", " ")
            self._threads.append(threading.Thread(target=work, name=f"panel {name}", daemon=True))
        for thread in self._threads:
            thread.start()

    def poll(self) -> None:
        """Do once what the threads of buttons and lights do again and again."""
        self._sample()
        self._set_lights()

    def lamps(self, states: Mapping[Side, Lamp]) -> None:
        for side, state in states.items():
            if self._lamps[side][0] != state:  # or each snapshot would restart the blinking
                self._lamps[side] = state, self._clock()
        self._lights_changed()

    def buzz(self, tune: str) -> None:
        TUNES[tune]
        if self._options.buzzer == "on" and "buzzer" in self._devices:
            self._tunes.put(tune)

    @property
    def light(self) -> float | None:
        return None if self.ring_light is None else self._share

    @property
    def dims(self) -> bool:
        return isinstance(self._devices.get("ring_light"), PWMLED)

    def shine(self, share: float | None) -> None:
        wanted = (self.ring_light or FULL) if share is None else share
        self._share = wanted if self.dims else FULL if wanted else 0.0
        self._winks_until_s = float("-inf")
        self._lights_changed()

    def wink(self) -> None:
        self._winks_until_s = self._clock() + WINK_S
        self._lights_changed()

    def close(self) -> None:
        self._stopping.set()
        self._changed.set()
        self._tunes.put(None)
        # A call that hangs would hang here too, so closing has a thread and a time limit.
        closing = threading.Thread(target=self._close_devices, name="panel close", daemon=True)
        closing.start()
        closing.join(timeout=2.0)

    def play(self, tune: str) -> None:
        """Play one tune. A newer tune in the queue, or `close`, ends it early."""
        for beep in TUNES[tune]:
            if self._stopping.is_set() or not self._tunes.empty():
                break
            self._sound(beep.hz)
            self._stopping.wait(beep.seconds)
        self._sound(0)

    def _open(self, part: str, kind: Callable[..., Any], factory: Any) -> None:
        try:
            self._devices[part] = kind(getattr(self._options.pins, part), pin_factory=factory)
        except Exception as error:  # lgpio.error of a pin that another program holds is none of OSError's kind
            self._unusable[part] = str(error)
            log.warning("%s cannot be used: %s", sentence(self._named(part)), error)

    def _sample(self) -> None:
        """Sample every button once and report each press."""
        for part, button in BUTTONS.items():
            if part not in self._devices:
                continue
            pressed: bool | None = None
            with self._calling(part):
                pressed = self._devices[part].is_pressed
            gesture = self._contacts[part].sample(self._clock(), pressed)
            if gesture is not None and part == "referee":
                self._count(gesture)
            if gesture in _REPORTED:
                self._report(f"{button}{_REPORTED[gesture]}")

    def _count(self, gesture: Gesture) -> None:
        """Say what letting go would do: a beep for a hold, both lamps and a beep for each second counted."""
        match gesture:
            case Gesture.RIPE:
                self.buzz("press")
            case Gesture.COUNT:
                self.buzz("count")
                self._counting_s = self._clock()
            case Gesture.COUNTED:
                self.buzz("off")
                self._counting_s = float("-inf")
            case _:
                self._counting_s = None
        self._lights_changed()

    def _lights_changed(self) -> None:
        if self._threads:
            self._changed.set()
        else:
            self._set_lights()

    def _set_lights(self) -> None:
        """Set every light that does not show what it is to show, also because its last call failed."""
        now_s = self._clock()
        for part, wanted in self._wanted(now_s):
            if part in self._devices and self._set.get(part) != wanted:
                self._set.pop(part, None)  # until the call returns, nobody knows what it shows
                with self._calling(part):
                    self._devices[part].value = wanted
                    self._set[part] = wanted

    def _wanted(self, now_s: float) -> Iterator[tuple[str, float]]:
        """(part, how bright it is to shine now), for lamps and ring light."""
        for side, (state, since_s) in list(self._lamps.items()):
            if self._counting_s is not None:
                lit = now_s - self._counting_s < _COUNT_S
            else:
                lit = state == "on" or (state == "blink" and (now_s - since_s) % (2 * _BLINK_S) < _BLINK_S)
            yield f"{side}_lamp", float(lit)
        winks = now_s < self._winks_until_s
        yield "ring_light", (0.0 if self._share else FULL) if winks else self._share

    def _sound(self, hz: float) -> None:
        """Let the buzzer sound so high; 0: be silent."""
        with self._calling("buzzer"):
            if hz:
                self._devices["buzzer"].play(Tone.from_frequency(hz))
            else:
                self._devices["buzzer"].stop()

    @contextmanager
    def _calling(self, part: str) -> Iterator[None]:
        """Call the hardware of this part. A failure is kept for `fault`, and play goes on with phones."""
        self._calls[part] = self._clock()
        try:
            yield
        except Exception as error:  # lgpio.error, OSError or GPIOZeroError
            self._failed(part, str(error))
        else:
            self._failing.pop(part, None)
        finally:
            del self._calls[part]

    def _failed(self, part: str, why: str) -> None:
        now_s = self._clock()
        since_s = self._failing.setdefault(part, (now_s, why))[0]
        if now_s - since_s >= Contact.LOST_S and now_s - self._logged_s >= _LOGGED_S:
            self._logged_s = now_s
            log.warning("%s", sentence(Message("panel.silent", {"why": why})))

    def _named(self, part: str) -> Message:
        return called(BUTTONS.get(part, part), getattr(self._options.pins, part))

    def _report(self, press: str) -> None:
        try:
            self._on_press(press)
        except Exception:  # the thread must live on to report the next press
            log.exception("the press of %s could not be handled", press)

    def _sample_forever(self) -> None:
        while not self._stopping.wait(_SAMPLE_S):
            self._sample()

    def _light_forever(self) -> None:
        while not self._stopping.is_set():
            self._changed.wait(_LIGHTS_S)
            self._changed.clear()
            self._set_lights()

    def _play_forever(self) -> None:
        while True:
            try:
                tune = self._tunes.get(timeout=_LIGHTS_S if "buzzer" in self._failing else None)
            except queue.Empty:
                self._sound(0)  # the call that was to end a tone failed
                continue
            if tune is None:
                return
            self.play(tune)

    def _close_devices(self) -> None:
        for thread in self._threads:
            thread.join(timeout=0.5)
        for device in self._devices.values():
            with suppress(Exception):
                device.close()
        self._devices.clear()
