"""Asks the process that thinks beside the referee (thinking.py), and starts it when something is asked.

A process, not a thread: a thread that computes in Python holds the interpreter's lock against the referee and the
pages, whatever its priority (lab/log/2026-11-22-odds.md has both measured).
"""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from itertools import count
from multiprocessing.connection import Connection
from queue import SimpleQueue

import msgspec

from tablecoin.live.thinking import Answer, Question

log = logging.getLogger(__name__)

Replied = Callable[[Answer], None]  # called on a thread of its own; an answer without content says: not known

_COMMAND = (sys.executable, "-m", "tablecoin.live.thinking")
AGAIN_S = 10.0  # a process that died is started again no sooner after its start
_ENDS_WITHIN_S = 3.0


class Thinker:
    """For any thread; `ask` returns at once. `stop` ends the process."""

    def __init__(self, command: Sequence[str] = _COMMAND, clock: Callable[[], float] = time.monotonic) -> None:
        """`command`: what to run; the number of its socket is added."""
        self._command, self._clock = command, clock
        self._numbers = count(1)
        self._asked: SimpleQueue[tuple[Question, Replied] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._sender: threading.Thread | None = None

    def number(self) -> int:
        """A number for the next question."""
        return next(self._numbers)

    def ask(self, question: Question, replied: Replied) -> None:
        """Leave a question. `replied` is called once, perhaps much later than the question's time is over."""
        with self._lock:
            if self._sender is None:
                self._sender = threading.Thread(target=self._send, name="thinker", daemon=True)
                self._sender.start()
        self._asked.put((question, replied))

    def stop(self) -> None:
        """End the process; open questions are answered with nothing."""
        self._asked.put(None)
        if self._sender:
            self._sender.join(_ENDS_WITHIN_S)
        if self._process:
            self._process.end()

    @property
    def pid(self) -> int | None:
        """The process's number; None while none runs."""
        return self._process.pid if self._process and self._process.runs else None

    def _send(self) -> None:
        while asked := self._asked.get():
            question, replied = asked
            process = self._process_for(question.game)
            if process:
                process.ask(question, replied)
            else:
                replied(Answer(question.number))

    def _process_for(self, game: str) -> _Process | None:
        """A process that runs; None where one died lately. Each game has its own: tables of a game are large."""
        old = self._process
        if old and old.runs and old.game == game:
            return old
        if old and old.runs:
            old.end()
        elif old and self._clock() - old.began_s < AGAIN_S:
            return None
        try:
            self._process = _Process(self._command, game, self._clock())
        except OSError as error:
            log.warning("no process can be started to think: %s", error)
            return None
        return self._process


class _Process:
    """One process, and the questions that it has not answered yet. Raises OSError where it cannot be started."""

    def __init__(self, command: Sequence[str], game: str, began_s: float) -> None:
        self.game, self.began_s = game, began_s
        self._open: dict[int, Replied] = {}
        self._lock = threading.Lock()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen([*command, str(number)], pass_fds=[number], stdin=subprocess.DEVNULL)
            self._connection = Connection(ours.detach())
        threading.Thread(target=self._read, name="thoughts", daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: Question, replied: Replied) -> None:
        with self._lock:
            self._open[question.number] = replied
        try:
            self._connection.send_bytes(msgspec.json.encode(question))
        except OSError as error:
            log.debug("the thinking process was not reached: %s", error)
            self._reply(Answer(question.number))

    def end(self) -> None:
        self._process.kill()
        self._process.wait(_ENDS_WITHIN_S)

    def _read(self) -> None:
        """Hand on the answers until the process ends; what is open then is answered with nothing."""
        try:
            while True:
                self._reply(msgspec.json.decode(self._connection.recv_bytes(), type=Answer))
        except (EOFError, OSError, msgspec.DecodeError):
            self._connection.close()  # nothing can be asked any more
        with self._lock:
            lost = list(self._open)
        for number in lost:
            self._reply(Answer(number))

    def _reply(self, answer: Answer) -> None:
        with self._lock:
            replied = self._open.pop(answer.number, None)
        if replied:
            replied(answer)
