"""Stage three: which candidates become coins, how sure, where, and in which zone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Coin
from tablecoin.vision.coins import resolve
from tablecoin.vision.coins.candidates import COVERED, Candidates
from tablecoin.vision.coins.find import hidden_share
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE, LEAST, LIKELY
from tablecoin.vision.frame import Disc
from tablecoin.vision.place.plane import Plane

PENNY, NICKEL, DIME, QUARTER = BY_VALUE
MM_PER_PX = 0.25
FLAT = Plane(mats.load("two-row"), (MM_PER_PX, 0, 0, 0, MM_PER_PX, 0, 0, 0, 1), None, (), (), 0.0)
STEP = 1e-6  # to either side of a threshold


def candidates(*rows: tuple[Disc, float, float]) -> Candidates:
    """Pennies: (disc, probability of being a penny, of heads); the rest is the probability of being no coin."""
    kinds = np.array([(penny, 0, 0, 0, 1 - penny) for _, penny, _ in rows])
    heads_if = np.array([(heads,) * 4 for _, _, heads in rows]).reshape(-1, 4)
    return replace(Candidates.proposed([disc for disc, _, _ in rows]), kinds=kinds.reshape(-1, 5), heads_if=heads_if)


A, BESIDE_A, ON_A = Disc(400, 400, 38), Disc(470, 400, 38), Disc(405, 400, 30)

OVERLAPS = {
    # candidates: the discs of the coins
    "side by side": (candidates((A, 0.99, 0.99), (BESIDE_A, 0.9, 0.99)), {A, BESIDE_A}),
    "one on the other, the likelier stays": (candidates((A, 0.9, 0.99), (ON_A, 0.99, 0.99)), {ON_A}),
    "the same the other way round": (candidates((ON_A, 0.9, 0.99), (A, 0.99, 0.99)), {A}),
    "what is surely no coin hides none": (candidates((A, 0.5, 0.99), (ON_A, LEAST - STEP, 0.99)), {A}),
    "a little likely is shown on the mat": (candidates((A, LEAST + STEP, 0.99)), {A}),
    "less likely is not": (candidates((A, LEAST - STEP, 0.99)), set()),
    "no candidates": (candidates(), set()),
}


@pytest.mark.parametrize("case", OVERLAPS)
def test_of_circles_that_cover_each_other_the_likeliest_coin_stays(case: str) -> None:
    batch, discs = OVERLAPS[case]
    assert {coin.disc for coin in resolve.on_mat(batch, FLAT, LEAST)} == discs


def test_the_cases_overlap_as_they_say() -> None:
    assert hidden_share(A, BESIDE_A) <= COVERED < hidden_share(A, ON_A)


def test_everything_round_on_a_tray_is_a_coin() -> None:
    assert len(resolve.on_mat(candidates((A, 0.0, 0.5)), FLAT, least=0.0)) == 1


SURENESS = {
    # (probability of the kind, of heads): sure
    (1.0, 1.0): True,
    (KIND_SURE, FACE_SURE): True,
    (KIND_SURE - STEP, 1.0): False,
    (1.0, FACE_SURE - STEP): False,
    (1.0, 1 - FACE_SURE - STEP): True,  # surely tails
    (1.0, 0.5): False,
}


@pytest.mark.parametrize(("kind", "heads"), SURENESS)
def test_a_coin_is_sure_when_its_kind_and_its_face_both_are(kind: float, heads: float) -> None:
    (coin,) = resolve.on_mat(candidates((A, kind, heads)), FLAT, LEAST)
    assert coin.sure is SURENESS[kind, heads]
    assert coin.denominations == (kind, 0, 0, 0)
    assert coin.coin is (Coin.PENNY_HEADS if heads >= 0.5 else Coin.PENNY_TAILS)


PLACES = {
    # (x, y) in millimetres: zone
    (80.0, 250.0): "row.heads",
    (120.0, 45.0): "row.tails",
    (100.0, 150.0): "tray",
    (210.0, 2.0): None,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_coin_has_its_place_and_zone(place: tuple[float, float]) -> None:
    x, y = place
    (coin,) = resolve.on_mat(candidates((Disc(x / MM_PER_PX, y / MM_PER_PX, 38), 1.0, 1.0)), FLAT, LEAST)
    assert coin.place_mm == pytest.approx(place)
    assert coin.zone == PLACES[place]


@pytest.mark.parametrize(("probability", "shown"), [(LIKELY - STEP, False), (LIKELY, True), (1.0, True)])
def test_on_a_photo_what_is_likelier_a_coin_than_not_is_shown(probability: float, shown: bool) -> None:
    coins = resolve.anywhere(candidates((A, probability, 0.99)))
    assert bool(coins) is shown
    assert all(coin.place_mm is None and coin.zone is None for coin in coins)
