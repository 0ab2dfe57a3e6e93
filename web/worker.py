"""Long work is done one piece after the other: photos, maps taught, steps of the set-up.

Each piece takes a core for a second or more, and memory for a whole photo. On one thread they leave the other cores to
the camera and the referee, and the memory that one piece used serves the next.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from queue import SimpleQueue
from typing import Any, TypeVar

from flask import request

from web.peers import Places, peer_of

T = TypeVar("T")

_LOOKS_UP_S = 0.5  # how often a call that waits looks whether the program ends


class Full(Exception):
    """So much work waits already that no more is taken."""


class Worker:
    """One thread, begun with the first piece of work, and a few places for what runs or waits."""

    def __init__(self, is_stopping: Callable[[], bool]) -> None:
        self._is_stopping = is_stopping
        self._places = Places(total=4, each=2, here=2)
        self._work: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._begins = threading.Lock()

    def do(self, work: Callable[[], T]) -> T:
        """Do `work` for the call that is being answered, and wait for it. Raises Full, and what `work` raises."""
        give = self._places.take(peer_of(request.remote_addr or ""))
        if give is None:
            raise Full
        try:
            self._begin()
            done: Future[T] = Future()
            self._work.put((work, done))
            while not wait([done], _LOOKS_UP_S).done:
                if self._is_stopping():
                    raise Full
            return done.result()
        finally:
            give()

    def begin(self, work: Callable[[], object]) -> None:
        """Have `work` done later, and do not wait for it. Raises Full."""
        give = self._places.take(peer_of(request.remote_addr or ""))
        if give is None:
            raise Full
        done: Future[object] = Future()
        done.add_done_callback(lambda _: give())
        self._begin()
        self._work.put((work, done))

    def _begin(self) -> None:
        with self._begins:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="long work", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            work, done = self._work.get()
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)
            del work, done  # the thread holds no photo while it waits
