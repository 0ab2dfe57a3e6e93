"""The analyses of games: each is worked out once, in a process of its own, and kept in the data folder.

`tablecoin analyse` may take minutes. In its own process at the lowest priority it takes nothing from the referee, and
one runs at a time. `<data>/analyses/<number>.json` is what the command printed, with the digest of the record it is of:
another journal's game of that number has another one.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from tablecoin.journal.analyses import FOLDER
from tablecoin.journal.ended import EndedGame
from tablecoin.journal.record import write_record
from tablecoin.replay.report import MOST_BYTES, Report, ReportError, read_report
from tablecoin.rules.rulebook import Message, texts
from tablecoin.storage import durable
from tablecoin.storage.documents import DocumentError, read_json
from web.answers import Analysis
from web.worker import Worker

log = logging.getLogger(__name__)

_COMMAND = (sys.executable, "-m", "tablecoin", "analyse", "/dev/stdin", "--json")
_LONGEST_S = 900.0  # an analysis that takes longer is given up
_LOOKS_UP_S = 0.5  # how often a running one is looked after
_LOWEST = 19  # the nice value of the analysing process

_STOPPED = "it was stopped"

Analyse = Callable[[bytes], bytes]  # from a record to what `tablecoin analyse --json` prints of it


class Failed(Exception):
    """The analysis came to nothing: why, in one sentence."""


_FORESEEN = (Failed, OSError, msgspec.DecodeError, ReportError)


class Analyses:
    """What is known of each game, from any thread."""

    def __init__(self, folder: Path, worker: Worker, analyse: Analyse) -> None:
        """`folder`: where they are kept. `worker`: does one after the other, and nothing else."""
        self._folder, self._worker, self._analyse = folder, worker, analyse
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._failed: dict[int, tuple[str, Message]] = {}  # game -> (the digest of its record, why)

    @classmethod
    def beside(cls, data_dir: Path, is_stopping: Callable[[], bool]) -> Analyses:
        """Those of the journal in `data_dir`, each worked out in a process of its own."""
        return cls(data_dir / FOLDER, Worker(is_stopping), analyse_apart(is_stopping))

    def of(self, game: EndedGame) -> Analysis:
        """The analysis of the game, if it is there; else it is begun. Raises worker.Full."""
        written, digest = _written(game)
        if report := self._kept(game, digest):
            return Analysis(running=False, report=report)
        with self._lock:
            failed = self._failed.get(game.number)
            if failed and failed[0] == digest:
                return Analysis(running=False, problem=texts(failed[1]))
            if game.number in self._running:
                return Analysis(running=True)
            begun = self._worker.begin("analysis", lambda: self._work(game, written, digest))
            self._running.add(game.number)
        begun.add_done_callback(lambda _: self._ended(game.number))  # also where it gave its place to another
        return Analysis(running=True)

    def _ended(self, number: int) -> None:
        with self._lock:
            self._running.discard(number)

    def known(self, game: EndedGame) -> Report | None:
        """The report of the game if it was worked out already."""
        return self._kept(game, _written(game)[1])

    def _kept(self, game: EndedGame, digest: str) -> Report | None:
        try:
            data = durable.read(self._path(game.number), MOST_BYTES)
            of = read_json(data, _Of).record_sha256
            return read_report(data, game.record) if of == digest else None
        except (OSError, DocumentError, ReportError):
            return None  # none yet, or one that is damaged: it is worked out again

    def _work(self, game: EndedGame, written: bytes, digest: str) -> None:
        try:
            told = msgspec.json.decode(self._analyse(written), type=dict[str, object])
            data = msgspec.json.encode(told | {"record_sha256": digest})
            read_report(data, game.record)
            durable.replace(self._path(game.number), data)
        except Exception as error:  # whatever it is, people are told, and it is not tried again and again
            log.warning(
                "game %d could not be analysed: %s", game.number, error, exc_info=not isinstance(error, _FORESEEN)
            )
            self._failed[game.number] = digest, Message("analysis.failed", {"why": str(error)})

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.json"


class _Of(msgspec.Struct):
    record_sha256: str = ""


def analyse_apart(is_stopping: Callable[[], bool]) -> Analyse:
    """`tablecoin analyse` in a process of its own, which ends when the program does."""

    def analyse(record: bytes) -> bytes:
        process = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _LOWEST)
        end_s = time.monotonic() + _LONGEST_S
        given: bytes | None = record
        while True:
            try:
                out, said = process.communicate(given, timeout=_LOOKS_UP_S)
                break
            except subprocess.TimeoutExpired:
                given = None  # it is sent on by the next call
                if is_stopping() or time.monotonic() > end_s:
                    process.kill()
        if process.returncode:
            raise Failed((said.decode("utf-8", "replace").strip().splitlines() or [_STOPPED])[-1])
        return out

    return analyse


def _written(game: EndedGame) -> tuple[bytes, str]:
    """The record as a file, and its SHA-256."""
    data = "".join(write_record(game.record)).encode()
    return data, hashlib.sha256(data).hexdigest()
