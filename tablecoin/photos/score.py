"""`tablecoin score`: a physical Coin Age map scored from one photo. `counting.py` says what a reading counts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import msgspec
import numpy as np

from tablecoin import mat as mats
from tablecoin.coins import EMPTY, Face, Heap
from tablecoin.photos.counting import Score, scored
from tablecoin.photos.doubts import box_times
from tablecoin.photos.overlooked import overlooked
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.state import ALL_COINS
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage import mapfiles
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.printed import wrongly_printed
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image, Reading
from tablecoin.vision.place import taught
from tablecoin.vision.place.fit import TWICE, find_plane, is_mirrored
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.clearness import clearness

LEAST_PX_PER_MM, MOST_PX_PER_MM = 4.5, 6.0  # range of the rectified map's scale
MAT = "coin-age:"  # how the names of the maps' mats begin


class ScoreError(Complaint, ValueError):
    """The photo cannot be scored: why, and what to do."""


def score(
    image: Image,
    map_name: str | None = None,
    banks: Mapping[Face, Heap] | None = None,
    identifier: Identifier | None = None,
) -> tuple[Score, Reading]:
    """Score the map in `image`; without `map_name` its markers or its card tell which map it is.

    `banks`: banks that are known and not read. Raises ScoreError: no map, another or two are in the picture, or `banks`
    holds more coins than the game has; MapError or MatError: no such map.
    """
    if (held := sum((banks or {}).values(), EMPTY)) not in ALL_COINS:
        raise ScoreError(Message("score.banks", {"held": held, "all": ALL_COINS}))
    plane, identifier = _plane(image, map_name), identifier or Identifier()
    if plane is None:
        raise ScoreError(_unseen(image, map_name))
    if TWICE in plane.warnings:
        raise ScoreError(Message("score.twice"))
    height, width = image.shape[:2]
    px_per_mm = min(max(1 / plane.mm_per_px_at((width / 2, height / 2)), LEAST_PX_PER_MM), MOST_PX_PER_MM)
    frame, flat = Frame(plane.rectify(image, px_per_mm), 0, time.monotonic()), plane.flat(px_per_mm)
    reading = Reader("none", identifier=identifier).read_on(frame, flat)
    if (clear := clearness(image, plane)) and clear.fault:
        reading = replace(reading, unclear=clear.fault)
    scale = wrongly_printed(reading, Frame(image, 0, time.monotonic()), plane, identifier)
    reading = replace(reading, warnings=(*reading.warnings, *scale))
    board, cut_off = maps.load(plane.mat.name.removeprefix(MAT)), _cut_off(plane, (width, height))
    return scored(reading, board, banks or {}, cut_off, overlooked(reading, flat, identifier), plane), reading


def enlarged(result: Score, times: int) -> Score:
    """The score with its boxes as they lie in a photo that is `times` as wide as the one that was read."""
    doubts = [msgspec.structs.replace(each, box_px=box_times(each.box_px, times)) for each in result.doubts]
    boxes = {place: big for place, box in result.boxes_px.items() if (big := box_times(box, times))}
    return msgspec.structs.replace(result, doubts=tuple(doubts), boxes_px=boxes)


def _plane(image: Image, map_name: str | None) -> Plane | None:
    """The plane of a Coin Age map in the picture, from its markers, or from the card of a player's own map."""
    if map_name:
        mat = mats.load(f"{MAT}{map_name}")
        return taught.find_card(image, [taught.portrait(mat)]) if mat.card else find_plane(image, [mat])
    known = [mat for mat in mats.every() if mat.name.startswith(MAT)]
    return find_plane(image, known) or taught.find_card(image, taught.own_portraits())


def _unseen(image: Image, map_name: str | None) -> Message:
    """Why there is nothing to score and what to do; names another map that is in the picture."""
    if map_name and (other := _plane(image, None)):
        seen = mapfiles.name_of(other.mat.name.removeprefix(MAT))
        return Message("score.other", {"seen": seen, "wanted": map_name})
    if is_mirrored(image) or taught.is_mirrored(image, taught.own_portraits()):
        return Message("score.mirrored")
    return Message("score.unseen.map", {"wanted": map_name}) if map_name else Message("score.unseen")


def _cut_off(plane: Plane, size_px: tuple[int, int]) -> frozenset[str]:
    """The zones that lie partly outside the picture."""
    found = set()
    for zone in plane.mat.zones:
        left, top, right, bottom = zone.area.bounds_mm
        seen = plane.to_px([(left, top), (right, top), (right, bottom), (left, bottom)])
        if (seen < -0.5).any() or (seen > np.array(size_px) - 0.5).any():
            found.add(zone.name)
    return frozenset(found)


def sentence(result: Score) -> str:
    """A sentence such as `classic: Heads 19, Tails 14: Heads wins (not sure of M2)`."""
    heads, tails = result.score[Face.HEADS], result.score[Face.TAILS]
    said = f"{result.map}: Heads {heads}, Tails {tails}: "
    said += f"{result.winner.capitalize()} wins" if result.winner else "a draw"
    if result.tie_break == "bank ranks":
        said += " on the ranks of the coins in the bank"
    return said + (f" (not sure of {', '.join(result.unsure)})" if result.unsure else "")
