"""The data folder: can it be written, how fast, is there room, is the card failing, is the journal whole."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from tablecoin.checks.finding import Finding, found

_LEAST_FREE_MB = 500
_SLOW_MS = 250.0  # for one small durable write; a good card needs 5 to 30
_WRITES = 5
_ROOT = Path("/")


def disk(folder: Path, root: Path = _ROOT, called: str | None = None) -> Iterator[Finding]:
    """Findings about the data folder, or about the one that it would be made in. `called`: what people read for it."""
    name = called or str(folder)
    try:
        there = next(path for path in (folder, *folder.parents) if path.exists())
        write_ms = round(_write_ms(there))
    except OSError as error:
        yield found("disk", "fail", "disk.unwritable", "disk.unwritable.do", folder=name, why=error.strerror)
        return
    free_mb = shutil.disk_usage(there).free // 1_000_000
    facts: dict[str, Any] = {"folder": name, "ms": write_ms}
    if free_mb < _LEAST_FREE_MB:
        yield found("disk", "warn", "disk.low", "disk.low.do", free=free_mb, **facts)
    elif write_ms > _SLOW_MS:
        yield found("disk", "warn", "disk.slow", "disk.slow.do", **facts)
    else:
        yield found("disk", "ok", "disk", free=f"{free_mb / 1000:.1f}", **facts)
    yield from _card(there, root)


def _write_ms(folder: Path) -> float:
    """How long a small write takes until it is on the disk, as every ruling is written; the median of a few."""
    taken = []
    probe = folder / f".tablecoin-doctor-{time.time_ns()}"
    try:
        for _ in range(_WRITES):
            began_s = time.perf_counter()
            with probe.open("wb") as file:
                file.write(bytes(4096))
                os.fsync(file.fileno())
            taken.append(1000 * (time.perf_counter() - began_s))
    finally:
        probe.unlink(missing_ok=True)
    return median(taken)


def _card(folder: Path, root: Path) -> Iterator[Finding]:
    """The errors that an ext4 file system has noted on its device. Nothing is said of other file systems."""
    number = folder.stat().st_dev
    link = root / f"sys/dev/block/{os.major(number)}:{os.minor(number)}"
    try:
        device = link.resolve().name
        count = int((root / "sys/fs/ext4" / device / "errors_count").read_text())
    except (OSError, ValueError):
        return
    if count:
        yield found("card", "fail", "card.errors", "card.errors.do", device=device, count=count)
    else:
        yield found("card", "ok", "card", device=device)


def journal(path: Path) -> Finding:
    """Runs SQLite's quick check on a read-only connection. It reads the whole file: a running table does not do it."""
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2)
        try:
            (answer,) = connection.execute("pragma quick_check").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        answer = str(error)
    if answer == "ok":
        return found("journal", "ok", "journal", file=path.name)
    return found("journal", "fail", "journal.damaged", "journal.damaged.do", file=str(path), why=answer)
