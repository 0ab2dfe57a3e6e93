"""Stage two: how often a circle is looked at, what its size adds to its looks, and which answers are kept.

A stand-in for the network says what it is told, so every row is a case with a known truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination
from tablecoin.vision.coins import identify
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.identify import AGREEING
from tablecoin.vision.coins.looks import KINDS, NOT_A_COIN, OURS, Array, Looks, normalised
from tablecoin.vision.coins.neighbours import FEATURES
from tablecoin.vision.coins.network import FINE_TURNS, TURNS, Identifier
from tablecoin.vision.coins.unmoved import NOTHING_YET, PICTURES, LastReading
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place.plane import Plane

PENNY, NICKEL, DIME, QUARTER = BY_VALUE
MM_PER_PX = 0.25
FLAT = Plane(mats.load("two-row"), (MM_PER_PX, 0, 0, 0, MM_PER_PX, 0, 0, 0, 1), None, (), (), 0.0)
PAPER = np.full((1188, 1680, 3), 235, np.uint8)
PAPER[:, ::8] = PAPER[:, 1::8] = 205  # fine stripes: a first look at a coin without any relief is not clear
SMOOTH = np.full_like(PAPER, 235)
SURE, FAIR = 0.999, 0.9  # probabilities of the kind that the network names


def circle(kind: Denomination, x_px: float, y_px: float = 400.0) -> Disc:
    """As large as a coin of this kind is on FLAT."""
    return Disc(x_px, y_px, kind.diameter_mm / 2 / MM_PER_PX)


THOROUGH = 2 * TURNS  # looks at a coin of a photo: in each quarter turn a first look and a fine one


def as_kind(k: int, share: float) -> Array:
    """(KINDS,) probabilities: `share` of kind number `k`, the rest evenly of the others."""
    return np.where(np.arange(KINDS) == k, share, (1 - share) / (KINDS - 1))


class Told(Identifier):
    """Says what it is told of each circle, and counts its looks at each."""

    def __init__(self, said: dict[Disc, tuple[Array, float]]) -> None:
        """`said`: the probabilities (KINDS,) of each circle, and its log-odds of heads."""
        self.said = said
        self.looks: Counter[Disc] = Counter()

    def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
        return self._looked(discs, 1)

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, turns: range = range(FINE_TURNS)) -> Looks:
        return before.joined(self._looked(discs, len(turns)))

    def features(self, image: Image, discs: Sequence[Disc], turns: range = range(TURNS)) -> Array:
        """Each circle is like none of the others."""
        chance = [np.random.default_rng(round(disc.x_px)) for disc in discs]
        return np.stack([one.normal(0, 1, (len(turns), FEATURES)) for one in chance], axis=1)

    def _looked(self, discs: Sequence[Disc], looks: int) -> Looks:
        self.looks.update(dict.fromkeys(discs, looks))
        said = [self.said.get(disc, next(iter(self.said.values()))) for disc in discs]  # a turned one is the only one
        kinds = np.log(np.reshape([kind for kind, _ in said], (-1, KINDS)))
        faces = np.reshape([[face] * len(BY_VALUE) for _, face in said], (-1, len(BY_VALUE)))
        return Looks(normalised(kinds), faces, np.full(len(discs), looks))


def identified(told: Told, last: LastReading = NOTHING_YET, image: Image = PAPER) -> Candidates:
    return identify.on_mat(Candidates.proposed(list(told.said)), Halvings(image), FLAT, last, told)


def settled(told: Told) -> LastReading:
    """The reading of a second picture: a table is ruled on after two."""
    return LastReading.of(identified(told, LastReading.of(identified(told), Halvings(PAPER))), Halvings(PAPER))


LOOKS = {
    # what the network says of a penny: (its probabilities, log-odds of heads, looks)
    "clear at once": (as_kind(0, SURE), 6.0, 1),
    "surely no coin": (as_kind(NOT_A_COIN, SURE), 0.0, 1),
    "its face in doubt": (as_kind(0, SURE), 1.0, 4),
    "its face told boldly": (as_kind(0, SURE), 4.6, 4),  # 0.99: more than FACE_SURE, and by one look only
    "its kind in doubt": (as_kind(0, 0.3), 6.0, 4),
}


@pytest.mark.parametrize("what", LOOKS)
def test_only_what_is_unclear_is_looked_at_again(what: str) -> None:
    kinds, face, looks = LOOKS[what]
    penny = circle(PENNY, 300)
    told = Told({penny: (kinds, face)})
    found = identified(told)
    assert told.looks[penny] == looks
    assert found.looks.views.tolist() == [looks]


@pytest.mark.parametrize(("what", "looks"), [("clear at once", 2), ("surely no coin", 1), ("its face in doubt", 4)])
def test_a_first_look_at_a_coin_without_relief_is_not_clear(what: str, looks: int) -> None:
    kinds, face, _ = LOOKS[what]
    penny = circle(PENNY, 300)
    told = Told({penny: (kinds, face)})
    identified(told, image=SMOOTH)
    assert told.looks[penny] == looks


def test_of_circles_that_cover_each_other_only_the_likelier_is_looked_at_again() -> None:
    penny, ring = circle(PENNY, 300), Disc(303, 402, 30)
    told = Told({penny: (as_kind(0, FAIR), 1.0), ring: (as_kind(NOT_A_COIN, 0.6), 1.0)})
    identified(told)
    assert (told.looks[penny], told.looks[ring]) == (4, 1)


@pytest.mark.parametrize("truth", [NICKEL, DIME, QUARTER])
def test_the_size_tells_the_silver_coins_apart(truth: Denomination) -> None:
    silver = np.array([0.01, 0.33, 0.33, 0.32, 0.01])
    coin, penny = circle(truth, 300), circle(PENNY, 600)
    found = identified(Told({coin: (silver, 6.0), penny: (as_kind(0, SURE), 6.0)}))
    assert BY_VALUE[int(found.kinds[0, OURS].argmax())] is truth
    assert found.kinds[0, OURS].max() > 0.9
    assert found.diameters_mm[0] == pytest.approx(truth.diameter_mm)


def test_a_coin_of_a_size_that_no_coin_has_is_doubted() -> None:
    large = Disc(300, 400, 1.4 * QUARTER.diameter_mm / 2 / MM_PER_PX)
    found = identified(Told({large: (as_kind(3, FAIR), 6.0)}))
    assert found.kinds[0, OURS].max() < FAIR


PICTURES_LOOKED_AT = {
    # what the network says of a coin that lies still: in how many of five pictures it is looked at
    "sure": ((as_kind(0, SURE), 6.0), AGREEING),
    "no coin": ((as_kind(NOT_A_COIN, SURE), 0.0), 1),
    "in doubt": ((as_kind(0, SURE), 1.0), PICTURES),
}


@pytest.mark.parametrize("what", PICTURES_LOOKED_AT)
def test_a_circle_that_lies_still_keeps_its_answer(what: str) -> None:
    said, pictures = PICTURES_LOOKED_AT[what]
    told = Told({circle(PENNY, 300): said})
    last, looked = NOTHING_YET, 0
    for _ in range(5):
        told.looks.clear()
        found = identified(told, last)
        last = LastReading.of(found, Halvings(PAPER))
        looked += bool(told.looks)
    assert looked == pictures
    assert found.pictures.tolist() == [PICTURES]


class Turning(Told):
    """Says heads, clearly, in the first quarter turn alone, and tails in each other one: a disc without relief."""

    def __init__(self, disc: Disc) -> None:
        super().__init__({disc: (as_kind(0, SURE), 0.0)})
        self.turns: list[int] = []

    def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
        self.turns.append(turn)
        return self._saying(discs, 6.0 if turn == 0 else -3.0)

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, turns: range = range(FINE_TURNS)) -> Looks:
        self.turns += turns
        return before.joined(self._saying(discs, -3.0))

    def _saying(self, discs: Sequence[Disc], heads: float) -> Looks:
        looked = self._looked(discs, 1)
        return Looks(looked.kinds, np.full_like(looked.faces, heads), looked.views)


def test_a_bold_first_look_is_confirmed_in_the_next_picture_in_another_quarter_turn() -> None:
    turning = Turning(circle(PENNY, 300))
    first = identified(turning)
    assert turning.turns == [0]
    assert first.sure.all()
    last = LastReading.of(first, Halvings(PAPER))
    second = identify.on_mat(Candidates.proposed(list(turning.said)), Halvings(PAPER), FLAT, last, turning)
    assert turning.turns == [0, 1, 3, 0, 1]
    assert not second.sure.any()


def test_a_circle_whose_picture_changed_is_looked_at_again() -> None:
    penny = circle(PENNY, 300)
    told = Told({penny: (as_kind(0, SURE), 6.0)})
    last = settled(told)
    changed = PAPER.copy()
    changed[380:420, 280:300] = 90
    told.said = {penny: (as_kind(0, SURE), -6.0)}
    assert identified(told, last, changed).heads_if[0, 0] < 0.01
    assert identified(told, last).heads_if[0, 0] > 0.99, "the same picture keeps the answer"


def test_a_new_circle_in_the_relief_of_a_known_coin_is_dropped() -> None:
    quarter, portrait = circle(QUARTER, 300), Disc(305, 395, 33)
    told = Told({quarter: (as_kind(3, SURE), 6.0)})
    last = settled(told)
    told.said = {portrait: (as_kind(2, FAIR), 6.0), **told.said}
    assert identified(told, last).circles == (quarter,)


def test_no_circles_are_no_candidates() -> None:
    assert len(identified(Told({}))) == 0


def test_on_a_photo_the_coins_tell_the_scale_and_their_sizes_the_kinds() -> None:
    silver = np.array([0.01, 0.33, 0.33, 0.32, 0.01])
    coins = {circle(kind, 200 + 220 * k): kind for k, kind in enumerate((PENNY, PENNY, *BY_VALUE))}
    said = {disc: (as_kind(0, 0.97) if kind is PENNY else silver, 6.0) for disc, kind in coins.items()}
    told = Told(said)
    found, mm_per_px = identify.anywhere(Candidates.proposed(list(said)), PAPER, told)
    assert mm_per_px == pytest.approx(MM_PER_PX, rel=0.02)
    named = {disc: BY_VALUE[int(row[OURS].argmax())] for disc, row in zip(found.discs, found.kinds, strict=True)}
    assert named == coins
    assert set(told.looks.values()) == {THOROUGH}


def test_on_a_photo_the_hopeless_are_looked_at_once_and_dropped() -> None:
    penny, button = circle(PENNY, 300), Disc(700, 400, 40)
    told = Told({penny: (as_kind(0, SURE), 6.0), button: (as_kind(NOT_A_COIN, 0.9999), 0.0)})
    found = identify.looked_at(Candidates.proposed([penny, button]), PAPER, told)
    assert found.circles == (penny,)
    assert (told.looks[penny], told.looks[button]) == (THOROUGH, 1)


def test_a_photo_without_circles_has_no_scale() -> None:
    found, mm_per_px = identify.anywhere(Candidates.proposed([]), PAPER, Told({}))
    assert (len(found), mm_per_px) == (0, None)


def test_a_coin_that_fine_looks_made_sure_is_looked_at_in_two_pictures() -> None:
    """One picture's noise can make it boldly wrong; the mean of two is less bold."""
    penny = circle(PENNY, 300)
    told = Told({penny: (as_kind(0, SURE), 4.6)})  # 0.99: more than FACE_SURE, and not clear
    first = identified(told)
    assert first.sure.all()
    assert first.pictures.tolist() == [1]
    told.said[penny] = as_kind(0, SURE), -5.0
    second = identified(told, LastReading.of(first, Halvings(PAPER)))
    assert not second.sure.any()


