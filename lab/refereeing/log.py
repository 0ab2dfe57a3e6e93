"""Logs of long runs, a JSON line each: a run may be stopped at any moment and goes on from there."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


def read(path: Path, kind: type[T]) -> list[T]:
    """The lines of a log, without those that were cut short; [] where there is no such file."""
    found = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            found.append(msgspec.json.decode(line, type=kind))
        except msgspec.DecodeError:
            continue
    return found


def add(path: Path, one: msgspec.Struct) -> None:
    """Append a line to a log."""
    with path.open("ab") as log:
        log.write(msgspec.json.encode(one) + b"\n")
