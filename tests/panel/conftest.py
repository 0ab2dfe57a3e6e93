"""gpiozero's mock pins; the library's global state is restored after each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    before = Device.pin_factory
    pins = MockFactory(pin_class=MockPWMPin)
    Device.pin_factory = pins
    yield pins
    pins.reset()
    Device.pin_factory = before
