"""The log of messages that cannot be read. Anybody on the broker may send thousands of them."""

from __future__ import annotations

import logging
from collections import Counter

from tablecoin.mqtt.messages import Unreadable


class UnreadableLog:
    """Logs each kind of unreadable message at its 1st, 10th, 100th … time."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._times = Counter[tuple[str, str]]()

    def add(self, error: Unreadable, kind: str) -> None:
        """`kind`: of the topic."""
        self._times[error.message.key, kind] += 1
        times = self._times[error.message.key, kind]
        if str(times).rstrip("0") == "1":
            self._log.warning("%s", error if times == 1 else f"{error} This was message {times} of its kind.")
