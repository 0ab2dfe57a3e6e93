"""systemd is pinged only while frames pass through."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablecoin.live.watchdog import Watchdog, notify


class Systemd:
    """The other end of the socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.setblocking(False)
        self.environ = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "30000000"}

    def heard(self) -> list[str]:
        messages = []
        try:
            while True:
                messages.append(self._socket.recv(4096).decode())
        except BlockingIOError:
            return messages

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    systemd = Systemd(tmp_path / "notify")
    yield systemd
    systemd.close()


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_ready_and_stopping_are_reported(systemd: Systemd) -> None:
    watchdog = Watchdog(systemd.environ)
    watchdog.ready("On http://127.0.0.1:8000/")
    watchdog.stopping()
    first, last = systemd.heard()
    assert first == "READY=1\nSTATUS=On http://127.0.0.1:8000/"
    assert last.startswith("STOPPING=1\n")


def test_pings_come_at_half_the_interval_however_many_frames_pass(systemd: Systemd) -> None:
    clock = Clock()
    watchdog = Watchdog(systemd.environ, clock)
    for _ in range(61 * 20):  # a minute of frames at 20 a second
        watchdog.frame_passed()
        clock.now_s += 0.05
    assert len([m for m in systemd.heard() if "WATCHDOG=1" in m]) == 5


def test_without_frames_there_are_no_pings(systemd: Systemd) -> None:
    watchdog = Watchdog(systemd.environ)
    watchdog.ready("here")
    assert [m for m in systemd.heard() if "WATCHDOG" in m] == []


def test_pings_go_on_while_the_camera_is_away_but_not_forever(systemd: Systemd) -> None:
    clock = Clock()
    watchdog = Watchdog(systemd.environ, clock, patience_s=300)
    watchdog.frame_passed()
    systemd.heard()
    pings = []
    for second in range(400):
        watchdog.camera_away("the cable was pulled.")
        pings += [(second, m) for m in systemd.heard()]
        clock.now_s += 1
    assert "STATUS=Waiting for the camera: the cable was pulled." in pings[0][1]
    assert 280 <= pings[-1][0] < 300

    watchdog.frame_passed()
    assert systemd.heard() == ["WATCHDOG=1\nSTATUS=Refereeing."]


def test_without_systemd_nothing_happens(tmp_path: Path) -> None:
    assert not notify("READY=1", {})
    assert not notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    Watchdog({}).frame_passed()
