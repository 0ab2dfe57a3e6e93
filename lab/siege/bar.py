"""What the bar of chances costs: how soon the kiosk shows a toss, with the bar off and always shown, in turns.

A toss is put on the virtual table, ruled on, and taken back, again and again. Everything is measured from outside, as a
browser at the table meets it: calls and the stream of snapshots.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Literal

import msgspec

from lab.siege.served import Served, serving
from tablecoin.checks.bench.timing import Spread
from tablecoin.settings import Settings

Rule = Literal["off", "always"]
TURNS: tuple[Rule, ...] = ("off", "always", "always", "off")  # what drifts evenly weighs on both alike
_PATIENCE_S = 30.0  # the longest wait for one snapshot
_LATEST_S = 1.5  # chances that come later than this after the ruling are not shown: `tablecoin.live.forecast`


@dataclass
class Stretch:
    """What some seconds of play came to. All times are in seconds, by the clock on the wall."""

    bar: Rule
    page_s: list[float] = field(default_factory=list)  # from a toss to its ruling on the stream, less `still_s`
    asked_s: list[float] = field(default_factory=list)  # the kiosk's page, asked for right after each ruling
    chances_s: list[float] = field(default_factory=list)  # from the ruling on the stream to its chances there
    late: int = 0  # rulings whose chances never came


class _Ruling(msgspec.Struct):
    seq: int
    accepted: bool


class _Odds(msgspec.Struct):
    seq: int


class _Prompt(msgspec.Struct):
    kind: str


class _Table(msgspec.Struct):
    settled: bool
    coins: list[msgspec.Raw]


class _Seen(msgspec.Struct):
    """What is looked at of a snapshot."""

    table: _Table
    prompt: _Prompt
    ruling: _Ruling | None
    odds: _Odds | None

    @property
    def ruled(self) -> int:
        """The number of the last accepted ruling."""
        return self.ruling.seq if self.ruling and self.ruling.accepted else 0

    @property
    def awaits_a_toss(self) -> bool:
        return self.prompt.kind == "flip" and self.table.settled and not self.table.coins


class Kiosk:
    """A screen at the table: it reads the stream on a thread of its own, until the program ends."""

    def __init__(self, served: Served) -> None:
        self._url = f"http://127.0.0.1:{served.port}"
        self._stream = urllib.request.urlopen(f"{self._url}/api/stream", timeout=_PATIENCE_S)
        self._news, self._seen = threading.Condition(), list[tuple[float, _Seen]]()
        threading.Thread(target=self._read, daemon=True).start()

    def until(
        self, what: str, is_so: Callable[[_Seen], bool], since_s: float, patience_s: float = _PATIENCE_S
    ) -> float:
        """When the first snapshot at or after `since_s` came of which `is_so` holds. TimeoutError: none came."""
        end_s = time.monotonic() + patience_s
        with self._news:
            while True:
                for at_s, seen in self._seen:
                    if at_s >= since_s and is_so(seen):
                        return at_s
                if not self._news.wait(max(0.0, end_s - time.monotonic())):
                    raise TimeoutError(
                        f"the kiosk did not show {what} within {patience_s:g} s; its newest: {self._seen[-1:]}."
                    )

    @property
    def newest(self) -> _Seen:
        with self._news:
            return self._seen[-1][1]

    def ask(self, method: str, path: str, body: object = None) -> bytes:
        """Call the server and read its whole answer. OSError: it refused."""
        data = None if body is None else json.dumps(body).encode()
        call = urllib.request.Request(self._url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(call, timeout=_PATIENCE_S) as answer:
            told: bytes = answer.read()
        return told

    def _read(self) -> None:
        with suppress(OSError, HTTPException):  # the program has ended
            for line in self._stream:
                if line.startswith(b"data: "):
                    seen = msgspec.json.decode(line.removeprefix(b"data: "), type=_Seen)
                    with self._news:
                        self._seen = [*self._seen[-200:], (time.monotonic(), seen)]
                        self._news.notify_all()


def stretches(seconds: float, program: Sequence[str], turns: Sequence[Rule] = TURNS) -> Iterator[Stretch]:
    """Play *Steal* for `seconds` under each rule of `turns`, each with a program of its own that has just started.

    Raises RuntimeError where the program does not start, TimeoutError where it does not answer.
    """
    for bar in turns:
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder), program, house={"odds": bar}) as served:
            kiosk, stretch = Kiosk(served), Stretch(bar)
            _round(kiosk, Stretch(bar))  # not counted: the thinking process starts
            end_s = time.monotonic() + seconds
            while time.monotonic() < end_s:
                _round(kiosk, stretch)
            yield stretch


def lines(played: Sequence[Stretch]) -> Iterator[str]:
    """The figures of both rules, with counts."""
    for bar in dict.fromkeys(stretch.bar for stretch in played):
        some = [stretch for stretch in played if stretch.bar == bar]
        ruled_s = [s for each in some for s in each.page_s]
        yield f"bar {bar}, {len(some)} stretches:"
        yield f"  toss laid → ruling on the kiosk, less the time to rest: {_told(ruled_s)}"
        yield f"  the kiosk's page: {_told([s for each in some for s in each.asked_s])}"
        if bar == "always":
            chances_s, late = [s for each in some for s in each.chances_s], sum(each.late for each in some)
            yield f"  ruling → its chances on the kiosk: {_told(chances_s)}, {late} later than {_LATEST_S:g} s"


def _told(times_s: Sequence[float]) -> str:
    spread = Spread.of(times_s)
    return f"p50 {spread.p50:.0f} ms, p95 {spread.p95:.0f} ms, worst {spread.worst:.0f} ms ({spread.count})"


def _round(kiosk: Kiosk, stretch: Stretch) -> None:
    """One toss, ruled on and taken back."""
    still_s, before_s = Settings().table.still_s, time.monotonic()
    kiosk.ask("PUT", "/api/virtual", {"coins": []})
    kiosk.until("that a toss is due", lambda seen: seen.awaits_a_toss, before_s)
    ruled, tossed_s = kiosk.newest.ruled, time.monotonic()
    kiosk.ask("POST", "/api/virtual/toss", {"coins": {"penny": 5}, "zone": "tray"})
    shown_s = kiosk.until("the toss", lambda seen: seen.ruled > ruled, tossed_s)
    stretch.page_s.append(shown_s - tossed_s - still_s)
    asked_s = time.monotonic()
    kiosk.ask("GET", "/kiosk")
    stretch.asked_s.append(time.monotonic() - asked_s)
    number = kiosk.newest.ruled
    if stretch.bar == "always":
        try:
            valued_s = kiosk.until(
                "the chances", lambda seen: bool(seen.odds and seen.odds.seq >= number), shown_s, _LATEST_S
            )
            stretch.chances_s.append(valued_s - shown_s)
        except TimeoutError:
            stretch.late += 1
    kiosk.ask("POST", "/api/press", {"button": "referee.hold"})
    kiosk.until("that it was taken back", lambda seen: seen.ruled > number, shown_s)
