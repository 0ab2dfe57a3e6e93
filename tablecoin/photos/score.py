"""`tablecoin score`: a physical Coin Age map scored from one photo.

The photo shows the top coin of each space and the coins left in the banks; a score needs no more
(tablecoin.rules.coin_age.score). Places of which the reader is not sure are named.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from math import dist, prod

import msgspec
import numpy as np

from tablecoin import mat as mats
from tablecoin.coins import EMPTY, Coin, Face, Heap
from tablecoin.mat import Mat
from tablecoin.photos import inventory
from tablecoin.photos.doubts import Box, Candidate, Doubt, box_in, box_times, candidates_of, is_sure, kinds_of, offered
from tablecoin.photos.overlooked import overlooked
from tablecoin.rules import rulebook
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import RegionTally, tally
from tablecoin.rules.coin_age.state import ALL_COINS
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage import mapfiles
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.printed import wrongly_printed
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.coins.sureness import KIND_SURE_AT_ONCE
from tablecoin.vision.frame import Frame, Image, Reading, SeenCoin, whichever
from tablecoin.vision.place import taught
from tablecoin.vision.place.edges import across_edges
from tablecoin.vision.place.fit import TWICE, find_plane
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.clearness import clearness

LEAST_PX_PER_MM, MOST_PX_PER_MM = 4.5, 6.0  # range of the rectified map's scale
BESIDE_COIN_MM = 14.0  # half the side of the box that shows a doubtful coin; a quarter's radius is 12 mm
# A disc that the reader gives less than this chance of being a coin counts nothing. Above it the likeliest coin counts,
# also where all coins of its kind seem to lie elsewhere: what is in a bank is nearly always a coin. Both are named.
GHOST = 0.01
MOST_ANSWERS = 1000  # combinations of answers that are tried
MAT = "coin-age:"  # how the names of the maps' mats begin
_BESIDE = {Face.HEADS: "below", Face.TAILS: "above"}


class ScoreError(Complaint, ValueError):
    """The photo cannot be scored: why, and what to do."""


class Score(msgspec.Struct, frozen=True):
    """The result of `score`. `unsure`: the spaces and banks that a person should check.

    `doubts`: what may lie there; a bank with several doubtful coins has several. `boxes_px`: where each space and bank
    lies in the photo, upright: left, top, right, bottom in its pixels.
    """

    map: str
    spaces: Mapping[str, tuple[Coin, ...]]  # the coin on top, or none
    banks: Mapping[Face, Heap]
    regions: Mapping[str, RegionTally]
    score: Mapping[Face, int]
    winner: Face | None
    tie_break: str | None
    unsure: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    warnings: tuple[str, ...]
    warnings_texts: tuple[Mapping[str, str], ...]  # the same in every language
    boxes_px: Mapping[str, Box] = {}


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


def scored(
    reading: Reading,
    board: maps.Map,
    given: Mapping[Face, Heap],
    cut_off: frozenset[str] = frozenset(),
    overlooked: frozenset[str] = frozenset(),
    photo: Plane | None = None,
) -> Score:
    """The score of a reading. `given`: banks that are known and not read.

    `cut_off`: zones partly outside the picture. `overlooked`: zones with something that was not read. `photo`: where
    the map lies in the photo, for the boxes of the doubts.
    """
    assert reading.mat is not None
    mat = mats.load(reading.mat)
    doubtful_zones = cut_off | overlooked
    warnings = [said for said in (*reading.warnings, reading.unclear) if said]
    on_spaces = {space.id: _in(f"space.{space.id}", reading) for space in board.spaces}
    tops = {space: min(seen, key=lambda coin: _from_center(coin, seen)) for space, seen in on_spaces.items() if seen}
    in_banks = [(side, coin) for side in Face if side not in given for coin in _in(f"bank.{side}", reading)]
    # All coins are in view where every bank was told, or is printed on the map and wholly in the picture.
    all_in_view = all(side in given or not (board.picture or f"bank.{side}" in cut_off) for side in Face)
    spots = [inventory.Spot(kinds_of(coin), on_space=True) for coin in tops.values()]
    spots += [inventory.Spot(kinds_of(coin), on_space=False) for _, coin in in_banks]
    settled = inventory.settled(spots, sum(given.values(), EMPTY), all_in_view)
    across = across_edges(reading.coins, mat)

    def doubt(place: str, candidates: Iterable[Candidate], box_mm: Box) -> Doubt:
        return Doubt(place, offered(candidates), box_mm, box_in(photo, box_mm) if photo else None)

    spaces: dict[str, tuple[Coin, ...]] = {}
    doubts: list[Doubt] = []
    kinds_on = dict(zip(tops, settled, strict=False))
    for space in board.spaces:
        zone, seen = f"space.{space.id}", on_spaces[space.id]
        at_rim = [coin for coin, where in across if where == zone]
        top, kinds = tops.get(space.id), kinds_on.get(space.id, {None: 1.0})
        heads_if = top.heads_if if top else whichever(0.5)
        candidates = candidates_of(kinds, heads_if)
        spaces[space.id] = (candidates[0].coin,) if candidates[0].coin else ()
        if (top and not is_sure(kinds, heads_if)) or len(seen) > 1 or at_rim or zone in doubtful_zones:
            others = [coin for coin in (*seen, *at_rim) if coin is not top]
            beside = [candidates_of(kinds_of(coin), coin.heads_if)[0] for coin in others]
            new = [other for other in beside if other.coin not in (candidates[0].coin, None)]
            box_mm = _around(top) if top and not others else _holding(mat.zone(zone).area.bounds_mm, at_rim)
            doubts.append(doubt(space.id, (candidates[0], *new, *candidates[1:]), box_mm))
        if len(seen) > 1:
            warnings.append(Message("score.beside", {"count": len(seen), "space": space.id}))
        if zone in cut_off:
            warnings.append(Message("score.space.cut", {"space": space.id}))
        if zone in overlooked:
            warnings.append(Message("score.overlooked", {"space": space.id}))
    banks = {side: given.get(side, EMPTY) for side in Face}
    by_kind: list[Doubt] = []  # the kind of a coin in a bank matters only where the scores are equal
    for (side, coin), kinds in zip(in_banks, settled[len(tops) :], strict=True):
        sides = whichever(float(coin.heads >= 0.5))
        candidates = candidates_of(kinds, sides)
        if sum(coin.denominations) >= GHOST:
            candidates = tuple(sorted(candidates, key=lambda one: one.coin is None))
        banks[side] += Heap.of([candidates[0].coin.denomination] if candidates[0].coin else [])
        if not is_sure(kinds, sides):
            nothing = kinds.get(None, 0.0)
            counts = nothing > 1 - KIND_SURE_AT_ONCE
            likely = [one for one in candidates if one.chance > 0]
            (doubts if counts else by_kind).append(doubt(f"bank.{side}", likely, _around(coin)))
    for side in Face:
        if side not in given:
            zone = f"bank.{side}"
            doubts += [doubt(zone, _in_or_not(coin), _around(coin)) for coin, where in across if where == zone]
            if zone in doubtful_zones or board.picture:
                doubts.append(doubt(zone, (), mat.zone(zone).area.bounds_mm))
            if zone in cut_off:
                warnings.append(Message("score.bank.cut", {"side": side}))
            elif board.picture:
                warnings.append(Message(f"score.bank.{_BESIDE[side]}", {"side": side}))
    outside = sum(coin.zone is None and coin.coin is not None for coin in reading.coins)
    if outside:
        warnings.append(Message("score.outside.one" if outside == 1 else "score.outside", {"count": outside}))
    on_top = {name: top[0] for name, top in spaces.items() if top}
    lying, held = [coin.denomination for coin in on_top.values()], sum(banks.values(), EMPTY)
    if held + Heap.of(lying) not in ALL_COINS:
        warnings.append(Message("score.many", {"all": ALL_COINS}))
    elif all_in_view and len(given) < len(Face) and (missing := inventory.missing(lying, held)):
        warnings.append(Message("score.few", {"coins": missing}))
    if by_kind and _may_be_equal(board, on_top, banks, doubts):
        doubts += by_kind
    result = tally(board, on_top, banks)
    return Score(
        board.name, spaces, banks, result.regions, result.score, result.winner, result.tie_break,
        tuple(dict.fromkeys(each.place for each in doubts)), tuple(doubts),
        tuple(rulebook.sentence(said) for said in warnings), tuple(map(rulebook.texts, warnings)),
        _boxes(mat, board, tops, photo) if photo else {},
    )  # fmt: skip


def _boxes(mat: Mat, board: maps.Map, tops: Mapping[str, SeenCoin], photo: Plane) -> dict[str, Box]:
    """Where the coin of each space, or the empty space, and each bank lies in the photo."""
    spaces = {
        space.id: _around(tops[space.id]) if space.id in tops else mat.zone(f"space.{space.id}").area.bounds_mm
        for space in board.spaces
    }
    banks = {f"bank.{side}": mat.zone(f"bank.{side}").area.bounds_mm for side in Face}
    return {place: box_in(photo, box_mm) for place, box_mm in (spaces | banks).items()}


def _in(zone: str, reading: Reading) -> list[SeenCoin]:
    return [coin for coin in reading.coins if coin.zone == zone]


def _around(coin: SeenCoin) -> Box:
    """A box on the mat, in mm, that shows the whole coin and a little beside it."""
    assert coin.place_mm is not None
    (x, y), reach = coin.place_mm, BESIDE_COIN_MM
    return x - reach, y - reach, x + reach, y + reach


def _holding(box: Box, coins: Iterable[SeenCoin]) -> Box:
    """`box` as wide as it takes to show these coins too."""
    left, top, right, bottom = zip(box, *map(_around, coins), strict=True)
    return min(left), min(top), max(right), max(bottom)


def _in_or_not(coin: SeenCoin) -> tuple[Candidate, ...]:
    """The answers about a coin across the edge of a bank: it counts nothing, or as one of the bank's."""
    known = candidates_of(kinds_of(coin), whichever(float(coin.heads >= 0.5)))[0]
    return Candidate(None, 0.5), Candidate(known.coin, 0.5)


def _may_be_equal(board: maps.Map, tops: Mapping[str, Coin], banks: Mapping[Face, Heap], doubts: list[Doubt]) -> bool:
    """Whether the scores are equal under any of the answers to `doubts`. True where that takes too long to find out."""
    if any(not each.candidates for each in doubts) or prod(len(each.candidates) for each in doubts) > MOST_ANSWERS:
        return True
    for answers in product(*(each.candidates for each in doubts)):
        answered, held = dict(tops), {side: len(banks[side]) for side in Face}
        for each, answer in zip(doubts, answers, strict=True):
            if each.place.startswith("bank."):
                side = Face(each.place.removeprefix("bank."))
                held[side] += (answer.coin is not None) - (each.candidates[0].coin is not None)
            elif answer.coin:
                answered[each.place] = answer.coin
            else:
                answered.pop(each.place, None)
        score = tally(board, answered, {side: Heap(penny=held[side]) for side in Face}).score
        if score[Face.HEADS] == score[Face.TAILS]:
            return True
    return False


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
