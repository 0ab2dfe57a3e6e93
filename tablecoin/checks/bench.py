"""`tablecoin bench`: what this machine does, measured on the virtual table. Numbers are printed, nothing is tested.

Milliseconds are of one core's own time (`time.thread_time`, OpenCV held to one thread), so other work on the machine
does not count; only settle-to-page is by the clock on the wall, for that is what people wait. Drawing the virtual
table's picture is left out, but in settle-to-page, where it stands in for the camera.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import structs

SIZE_PX = (1456, 1088)
COUNTS = (1, 5, 20, 60)
HEADLINE = 20
_MAT = "two-row"
_ZONES = ("row.heads", "row.tails", "bank", "tray")


class ReadMs(msgspec.Struct, frozen=True):
    """One frame of so many coins: milliseconds when every coin moved, by stage, when one did, and when nothing did."""

    coins: int
    found: int
    moved: float
    one_moved: float
    still: float
    stages: Mapping[str, float]


class Yardstick(msgspec.Struct, frozen=True):
    """A detector as large as YOLOv8n on one 640 px picture, and how many of our frames of 20 new coins take as long."""

    ms: float
    times_ours: float


class Spread(msgspec.Struct, frozen=True):
    """Milliseconds over `count` measurements."""

    count: int
    p50: float
    p95: float
    p99: float
    worst: float


class Bench(msgspec.Struct, frozen=True):
    """Everything measured; `frames_per_second` is what one core reads when every frame is a changed table of 20."""

    size_px: tuple[int, int]
    read_ms: tuple[ReadMs, ...]
    yardstick: Yardstick | None  # None: `onnx`, which writes that network, is not installed
    frames_per_second: float
    games_per_second: Mapping[str, float]
    explain_ms: Mapping[str, Spread]
    settle_to_page_ms: Spread


def bench(seconds: float = 1.0) -> Bench:
    """Measure everything, with about `seconds` for each number."""
    import cv2

    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        reads = tuple(read_ms(count, seconds) for count in COUNTS)
        headline = next(read for read in reads if read.coins == HEADLINE)
        return Bench(
            size_px=SIZE_PX,
            read_ms=reads,
            yardstick=yardstick(headline.moved, seconds),
            frames_per_second=round(1000 / headline.moved, 1),
            games_per_second=games_per_second(seconds),
            explain_ms=explain_ms(seconds),
            settle_to_page_ms=settle_to_page_ms(),
        )
    finally:
        cv2.setNumThreads(threads)


def read_ms(count: int, seconds: float) -> ReadMs:
    """The cost of a frame with `count` coins: read after all or one of them moved, and seen when nothing did."""
    from dataclasses import replace

    from tablecoin.virtual.camera import VirtualCamera
    from tablecoin.virtual.view import View
    from tablecoin.vision.coins.reader import Reader
    from tablecoin.vision.frame import Frame
    from tablecoin.vision.rest.settle import Settler

    table = _laid(count)
    camera = VirtualCamera(table, View.over(table.mat, size_px=SIZE_PX), fps=0)
    laid = table.scene.coins

    def seen(turned: int) -> Frame:
        """A picture in which the first coins are turned a little: no circle moves, every such coin is new."""
        table.put(structs.replace(coin, angle_deg=coin.angle_deg + 40 * (k < turned)) for k, coin in enumerate(laid))
        return camera.read(1.0)

    pictures, one, every = [seen(0) for _ in range(4)], seen(1), seen(count)
    reader = Reader(_MAT)
    settler = Settler(reader.read)
    stages: dict[str, list[float]] = {}
    found: list[int] = []

    def all_changed(number: int) -> None:
        reading = reader.read(every if number % 2 else pictures[0])
        found.append(len(reading.coins))
        for stage, ms in reading.stages_ms.items():
            stages.setdefault(stage, []).append(ms)

    def one_changed(number: int) -> None:
        reader.read(one if number % 2 else pictures[0])

    def watched(number: int) -> None:
        settler.see(replace(pictures[number % 4], number=number, taken_s=number / 30))

    for number in range(60):  # until it has settled
        watched(number)
    still = median(_timed(watched, seconds, first=60))
    all_changed(0)  # the network and the plane are warm, as they are at a running table
    one_moved = median(_timed(one_changed, seconds, first=1))
    moved = median(_timed(all_changed, seconds, first=1))
    return ReadMs(
        count,
        int(median(found)),
        round(moved + still, 2),
        round(one_moved + still, 2),
        round(still, 2),
        {"settle": round(still, 2)} | {stage: round(median(ms), 2) for stage, ms in stages.items()},
    )


def yardstick(ours_ms: float, seconds: float) -> Yardstick | None:
    """What a usual detector would cost on this core, through the same cv2.dnn."""
    import cv2
    import numpy as np

    from tablecoin.checks.yardstick import SIDE_PX, nano

    try:
        weights = nano()
    except ImportError:
        return None
    net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
    pixels = np.random.default_rng(1).random((1, 3, SIDE_PX, SIDE_PX), np.float32)

    def run(_: int) -> None:
        net.setInput(pixels)
        net.forward()

    run(0)
    ms = median(_timed(run, seconds))
    return Yardstick(round(ms, 1), round(ms / ours_ms, 2))


def games_per_second(seconds: float) -> dict[str, float]:
    """Whole games of random legal play, by game."""
    from tablecoin import rules
    from tablecoin.rules.random_play import random_game

    rates = {}
    for name in rules.NAMES:
        game = rules.load(name)

        def play(seed: int, game: Any = game) -> None:
            for _ in random_game(game, seed):
                pass

        rates[name] = round(1000 / (sum(times := list(_timed(play, seconds))) / len(times)), 2)
    return rates


def explain_ms(seconds: float) -> dict[str, Spread]:
    """The referee's search for what happened, over the turns of random games seen without a doubt."""
    from tablecoin import rules
    from tablecoin.referee.explain import explain
    from tablecoin.rules.random_play import random_game

    spreads = {}
    for name in ("steal", "exact", "coin-age", "goes-around"):
        game = rules.load(name)
        times: list[float] = []
        for seed in range(10_000):
            state = None
            for action, after in random_game(game, seed):
                if action is not None and state is not None and not game.tosses_due(state):
                    belief = _seen(game.layout(after))
                    start_s = time.thread_time()
                    explain(game, [state], belief, finished=True)
                    times.append(time.thread_time() - start_s)
                state = after
                if sum(times) > seconds:
                    break
            if sum(times) > seconds or (seed > 200 and not times):
                break
        spreads[name] = _spread(times)
    return spreads


