"""`tablecoin look`: one picture read, as a line of JSON and as a sentence."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import msgspec

from tablecoin import mat as mats
from tablecoin.coins import Denomination, Face, Heap
from tablecoin.rules import rulebook
from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.printed import wrongly_printed
from tablecoin.vision.coins.reader import MIRRORED, Reader
from tablecoin.vision.frame import Frame, Reading
from tablecoin.vision.place import taught
from tablecoin.vision.place.fit import is_mirrored


class LookedCoin(msgspec.Struct, frozen=True):
    """One coin. None: the reader does not know. `sure`: sure enough of denomination and face for a ruling."""

    center_px: tuple[float, float]
    radius_px: float
    center_mm: tuple[float, float] | None
    zone: str | None
    denomination: Denomination | None
    face: Face | None
    denomination_confidence: float
    face_confidence: float
    sure: bool


class Look(msgspec.Struct, frozen=True):
    """One picture. `milliseconds`: for reading it, without loading the file."""

    image: str
    size_px: tuple[int, int]
    mat: str | None
    mm_per_px: float | None
    milliseconds: float
    warnings: tuple[str, ...]
    coins: tuple[LookedCoin, ...]


def look(path: Path, mat: str = "auto", identifier: Identifier | None = None) -> tuple[Look, Reading]:
    """Read the picture at `path` with a new reader. `mat`: as for Reader.

    Raises CameraError: the file is missing, empty or no picture; MatError: no such mat.
    """
    identifier = identifier or Identifier()
    reader, frame = Reader(mat, identifier=identifier), Frame(load_picture(path), 0, time.monotonic())
    start = time.perf_counter()
    reading = reader.read(frame)
    if reading.mat and reader.plane:
        scale = wrongly_printed(reading, frame, reader.plane, identifier)
        reading = replace(reading, warnings=(*reading.warnings, *scale))
    if reading.mat is None and mat not in ("auto", "none"):
        table, image = mats.load(mat), frame.image
        mirrored = taught.is_mirrored(image, [taught.portrait(table)]) if table.card else is_mirrored(image, [table])
        unseen = MIRRORED if mirrored else Message("vision.mat.unseen", {"mat": mat})
        reading = replace(reading, warnings=(*reading.warnings, unseen))
    return describe(str(path), reading, (time.perf_counter() - start) * 1000), reading


def describe(name: str, reading: Reading, milliseconds: float) -> Look:
    """`reading` as the JSON of the command."""
    height, width = reading.frame.image.shape[:2]
    coins = tuple(
        LookedCoin(
            center_px=(round(coin.disc.x_px, 2), round(coin.disc.y_px, 2)),
            radius_px=round(coin.disc.r_px, 2),
            center_mm=(round(coin.place_mm[0], 2), round(coin.place_mm[1], 2)) if coin.place_mm else None,
            zone=coin.zone,
            denomination=coin.denomination,
            face=coin.face,
            denomination_confidence=round(max(*coin.denominations, 1 - sum(coin.denominations)), 4),
            face_confidence=round(coin.face_confidence, 4),
            sure=coin.sure,
        )
        for coin in reading.coins
    )
    scale = None if reading.mm_per_px is None else round(reading.mm_per_px, 5)
    warnings = tuple(rulebook.sentence(said) for said in (*reading.warnings, reading.unclear) if said)
    return Look(name, (width, height), reading.mat, scale, round(milliseconds, 1), warnings, coins)


def sentence(record: Look) -> str:
    """A sentence such as `table.jpg: 41 cents, 1 quarter, 1 dime, 1 nickel, 1 penny; 2 heads, 2 tails.`"""
    known = [coin for coin in record.coins if coin.denomination]
    heap = Heap.of(coin.denomination for coin in known if coin.denomination)
    unsure = sum(not coin.sure for coin in known)
    heads = sum(coin.face is Face.HEADS for coin in known)
    said = f"{record.image}: {heap.cents} cents, {heap}" if known else f"{record.image}: no coins"
    if known:
        said += f"; {heads} heads, {len(known) - heads} tails"
    return said + (f" (not sure of {unsure})." if unsure else ".")
