"""Many tables through a real broker that is killed, to a real club that is killed: what is lost, what comes twice, and
how far the hall page is behind.
"""

from __future__ import annotations

import getpass
import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from lab.club.tables import PlayedTable
from tablecoin.club.database import FILE

_AWAY_S = 2.0  # how long a broker or a club stays away
_PATIENCE_S = 60.0  # for what is missing to come at the end
_CALM_S = 10.0  # after a kill, how long its effect lasts


class Found(msgspec.Struct, frozen=True):
    """What one evening showed."""

    tables: int
    seconds: float
    rulings: int
    held: int
    lost: int
    other: int  # that the club has and no table made
    games_made: int
    games_held: int
    caught_up_s: float  # after the last ruling, until the club had everything
    lag_p50_s: float
    lag_p95_s: float  # from the ruling on the disk to the hall page
    calm_p95_s: float  # the same for rulings made while broker and club had been there for a while
    messages_a_ruling: float  # that tables published in all, summaries and health included
    bytes_a_ruling: float  # their topics and contents
    club_core: float  # share of one core that the club used, while it last ran


class Broker:
    """Mosquitto that forgets everything when it is killed."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 100000\n"
            f"log_dest none\nsys_interval 1\nuser {getpass.getuser()}\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
        if program is None:
            raise RuntimeError("mosquitto is not installed: apt install mosquitto")
        self._process = subprocess.Popen([program, "-c", self._config], stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()


class ClubProcess:
    """`tablecoin club`, to be killed."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        self.port, self.folder = free_port(), folder / "club"
        self._config = folder / "club.toml"
        self._config.write_text(f'[mqtt]\nbroker = "127.0.0.1:{broker_port}"\n')
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "tablecoin", "club", "--config", str(self._config)]
        self._process = subprocess.Popen(
            [*command, "--data", str(self.folder), "--port", str(self.port)], stderr=subprocess.DEVNULL
        )
        self.began_s = time.monotonic()

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(20)

    def core(self) -> float:
        """Share of a core used since the start."""
        if self._process is None:
            return 0.0
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        used_s = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return used_s / (time.monotonic() - self.began_s)


class HallPage:
    """Follows the hall as a page does, and notes when it first showed each table's newest ruling."""

    def __init__(self, port: int) -> None:
        self._port, self._stopping = port, threading.Event()
        self.seen: dict[str, list[tuple[int, float]]] = {}  # table -> (newest ruling, when), growing
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(10)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=8)) as link:
                    link.request("GET", "/api/stream")
                    self._read(link.getresponse())
            except (OSError, http.client.HTTPException, ValueError):
                self._stopping.wait(0.1)

    def _read(self, answer: http.client.HTTPResponse) -> None:
        while not self._stopping.is_set() and (line := answer.readline()):
            if line.startswith(b"data: "):
                at_s = time.monotonic()
                for table in json.loads(line[6:])["tables"]:
                    shown = self.seen.setdefault(table["id"], [])
                    if not shown or table["newest"] > shown[-1][0]:
                        shown.append((table["newest"], at_s))

    def lags(self, table: PlayedTable) -> Iterator[tuple[float, float]]:
        """(when it was made, how long until it or a newer one was shown) of each ruling."""
        shown = iter(self.seen.get(table.name, ()))
        newest, at_s = next(shown, (0, 0.0))
        for number, made_s in enumerate(table.made_s, 1):
            while newest < number:
                newest, at_s = next(shown, (1 << 60, made_s + _PATIENCE_S))
            yield made_s, at_s - made_s