def settle_to_page_ms(rounds: int = 10, still_s: float = 0.6) -> Spread:
    """From a coin set down until the pages' snapshot shows it settled, beyond the stillness, by the wall clock."""
    from tablecoin.coins import Coin
    from tablecoin.journal.journal import Journal
    from tablecoin.live.table import LiveTable
    from tablecoin.virtual.camera import VirtualCamera
    from tablecoin.vision.coins.reader import Reader

    table = _laid(0)
    with tempfile.TemporaryDirectory() as folder:
        live = LiveTable(
            VirtualCamera(table, fps=30),
            Reader(_MAT),
            Journal(Path(folder) / "bench.sqlite"),
            still_s=still_s,
            virtual=table,
        )
        live.start()
        try:
            _until(live, 0)
            times = []
            for coins in range(1, rounds + 1):
                table.place(list(Coin)[coins % 8], _ZONES[coins % 4])
                start_s = time.monotonic()
                _until(live, coins)
                times.append(time.monotonic() - start_s - still_s)
        finally:
            live.stop()
    return _spread(times)


def lines(measured: Bench) -> Iterator[str]:
    """The figures for people, with the goals they are held against."""
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
        yield "beside a detector of YOLOv8n's size: not measured, for `onnx` is not installed (pip install onnx)"
    else:
        yield (
            f"a detector of YOLOv8n's size, random weights, 640×640, same cv2.dnn: {rival.ms:g} ms,"
            f" {rival.times_ours:g} times ours with {HEADLINE} coins moved"
        )
    yield f"frames a second on one core, {HEADLINE} coins: {measured.frames_per_second:g}"
    for name, rate in measured.games_per_second.items():
        yield f"random games a second, {name}: {rate:g}"
    for name, spread in measured.explain_ms.items():
        yield f"explanation search, {name}: p50 {spread.p50:g} ms, p99 {spread.p99:g} ms of {spread.count} (goal 50)"
    page = measured.settle_to_page_ms
    yield f"settled → page: p50 {page.p50:g} ms, p95 {page.p95:g} ms of {page.count} (goal p95 300)"


def _laid(count: int) -> Any:
    """A virtual table with `count` coins of all kinds, spread over the zones; the same each time."""
    from tablecoin import mat
    from tablecoin.coins import Coin
    from tablecoin.virtual.table import TableError, VirtualTable

    table = VirtualTable(mat.load(_MAT), seed=1)
    for k in range(count):
        for zone in (*_ZONES[k % 4 :], *_ZONES[: k % 4]):  # the next one where this one is full
            try:
                table.place(list(Coin)[k % 8], zone)
                break
            except TableError:
                continue
        else:
            raise TableError(f"There is no room for {count} coins on the mat {_MAT}.")
    return table


def _seen(layout: Mapping[str, Any]) -> Any:
    """The belief of a reader that sees this layout and is sure of it."""
    from tablecoin.coins import BY_VALUE
    from tablecoin.referee.belief import TableBelief
    from tablecoin.vision.frame import Disc, SeenCoin

    coins = []
    for zone, pile in layout.items():
        up = list(pile.heads if pile.heads is not None else pile.heap)
        for kind in pile.heap:
            heads = kind in up
            if heads:
                up.remove(kind)
            sure = tuple(0.997 if other is kind else 0.001 for other in BY_VALUE)
            coins.append(SeenCoin(Disc(0, 0, 30), sure, 0.995 if heads else 0.005, sure=True, zone=zone))  # type: ignore[arg-type]
    return TableBelief(coins)


def _until(live: Any, coins: int, limit_s: float = 30.0) -> None:
    """Wait for a snapshot of a settled table with so many coins. TimeoutError: the reader does not see them."""
    end_s = time.monotonic() + limit_s
    while time.monotonic() < end_s:
        snapshot = live.snapshot()
        if snapshot.table.settled and len(snapshot.table.coins) == coins:
            return
        live.wait(snapshot.seq, 0.5)
    raise TimeoutError(f"the virtual table's {coins} coins were not read in {limit_s:g} s")


def _timed(work: Callable[[int], None], seconds: float, first: int = 0, least: int = 5) -> Iterator[float]:
    """Milliseconds of this thread for each `work(first)`, `work(first + 1)`… until `seconds` are used up."""
    used_s, number = 0.0, first
    while used_s < seconds or number < first + least:
        start_s = time.thread_time()
        work(number)
        took_s = time.thread_time() - start_s
        used_s += took_s
        number += 1
        yield 1000 * took_s


def _spread(seconds: list[float]) -> Spread:
    ordered = sorted(1000 * s for s in seconds) or [0.0]

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return Spread(len(seconds), at(0.5), at(0.95), at(0.99), round(ordered[-1], 1))
