"""Scripts for the virtual table: a text file of what hands do, one action per line, for tests and demos.

    # comments and empty lines are skipped
    place penny heads row.heads          a coin on a free spot of a zone; or at two numbers, in millimetres
    place dime tails 210 40
    move nickel row.heads row.tails      the topmost such coin of a zone, to another zone or to a place
    flip quarter tray                    turn the topmost such coin over
    take penny bank                      take it off the table
    toss tray penny penny dime           throw these coins into a zone
    clear                                take all coins off the table; `clear tray`: those of a zone
    hand on row.heads                    hold a hand there; `hand off`
    fault glare on                       any fault by its name; `fault glare off`
    prize on
    wait 0.5                             seconds
    press heads.done                     a button of the panel

The same seed of the table and the same lines give the same table.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.mat import MatError
from tablecoin.storage import given
from tablecoin.virtual.table import TableError, VirtualCoin, VirtualTable

LARGEST_FILE = 1_000_000  # bytes; a line takes about 30
_LONGEST_WAIT_S = 86_400  # a day; no clock of the system waits for as long as one likes


class ScriptError(ValueError):
    """A line cannot be played: `str()` names its number and what it should be."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script: its number in the file, and its words."""

    number: int
    words: tuple[str, ...]


def read(path: Path) -> str:
    """The text of a script's file. Raises ScriptError where it is not text, and OSError."""
    try:
        return given.read(path, LARGEST_FILE).decode()
    except UnicodeDecodeError:
        raise ScriptError("it is not text; write lines such as `place penny heads row.heads`.") from None


def parse(text: str) -> tuple[Line, ...]:
    """The lines to play. Raises ScriptError for an unknown first word or a wrong number of words."""
    lines = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = tuple(raw.partition("#")[0].split())
        if not words:
            continue
        fewest, most = _WORDS.get(words[0], (0, 0))
        if not most:
            raise ScriptError(f"line {number}: {words[0]!r} is no action; write one of {', '.join(_WORDS)}.")
        if not fewest <= len(words) <= most:
            raise ScriptError(f"line {number}: {words[0]} takes {_count(fewest - 1, most - 1)}, not {len(words) - 1}.")
        lines.append(Line(number, words))
    return tuple(lines)


def play(text: str, table: VirtualTable, press: Callable[[str], None], wait: Callable[[float], None]) -> None:
    """Play a script on a table; `press` gets button names, `wait` seconds. Raises ScriptError at the first bad line.

    The whole script is parsed before its first line is played.
    """
    for line in parse(text):
        try:
            _act(line.words, table, press, wait)
        except (TableError, MatError, ValueError) as error:
            raise ScriptError(f"line {line.number}: {error}") from None


_WORDS = {  # first word: the smallest and largest number of words in its line
    "place": (4, 5),
    "move": (4, 5),
    "flip": (3, 3),
    "take": (3, 3),
    "toss": (3, 60),
    "clear": (1, 2),
    "hand": (2, 3),
    "fault": (3, 3),
    "prize": (2, 2),
    "wait": (2, 2),
    "press": (2, 2),
}


def _act(
    words: tuple[str, ...], table: VirtualTable, press: Callable[[str], None], wait: Callable[[float], None]
) -> None:
    match words:
        case "place", kind, face, zone:
            table.place(Coin.of(_kind(kind), _face(face)), zone)
        case "place", kind, face, x, y:
            table.add(VirtualCoin(_kind(kind), _face(face), _number(x), _number(y)))
        case "move", kind, source, zone:
            number = _find(table, kind, source)
            coin = table.scene.coins[number]
            table.mat.zone(zone)
            table.remove(number)
            table.place(coin.coin, zone)
        case "move", kind, source, x, y:
            table.move(_find(table, kind, source), _number(x), _number(y))
        case "flip", kind, zone:
            table.flip(_find(table, kind, zone))
        case "take", kind, zone:
            table.remove(_find(table, kind, zone))
        case "toss", zone, *kinds:
            table.toss(Heap.of(_kind(kind) for kind in kinds), zone)
        case ("clear",):
            table.put(())
        case "clear", zone:
            table.collect(zone)
        case "hand", "off":
            table.hand(None)
        case "hand", "on", *where:
            middle = (table.mat.width_mm / 2, table.mat.height_mm / 2)
            table.hand(table.mat.zone(where[0]).area.center_mm if where else middle)
        case "fault", name, switch:
            table.fault(**{name: _switch(switch)})
        case "prize", switch:
            table.prize(_switch(switch))
        case "wait", seconds:
            wait(_seconds(seconds))
        case "press", button:
            press(button)
        case _:
            raise ScriptError(f"{' '.join(words)!r} is not complete.")


def _find(table: VirtualTable, kind: str, zone: str) -> int:
    table.mat.zone(zone)
    number = table.find(zone, _kind(kind))
    if number is None:
        raise ScriptError(f"there is no {kind} in {zone}.")
    return number


def _kind(word: str) -> Denomination:
    try:
        return Denomination(word)
    except ValueError:
        raise ScriptError(f"{word!r} is no coin; write penny, nickel, dime or quarter.") from None


def _face(word: str) -> Face:
    try:
        return Face(word)
    except ValueError:
        raise ScriptError(f"{word!r} is no side of a coin; write heads or tails.") from None


def _number(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ScriptError(f"{word!r} is not a number.")
    return number


def _seconds(word: str) -> float:
    seconds = max(0.0, _number(word))
    if seconds > _LONGEST_WAIT_S:
        raise ScriptError(f"a script waits {_LONGEST_WAIT_S} seconds at most.")
    return seconds


def _switch(word: str) -> bool:
    if word not in ("on", "off"):
        raise ScriptError(f"{word!r} is no switch; write on or off.")
    return word == "on"


def _count(fewest: int, most: int) -> str:
    words = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    return f"{words} word{'s' if most != 1 else ''} after it"
