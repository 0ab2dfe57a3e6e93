"""What reading a frame costs: all coins moved, one moved, none moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from statistics import median

import msgspec
from msgspec import structs

from tablecoin.checks.bench.laid import MAT, laid
from tablecoin.checks.bench.timing import timed_ms
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.view import View
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame
from tablecoin.vision.rest.settle import Settler

SIZE_PX = (1456, 1088)


class ReadMs(msgspec.Struct, frozen=True):
    """Milliseconds for one frame with so many coins: all moved, one moved, none moved; `stages` when all moved."""

    coins: int
    found: int
    moved: float
    one_moved: float
    still: float
    stages: Mapping[str, float]


def read_ms(count: int, seconds: float) -> ReadMs:
    """The cost of a frame with `count` coins: after all or one of them moved, and when nothing moved."""
    table = laid(count)
    camera = VirtualCamera(table, View.over(table.mat, size_px=SIZE_PX), fps=0)
    lying = table.scene.coins

    def seen(turned: int) -> Frame:
        """A picture in which the first `turned` coins are turned by 40°: their circles stay, their crops are new."""
        table.put(structs.replace(coin, angle_deg=coin.angle_deg + 40 * (k < turned)) for k, coin in enumerate(lying))
        return camera.read(1.0)

    pictures, one, every = [seen(0) for _ in range(4)], seen(1), seen(count)
    reader = Reader(MAT)
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

    for number in range(60):  # until the table has settled
        watched(number)
    still = median(timed_ms(watched, seconds, first=60))
    all_changed(0)  # warms up network and plane, as at a running table
    one_moved = median(timed_ms(one_changed, seconds, first=1))
    moved = median(timed_ms(all_changed, seconds, first=1))
    return ReadMs(
        count,
        int(median(found)),
        round(moved + still, 2),
        round(one_moved + still, 2),
        round(still, 2),
        {"settle": round(still, 2)} | {stage: round(median(ms), 2) for stage, ms in stages.items()},
    )