@pytest.mark.parametrize(("face", "looks"), [(6.0, 1), (1.0, THOROUGH + 3 * THOROUGH)])
def test_on_a_photo_of_a_map_what_is_unclear_is_looked_at_thoroughly(face: float, looks: int) -> None:
    """Then a face that is still in doubt once more, upright and turned by 30 and 60 degrees."""
    penny = circle(PENNY, 300)
    told = Told({penny: (as_kind(0, SURE), face)})
    identify.on_mat(Candidates.proposed([penny]), Halvings(PAPER), FLAT, NOTHING_YET, told, is_photo=True)
    assert sum(told.looks.values()) == looks


WHOLE = Disc(400, 400, 100)
RINGS = {
    # what lies in a circle of a photo: (probability that it is a coin, the smaller circle, its, which of them is kept)
    "the ring of a quarter of 2010": (0.4, Disc(402, 398, 76), 0.9, "whole"),
    "a coin in a capsule": (0.1, Disc(402, 398, 76), 0.9, "inner"),
    "a dime on a quarter, off its middle": (0.4, Disc(415, 400, 74), 0.9, "inner"),
    "a portrait": (0.4, Disc(400, 400, 50), 0.9, "inner"),
}


@pytest.mark.parametrize("what", RINGS)
def test_a_ring_round_the_middle_of_a_coin_is_no_coin_of_its_own(what: str) -> None:
    whole, inner, its, kept = RINGS[what]

    def coin(share: float) -> Array:
        """(KINDS,) probabilities of a quarter, or else of no coin."""
        return np.where(
            np.arange(KINDS) == BY_VALUE.index(QUARTER),
            share,
            np.where(np.arange(KINDS) == NOT_A_COIN, 1 - share, 1e-4),
        )

    told = Told({WHOLE: (coin(whole), 3.0), inner: (coin(its), 3.0)})
    looked = identify.looked_at(Candidates.proposed([WHOLE, inner]), PAPER, told)
    assert looked.circles == ((WHOLE,) if kept == "whole" else (inner,))
