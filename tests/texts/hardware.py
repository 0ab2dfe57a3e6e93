"""hardware.md is true: fresh drawings, the pins of the code, sums that add up, sentences that the program can say."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tablecoin.panel.pins import HEADER, Pins
from tests.texts.check import ROOT, Check, Checks, Problem, line_at, text_of

PAGE = ROOT / "hardware.md"
PICTURES = ROOT / "docs" / "pictures"


@cache
def drawn() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "drawings.py"))


class Drawing(NamedTuple):
    """A drawing as docs/drawings.py draws it."""

    file: Path
    svg: str


def drawings() -> list[Drawing]:
    return [Drawing(PICTURES / name, svg) for name, svg in drawn()["drawings"]().items()]


def stale(drawing: Drawing) -> Iterator[Problem]:
    if not drawing.file.exists() or text_of(drawing.file) != drawing.svg:
        yield Problem(drawing.file, 1, "it is not as docs/drawings.py draws it", "run `make drawings`")
    if f"](docs/pictures/{drawing.file.name})" not in text_of(PAGE):
        yield Problem(PAGE, 1, f"{drawing.file.name} is not shown", "show it")


def rows(heading: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of the first table under a heading, without its first two lines."""
    text = text_of(PAGE)
    start = text.index("\n|", text.index(f" {heading}\n")) + 1
    lines = text[start:].split("\n\n")[0].splitlines()
    for number, line in enumerate(lines[2:], line_at(text, start) + 2):
        yield number, [cell.strip() for cell in line.strip("|").split("|")]


class Figure(NamedTuple):
    """A figure of the page, and what it should be, give or take half of its last digit."""

    line: int
    what: str
    told: float
    right: float
    within: float


def figures() -> Iterator[Figure]:
    """The height of the camera, and the currents of all parts with their sum."""
    text = text_of(PAGE)
    (height,) = re.finditer(r"(?m)^\| Camera Module 3 \|[^|]*\|[^|]*\| (\d+) mm \|", text)
    line, right = line_at(text, height.start()), drawn()["camera_height_mm"]()
    yield Figure(line, "the camera's height", float(height[1]), right, 0.5)
    each = {"button, pressed": 3.3 / 50, "lamp": 1.3 / 0.33, "piezo buzzer": 2.0, "MOSFET": 3.3 / 10}  # mA
    *parts, (last, (*_, total)) = rows("Currents")
    for line, (name, _, one, count, all_of_them) in parts:
        yield Figure(line, f"the current of one {name}", float(one.split()[0]), each[name], 0.05)
        whole = each[name] * int(count)
        yield Figure(line, f"the current of every {name}", float(all_of_them.split()[0]), whole, 0.06)
    right = sum(each[name] * int(count) for _, (name, _, _, count, _) in parts)
    yield Figure(last, "the sum of the currents", float(re.sub(r"[^\d.]", "", total)), right, 0.06)


def wrong(figure: Figure) -> Iterator[Problem]:
    if abs(figure.told - figure.right) > figure.within:
        yield Problem(PAGE, figure.line, f"{figure.what} is {figure.told:g}", f"write {figure.right:.2f}")


# -- pins -------------------------------------------------------------------------------------------------------------


class Pin(NamedTuple):
    """A part of the panel: (BCM number, pin of the header) as told and as wired. None where it is not told."""

    line: int
    part: str
    told: tuple[int, int] | None
    right: tuple[int, int]


def pins() -> Iterator[Pin]:
    """From rows such as `| heads_done | 5 | 29 | ... |`."""
    text = text_of(PAGE)
    for part, bcm in msgspec.structs.asdict(Pins()).items():
        row = re.search(rf"(?m)^\| `?{part}`? \| (\d+) \| (\d+) \|", text)
        line = line_at(text, row.start()) if row else 1
        yield Pin(line, part, (int(row[1]), int(row[2])) if row else None, (bcm, HEADER[bcm]))


def miswired(pin: Pin) -> Iterator[Problem]:
    if pin.told != pin.right:
        bcm, header = pin.right
        yield Problem(PAGE, pin.line, f"{pin.part} is not where the code has it", f"write BCM {bcm}, pin {header}")


# -- sentences --------------------------------------------------------------------------------------------------------


@cache
def sayable() -> tuple[re.Pattern[str], ...]:
    """Every English sentence that pages, terminal and log have, with dots in place of its facts."""
    books = [tomllib.loads(text_of(path)) for path in (ROOT / "tablecoin/rules/rulebook").glob("*.toml")]
    page: dict[str, str] = json.loads(text_of(ROOT / "web" / "static" / "i18n" / "en.json"))
    said = [words["en"] for book in books for words in book.get("say", {}).values()] + list(page.values())
    return tuple(re.compile(open_facts(template)) for template in said)


def open_facts(template: str) -> str:
    """A pattern for what a reader may write in place of facts: `…`."""
    return "…".join(map(re.escape, re.split(r"\{[^}]*\}", template)))


def quotes() -> list[tuple[int, str]]:
    return [
        (line, quote) for line, row in rows("Troubleshooting by symptom") for quote in re.findall(r'"([^"]+)"', row[1])
    ]


def unsayable(thing: tuple[int, str]) -> Iterator[Problem]:
    line, quote = thing
    if not any(pattern.fullmatch(quote) for pattern in sayable()):
        yield Problem(PAGE, line, f"the program never says “{quote}”", "quote a sentence of a catalogue")


CHECKS: Checks = (
    Check("drawings of hardware.md are fresh and shown", drawings, stale),
    Check("figures of hardware.md are right", figures, wrong),
    Check("pins of hardware.md are those of the code", pins, miswired),
    Check("sentences that hardware.md quotes are those of the program", quotes, unsayable),
)
