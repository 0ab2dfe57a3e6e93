"""Telling systemd that the referee is at work, and proving it: the watchdog is fed by frames that passed through.

A ping from a thread with nothing else to do would prove nothing. Here a ping means: a frame was taken, settled and
handed to the referee since the last one. A camera that is away is waited for, and said so, for a few minutes; then the
pings stop, and systemd starts everything anew as the last remedy. Without systemd all of this does nothing.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping


def notify(message: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send lines such as "READY=1" to systemd (sd_notify(3)); whether there was one to hear them."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
        try:
            to.sendto(message.encode(), "\0" + address[1:] if address.startswith("@") else address)
        except OSError:  # systemd restarts us if it misses the message
            return False
    return True


class Watchdog:
    """Call `frame_passed` for each frame when everything was done with it, `camera_away` for each wait in vain."""

    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = 300.0,
    ) -> None:
        """`patience_s`: how long a camera may be away before systemd is let act."""
        self._environ, self._clock, self._patience_s = environ, clock, patience_s
        # systemd expects a ping in every WATCHDOG_USEC; sd_watchdog_enabled(3) advises half of that.
        self._every_s = int(environ.get("WATCHDOG_USEC") or 0) / 2e6 or 10.0
        self._fed_s = float("-inf")
        self._frame_s = clock()
        self._status = ""

    def ready(self, status: str) -> None:
        """Everything stands; `status` is what `systemctl status` shows."""
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
