"""`tablecoin bench`: how fast this machine is, measured on the virtual table. Figures are printed, nothing is tested.

Milliseconds are CPU time of one core (`time.thread_time`, OpenCV limited to one thread), so other work on the machine
does not count. Only settle-to-page is wall-clock time, because people wait that long. The time for drawing the virtual
table's picture is left out, except in settle-to-page, where it stands in for the camera.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager

import cv2
import msgspec

from tablecoin.checks.bench.chances import chance_ms
from tablecoin.checks.bench.detector import Yardstick, yardstick
from tablecoin.checks.bench.page import settle_to_page_ms
from tablecoin.checks.bench.reading import SIZE_PX, ReadMs, read_ms
from tablecoin.checks.bench.refereeing import explain_ms, games_per_second
from tablecoin.checks.bench.timing import Spread
from tablecoin.live.table import LiveTable

COUNTS = (1, 5, 20, 60)  # coins in the frames that are read
HEADLINE = 20  # the number of coins that the goals are about
STAGES = len(COUNTS) + 5


class Bench(msgspec.Struct, frozen=True):
    """Everything measured; `frames_per_second` is of one core when all of 20 coins move in every frame."""

    size_px: tuple[int, int]
    read_ms: tuple[ReadMs, ...]
    yardstick: Yardstick | None  # None: `onnx`, which writes that network, is not installed
    frames_per_second: float
    games_per_second: Mapping[str, float]
    explain_ms: Mapping[str, Spread]
    chance_ms: Mapping[str, Spread]
    settle_to_page_ms: Spread


def bench(
    running: Callable[[], AbstractContextManager[LiveTable]],
    seconds: float = 1.0,
    begin: Callable[[str], None] = lambda stage: None,
) -> Bench:
    """Measure everything, with about `seconds` for each figure.

    `running` starts an empty virtual table. `begin` is called with the name of each of STAGES stages when it begins.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        reads = []
        for count in COUNTS:
            begin(f"frames of {count} coins")
            reads.append(read_ms(count, seconds))
        headline = next(read for read in reads if read.coins == HEADLINE)
        begin("a usual detector")
        beside = yardstick(headline.moved, seconds)
        begin("random games")
        games = games_per_second(seconds)
        begin("explanation search")
        explained = explain_ms(seconds)
        begin("chances of a state")
        valued = chance_ms(seconds)
        begin("settled to page")
        with running() as live:
            settled = settle_to_page_ms(live)
        return Bench(
            size_px=SIZE_PX,
            read_ms=tuple(reads),
            yardstick=beside,
            frames_per_second=round(1000 / headline.moved, 1),
            games_per_second=games,
            explain_ms=explained,
            chance_ms=valued,
            settle_to_page_ms=settled,
        )
    finally:
        cv2.setNumThreads(threads)


def lines(measured: Bench) -> Iterator[str]:
    """The figures for people, with the goals."""
    width, height = measured.size_px
    for read in measured.read_ms:
        stages = ", ".join(f"{stage} {ms:g}" for stage, ms in read.stages.items())
        goal = "   (goal 25 and 4)" if read.coins == HEADLINE else ""
        yield (
            f"{read.coins:3} coins, {width}×{height}: {read.moved:6.1f} ms all moved,"
            f" {read.one_moved:5.1f} ms one moved, {read.still:4.1f} ms still{goal}"
            f"   [{stages}; {read.found} found]"
        )
    if (rival := measured.yardstick) is None:
        yield "a detector of YOLOv8n's size: not measured, because `onnx` is not installed (pip install onnx)"
    else:
        yield (
            f"a detector of YOLOv8n's size, random weights, 640×640, same engine: {rival.ms:g} ms,"
            f" {rival.times_ours:g} times ours with {HEADLINE} coins moved"
        )
    yield f"frames a second on one core, {HEADLINE} coins: {measured.frames_per_second:g}"
    for name, rate in measured.games_per_second.items():
        yield f"random games a second, {name}: {rate:g}"
    for name, spread in measured.explain_ms.items():
        yield f"explanation search, {name}: p50 {spread.p50:g} ms, p99 {spread.p99:g} ms of {spread.count} (goal 50)"
    for name, spread in measured.chance_ms.items():
        yield f"chances of a state, {name}: mean {spread.mean:g} ms, p95 {spread.p95:g} ms of {spread.count}"
    page = measured.settle_to_page_ms
    yield f"settled → page: p50 {page.p50:g} ms, p95 {page.p95:g} ms of {page.count} (goal p95 300)"
