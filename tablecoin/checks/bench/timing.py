"""CPU time of one thread, measured again and again; and what many measurements come to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import msgspec


class Spread(msgspec.Struct, frozen=True):
    """The mean and percentiles of `count` measurements, in milliseconds."""

    count: int
    mean: float
    p50: float
    p95: float
    p99: float
    worst: float

    @classmethod
    def of(cls, times_s: Sequence[float]) -> Spread:
        """Of times in seconds; all zero where there are none."""
        ordered = sorted(1000 * time_s for time_s in times_s) or [0.0]

        def at(share: float) -> float:
            return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

        mean = round(sum(ordered) / len(ordered), 2)
        return cls(len(times_s), mean, at(0.5), at(0.95), at(0.99), round(ordered[-1], 1))


def timed_ms(work: Callable[[int], None], seconds: float, first: int = 0, least: int = 5) -> Iterator[float]:
    """This thread's milliseconds for each `work(first)`, `work(first + 1)`… until `seconds` are used up.

    `least`: how many are measured at least.
    """
    used_s, number = 0.0, first
    while used_s < seconds or number < first + least:
        start_s = time.thread_time()
        work(number)
        took_s = time.thread_time() - start_s
        used_s += took_s
        number += 1
        yield 1000 * took_s
