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

Replied = Callable[[Answer], None]  # called on the thinker's own thread; an answer without content says: not known

_COMMAND = (sys.executable, "-m", "tablecoin.live.thinking")
_AGAIN_S = 10.0  # a process that died is started again no sooner after its start


class Thinker:
    """For any thread; `ask` returns at once. `stop` ends the process."""

    def __init__(self, command: Sequence[str] = _COMMAND) -> None:
        """`command`: what to run; the number of its socket is added."""
        self._command = command
        self._numbers = count(1)
        self._asked: SimpleQueue[tuple[Question, Replied] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._open: dict[int, Replied] = {}  # questions that were sent, until they are answered
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._started_s = -_AGAIN_S
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
        """End the process; every open question is answered with nothing."""
        self._asked.put(None)
        if self._sender:
            self._sender.join(timeout=3)
        if self._process:
            self._process.kill()
            self._process.wait(timeout=3)

    @property
    def pid(self) -> int | None:
        """The process's number; None while none runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def _send(self) -> None:
        while asked := self._asked.get():
            question, replied = asked
            connection = self._connected()
            with self._lock:
                self._open[question.number] = replied
            try:
                if connection:
                    connection.send_bytes(msgspec.json.encode(question))
            except OSError as error:
                log.debug("the thinking process was not reached: %s", error)
                connection = None
            if connection is None:
                self._reply(Answer(question.number))

    def _connected(self) -> Connection | None:
        """The connection to a process that runs; None where it ended and it is too early for another."""
        if self.pid is not None:
            return self._connection
        if time.monotonic() - self._started_s < _AGAIN_S:
            return None
        self._started_s = time.monotonic()
        ours, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            try:
                self._process = subprocess.Popen(
                    [*self._command, str(number)], pass_fds=[number], stdin=subprocess.DEVNULL
                )
            except OSError as error:
                log.warning("no process can be started to think: %s", error)
                ours.close()
                return None
        self._connection = Connection(ours.detach())
        threading.Thread(target=self._read, args=[self._connection], name="thoughts", daemon=True).start()
        return self._connection

    def _read(self, connection: Connection) -> None:
        """Hand on the answers of one process until it ends; then nobody waits for it any longer."""
        try:
            while True:
                self._reply(msgspec.json.decode(connection.recv_bytes(), type=Answer))
        except (EOFError, OSError, msgspec.DecodeError):
            connection.close()
        if self._process:
            self._process.wait()
        with self._lock:
            lost = list(self._open)
        for number in lost:
            self._reply(Answer(number))

    def _reply(self, answer: Answer) -> None:
        with self._lock:
            replied = self._open.pop(answer.number, None)
        if replied:
            replied(answer)
