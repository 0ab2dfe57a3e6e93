"""What a reading of a Coin Age map counts: the top coin of each space, the coins of the banks, and what is in doubt.

The photo shows the top coin of each space and the coins left in the banks; a score needs no more
(tablecoin.rules.coin_age.score). Places of which the reader is not sure are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import dist, prod

import msgspec

from tablecoin import mat as mats
from tablecoin.coins import EMPTY, Coin, Face, Heap
from tablecoin.mat import Mat
from tablecoin.photos import inventory
from tablecoin.photos.doubts import Box, Candidate, Doubt, box_in, candidates_of, is_sure, kinds_of, offered
from tablecoin.photos.inventory import Kind
from tablecoin.rules import rulebook
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import RegionTally, tally
from tablecoin.rules.coin_age.state import ALL_COINS
from tablecoin.rules.rulebook import Message
from tablecoin.vision.coins.sureness import KIND_SURE_AT_ONCE
from tablecoin.vision.frame import Reading, SeenCoin, whichever
from tablecoin.vision.place.edges import across_edges
from tablecoin.vision.place.plane import Plane

BESIDE_COIN_MM = 14.0  # half the side of the box that shows a doubtful coin; a quarter's radius is 12 mm
# A disc that the reader gives less than this chance of being a coin counts nothing. Above it the likeliest coin counts,
# also where all coins of its kind seem to lie elsewhere: what is in a bank is nearly always a coin. Both are named.
GHOST = 0.01
MOST_ANSWERS = 1000  # combinations of answers that are tried
_BESIDE = {Face.HEADS: "below", Face.TAILS: "above"}


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
    return _Counting(reading, board, given, cut_off, overlooked, photo).score()


class _Counting:
    """One reading on its way to a score: what counts, what is in doubt, what is said."""

    def __init__(
        self,
        reading: Reading,
        board: maps.Map,
        given: Mapping[Face, Heap],
        cut_off: frozenset[str],
        overlooked: frozenset[str],
        photo: Plane | None,
    ) -> None:
        assert reading.mat is not None
        self._reading, self._board, self._given, self._photo = reading, board, given, photo
        self._cut_off, self._overlooked = cut_off, overlooked
        self._mat = mats.load(reading.mat)
        self._on_spaces = {space.id: self._in(f"space.{space.id}") for space in board.spaces}
        self._tops = {
            space: min(seen, key=lambda coin: _from_center(coin, seen))
            for space, seen in self._on_spaces.items()
            if seen
        }
        self._in_banks = [(side, coin) for side in Face if side not in given for coin in self._in(f"bank.{side}")]
        self._across = across_edges(reading.coins, self._mat)
        # All coins are in view where every bank was told, or is printed on the map and wholly in the picture.
        self._all_in_view = all(side in given or not (board.picture or f"bank.{side}" in cut_off) for side in Face)
        self._warnings = [said for said in (*reading.warnings, reading.unclear) if said]
        self._doubts: list[Doubt] = []
        self._spaces: dict[str, tuple[Coin, ...]] = {}
        self._banks = {side: given.get(side, EMPTY) for side in Face}

    def score(self) -> Score:
        spots = [inventory.Spot(kinds_of(coin), on_space=True) for coin in self._tops.values()]
        spots += [inventory.Spot(kinds_of(coin), on_space=False) for _, coin in self._in_banks]
        settled = inventory.settled(spots, sum(self._given.values(), EMPTY), self._all_in_view)
        kinds_on = dict(zip(self._tops, settled, strict=False))
        for space in self._board.spaces:
            self._count_space(space.id, kinds_on.get(space.id, {None: 1.0}))
        by_kind = list(self._count_banks(settled[len(self._tops) :]))
        self._name_banks()
        on_top = {name: top[0] for name, top in self._spaces.items() if top}
        self._compare_with_the_game(on_top)
        if by_kind and _may_be_equal(self._board, on_top, self._banks, self._doubts):
            self._doubts += by_kind
        result = tally(self._board, on_top, self._banks)
        return Score(
            self._board.name, self._spaces, self._banks, result.regions, result.score, result.winner, result.tie_break,
            tuple(dict.fromkeys(each.place for each in self._doubts)), tuple(self._doubts),
            tuple(rulebook.sentence(said) for said in self._warnings), tuple(map(rulebook.texts, self._warnings)),
            _boxes(self._mat, self._board, self._tops, self._photo) if self._photo else {},
        )  # fmt: skip

    def _count_space(self, space: str, kinds: Mapping[Kind, float]) -> None:
        """Count the likeliest top coin of a space, with `kinds` the chances of its kind, and name what is in doubt."""
        zone, seen, top = f"space.{space}", self._on_spaces[space], self._tops.get(space)
        at_rim = [coin for coin, where in self._across if where == zone]
        heads_if = top.heads_if if top else whichever(0.5)
        candidates = candidates_of(kinds, heads_if)
        self._spaces[space] = (candidates[0].coin,) if candidates[0].coin else ()
        unsure = top is not None and not is_sure(kinds, heads_if)
        if unsure or len(seen) > 1 or at_rim or zone in self._cut_off | self._overlooked:
            others = [coin for coin in (*seen, *at_rim) if coin is not top]
            beside = [candidates_of(kinds_of(coin), coin.heads_if)[0] for coin in others]
            new = [other for other in beside if other.coin not in (candidates[0].coin, None)]
            box_mm = _around(top) if top and not others else _holding(self._mat.zone(zone).area.bounds_mm, at_rim)
            self._doubts.append(self._doubt(space, (candidates[0], *new, *candidates[1:]), box_mm))
        if len(seen) > 1:
            self._warnings.append(Message("score.beside", {"count": len(seen), "space": space}))
        if zone in self._cut_off:
            self._warnings.append(Message("score.space.cut", {"space": space}))
        if zone in self._overlooked:
            self._warnings.append(Message("score.overlooked", {"space": space}))

    def _count_banks(self, settled: Iterable[Mapping[Kind, float]]) -> Iterator[Doubt]:
        """Count the coins in the banks. Yields doubts about kinds, which matter where scores are equal alone."""
        for (side, coin), kinds in zip(self._in_banks, settled, strict=True):
            sides = whichever(float(coin.heads >= 0.5))
            candidates = candidates_of(kinds, sides)
            if sum(coin.denominations) >= GHOST:
                candidates = tuple(sorted(candidates, key=lambda one: one.coin is None))
            self._banks[side] += Heap.of([candidates[0].coin.denomination] if candidates[0].coin else [])
            if is_sure(kinds, sides):
                continue
            told = self._doubt(f"bank.{side}", [one for one in candidates if one.chance > 0], _around(coin))
            if kinds.get(None, 0.0) > 1 - KIND_SURE_AT_ONCE:  # whether there is a coin counts
                self._doubts.append(told)
            else:
                yield told

    def _name_banks(self) -> None:
        """Name the banks of which not all was seen."""
        for side in (side for side in Face if side not in self._given):
            zone = f"bank.{side}"
            at_rim = [coin for coin, where in self._across if where == zone]
            self._doubts += [self._doubt(zone, _in_or_not(coin), _around(coin)) for coin in at_rim]
            if zone in self._cut_off | self._overlooked or self._board.picture:
                self._doubts.append(self._doubt(zone, (), self._mat.zone(zone).area.bounds_mm))
            if zone in self._cut_off:
                self._warnings.append(Message("score.bank.cut", {"side": side}))
            elif self._board.picture:
                self._warnings.append(Message(f"score.bank.{_BESIDE[side]}", {"side": side}))

    def _compare_with_the_game(self, on_top: Mapping[str, Coin]) -> None:
        """Say which coins lie nowhere, and that more were counted than the game has, or fewer than can be hidden."""
        outside = sum(coin.zone is None and coin.coin is not None for coin in self._reading.coins)
        if outside:
            self._warnings.append(Message("score.outside.one" if outside == 1 else "score.outside", {"count": outside}))
        lying, held = [coin.denomination for coin in on_top.values()], sum(self._banks.values(), EMPTY)
        if held + Heap.of(lying) not in ALL_COINS:
            self._warnings.append(Message("score.many", {"all": ALL_COINS}))
        elif self._all_in_view and len(self._given) < len(Face) and (few := inventory.missing(lying, held)):
            self._warnings.append(Message("score.few", {"coins": few}))

    def _in(self, zone: str) -> list[SeenCoin]:
        return [coin for coin in self._reading.coins if coin.zone == zone]

    def _doubt(self, place: str, candidates: Iterable[Candidate], box_mm: Box) -> Doubt:
        return Doubt(place, offered(candidates), box_mm, box_in(self._photo, box_mm) if self._photo else None)


def _boxes(mat: Mat, board: maps.Map, tops: Mapping[str, SeenCoin], photo: Plane) -> dict[str, Box]:
    """Where the coin of each space, or the empty space, and each bank lies in the photo."""
    spaces = {
        space.id: _around(tops[space.id]) if space.id in tops else mat.zone(f"space.{space.id}").area.bounds_mm
        for space in board.spaces
    }
    banks = {f"bank.{side}": mat.zone(f"bank.{side}").area.bounds_mm for side in Face}
    return {place: box_in(photo, box_mm) for place, box_mm in (spaces | banks).items()}


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
