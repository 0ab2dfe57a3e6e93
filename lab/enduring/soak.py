"""The soak: games go on while one fault after the other comes and goes, and pages watch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from urllib.request import urlopen

import msgspec

from lab.enduring.faults import ALL, Fault
from lab.enduring.play import Hands
from lab.enduring.served import Json, Served
from tablecoin.journal.journal import Journal
from tablecoin.referee.events import Acted, Rejected

PAGES = ("camera", "mat", "camera", "mat")  # the views that four pages pull all the time
_LASTS = 0.4  # share of the time between two faults that a fault lasts
_PATIENCE_S = 120.0  # a table without a new ruling for so long after a fault has not recovered
_TICK_S = 0.5  # between two acts of the hands
_SAMPLE_S = 5.0


class Sample(msgspec.Struct, frozen=True, tag="sample"):
    at_s: float  # since the start
    resident_mb: float
    cpu_s: float  # used so far
    games: int  # begun so far
    rulings: int  # the journal's newest number


class Passed(msgspec.Struct, frozen=True, tag="fault"):
    """A fault and what came of it."""

    name: str
    began_s: float
    ended_s: float
    seen: tuple[str, ...]  # the warnings that people were shown while it lasted
    fresh_after_s: float | None  # from its end until a new picture was read; None: not within _PATIENCE_S
    ruled_after_s: float | None  # the same until the next ruling


class Kept(msgspec.Struct, frozen=True, tag="kept"):
    """At the end: which rulings that people were shown are in the journal."""

    shown: int
    lost: tuple[int, ...]


Line = Sample | Passed | Kept


class Soak:
    """One run. Its lines come from `run`; the data folder holds the journal and the program's log."""

    def __init__(self, data: Path, minutes: float, every_s: float, faults: tuple[Fault, ...] = ALL) -> None:
        """`every_s`: from the beginning of one fault to that of the next, where the table recovers in time."""
        self._data, self._length_s, self._every_s, self._faults = data, 60 * minutes, every_s, faults
        self._shown: dict[int, Json] = {}  # every ruling that was shown, by its number
        self._begun_s = time.monotonic()
        self._sampled_s = -_SAMPLE_S

    def run(self) -> Iterator[Line]:
        """Play, and yield what was measured as it comes. Raises NotServed."""
        self._served = Served(self._data)
        self._hands = Hands(self._served)
        leave = Event()
        for view in PAGES:
            Thread(target=watch, args=(self._served.url, view, leave), daemon=True).start()
        self._begun_s = time.monotonic()
        try:
            yield from self._play(self._every_s)
            number = 0
            while self._now_s < self._length_s and self._served.alive:
                yield from self._pass(self._faults[number % len(self._faults)])
                number += 1
        finally:
            leave.set()
            self._served.stop()
        yield self._kept()

    @property
    def _now_s(self) -> float:
        return time.monotonic() - self._begun_s

    def _pass(self, fault: Fault) -> Iterator[Line]:
        began_s, seen = self._now_s, set[str]()
        fault.begin(self._served)
        yield from self._play(_LASTS * self._every_s, lambda state: seen.update(state["health"]["warnings"]))
        fault.end(self._served)
        ended_s, ruled = self._now_s, self._newest
        after: dict[str, float] = {}

        def look(state: Json) -> None:
            if state["age_s"] < 0.5:
                after.setdefault("fresh", self._now_s - ended_s)
            if self._newest > ruled:
                after.setdefault("ruled", self._now_s - ended_s)

        yield from self._play((1 - _LASTS) * self._every_s, look)
        while len(after) < 2 and self._now_s - ended_s < _PATIENCE_S and self._served.alive:
            yield from self._play(_TICK_S, look)
        yield Passed(fault.name, began_s, ended_s, tuple(sorted(seen)), after.get("fresh"), after.get("ruled"))

    def _play(self, seconds: float, look: Callable[[Json], None] = lambda state: None) -> Iterator[Line]:
        end_s = self._now_s + seconds
        while self._now_s < end_s and self._served.alive:
            try:
                state = self._hands.act()
            except OSError:  # no answer in time, on a busy machine
                continue
            if state["ruling"]:
                self._shown[state["ruling"]["seq"]] = state["ruling"]
            look(state)
            if self._now_s - self._sampled_s >= _SAMPLE_S:
                self._sampled_s = self._now_s
                used = self._served.resident_mb(), self._served.cpu_s()
                yield Sample(self._now_s, *used, self._hands.games, self._newest)
            time.sleep(_TICK_S)

    @property
    def _newest(self) -> int:
        return max(self._shown, default=0)

    def _kept(self) -> Kept:
        """Compare every ruling that was shown with the journal."""
        journal = Journal(self._data / "journal.sqlite")
        written: dict[int, object] = {}
        for game, last in journal.last_events().items():
            events = [event for _, event in journal.game(game)]  # a game's events follow one another
            written |= zip(range(last - len(events) + 1, last + 1), events, strict=True)
        journal.close()
        lost = []
        for number, ruling in self._shown.items():
            event = written.get(number)
            action = (event.action if isinstance(event, Acted | Rejected) else None) or {}
            told = ruling["action"] or {} if ruling["accepted"] else {}  # of a sealed choice the public part
            if event is None or not told.items() <= action.items():
                lost.append(number)
        return Kept(len(self._shown), tuple(sorted(lost)))


def watch(url: str, view: str, leave: Event) -> None:
    """A page that pulls one picture after the other."""
    after = -1
    while not leave.is_set():
        try:
            with urlopen(f"{url}frame.jpg?view={view}&after={after}", timeout=20) as answer:
                answer.read()
                after = int(answer.headers.get("X-Frame-Number", after))
        except OSError:
            leave.wait(0.5)
