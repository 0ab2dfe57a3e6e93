"""Virtual tables of the club's own: `tablecoin serve` processes at which computers play, so that one command shows a
hall with games. Computers cannot toss; this does it for them, over the table's own page.

People may play there as well, also for a tournament: nothing is done at a table while they sit there.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from http.client import HTTPException
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tablecoin.club.local import Place
from tablecoin.storage.regular import open_regular

log = logging.getLogger(__name__)

MOST = 8  # a table takes half a core
_STEP_S = 1.0
_OVER_S = 10.0  # how long a finished game stays before the next one begins
_PEOPLE_S = 120.0  # the same where people played: they may look at it, and play on
_TIMEOUT_S = 20.0
_END_S = 10.0  # for a process to end
_GAMES: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("steal", {"goal": 50}), ("coin-age", {"map": "classic"}), ("exact", {"goal": 50}),
)  # fmt: skip
_SEATS = ("heads", "tails")


class VirtualTables:
    """Running between `start` and `stop`."""

    def __init__(self, folder: Path, many: int) -> None:
        """`folder`: each table gets a data folder of its own in it."""
        self.places = [Place(f"virtual-{i}", f"Virtual {i}", f"http://127.0.0.1:{_free_port()}") for i in _count(many)]
        self._folder, self._stopping = folder, threading.Event()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads = [
            threading.Thread(target=self._play, args=(Computers(place.url, i),), name=place.table, daemon=True)
            for i, place in enumerate(self.places)
        ]

    def start(self) -> None:
        """Start the tables; they answer after some seconds. Raises OSError."""
        for place in self.places:
            data = self._folder / place.table
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
            port = place.url.rpartition(":")[2]
            command = [sys.executable, "-m", "tablecoin", "serve", "--camera", "virtual", "--panel", "screen"]
            options = ["--host", "127.0.0.1", "--port", port, "--data", str(data)]
            with os.fdopen(open_regular(data / "serve.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as said:
                # In a folder of its own no tablecoin.toml of somebody's real table is found.
                process = subprocess.Popen([*command, *options], cwd=data, stderr=said, stdin=subprocess.DEVNULL)
            self._processes.append(process)
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the tables."""
        self._stopping.set()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _play(self, computers: Computers) -> None:
        while not self._stopping.wait(_STEP_S):
            try:
                computers.act()
            except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
                log.debug("a virtual table: %s", error)  # it starts, or it went on meanwhile


class Computers:
    """Two computers at one table, and the hand that tosses for them."""

    def __init__(self, url: str, first: int) -> None:
        """`first`: the game that they begin with."""
        self._url, self._games = url, cycle(_GAMES[first % len(_GAMES) :] + _GAMES[: first % len(_GAMES)])
        self._over_s: float | None = None  # since when the game is over; None: one is played

    def act(self) -> None:
        """Do what the referee's newest sentence asks for. Raises OSError, HTTPException, ValueError, KeyError."""
        state, now_s = _asked("GET", f"{self._url}/api/state"), time.monotonic()
        people = "person" in dict(state.get("seats") or {}).values()
        kind = state["prompt"]["kind"]
        if kind == "over":
            self._over_s = self._over_s or now_s
            if now_s - self._over_s > (_PEOPLE_S if people else _OVER_S):
                self._begin()
            return
        self._over_s = None
        if kind == "lobby":
            self._begin()
        elif people:
            return
        elif kind == "flip":
            for zone, coins in state["table"]["flips"].items():
                self._do("POST", "/api/virtual/toss", {"zone": zone, "coins": coins})
        elif kind == "question":
            self._do("POST", "/api/answer", {"choice": 0})
        elif kind in ("refused", "paused", "unfinished"):
            self._do("POST", "/api/virtual/arrange", {})

    def _begin(self) -> None:
        """Begin the next game, unless people are about to begin one."""
        laid_out = _asked("GET", f"{self._url}/api/lobby")["game"]
        if laid_out or _asked("GET", f"{self._url}/api/assigned")["assigned"]:
            return
        game, options = next(self._games)
        seats = dict.fromkeys(_SEATS, "computer")
        self._do("POST", "/api/games", {"game": game, "options": options, "seats": seats, "level": "easy"})

    def _do(self, method: str, path: str, body: Mapping[str, object]) -> None:
        try:
            _asked(method, self._url + path, body)
        except HTTPError as error:
            log.debug("a virtual table refuses %s: %s", path, error)  # it went on meanwhile


def _asked(method: str, url: str, body: Mapping[str, object] | None = None) -> Mapping[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json"} if body is not None else {}, method=method)
    with urlopen(request, timeout=_TIMEOUT_S) as answer:
        told: Mapping[str, Any] = json.load(answer)
        return told


def _count(many: int) -> range:
    return range(1, min(many, MOST) + 1)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
