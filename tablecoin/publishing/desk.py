"""Where a club's assignments wait at a table that has no broker: the club brings them to the table's own page.

It looks into the journal when it is asked, so it needs no thread.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from pathlib import Path

from tablecoin.journal.journal import Journal, JournalError
from tablecoin.mqtt.messages import Assignment, Reply
from tablecoin.publishing.assignments import Assignments
from tablecoin.referee.events import Started

log = logging.getLogger(__name__)

_AT_ONCE = 100  # events read at a time
_TABLE = "here"  # no message of this desk goes to a broker, so the table needs no name


class Desk:
    """For any thread."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        """`folder`: of the data. Raises JournalError."""
        self._journal, self._assignments = journal, Assignments(folder, _TABLE)
        self._lock = threading.Lock()
        self._newest = journal.count()  # the event that was looked at last
        self._assignments.forget_after(journal.newest_number())

    @property
    def assigned(self) -> Assignment | None:
        """What is on offer."""
        with self._lock:
            self._follow()
            return self._assignments.open

    @property
    def reply(self) -> Reply | None:
        """What became of the newest assignment."""
        with self._lock:
            self._follow()
            return self._assignments.reply

    @property
    def games(self) -> Mapping[int, str]:
        """Number of a game -> the assignment that it was played for."""
        with self._lock:
            self._follow()
            return self._assignments.games

    def take(self, assignment: Assignment | None) -> None:
        """The club wants this to be played; None: nothing any more. The same again changes nothing."""
        with self._lock:
            self._follow()
            self._assignments.take(assignment)

    def decline(self, name: str) -> bool:
        """Decline the assignment of that id; whether it was on offer."""
        with self._lock:
            self._follow()
            return self._assignments.decline(name)

    def _follow(self) -> None:
        """Notice the games that began."""
        try:
            while lines := self._journal.lines_after(self._newest, _AT_ONCE):
                for line in lines:
                    if line.body.startswith('{"event":"start"') and isinstance(event := line.event, Started):
                        self._assignments.began(line.game, "", event)
                    self._newest = line.number
        except JournalError as error:
            log.debug("the journal cannot be read now: %s", error)  # the page says what is wrong with it
