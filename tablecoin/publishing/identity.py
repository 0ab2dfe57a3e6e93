"""Who this table is to a broker: random names kept in the data folder, so that no two tables share one by chance.

The journal has a name too. It changes where the file is no longer the one that was published before: another one counts
its events anew, and nobody may take them for the old ones.
"""

from __future__ import annotations

import logging
import secrets
from pathlib import Path

import msgspec

from tablecoin.journal.journal import Journal
from tablecoin.storage import durable
from tablecoin.storage.documents import DocumentError, read_json

log = logging.getLogger(__name__)

FILE = "mqtt.json"
_LARGEST = 10_000  # bytes


class Identity(msgspec.Struct, frozen=True):
    """The names, and the newest event that was published under them."""

    device: str  # of this data folder
    client: str  # what it calls itself to the broker
    journal: str = ""
    number: int = 0  # of the newest event of that journal that was published...
    link: str = ""  # ...and its digest: the same file has the same
    broker: str = ""  # where it was last announced; "" where nothing of it is left...
    table: str = ""  # ...and under which name


def _fresh() -> Identity:
    return Identity(secrets.token_hex(4), f"tablecoin-{secrets.token_hex(8)}")


class Kept:
    """The identity in its file. For one thread."""

    def __init__(self, folder: Path) -> None:
        """A file that is missing or cannot be read gets a new identity: then the club sees a new table."""
        self._path = folder / FILE
        try:
            self.known = read_json(durable.read(self._path, _LARGEST), Identity)
        except FileNotFoundError:
            self.known = _fresh()
        except (OSError, DocumentError) as error:
            log.warning("%s cannot be read (%s): the table gets a new name", self._path, error)
            self.known = _fresh()

    def journal(self, journal: Journal) -> str:
        """The name of the journal as it is now, and keep how far it goes. Raises JournalError."""
        known, newest = self.known, journal.count()
        is_same = known.journal and newest >= known.number and (journal.link(known.number) or "") == known.link
        name = known.journal if is_same else secrets.token_hex(8)
        self.known_as(name, newest, (newest and journal.link(newest)) or "")
        return name

    def known_as(self, name: str, number: int, link: str) -> None:
        """Event `number` of the journal `name` is about to be published. A journal that lacks it later is another one:
        a club that has it would take no other event under the same number."""
        self.keep(msgspec.structs.replace(self.known, journal=name, number=number, link=link))

    def keep(self, known: Identity) -> None:
        """Write it down. A disk that is full is no reason to stop: the journal says it already."""
        if known == self.known and self._path.exists():
            return
        self.known = known
        try:
            durable.replace(self._path, msgspec.json.encode(known))
        except OSError as error:
            log.warning("%s cannot be written (%s)", self._path, error)
