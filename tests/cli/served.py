"""`tablecoin serve` in a process of its own: for what only a process can show. Everything else runs Appliance."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

PATIENCE_S = 90  # the longest wait for anything, on a machine with other work


class Served:
    """A running `tablecoin serve` over a virtual table. AssertionError with its own words when it does not start."""

    def __init__(self, data: Path) -> None:
        command = [sys.executable, "-m", "tablecoin", "serve", "--port", "0", "--data", str(data)]
        command += ["--camera", "virtual", "--panel", "screen", "--seed", "7"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr
        self.said: list[str] = []
        for line in self._process.stderr:
            self.said.append(line)
            if "the page is at " in line:
                self.url = line.partition("the page is at ")[2].split()[0]
                break
        else:
            raise AssertionError("tablecoin serve did not start: " + "".join(self.said))
        self._rest = threading.Thread(target=self._hear, args=[self._process.stderr], daemon=True)
        self._rest.start()  # a pipe that nobody reads would fill up and block the program

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def post(self, path: str, body: object) -> Any:
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def end(self, how: signal.Signals) -> int:
        """Send this signal, and wait for the end: the exit status. SIGKILL ends it as a power cut would."""
        os.kill(self._process.pid, how)
        status = self._process.wait(PATIENCE_S)
        self._rest.join(PATIENCE_S)
        return status

    def _hear(self, lines: Any) -> None:
        with lines:
            self.said.extend(lines)
