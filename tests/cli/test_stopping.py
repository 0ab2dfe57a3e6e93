"""A program that runs until it is stopped hears the signal at whatever it is."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from threading import Event

import pytest

from tablecoin.cli.stopping import on_signal


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Put pytest's own handlers back."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_that_comes_while_the_event_is_locked_stops_all_the_same(number: signal.Signals) -> None:
    """The main thread holds the event's lock for a moment whenever it begins or ends to wait for it."""
    stopping = Event()
    on_signal(stopping.set)
    with stopping._cond:  # type: ignore[attr-defined]
        os.kill(os.getpid(), number)
        time.sleep(0.1)
        assert not stopping.is_set()
    assert stopping.wait(10)


def test_a_second_signal_does_nothing_more() -> None:
    stops: list[None] = []
    on_signal(lambda: stops.append(None))
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)
    assert len(stops) == 1
