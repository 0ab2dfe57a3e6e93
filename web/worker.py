"""Long work is done one piece after the other: photos, replays, lessons, maps taught, steps of the set-up.

Each piece takes a core for a second or more, and memory for a whole photo. On one thread they leave the other cores to
the camera and the referee, and the memory that one piece used serves the next.

Many people may ask at once, and some ask again and again. So the thread takes the next piece from the caller that was
served longest ago, and each kind of work has places of its own. When these are full, a caller that already waits there
gives its place to one that has less work here, or was served longer ago.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from flask import request

from web.peers import HERE, peer_of

T = TypeVar("T")
Kind = Literal["photo", "replay", "lesson", "set-up", "analysis"]

# Pieces of the network that run or wait; this machine's are not counted. Each piece holds one of the server's 16
# threads until it is done, except an analysis. Two threads must remain for other calls.
_PLACES: dict[Kind, int] = {"photo": 4, "replay": 4, "lesson": 4, "set-up": 2, "analysis": 4}
_EACH = 2  # pieces of one caller, of all kinds together
_CALLERS = 1024  # remembered at most
_LOOKS_UP_S = 0.5  # how often a call that waits looks whether the program ends


class Full(Exception):
    """So much work waits already that no more is taken."""


@dataclass(eq=False)
class _Piece:
    caller: str
    kind: Kind
    work: Callable[[], Any]
    done: Future[Any]


class Worker:
    """One thread, started with the first piece of work, and a few places for what runs or waits."""

    def __init__(self, is_stopping: Callable[[], bool]) -> None:
        self._is_stopping = is_stopping
        self._news = threading.Condition()
        self._waiting: list[_Piece] = []  # in the order in which they came
        self._running: _Piece | None = None
        self._served: OrderedDict[str, int] = OrderedDict()  # caller -> the number of its last piece
        self._count = 0  # of pieces begun
        self._thread: threading.Thread | None = None

    def do(self, kind: Kind, work: Callable[[], T]) -> T:
        """Do `work` for the call that is being answered, and wait for it. Raises Full, and what `work` raises."""
        done = self.begin(kind, work)
        while not wait([done], _LOOKS_UP_S).done:
            if self._is_stopping():
                raise Full
        return done.result()

    def begin(self, kind: Kind, work: Callable[[], T]) -> Future[T]:
        """Have `work` done later; the future ends with its result, what it raises, or Full. Raises Full."""
        piece = _Piece(peer_of(request.remote_addr or ""), kind, work, Future())
        with self._news:
            gone = self._make_room(piece)
            self._waiting.append(piece)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="long work", daemon=True)
                self._thread.start()
            self._news.notify()
        if gone:
            gone.done.set_exception(Full())
        return piece.done

    def _make_room(self, piece: _Piece) -> _Piece | None:
        """The waiting piece that gives its place to this one, if one must. Raises Full."""
        held = self._held(piece.caller)
        if held == _EACH:
            raise Full
        if piece.caller == HERE or self._taken(piece.kind) < _PLACES[piece.kind]:
            return None
        newest_first = [each for each in reversed(self._waiting) if each.kind == piece.kind and each.caller != HERE]
        last = max(newest_first, key=lambda each: (self._held(each.caller), self._last(each.caller)), default=None)
        if last is None or (self._held(last.caller), self._last(last.caller)) <= (held + 1, self._last(piece.caller)):
            raise Full
        self._waiting.remove(last)
        return last

    def _all(self) -> list[_Piece]:
        return [*self._waiting, self._running] if self._running else self._waiting

    def _held(self, caller: str) -> int:
        return sum(each.caller == caller for each in self._all())

    def _taken(self, kind: Kind) -> int:
        return sum(each.kind == kind and each.caller != HERE for each in self._all())

    def _last(self, caller: str) -> int:
        """The number of this caller's last piece; 0: it was not served before."""
        return self._served.get(caller, 0)

    def _next(self) -> _Piece:
        """Wait for the piece whose caller was served longest ago, and take it."""
        with self._news:
            while not self._waiting:
                self._news.wait()
            piece = self._running = min(self._waiting, key=lambda each: self._last(each.caller))
            self._waiting.remove(piece)
            self._count += 1
            self._served[piece.caller] = self._count
            self._served.move_to_end(piece.caller)
            while len(self._served) > _CALLERS:
                self._served.popitem(last=False)
            return piece

    def _run(self) -> None:
        while True:
            piece = self._next()
            result, error = None, None
            try:
                result = piece.work()
            except BaseException as raised:
                error = raised
            with self._news:
                self._running = None  # before its caller hears of it, and perhaps asks again
            if error:
                piece.done.set_exception(error)
            else:
                piece.done.set_result(result)
            del piece, result, error  # the thread holds no photo while it waits
