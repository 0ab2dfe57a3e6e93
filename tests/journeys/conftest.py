"""The product as a person meets it: `tablecoin serve` in a process of its own, and a real browser on its page."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE_S = 40


class Served:
    """A running `tablecoin serve`."""

    def __init__(self, data: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "tablecoin.cli", "serve", "--port", "0", "--data", str(data), *arguments]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr
        said = []
        for line in self._process.stderr:
            said.append(line)
            if "the page is at " in line:
                self.url = line.partition("the page is at ")[2].strip()
                return
        raise AssertionError("tablecoin serve ended: " + "".join(said))

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def send(self, method: str, path: str, body: object) -> Any:
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def kill(self) -> None:
        """As a power cut would: no chance to say goodbye."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process.poll() is None:
            os.kill(self._process.pid, how)
            self._process.wait(20)
        if self._process.stderr:
            self._process.stderr.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Any]:
    """`serve("--camera", "virtual")` starts a referee on this test's own data folder."""
    running: list[Served] = []

    def start(*arguments: str) -> Served:
        running.append(Served(tmp_path / "data", *arguments))
        return running[-1]

    yield start
    for served in running:
        served.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium, driven by Playwright; the journey is skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    sync_api = pytest.importorskip("playwright.sync_api")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=quiet)
        yield chromium
        chromium.close()
