"""A bell that one thread rings and others hear: how a server learns of news without a thread that waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

Heard = Callable[[], None]


class Bell:
    """Calls every listener when it rings, on the thread that rings it: a listener must return at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[Heard, ...] = ()

    def listen(self, heard: Heard) -> Callable[[], None]:
        """Have `heard` called at each ring, until the function that this returns is called."""
        with self._lock:
            self._listeners += (heard,)

        def stop() -> None:
            with self._lock:
                self._listeners = tuple(each for each in self._listeners if each is not heard)

        return stop

    def ring(self) -> None:
        for heard in self._listeners:
            heard()
