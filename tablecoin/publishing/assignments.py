"""What a club would like to be played here, and for which assignment each game was played."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from tablecoin import rules
from tablecoin.mqtt.messages import Assignment, Reply
from tablecoin.referee.events import Started
from tablecoin.rules.game import InputError
from tablecoin.rules.rulebook import texts
from tablecoin.storage import durable
from tablecoin.storage.documents import DocumentError, read_json

log = logging.getLogger(__name__)

FILE = "assigned.json"
_LARGEST = 1 << 20  # bytes; a game adds some 70


class Assignments:
    """For any thread: each field is replaced as a whole."""

    def __init__(self, folder: Path, table: str) -> None:
        self._path, self._table = folder / FILE, table
        self.games: dict[int, str] = {}  # number of a game -> the assignment that it is played for
        self.open: Assignment | None = None  # what is on offer
        self.reply: Reply | None = None  # to the newest assignment
        try:
            self.games = read_json(durable.read(self._path, _LARGEST), dict[int, str])
        except FileNotFoundError:
            pass
        except (OSError, DocumentError) as error:
            log.warning("%s cannot be read (%s): games of before belong to no assignment", self._path, error)

    def take(self, assignment: Assignment | None) -> None:
        """A club assigned a game, or took it back (None). One that was begun or declined already changes nothing."""
        if assignment is None:
            self.open = self.reply = None
        elif not (self.reply and self.reply.id == assignment.id) and assignment.id not in self.games.values():
            self.open, self.reply = self._offered(assignment)

    def decline(self, name: str) -> bool:
        """The owner does not want the assignment `name`; whether it was on offer."""
        if self.open is None or self.open.id != name:
            return False
        self.open, self.reply = None, Reply(table=self._table, id=name, answer="declined")
        return True

    def began(self, number: int, journal: str, started: Started) -> None:
        """Game `number` began. It is played for the assignment on offer where game and names are those of it."""
        on_offer = self.open
        if on_offer is None or on_offer.game != started.game or not _same_people(on_offer, started):
            return
        self.open = None
        self.reply = Reply(table=self._table, id=on_offer.id, answer="begun", number=number, journal=journal)
        self._keep(self.games | {number: on_offer.id})

    def forget_after(self, newest: int) -> None:
        """The journal ends with game `newest`. Later ones are lost where a backup was restored: other games get their
        numbers, and are not played for what those were played for."""
        if any(number > newest for number in self.games):
            self._keep({number: name for number, name in self.games.items() if number <= newest})

    def _keep(self, games: dict[int, str]) -> None:
        self.games = games
        try:
            durable.replace(self._path, msgspec.json.encode(self.games))
        except OSError as error:
            log.warning("%s cannot be written (%s)", self._path, error)

    def _offered(self, assignment: Assignment) -> tuple[Assignment | None, Reply]:
        """The assignment and the answer to it; None where it cannot be played here."""
        try:
            game = rules.load(assignment.game)
            game.read_options(assignment.options)
        except InputError as error:
            refused = Reply(table=self._table, id=assignment.id, answer="refused", said=texts(error.message))
            return None, refused
        return assignment, Reply(table=self._table, id=assignment.id, answer="offered")


def _same_people(assignment: Assignment, started: Started) -> bool:
    """Whether the same people play, in whatever seats."""
    return sorted(assignment.names.values()) == sorted(started.names.values() or started.options.get("players", ()))
