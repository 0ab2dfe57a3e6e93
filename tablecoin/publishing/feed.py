"""The events to send: each new one once, and older ones again where a club asks for them.

An acknowledgement of the broker does not mean that a club has the event: a broker that was killed has forgotten what
it acknowledged. So events are numbered, the summary carries the newest number, and a club asks for what it lacks.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tablecoin.journal.journal import Journal, JournalError
from tablecoin.mqtt import topics
from tablecoin.mqtt.messages import MOST_ASKED, Ask, Ruling
from tablecoin.publishing.assignments import Assignments
from tablecoin.publishing.identity import Kept
from tablecoin.publishing.narrator import Narrator, told_again
from tablecoin.referee.events import Started

log = logging.getLogger(__name__)

_AT_ONCE = 100  # events read at a time: the journal is locked for less than a millisecond
_WAITING = 500  # events kept while the broker is away; a club asks for those before
_ASKS = 50  # questions that wait; a club asks again
FRESH_S = 60.0  # an event older than this is not news: a home's automations must not act on it


class _Due(NamedTuple):
    ruling: Ruling
    since_s: float


class Feed:
    """For one thread."""

    def __init__(
        self,
        journal: Journal,
        table: str,
        kept: Kept,
        assignments: Assignments,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._journal, self._table, self._kept, self._clock = journal, table, kept, clock
        self._assignments = assignments
        self._due: deque[_Due] = deque(maxlen=_WAITING)
        self._asked: deque[Ask] = deque(maxlen=_ASKS)
        self._answering: Iterator[Ruling] = iter(())
        self._is_answering = False
        self._begin()

    @property
    def late(self) -> int:
        """How many new events wait."""
        return len(self._due)

    @property
    def is_busy(self) -> bool:
        """Whether there may be more to send."""
        return bool(self._due or self._asked or self._is_answering)

    def _begin(self) -> None:
        """Take up the journal as it is. What it holds already is sent only where a club asks. Raises JournalError."""
        self.name = self._kept.journal(self._journal)
        self.narrator = self._narrator()
        self._due.clear()
        game = self._journal.newest_number()
        self._assignments.forget_after(game)
        for line, _ in self._journal.whole_game(game):
            self.narrator.tell(line)
        self.newest = self.narrator.newest.number if self.narrator.newest else 0

    def _narrator(self) -> Narrator:
        return Narrator(self._table, self.name, self._assignments)

    def follow(self) -> bool:
        """Read the newest events of the journal; whether there were any. Raises JournalError."""
        held = self._journal.count()
        if held == self.newest:
            return False
        if held < self.newest:  # another journal took its place
            self._begin()
            return True
        while lines := self._journal.lines_after(self.newest, _AT_ONCE):
            self._kept.known_as(self.name, lines[-1].number, self._journal.link(lines[-1].number) or "")
            for line in lines:
                if line.body.startswith('{"event":"start"') and isinstance(event := line.event, Started):
                    self._assignments.began(line.game, self.name, event)
                self._due.append(_Due(self.narrator.tell(line), self._clock()))
                self.newest = line.number
        return True

    def ask(self, ask: Ask) -> None:
        """A club lacks these events."""
        if ask.journal == self.name and ask.first <= min(ask.last, self.newest):
            self._asked.append(ask)

    def next(self) -> tuple[str, Ruling] | None:
        """The kind of topic and the next message to send; None: there is nothing to send now."""
        if self._due:
            due = self._due.popleft()
            return topics.EVENT if self._clock() - due.since_s < FRESH_S else topics.AGAIN, due.ruling
        try:
            while (again := next(self._answering, None)) is None:
                self._is_answering = bool(self._asked)
                if not self._asked:
                    return None
                ask = self._asked.popleft()
                last = min(ask.last, ask.first + MOST_ASKED - 1, self.newest)
                self._answering = told_again(self._journal, self._narrator(), ask.first, last)
        except JournalError as error:
            log.debug("the journal cannot be read now: %s", error)  # the club asks again
            return None
        return topics.AGAIN, again
