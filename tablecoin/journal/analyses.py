"""The stored analyses of games, as far as the statistics of players need them: each seat's luck and skill.

They lie beside the journal, `analyses/<number>.json`, each as `tablecoin analyse --json` prints it.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec

from tablecoin.rules.game import Seat
from tablecoin.storage import durable
from tablecoin.storage.documents import DocumentError, read_json

log = logging.getLogger(__name__)

FOLDER = "analyses"
_MOST_BYTES = 4 << 20  # of a file; one of a long game has some 100 kB


class Share(msgspec.Struct, frozen=True):
    """One seat's part in the result, in chance to win: what the tosses gave it, and what its decisions gave away."""

    luck: float
    lost: float


class Analysis(msgspec.Struct, frozen=True):
    """The part of an analysis that is read here."""

    game: str = ""
    players: Mapping[Seat, Share] = {}


class StoredAnalyses:
    """Each file is read once, and again when it has changed. For any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reading = threading.Lock()
        self._read: dict[str, tuple[int, Analysis]] = {}  # file -> (when it was changed, what it says)

    def newest(self) -> dict[int, Analysis]:
        """The number of each analysed game -> what is known of it. A file that cannot be read tells of nobody."""
        with self._reading:
            try:
                there = list(os.scandir(self._folder))
            except OSError:
                there = []
            self._read = {file.name: self._look(file) for file in there if _number(file.name)}
            return {_number(name): read for name, (_, read) in self._read.items()}

    def _look(self, file: os.DirEntry[str]) -> tuple[int, Analysis]:
        try:
            changed_ns = file.stat().st_mtime_ns
            known = self._read.get(file.name)
            if known and known[0] == changed_ns:
                return known
            return changed_ns, read_json(durable.read(Path(file.path), _MOST_BYTES), Analysis)
        except (OSError, DocumentError) as error:
            log.warning("the analysis %s is not counted: %s", file.name, error)
            return 0, Analysis()


def _number(name: str) -> int:
    """The game that a file of this name is of; 0 for another file."""
    stem, _, kind = name.partition(".")
    return int(stem) if kind == "json" and stem.isascii() and stem.isdecimal() and len(stem) < 16 else 0
