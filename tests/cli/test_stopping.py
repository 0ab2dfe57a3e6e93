"""A program that runs until it is stopped hears the signal at whatever it is."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from threading import Event

import pytest

from tablecoin.cli.stopping import on_signal


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Put pytest's own handlers back."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored where the tests run under nohup
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_comes_while_the_event_is_locked_stops_all_the_same(number: signal.Signals) -> None:
    """The main thread holds the event's lock for a moment whenever it begins or ends to wait for it."""
    heard, stopping = Event(), Event()

    def stop() -> None:
        heard.set()
        stopping.set()

    on_signal(stop)
    with stopping._cond:  # type: ignore[attr-defined]
        os.kill(os.getpid(), number)
        assert heard.wait(10)
        assert not stopping.is_set()
    assert stopping.wait(10)


def test_a_program_that_nohup_started_goes_on_when_its_terminal_is_closed() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    on_signal(lambda: None)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_a_second_signal_does_nothing_more() -> None:
    stops: list[None] = []
    before = set(threading.enumerate())
    on_signal(lambda: stops.append(None))
    (listening,) = set(threading.enumerate()) - before
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGTERM)
        listening.join(10)
    assert not listening.is_alive()
    assert len(stops) == 1
