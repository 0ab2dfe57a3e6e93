"""`tablecoin serve` in a process of its own, whose camera, disk, clock and buttons can be made to fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

Json = dict[str, Any]

START_S = 120.0  # time within which the page must be there, on a machine with other work
ANSWER_S = 60.0  # the same for one answer
_MB = 1 << 20


class NotServed(RuntimeError):
    """The program did not start; `str()` holds its own messages."""


class Served:
    """The running program. Its log goes to `serve.log` in the data folder."""

    def __init__(self, data: Path, seed: int = 1) -> None:
        """Raises NotServed."""
        self.data = data
        data.mkdir(parents=True, exist_ok=True)
        log = data / "serve.log"
        command = [
            sys.executable,
            "-m",
            "lab.enduring.failing",
            "--port",
            "0",
            "--data",
            str(data),
            "--seed",
            str(seed),
        ]
        with log.open("w") as said:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said, text=True)
        end = time.monotonic() + START_S
        while time.monotonic() < end and self._process.poll() is None:
            if "the page is at " in (told := log.read_text("utf-8")):
                self.url = told.partition("the page is at ")[2].split()[0]
                return
            time.sleep(0.1)
        self.stop()
        raise NotServed(log.read_text("utf-8"))

    def get(self, path: str) -> Any:
        """Raises OSError where nothing is answered."""
        with urllib.request.urlopen(self.url + path, timeout=ANSWER_S) as answer:
            return json.load(answer)

    def text(self, path: str) -> str:
        """The answer as text. Raises OSError."""
        with urllib.request.urlopen(self.url + path, timeout=ANSWER_S) as answer:
            return str(answer.read().decode())

    def send(self, method: str, path: str, body: object) -> bool:
        """Whether it was accepted. What the table refuses, because it went on meanwhile, does not matter here."""
        head = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), head, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_S):
                return True
        except urllib.error.HTTPError:
            return False

    def fault(self, name: str, switch: str) -> None:
        """Switch a fault of `failing.py` "on" or "off"."""
        assert self._process.stdin
        self._process.stdin.write(f"{name} {switch}\n")
        self._process.stdin.flush()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def resident_mb(self) -> float:
        """Resident memory, in MiB; 0 after it ended."""
        try:
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        except OSError:
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / _MB

    def cpu_s(self) -> float:
        """Processor time used so far, in seconds, of all its threads; 0 after it ended."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdin
        self._process.stdin.close()
