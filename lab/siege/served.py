"""A running `tablecoin serve` whose virtual table tosses and takes back for as long as the siege lasts."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

_STARTS_WITHIN_S = 120.0
_ROUND = (
    "toss tray penny penny penny penny penny",
    "wait 3.5",
    "press referee.hold",  # takes the toss back
    "clear",
    "wait 2.5",
)
_RESIDENT = re.compile(r"VmRSS:\s+(\d+)")
_THREADS = re.compile(r"Threads:\s+(\d+)")


@dataclass(frozen=True)
class Served:
    """A running program: its process, its port, and its data folder."""

    process: int
    port: int
    data: Path

    @property
    def resident_mb(self) -> float:
        """The memory that it and its own processes hold now."""
        return sum(self._counted(_RESIDENT)) / 1024

    @property
    def threads(self) -> int:
        """The threads of it and its own processes: what TasksMax= of its unit limits."""
        return sum(self._counted(_THREADS))

    def _counted(self, line: re.Pattern[str]) -> Iterator[int]:
        """The number in this line of /proc/…/status, of it and of each of its own processes."""
        children = [text.split() for text in map(_read, Path(f"/proc/{self.process}/task").glob("*/children"))]
        for each in (str(self.process), *(number for numbers in children for number in numbers)):
            yield from map(int, line.findall(_read(Path(f"/proc/{each}/status"))))

    def ruled_at(self) -> dict[int, float]:
        """The number of each ruling, and when it was written down, in seconds since 1970."""
        with contextlib.closing(sqlite3.connect(f"file:{self.data / 'journal.sqlite'}?mode=ro", uri=True)) as journal:
            told = journal.execute("select number, at from event").fetchall()
        return {number: datetime.fromisoformat(at).timestamp() for number, at in told}


def tosses(lasts_s: float) -> list[str]:
    """The lines of a script: hands that toss and take back, for `lasts_s`."""
    return ["wait 5", *_ROUND * (int(lasts_s / 6) + 1)]


@contextlib.contextmanager
def serving(
    folder: Path, program: Sequence[str], hands: Sequence[str] = (), house: Mapping[str, str] | None = None
) -> Iterator[Served]:
    """Start `program` over a virtual table in the middle of a game of *Steal*.

    `hands`: the lines of a script that they play. `house`: house rules of the table, such as {"odds": "always"}.
    RuntimeError: it does not start.
    """
    script = folder / "hands.txt"
    script.write_text("\n".join(hands), "utf-8")
    flags = ["--port", "0", "--camera", "virtual", "--panel", "screen", "--seed", "1"]
    with (folder / "serve.log").open("wb") as log:
        command = [*program, "serve", *flags, "--data", str(folder / "data"), "--script", str(script)]
        process = subprocess.Popen(command, stderr=log)
    try:
        port = _port(folder / "serve.log", process)
        seats = {"heads": "person", "tails": "computer"}  # with one person nobody is asked before a toss is taken back
        told = json.dumps({"game": "steal", "seats": seats, **(house or {})}).encode()
        kind = {"Content-Type": "application/json"}
        game = urllib.request.Request(f"http://127.0.0.1:{port}/api/games", told, kind)
        urllib.request.urlopen(game, timeout=30).close()
        yield Served(process.pid, port, folder / "data")
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()


def _port(log: Path, process: subprocess.Popen[bytes]) -> int:
    end_s = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < end_s and process.poll() is None:
        if found := re.findall(r"page is at http://[^:]+:(\d+)/", log.read_text("utf-8")):
            return int(found[0])
        time.sleep(0.1)
    raise RuntimeError(f"the program did not start: {log.read_text('utf-8')}")


def _read(file: Path) -> str:
    """What stands in a file of /proc; "" where its process has ended."""
    try:
        return file.read_text("ascii")
    except OSError:
        return ""
