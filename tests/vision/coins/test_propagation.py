"""Sure coins of a picture vote on the doubtful ones that look like them, and on nothing else.

A stand-in for the network gives every coin the features it is told, so every row is a case with a known answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tablecoin.vision.coins import propagation
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.looks import KINDS, OURS, Array
from tablecoin.vision.coins.neighbours import FEATURES
from tablecoin.vision.coins.network import TURNS, Identifier
from tablecoin.vision.coins.propagation import MOST_FOR_KIND
from tablecoin.vision.coins.sureness import FACE_SURE
from tablecoin.vision.frame import Disc, Image

PICTURE = np.full((100, 1000, 3), 235, np.uint8)
PENNY, NICKEL = 0, 1
SURE, DOUBTFUL = 0.999, 0.95  # probability of heads
DOUBT = 0  # the coin that is asked about lies first


@dataclass(frozen=True)
class Lies:
    """A coin: its kind, the probability of it and of heads, and the direction that its features point into."""

    kind: int
    certain: float
    heads: float
    looks_like: str


class Pictured(Identifier):
    """Gives each disc the features of what it looks like, and counts the discs it was asked about."""

    def __init__(self, coins: Sequence[Lies]) -> None:
        self.coins, self.asked = coins, 0

    def features(self, image: Image, discs: Sequence[Disc], turns: range = range(TURNS)) -> Array:
        self.asked += len(discs)
        shown = [direction(self.coins[round(disc.x_px)].looks_like) for disc in discs]
        return np.stack([shown] * len(turns))


def direction(name: str) -> Array:
    """(FEATURES,): the same for the same name; of two names nearly at a right angle."""
    return np.random.default_rng(sum(name.encode())).normal(0, 1, FEATURES)


def picture_of(coins: Sequence[Lies]) -> Candidates:
    candidates = Candidates.proposed([Disc(k, 50, 20) for k in range(len(coins))])
    kinds = np.full((len(coins), KINDS), 0.0)
    heads_if = np.full((len(coins), KINDS - 1), 0.5)
    for k, coin in enumerate(coins):
        kinds[k] = (1 - coin.certain) / (KINDS - 1)
        kinds[k, coin.kind] = coin.certain
        heads_if[k, coin.kind] = coin.heads
    return replace(candidates, kinds=kinds, heads_if=heads_if)


def face_voted(*coins: Lies) -> float:
    """The probability of heads of the first coin, after the votes of the others."""
    voted = propagation.faces_voted(picture_of(coins), [DOUBT], PICTURE, Pictured(coins))
    return float(voted.heads_if[DOUBT, coins[DOUBT].kind])


doubted = Lies(PENNY, SURE, DOUBTFUL, "wheat")
FACES = {
    # what lies beside a penny that is heads with 0.95: how its face is told then
    "a sure heads that looks the same": ((Lies(PENNY, SURE, SURE, "wheat"),), "surer"),
    "a sure tails that looks the same": ((Lies(PENNY, SURE, 1 - SURE, "wheat"),), "less sure"),
    "ten of them": ((Lies(PENNY, SURE, 1 - SURE, "wheat"),) * 10, "less sure"),
    "a penny that looks otherwise": ((Lies(PENNY, SURE, 1 - SURE, "shield"),), "unchanged"),
    "a face that is doubtful itself": ((Lies(PENNY, SURE, 1 - DOUBTFUL, "wheat"),), "unchanged"),
    "a denomination that is doubtful": ((Lies(PENNY, 0.9, 1 - SURE, "wheat"),), "unchanged"),
    "another denomination": ((Lies(NICKEL, SURE, 1 - SURE, "wheat"),), "unchanged"),
    "one of each face": ((Lies(PENNY, SURE, SURE, "wheat"), Lies(PENNY, SURE, 1 - SURE, "wheat")), "unchanged"),
    "nothing": ((), "unchanged"),
}
TOLD = {"surer": 0.984, "unchanged": 0.95, "less sure": 0.851}


@pytest.mark.parametrize("case", FACES)
def test_a_doubtful_face_is_told_by_sure_ones_that_look_like_it(case: str) -> None:
    others, told = FACES[case]
    assert face_voted(doubted, *others) == pytest.approx(TOLD[told], abs=0.001)


@pytest.mark.parametrize("heads", [0.5, 0.2, 0.08])
def test_coins_worn_smooth_do_not_make_each_other_sure(heads: float) -> None:
    """They look alike whichever side lies up: twenty that are sure say nothing of one that shows nothing itself."""
    smooth = Lies(PENNY, SURE, heads, "smooth")
    assert face_voted(smooth, *[Lies(PENNY, SURE, 1 - SURE, "smooth")] * 20) > 1 - FACE_SURE


def test_a_doubtful_denomination_is_told_too() -> None:
    coins = [Lies(PENNY, 0.7, SURE, "wheat"), Lies(PENNY, SURE, SURE, "wheat"), Lies(NICKEL, SURE, SURE, "bison")]
    before = picture_of(coins)
    after = propagation.looks_voted(before, [DOUBT], PICTURE, Pictured(coins))
    told = after.looks.kinds[DOUBT] - before.looks.kinds[DOUBT]
    assert told[PENNY] - told[NICKEL] == pytest.approx(MOST_FOR_KIND)
    assert np.array_equal(after.looks.kinds[1:], before.looks.kinds[1:])


def test_a_coin_is_described_once_and_only_where_somebody_may_vote_on_it() -> None:
    """It costs four looks: of a picture with one doubtful penny the pennies are described, and no nickel."""
    coins = [doubted, Lies(PENNY, SURE, SURE, "wheat"), Lies(NICKEL, SURE, SURE, "bison")]
    identifier = Pictured(coins)
    once = propagation.looks_voted(picture_of(coins), [DOUBT], PICTURE, identifier)
    assert identifier.asked == 2
    propagation.faces_voted(once, [DOUBT], PICTURE, identifier)
    assert identifier.asked == 2


def test_the_sure_ones_stay_as_they_are() -> None:
    coins = [doubted, Lies(PENNY, SURE, 1 - SURE, "wheat"), Lies(NICKEL, SURE, SURE, "wheat")]
    before = picture_of(coins)
    after = propagation.faces_voted(before, [DOUBT], PICTURE, Pictured(coins))
    assert np.array_equal(after.kinds[:, OURS], before.kinds[:, OURS])
    assert np.array_equal(after.heads_if[1:], before.heads_if[1:])
