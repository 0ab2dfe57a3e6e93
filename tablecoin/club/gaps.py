"""Which events of a table's journal the club lacks, and when to ask for them.

Messages come twice and out of order; some are lost even after the broker has acknowledged them. Every event has a
number, so whoever counts them sees what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

STANDS_S = 1.5  # a gap this old is asked for; younger ones are mostly messages on their way
_LONGEST_S = 30.0  # between two askings for the same gap, while its table does not answer
_RUNS = 4  # ranges asked for at a time


class Range(NamedTuple):
    """Events `first` to `last`."""

    first: int
    last: int


@dataclass
class Gaps:
    """What is there of one journal. Times are in seconds, of one monotonic clock."""

    most: int  # events that one range may name
    upto: int = 0  # every event up to this one is there
    newest: int = 0  # the highest number that was heard of
    _beyond: set[int] = field(default_factory=set)  # there, above `upto`
    _since_s: float | None = None  # when the first gap was noticed, or last became smaller
    _wait_s: float = STANDS_S

    @property
    def whole(self) -> bool:
        """Nothing is missing."""
        return self.upto >= self.newest

    @property
    def missing(self) -> int:
        """How many events are missing."""
        return self.newest - self.upto - len(self._beyond)

    def hear(self, newest: int, now_s: float) -> None:
        """The table says that its newest event is this one."""
        self.newest = max(self.newest, newest)
        self._notice(now_s)

    def got(self, numbers: Iterable[int], now_s: float) -> None:
        """These events are there now."""
        before = self.upto
        self._beyond.update(number for number in numbers if number > self.upto)
        self.newest = max(self.newest, self.upto, *self._beyond) if self._beyond else max(self.newest, self.upto)
        while self.upto + 1 in self._beyond:
            self.upto += 1
            self._beyond.remove(self.upto)
        if self.upto > before:
            self._since_s, self._wait_s = None, STANDS_S
        self._notice(now_s)

    def due(self, now_s: float) -> list[Range]:
        """What to ask for now; asked again after twice the wait while nothing comes."""
        if self._since_s is None or now_s - self._since_s < self._wait_s:
            return []
        self._since_s, self._wait_s = now_s, min(_LONGEST_S, 2 * self._wait_s)
        return list(islice(self.ranges(), _RUNS))

    def ranges(self) -> Iterator[Range]:
        """What is missing, lowest first, none longer than `most`; more than memory has where a table says nonsense."""
        first = self.upto + 1
        for there in [*sorted(self._beyond), self.newest + 1]:
            yield from (Range(at, min(there - 1, at + self.most - 1)) for at in range(first, there, self.most))
            first = there + 1

    def _notice(self, now_s: float) -> None:
        if self.whole:
            self._since_s, self._wait_s = None, STANDS_S
        elif self._since_s is None:
            self._since_s = now_s
