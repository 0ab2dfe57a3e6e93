"""What publishing costs a running table: the same game played without it and with it in turns, in one run.

Every stretch is the same: the same seed, the same acts at the same frames, so the same rulings. What differs between
two stretches is then whether the table publishes, and what else the computer did.
"""

from __future__ import annotations

import random
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from tablecoin import rules
from tablecoin.live.service import Service
from tablecoin.live.table import LiveTable
from tablecoin.live.watchdog import Watchdog
from tablecoin.mqtt.options import MqttOptions
from tablecoin.publishing.publisher import Publisher
from tablecoin.publishing.table_source import TableSource
from tablecoin.referee.commands import CommandError
from tablecoin.settings import Settings, with_flags

_FPS = 20  # of the virtual camera
_ACT_FRAMES = 50  # from one act of the hands to the next: time to see a toss, or coins set down, and to rule
_WARM_FRAMES = 150  # played before anything is measured
_CONNECT_S = 20.0  # the longest wait for the broker
_FRAME_S = 30.0  # the longest wait for a frame
_GAME = "steal"
_OWN = ("publisher", "paho-mqtt-client-")  # how the threads are called that publish


class CannotMeasure(RuntimeError):
    """The table cannot be measured: why, in a sentence."""


@dataclass(frozen=True)
class Stretch:
    """The game once, or as much of it as was asked for."""

    publishing: bool
    frames: int
    rulings: int
    core_s: float  # of the whole program but for the hands that play
    own_s: float  # of that: the threads that publish


def stretches(folder: Path, options: MqttOptions, seconds: float, pairs: int, seed: int) -> Iterator[Stretch]:
    """The same game without publishing and with it in turns, `pairs` times. Raises CannotMeasure."""
    for k in range(2 * pairs):
        publishing = k % 4 in (1, 2)  # without, with, with, without: what drifts evenly weighs on both alike
        data = folder / str(k)
        settings = with_flags(Settings(), camera="virtual", panel="none", data=str(data))
        with Service(settings, Watchdog(), seed) as service:
            hands = _Hands(service.live, seed)
            source = TableSource(service.live, service.panel)
            publisher = Publisher(options, data, service.journal, source) if publishing else None
            with publisher or nullcontext():
                hands.play(_WARM_FRAMES)
                if publisher:
                    _wait_for_broker(publisher)
                yield _measured(service, hands, int(seconds * _FPS), publishing)


def lines(played: Sequence[Stretch]) -> Iterator[str]:
    """The figures in sentences."""
    without = [each for each in played if not each.publishing]
    publishing = [each for each in played if each.publishing]
    for title, some in (("without publishing", without), ("publishing", publishing)):
        core = [each.core_s for each in some]
        frames, rulings = {each.frames for each in some}, {each.rulings for each in some}
        yield (
            f"{title}: {statistics.mean(core):.2f} s of a core a game (from {min(core):.2f} to {max(core):.2f}; "
            f"frames {_several(frames)}, rulings {_several(rulings)}, {len(some)} games)"
        )
    more = [100 * (b.core_s / a.core_s - 1) for a, b in zip(without, publishing, strict=True)]
    error = statistics.stdev(more) / len(more) ** 0.5 if len(more) > 1 else float("nan")
    yield f"more, by pairs: {statistics.mean(more):+.2f} % (standard error {error:.2f}, {len(more)} pairs)"
    own, core_s = sum(each.own_s for each in publishing), sum(each.core_s for each in publishing)
    told = sum(each.rulings for each in publishing)
    yield f"of that the threads that publish: {100 * own / core_s:.2f} %, {1000 * own / max(1, told):.1f} ms a ruling"


def _several(numbers: set[int]) -> str:
    """One number, or the lowest and the highest: then the games were not all the same."""
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _wait_for_broker(publisher: Publisher) -> None:
    end_s = time.monotonic() + _CONNECT_S
    while not publisher.is_up:
        if time.monotonic() > end_s:
            raise CannotMeasure(f"The broker did not answer within {_CONNECT_S:.0f} s: start it.")
        time.sleep(0.1)


def _measured(service: Service, hands: _Hands, frames: int, publishing: bool) -> Stretch:
    rulings, own_s = service.journal.count(), _own_s()
    core_s = time.process_time() - time.thread_time()
    seen = hands.play(frames)
    return Stretch(
        publishing,
        seen,
        service.journal.count() - rulings,
        time.process_time() - time.thread_time() - core_s,
        _own_s() - own_s,
    )


def _own_s() -> float:
    """Core time so far of the threads that publish."""
    own = [thread.ident for thread in threading.enumerate() if thread.name.startswith(_OWN)]
    return sum(time.clock_gettime(time.pthread_getcpuclockid(ident)) for ident in own if ident)


class _Hands:
    """Two people's, who act every _ACT_FRAMES frames. What they choose follows from the seed and the game alone."""

    def __init__(self, live: LiveTable, seed: int) -> None:
        self._live, self._chance, self._game = live, random.Random(seed), rules.load(_GAME)
        self._frame, self._acts_at = -1, 0
        assert live.virtual
        live.virtual.put_json({"sets_itself": False})

    def play(self, frames: int) -> int:
        """Play until so many more frames were taken; how many it were."""
        first, end = self._frame, self._frame + frames
        while self._frame < end:
            frame = self._live.frame(self._frame, _FRAME_S)
            if frame is None:
                raise CannotMeasure(f"No picture came for {_FRAME_S:.0f} s.")
            self._frame = frame.number
            if self._frame >= self._acts_at:
                self._acts_at += _ACT_FRAMES
                with suppress(CommandError):  # coins of a toss still lie unread: at the next turn
                    self._act()
        return self._frame - first

    def _act(self) -> None:
        """What the referee's newest sentence asks for."""
        live, snapshot = self._live, self._live.snapshot()
        match snapshot.prompt.kind:
            case "lobby" | "over":
                names = {"heads": "Ann", "tails": "Ben"}
                live.command({"start": {"game": _GAME, "names": names, "odds": "off", "undo": "free"}}, None)
                live.arrange()
            case "flip":
                for zone, heap in snapshot.table.flips.items():
                    live.toss(heap, zone)
            case "question":
                live.command({"answer": {"choice": 0}}, None)
            case "turn" if snapshot.game:
                legal = list(self._game.legal_actions(self._game.read_state(snapshot.game)))
                action = self._game.write_action(self._chance.choice(legal))
                live.command({"act": action}, None)
                live.arrange()
            case _:
                live.arrange()
