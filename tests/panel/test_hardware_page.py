"""hardware.md tells the truth: fresh drawings, sums that add up, and only sentences that the program can say."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tablecoin.panel.pins import HEADER, Pins

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "hardware.md").read_text("utf-8")
DRAWN: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "drawings.py"))


@pytest.mark.parametrize(("name", "svg"), DRAWN["drawings"]().items())
def test_each_drawing_is_fresh_and_shown(name: str, svg: str) -> None:
    assert (ROOT / "docs" / "pictures" / name).read_text("utf-8") == svg, "run: make drawings"
    assert f"](docs/pictures/{name})" in PAGE


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


def test_the_camera_hangs_as_high_as_the_table_of_cameras_says() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| Camera Module 3 |"))
    assert f"| {DRAWN['camera_height_mm']():.0f} mm |" in row


def test_a_lamp_is_mirrored_beside_the_mat() -> None:
    assert DRAWN["mirror_mm"]() > DRAWN["MAT_MM"] / 2


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its first two lines."""
    lines = PAGE.split(f" {heading}\n")[1].partition("\n|")[2].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_currents_add_up() -> None:
    each = {"button, pressed": 3.3 / 50, "lamp": 1.3 / 0.33, "piezo buzzer": 2.0, "MOSFET": 3.3 / 10}  # mA
    *parts, (_, _, _, _, total) = rows("Currents")
    for name, _, one, count, all_of_them in parts:
        assert float(one.split()[0]) == pytest.approx(each[name], abs=0.05)
        assert float(all_of_them.split()[0]) == pytest.approx(each[name] * int(count), abs=0.06)
    assert float(re.sub(r"[^\d.]", "", total)) == pytest.approx(
        sum(each[name] * int(count) for name, _, _, count, _ in parts), abs=0.06
    )


def said_by_the_program() -> list[str]:
    """Every English sentence that pages, terminal and log have, with its facts still open."""
    books = [tomllib.loads(path.read_text("utf-8")) for path in (ROOT / "tablecoin/rules/rulebook").glob("*.toml")]
    page: dict[str, str] = json.loads((ROOT / "web" / "static" / "i18n" / "en.json").read_text("utf-8"))
    return [words["en"] for book in books for words in book.get("say", {}).values()] + list(page.values())


def open_facts(template: str) -> str:
    """A pattern for what a reader may write in place of facts: `…`."""
    return "…".join(map(re.escape, re.split(r"\{[^}]*\}", template)))


def test_every_sentence_quoted_is_one_the_program_can_say() -> None:
    quoted = [sentence for row in rows("Troubleshooting by symptom") for sentence in re.findall(r'"([^"]+)"', row[1])]
    assert len(quoted) >= 20
    known = [re.compile(open_facts(template)) for template in said_by_the_program()]
    unknown = [sentence for sentence in quoted if not any(pattern.fullmatch(sentence) for pattern in known)]
    assert unknown == []


@pytest.mark.parametrize(("template", "quoted"), [("It is {x} late.", "It is … late."), ("Run.", "Run.")])
def test_a_fact_is_quoted_as_dots(template: str, quoted: str) -> None:
    assert re.fullmatch(open_facts(template), quoted)
    assert not re.fullmatch(open_facts(template), quoted.replace("t", "d").replace("R", "F"))
