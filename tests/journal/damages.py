"""Damage to the files of a journal, as bad disks, cards and people do it: at a chosen place, or at a drawn one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from tablecoin.journal.journal import Journal

NAME, COPY, LOG = "journal.sqlite", "journal.jsonl", "journal.sqlite-wal"
Damage = Callable[[Path], object]  # what is done to the folder


def zero(name: str, first: float, last: float) -> Damage:
    """Fill a part of a file with zeros; places are shares of its length."""

    def act(folder: Path) -> None:
        with (folder / name).open("r+b") as file:
            length = (folder / name).stat().st_size
            file.seek(round(first * length))
            file.write(bytes(round(last * length) - round(first * length)))

    return act


def cut(name: str, share: float) -> Damage:
    def act(folder: Path) -> None:
        with (folder / name).open("r+b") as file:
            file.truncate(round((folder / name).stat().st_size * share))

    return act


def change(name: str, old: bytes, new: bytes, which: int = 1) -> Damage:
    """Put `new` in the place of an occurrence of `old`."""

    def act(folder: Path) -> None:
        parts = (folder / name).read_bytes().split(old)
        with (folder / name).open("r+b") as file:
            file.write(old.join(parts[:which]) + new + old.join(parts[which:]))

    return act


def write(name: str, data: bytes) -> Damage:
    """A new file takes the place of the old one."""

    def act(folder: Path) -> None:
        (folder / f"{name}.other").write_bytes(data)
        (folder / f"{name}.other").replace(folder / name)

    return act


def sql(*statements: str) -> Damage:
    """What somebody with a database tool does, who removed the triggers first."""
    triggers = ("event_kept", "event_fixed", "event_once", "game_kept", "game_fixed", "game_once")

    def act(folder: Path) -> None:
        with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as db:
            kept = [db.execute("select sql from sqlite_master where name = ?", (name,)).fetchone() for name in triggers]
            for name in triggers:
                db.execute(f"drop trigger {name}")
            for statement in statements:
                db.execute(statement)
            for (create,) in kept if "drop" not in statements[0] else []:
                db.execute(create)

    return act


def delete(*names: str) -> Damage:
    def act(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return act


def foreign(folder: Path) -> None:
    """Another program's database."""
    (folder / NAME).unlink()
    with closing(sqlite3.connect(folder / NAME)) as db:
        db.execute("create table photos (name text)")


def after_a_stop(damage: Damage) -> Damage:
    """SQLite's log was written into the main file and deleted; before, it would heal the pages that it holds."""

    def act(folder: Path) -> None:
        Journal(folder / NAME).close()
        damage(folder)

    return act


def poke(name: str, place: int, data: bytes) -> Damage:
    def act(folder: Path) -> None:
        with (folder / name).open("r+b") as file:
            file.seek(place)
            file.write(data)

    return act


def instead(name: str, make: Callable[[Path], object]) -> Damage:
    """Something else takes the name of a file."""

    def act(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        make(folder / name)

    return act


def zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def both(*damages: Damage) -> Damage:
    return lambda folder: [damage(folder) for damage in damages]


# -- at a drawn place -------------------------------------------------------------------------------------------------

BLOCK_BYTES, SECTOR_BYTES = 4096, 512
Kind = Callable[[Random, bytearray, int, int], None]  # changes the content, perhaps from one place to another


def _flip(dice: Random, data: bytearray, first: int, last: int) -> None:
    for _ in range(dice.choice((1, 1, 20))):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def _retype(dice: Random, data: bytearray, first: int, last: int) -> None:
    for place in range(first, min(last, first + dice.randrange(1, 4))):
        data[place] = dice.choice(b'abc019"{}:,@')


def _fill(dice: Random, data: bytearray, first: int, last: int) -> None:
    data[first:last] = dice.choice((bytes(last - first), b"\xff" * (last - first), dice.randbytes(last - first)))


def _zero_blocks(dice: Random, data: bytearray, first: int, last: int) -> None:
    start = first // BLOCK_BYTES * BLOCK_BYTES
    end = min(len(data), start + dice.randrange(1, 4) * BLOCK_BYTES)
    data[start:end] = bytes(end - start)


def _zero_end(dice: Random, data: bytearray, first: int, last: int) -> None:
    data[first:] = bytes(len(data) - first)


def cut_end(dice: Random, data: bytearray, first: int, last: int) -> None:
    del data[first:]


def _cut_out(dice: Random, data: bytearray, first: int, last: int) -> None:
    del data[first:last]


def _double(dice: Random, data: bytearray, first: int, last: int) -> None:
    data[first:first] = data[first:last]


def _misplace(dice: Random, data: bytearray, first: int, last: int) -> None:
    """Put a sector of the file in the place of another one."""
    to, of = (dice.randrange(len(data)) // SECTOR_BYTES * SECTOR_BYTES for _ in range(2))
    part = data[of : of + SECTOR_BYTES]
    data[to : to + len(part)] = part


KINDS: tuple[Kind, ...] = (
    _flip, _flip, _retype, _retype, _fill, _fill, _zero_blocks, _zero_end, cut_end, _cut_out, _double, _misplace,
)  # fmt: skip


def draw(dice: Random, file: Path) -> Kind:
    """Damage a file that is not empty at random; what was done."""
    data = bytearray(file.read_bytes())
    first = dice.randrange(len(data))
    last = min(len(data), first + dice.choice((1, 8, 64, 300, SECTOR_BYTES, BLOCK_BYTES, 5 * BLOCK_BYTES)))
    kind = dice.choice(KINDS)
    kind(dice, data, first, last)
    file.write_bytes(data)
    return kind
