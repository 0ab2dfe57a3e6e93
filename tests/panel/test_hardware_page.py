"""The drawings of hardware.md follow the pin table. `tests/texts/hardware.py` checks what the page says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

from tablecoin.panel.pins import HEADER, Pins

ROOT = Path(__file__).parents[2]
DRAWN: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "drawings.py"))


def test_the_wiring_is_drawn_from_the_pin_table() -> None:
    pins = Pins(referee=26, buzzer=22)
    svg = DRAWN["wiring"](pins)
    for part in pins.__struct_fields__:
        pin = getattr(pins, part)
        assert f">BCM {pin} · pin {HEADER[pin]}<" in svg, part
    assert svg.count(">BCM ") == len(pins.__struct_fields__), "no pin is drawn twice"


def test_no_two_wires_of_one_side_cross() -> None:
    """Wires of different lanes: a vertical piece never meets a horizontal one of another wire."""
    svg = DRAWN["wiring"](Pins())
    wires = [
        [tuple(map(float, point.split(","))) for point in points.split()]
        for points in re.findall(r'class="wire" points="([^"]+)"', svg)
    ]
    long = [wire for wire in wires if len(wire) == 4]
    assert len(long) == len(Pins().__struct_fields__)
    for one in long:
        (_, _), (x, top), (_, bottom), _ = one
        for other in long:
            for (x1, y), (x2, _) in ((other[0], other[1]), (other[2], other[3])):
                meets = min(x1, x2) < x < max(x1, x2) and min(top, bottom) < y < max(top, bottom)
                assert other is one or not meets


def test_a_lamp_is_mirrored_beside_the_mat() -> None:
    assert DRAWN["mirror_mm"]() > DRAWN["MAT_MM"] / 2