def evening(folder: Path, tables: int, seconds: float, broker_kills: int, club_kills: int) -> Found:
    """A ruling a second at each table; broker and club are killed at even distances. RuntimeError: cannot be run."""
    broker = Broker(folder)
    club = ClubProcess(folder, broker.port)
    broker.start()
    club.start()
    playing = [PlayedTable(f"t{i:02}", folder, f"127.0.0.1:{broker.port}", i) for i in range(tables)]
    page = HallPage(club.port)
    kills = _kills(seconds, broker_kills, club_kills)
    try:
        for table in playing:
            table.publisher.start()
        _until(lambda: all(table.publisher.is_up for table in playing) and bool(page.seen))
        killed_s = _play(playing, seconds, kills, broker, club)
        ended_s = time.monotonic()
        made = {(table.name, n) for table in playing for n in range(1, table.journal.count() + 1)}
        last = {table.name: len(table.made_s) for table in playing}
        _until(lambda: all(_newest(page, name) >= n for name, n in last.items()) and _held_by(club.port) >= len(made))
        caught_up_s = time.monotonic() - ended_s
        core = club.core()
    finally:
        page.stop()
        for table in playing:
            table.stop()
        club.stop()
        broker.kill()
    with closing(sqlite3.connect(club.folder / FILE)) as db:
        held = list(db.execute("select tab, number from ruling"))
        (games_held,) = db.execute("select count(*) from result where body is not null").fetchone()
    lags = sorted((made_s, lag) for table in playing for made_s, lag in page.lags(table))
    calm = [
        lag for made_s, lag in lags if not any(0 <= made_s - at < _CALM_S or -1 < made_s - at < 0 for at in killed_s)
    ]
    games = sum(_games_ended(folder / table.name) for table in playing)
    return Found(
        tables=tables, seconds=seconds, rulings=len(made), held=len(held), lost=len(made - set(held)),
        other=len(held) - len(set(held) & made), games_made=games, games_held=games_held, caught_up_s=caught_up_s,
        lag_p50_s=_quantile([lag for _, lag in lags], 0.5), lag_p95_s=_quantile([lag for _, lag in lags], 0.95),
        calm_p95_s=_quantile(calm, 0.95), messages_a_ruling=sum(each.messages for each in playing) / len(made),
        bytes_a_ruling=sum(each.bytes for each in playing) / len(made),
        club_core=core,
    )  # fmt: skip


def _kills(seconds: float, broker: int, club: int) -> list[tuple[float, str]]:
    """When to kill what, in seconds from the start."""
    at = [(seconds * (i + 1) / (broker + 1), "broker") for i in range(broker)]
    return sorted(at + [(seconds * (i + 0.5) / (club + 0.5), "club") for i in range(1, club + 1)])


def _play(
    tables: Sequence[PlayedTable], seconds: float, kills: list[tuple[float, str]], broker: Broker, club: ClubProcess
) -> list[float]:
    """A ruling a second at each table, spread over the second; when something was killed."""
    began_s, killed, comes_back = time.monotonic(), list[float](), list[tuple[float, Broker | ClubProcess]]()
    total = int(seconds * len(tables))
    for i in range(total):
        due_s = began_s + i / len(tables)
        time.sleep(max(0.0, due_s - time.monotonic()))
        now_s = time.monotonic()
        while kills and now_s - began_s >= kills[0][0]:
            what: Broker | ClubProcess = broker if kills.pop(0)[1] == "broker" else club
            what.kill()
            killed.append(now_s)
            comes_back.append((now_s + _AWAY_S, what))
        while comes_back and now_s >= comes_back[0][0]:
            comes_back.pop(0)[1].start()
        tables[i % len(tables)].step()
    for _, what in comes_back:
        what.start()
    return killed


def _newest(page: HallPage, table: str) -> int:
    shown = page.seen.get(table)
    return shown[-1][0] if shown else 0


def _held_by(port: int) -> int:
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=8)) as link:
            link.request("GET", "/api/state")
            return int(json.loads(link.getresponse().read())["rulings"])
    except (OSError, http.client.HTTPException, ValueError):
        return 0


def _games_ended(folder: Path) -> int:
    """How many games of a journal are over, by the history that counts them itself."""
    from tablecoin.journal.history import History
    from tablecoin.journal.journal import Journal

    journal = Journal(folder / "journal.sqlite")
    try:
        history = History(journal)
        while history.count(1000):
            pass
        return sum(game.outcome is not None for game in history.games().games)
    finally:
        journal.close()


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _until(true: Callable[[], bool], patience_s: float = _PATIENCE_S) -> None:
    end_s = time.monotonic() + patience_s
    while not true() and time.monotonic() < end_s:
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
