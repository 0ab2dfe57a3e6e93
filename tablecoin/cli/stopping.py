"""How a program that runs until it is stopped hears SIGTERM, SIGHUP and Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from queue import SimpleQueue


def on_signal(stop: Callable[[], None]) -> None:
    """Call `stop` once, on a thread of its own, when SIGTERM, SIGHUP or SIGINT comes. Call this from the main thread.

    SIGHUP comes when a terminal is closed. `nohup` starts a program that ignores it, and that stays so.

    Python runs a handler between two instructions of the main thread. If that just held the lock of the event that
    `stop` sets, to wait for it, a handler that set the event would wait for that lock for ever. A SimpleQueue is made
    to be filled by handlers.
    """
    asked = SimpleQueue[int]()

    def listen() -> None:
        asked.get()
        stop()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: asked.put(number))
    threading.Thread(target=listen, name="signals", daemon=True).start()
