"""What goes wrong at the table, one fault at a time. Each is switched on, lasts a while, and is switched off."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread
from urllib.request import urlopen

from lab.enduring import failing
from lab.enduring.served import Served

_RELOADS = 30  # pages that are opened and left at once
_HELD = 4  # bytes that a page reads of its stream before it is left


@dataclass(frozen=True)
class Fault:
    name: str
    begin: Callable[[Served], None]
    end: Callable[[Served], None]


def _own(name: str) -> Fault:
    return Fault(name, lambda served: served.fault(name, "on"), lambda served: served.fault(name, "off"))


def _virtual(name: str, switch: str) -> Fault:
    def put(served: Served, on: bool) -> None:
        served.send("PUT", "api/virtual", {"faults": {switch: on}})

    return Fault(name, partial(put, on=True), partial(put, on=False))


def write_lock() -> Fault:
    """Another program holds the journal's write lock."""
    held: list[sqlite3.Connection] = []

    def begin(served: Served) -> None:
        other = sqlite3.connect(served.data / "journal.sqlite", isolation_level=None)
        other.execute("begin immediate")
        held.append(other)

    return Fault("write-lock", begin, lambda served: held.pop().close())


def _away(served: Served) -> None:
    served.data.rename(served.data.with_name("away"))
    served.data.touch()  # so that it cannot be made again


def _back(served: Served) -> None:
    served.data.unlink()
    served.data.with_name("away").rename(served.data)


def _reload(served: Served) -> None:
    """Many pages at once, each left in the middle of its stream and its pictures."""

    def page() -> None:
        for path in ("", "api/state", "api/stream", "frame.jpg?view=mat"):
            with suppress(OSError), urlopen(served.url + path, timeout=20) as answer:
                answer.read(_HELD)

    for _ in range(_RELOADS):
        Thread(target=page, daemon=True).start()


UNWRITABLE = (
    _own(failing.DISK_FULL),
    write_lock(),
    _own(failing.READ_ONLY),
    Fault("folder gone", _away, _back),
)
ALL = (
    _virtual("camera frozen", "camera_frozen"),
    _own(failing.UNPLUGGED),
    _own(failing.OTHER_SHAPE),
    _virtual("marker hidden", "marker_lost"),
    _own(failing.LIGHT_OFF),
    _own(failing.FLICKER),
    *UNWRITABLE,
    _own(failing.CLOCK_JUMPED),
    Fault("page reloads", _reload, lambda served: None),
    _own(failing.STUCK_BUTTON),
)
