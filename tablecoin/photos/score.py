"""`tablecoin score`: a physical Coin Age map scored from one photo.

The photo shows the top coin of each space and the coins left in the banks; a score needs no more
(tablecoin.rules.coin_age.score). Places of which the reader is not sure are named.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from math import dist

import cv2
import msgspec
import numpy as np

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, EMPTY, Coin, Face, Heap
from tablecoin.rules import rulebook
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import RegionTally, tally
from tablecoin.rules.coin_age.state import ALL_COINS
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.rules.zones import ZoneKind
from tablecoin.storage import mapfiles
from tablecoin.vision.coins import find
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.propose import RADII_MM
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.coins.sureness import KIND_SURE
from tablecoin.vision.frame import Frame, Image, Reading, SeenCoin
from tablecoin.vision.place import bare, taught
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.clearness import clearness

OVERLOOKED_MM2 = 100.0  # smallest area of an unread thing that is reported; a dime has 252
THINNEST_MM = 4.0  # smallest width of such a thing; printed lines slightly off and edges of shadows are narrower
LEAST_PX_PER_MM, MOST_PX_PER_MM = 4.5, 6.0  # range of the rectified map's scale
GHOST = (
    0.01  # a disc less likely a US coin than this scores nothing; above it the likeliest coin counts. Both are named
)
MAT = "coin-age:"  # how the names of the maps' mats begin
_BESIDE = {Face.HEADS: "below", Face.TAILS: "above"}


class ScoreError(Complaint, ValueError):
    """The photo cannot be scored: why, and what to do."""


class Score(msgspec.Struct, frozen=True):
    """The result of `score`. `unsure`: the spaces and banks that a person should check."""

    map: str
    spaces: Mapping[str, tuple[Coin, ...]]  # the coin on top, or none
    banks: Mapping[Face, Heap]
    regions: Mapping[str, RegionTally]
    score: Mapping[Face, int]
    winner: Face | None
    tie_break: str | None
    unsure: tuple[str, ...]
    warnings: tuple[str, ...]
    warnings_texts: tuple[Mapping[str, str], ...]  # the same in every language


def score(
    image: Image,
    map_name: str | None = None,
    banks: Mapping[Face, Heap] | None = None,
    identifier: Identifier | None = None,
) -> tuple[Score, Reading]:
    """Score the map in `image`; without `map_name` its markers or its card tell which map it is.

    `banks`: banks that are known and not read. Raises ScoreError: no map or another map is in the picture, or `banks`
    holds more coins than the game has; MapError or MatError: no such map.
    """
    if (held := sum((banks or {}).values(), EMPTY)) not in ALL_COINS:
        raise ScoreError(Message("score.banks", {"held": held, "all": ALL_COINS}))
    plane = _plane(image, map_name)
    if plane is None:
        raise ScoreError(_unseen(image, map_name))
    height, width = image.shape[:2]
    px_per_mm = min(max(1 / plane.mm_per_px_at((width / 2, height / 2)), LEAST_PX_PER_MM), MOST_PX_PER_MM)
    frame, flat = Frame(plane.rectify(image, px_per_mm), 0, time.monotonic()), plane.flat(px_per_mm)
    reading = Reader("none", identifier=identifier).read_on(frame, flat)
    if (clear := clearness(image, plane)) and clear.fault:
        reading = replace(reading, unclear=clear.fault)
    board, cut_off = maps.load(plane.mat.name.removeprefix(MAT)), _cut_off(plane, (width, height))
    return scored(reading, board, banks or {}, cut_off, _overlooked(reading, flat)), reading


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


def _overlooked(reading: Reading, plane: Plane) -> frozenset[str]:
    """The empty spaces and the banks with something that was not read: a missed coin, or something else.

    Spaces with a coin are left out, because the coins below it may show.
    """
    above, flat = find.upright(reading.frame.image, plane, RADII_MM)
    paper = bare.lying(above, flat)
    if paper is None:
        return frozenset()
    left = (paper.lies & paper.tells).astype(np.uint8)
    for disc in find.moved([coin.disc for coin in reading.coins], plane, flat):
        cv2.circle(left, (round(disc.x_px), round(disc.y_px)), round(disc.r_px * bare.BESIDE) + 1, 0, -1)
    taken = {coin.zone for coin in reading.coins}
    px_per_mm = 1 / flat.mm_per_px_at((0, 0))
    thick = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(THINNEST_MM * px_per_mm),) * 2)
    left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, thick), np.uint8)
    found = set()
    for zone in plane.mat.zones:
        if zone.kind is ZoneKind.BANK or (zone.kind is ZoneKind.SPACE and zone.name not in taken):
            corners = flat.to_px(np.reshape(zone.area.bounds_mm, (2, 2)))
            (x0, y0), (x1, y1) = np.round(corners).astype(int)
            if left[y0:y1, x0:x1].sum() / px_per_mm**2 > OVERLOOKED_MM2:
                found.add(zone.name)
    return frozenset(found)


def scored(
    reading: Reading,
    board: maps.Map,
    given: Mapping[Face, Heap],
    cut_off: frozenset[str] = frozenset(),
    overlooked: frozenset[str] = frozenset(),
) -> Score:
    """The score of a reading. `given`: banks that are known and not read.

    `cut_off`: zones partly outside the picture. `overlooked`: zones with something that was not read.
    """
    unsure, warnings = [], [said for said in (*reading.warnings, reading.unclear) if said]
    spaces: dict[str, tuple[Coin, ...]] = {}
    for space in board.spaces:
        zone = f"space.{space.id}"
        seen = [coin for coin in reading.coins if coin.zone == zone]
        top = min(seen, key=lambda coin: _from_center(coin, seen), default=None)
        spaces[space.id] = (coin,) if top and (coin := _likeliest(top)) else ()
        if any(not coin.sure for coin in seen) or len(seen) > 1 or zone in cut_off | overlooked:
            unsure.append(space.id)
        if len(seen) > 1:
            warnings.append(Message("score.beside", {"count": len(seen), "space": space.id}))
        if zone in cut_off:
            warnings.append(Message("score.space.cut", {"space": space.id}))
        if zone in overlooked:
            warnings.append(Message("score.overlooked", {"space": space.id}))
    banks = {side: given.get(side, EMPTY) for side in Face}
    for side in Face:
        if side not in given:
            zone = f"bank.{side}"
            seen = [coin for coin in reading.coins if coin.zone == zone]
            banks[side] = Heap.of(coin.denomination for coin in map(_likeliest, seen) if coin)
            doubtful = any(max(coin.denominations) < KIND_SURE for coin in seen)
            if doubtful or zone in cut_off | overlooked or board.picture:
                unsure.append(zone)
            if zone in cut_off:
                warnings.append(Message("score.bank.cut", {"side": side}))
            elif board.picture:
                warnings.append(Message(f"score.bank.{_BESIDE[side]}", {"side": side}))
    outside = sum(coin.zone is None and coin.coin is not None for coin in reading.coins)
    if outside:
        warnings.append(Message("score.outside.one" if outside == 1 else "score.outside", {"count": outside}))
    tops = {name: top[0] for name, top in spaces.items() if top}
    if sum(banks.values(), Heap.of(top.denomination for top in tops.values())) not in ALL_COINS:
        warnings.append(Message("score.many", {"all": ALL_COINS}))
    result = tally(board, tops, banks)
    return Score(
        board.name, spaces, banks, result.regions, result.score, result.winner, result.tie_break,
        tuple(unsure), tuple(rulebook.sentence(said) for said in warnings), tuple(map(rulebook.texts, warnings)),
    )  # fmt: skip


def _likeliest(seen: SeenCoin) -> Coin | None:
    """The coin that a disc most likely is; None where it is likelier no US coin, or less likely than GHOST one."""
    if seen.coin or sum(seen.denominations) < GHOST:
        return seen.coin
    kind = BY_VALUE[max(range(4), key=lambda k: seen.denominations[k])]
    return Coin.of(kind, Face.HEADS if seen.heads >= 0.5 else Face.TAILS)


def _from_center(coin: SeenCoin, others: list[SeenCoin]) -> float:
    """Distance in mm from the mean place of all coins seen on the space. The nearest is taken for the top coin."""
    places = [other.place_mm for other in others if other.place_mm]
    middle = (sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places))
    return dist(coin.place_mm or middle, middle)


def sentence(result: Score) -> str:
    """A sentence such as `classic: Heads 19, Tails 14: Heads wins (not sure of M2)`."""
    heads, tails = result.score[Face.HEADS], result.score[Face.TAILS]
    said = f"{result.map}: Heads {heads}, Tails {tails}: "
    said += f"{result.winner.capitalize()} wins" if result.winner else "a draw"
    if result.tie_break == "bank ranks":
        said += " on the ranks of the coins in the bank"
    return said + (f" (not sure of {', '.join(result.unsure)})" if result.unsure else "")
