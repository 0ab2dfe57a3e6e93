"""The watchdog: proves to systemd that the referee works.

A ping from an idle thread would prove nothing. Here a ping means that a frame was taken, settled and handed to the
referee since the last ping. While the camera is away, pings go on for a few minutes and say so; then they stop, and
systemd restarts everything as the last remedy. Without systemd none of this does anything.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping


def notify(message: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send lines such as "READY=1" to systemd (sd_notify(3)); whether they were sent."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
        try:
            to.sendto(message.encode(), "\0" + address[1:] if address.startswith("@") else address)
        except OSError:  # systemd restarts us when it misses a message
            return False
    return True


class Watchdog:
    """Call `frame_passed` after each frame that the referee took, `camera_away` after each wait without a frame."""

    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = 300.0,
    ) -> None:
        """`patience_s`: how long the camera may be away before the pings stop."""
        self._environ, self._clock, self._patience_s = environ, clock, patience_s
        # systemd expects a ping within WATCHDOG_USEC; sd_watchdog_enabled(3) advises pinging at half of that.
        self._every_s = int(environ.get("WATCHDOG_USEC") or 0) / 2e6 or 10.0
        self._fed_s = float("-inf")
        self._frame_s = clock()
        self._status = ""

    @property
    def supervised(self) -> bool:
        """Whether systemd started this program, as a service that nobody sits in front of."""
        return bool(self._environ.get("NOTIFY_SOCKET"))

    def ready(self, status: str) -> None:
        """Report that everything runs; `systemctl status` shows `status`."""
        self._status = status
        self._frame_s = self._clock()
        notify(f"READY=1\nSTATUS={status}", self._environ)

    def frame_passed(self, status: str = "Refereeing.") -> None:
        self._frame_s = self._clock()
        self._feed(status)

    def camera_away(self, why: str) -> None:
        if self._clock() - self._frame_s < self._patience_s:
            self._feed(f"Waiting for the camera: {why}")

    def stopping(self) -> None:
        notify("STOPPING=1\nSTATUS=Closing the journal.", self._environ)

    def _feed(self, status: str) -> None:
        now_s = self._clock()
        if status == self._status and now_s - self._fed_s < self._every_s:
            return
        self._fed_s, self._status = now_s, status
        notify(f"WATCHDOG=1\nSTATUS={status}", self._environ)
