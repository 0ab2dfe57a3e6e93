"""What publishing costs a running table: core time a frame with and without it, in turns, in one run."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from tablecoin.live.service import Service
from tablecoin.live.table import LiveTable
from tablecoin.live.watchdog import Watchdog
from tablecoin.mqtt.options import MqttOptions
from tablecoin.publishing.publisher import Publisher
from tablecoin.publishing.table_source import TableSource
from tablecoin.referee.commands import CommandError
from tablecoin.settings import Settings, with_flags
from tablecoin.virtual.table import TableError

_LOOK_S = 0.25  # between two looks of the hands
_FALL_S, _LAID_S = 6.0, 2.0  # until coins that were tossed, or laid down, are tried again
_WARM_S = 10.0  # played before anything is measured
_OWN = ("publisher", "paho-mqtt-client-")  # how the threads are called that publish


@dataclass(frozen=True)
class Stretch:
    """Some seconds of play."""

    publishing: bool
    frames: int
    rulings: int
    core_s: float  # of the whole program but for the hands that play
    own_s: float  # of that: the threads that publish

    @property
    def ms_a_frame(self) -> float:
        return 1000 * self.core_s / max(1, self.frames)


def stretches(folder: Path, options: MqttOptions, seconds: float, pairs: int, seed: int) -> Iterator[Stretch]:
    """Two computers play at the virtual table, without publishing and with it in turns, `pairs` times."""
    settings = with_flags(Settings(), camera="virtual", panel="none", data=str(folder))
    with Service(settings, Watchdog(), seed) as service:
        hands = _Hands(service.live)
        hands.play(_WARM_S)
        for k in range(2 * pairs):
            publishing = k % 4 in (1, 2)  # without, with, with, without: what drifts evenly weighs on both alike
            source = TableSource(service.live, service.panel)
            publisher = Publisher(options, folder, service.journal, source) if publishing else nullcontext()
            with publisher:
                yield _measured(service, hands, seconds, publishing)


def lines(played: Sequence[Stretch]) -> Iterator[str]:
    """The figures in sentences."""
    without = [each for each in played if not each.publishing]
    publishing = [each for each in played if each.publishing]
    for title, some in (("without publishing", without), ("publishing", publishing)):
        frames, rulings = sum(each.frames for each in some), sum(each.rulings for each in some)
        ms = 1000 * sum(each.core_s for each in some) / max(1, frames)
        yield f"{title}: {ms:.2f} ms of a core a frame ({frames} frames, {rulings} rulings, {len(some)} stretches)"
    more = [100 * (b.ms_a_frame / a.ms_a_frame - 1) for a, b in zip(without, publishing, strict=True)]
    error = statistics.stdev(more) / len(more) ** 0.5 if len(more) > 1 else float("nan")
    yield f"more: {statistics.mean(more):+.2f} % (standard error {error:.2f})"
    own, core = sum(each.own_s for each in publishing), sum(each.core_s for each in publishing)
    rulings = sum(each.rulings for each in publishing)
    yield f"of that the threads that publish: {100 * own / core:.2f} %, {1000 * own / max(1, rulings):.1f} ms a ruling"


def _measured(service: Service, hands: _Hands, seconds: float, publishing: bool) -> Stretch:
    live, journal = service.live, service.journal
    frames, rulings, own_s = live.frames, journal.count(), _own_s()
    core_s = time.process_time() - time.thread_time()
    hands.play(seconds)
    return Stretch(
        publishing,
        live.frames - frames,
        journal.count() - rulings,
        time.process_time() - time.thread_time() - core_s,
        _own_s() - own_s,
    )


def _own_s() -> float:
    """Core time so far of the threads that publish."""
    own = [thread.ident for thread in threading.enumerate() if thread.name.startswith(_OWN)]
    return sum(time.clock_gettime(time.pthread_getcpuclockid(ident)) for ident in own if ident)


class _Hands:
    """They do what the referee's newest sentence asks for."""

    def __init__(self, live: LiveTable) -> None:
        self._live, self._waits_until_s = live, 0.0

    def play(self, seconds: float) -> None:
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            if time.monotonic() > self._waits_until_s:
                with suppress(CommandError, TableError):  # the table went on meanwhile
                    self._act()
            time.sleep(_LOOK_S)

    def _act(self) -> None:
        live, snapshot, virtual = self._live, self._live.snapshot(), self._live.virtual
        assert virtual
        match snapshot.prompt.kind:
            case "lobby" | "over":
                seats = {"heads": "computer", "tails": "computer"}
                live.command({"start": {"game": "steal", "seats": seats, "level": "easy", "odds": "off"}}, None)
                live.arrange()
            case "flip":
                for zone, heap in snapshot.table.flips.items():
                    virtual.toss(heap, zone)
                self._waits_until_s = time.monotonic() + _FALL_S
            case "question":
                live.command({"answer": {"choice": 0}}, None)
            case "arrange" | "refused" | "paused" | "unfinished":
                live.arrange()
                self._waits_until_s = time.monotonic() + _LAID_S
            case _:
                return
