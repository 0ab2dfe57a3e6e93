"""Keeps the virtual table's coins over restarts: real coins too still lie there after a power cut."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from tablecoin import mat as mats
from tablecoin.storage import durable
from tablecoin.storage.documents import read_json
from tablecoin.virtual.table import Scene, TableError, VirtualTable

LARGEST_FILE = 1_000_000  # bytes; twenty coins take about 2,000

log = logging.getLogger(__name__)


def keep(table: VirtualTable, file: Path) -> None:
    """Restore the table from `file`, and rewrite the file at every change of the table."""
    try:
        remembered = read_json(durable.read(file, LARGEST_FILE))
        table.lay(mats.load(str(remembered["mat"])))
        table.put_json({"coins": remembered["coins"]})
    except FileNotFoundError:
        pass  # the first start
    except (OSError, ValueError, KeyError, TypeError, TableError) as error:
        log.warning("%s does not hold a virtual table (%s); the table starts empty", file, error)
    table.on_change = lambda scene: _write(table.mat.name, scene, file)


def _write(mat: str, scene: Scene, file: Path) -> None:
    try:
        durable.replace(file, msgspec.json.encode({"mat": mat, "coins": scene.coins}))
    except OSError as error:  # a full disk must not stop the game
        log.warning("%s cannot be written (%s)", file, error)
