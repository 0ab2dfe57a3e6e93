"""Stacks: the coin on top is found by its rim, and compared with there being one coin or none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination, Face
from tablecoin.mat import Circle
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins import rims, scale, stacks
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.looks import OURS, Array, Looks, heads_if
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.coins.sureness import KIND_SURE
from tablecoin.vision.frame import Disc, Frame, Image

DIME, PENNY, NICKEL, QUARTER = BY_SIZE
PAIRS = [(large, small) for small, large in combinations(BY_SIZE, 2)]
LIGHTS = {
    "plain": Light(),
    "dim": Light(brightness=0.4, noise=4.0),
    "warm": Light(warmth=0.2),
    "soft": Light(blur_px=1.1),
}
MAT = mats.load("two-row")
VIEW = View.over(MAT, size_px=(1456, 1088))


def disc(coin: VirtualCoin, wider: float = 1.0) -> Disc:
    """Where the camera sees a coin."""
    (x, y), (rim, _) = VIEW.to_px([(coin.x_mm, coin.y_mm), (coin.x_mm + coin.denomination.diameter_mm / 2, coin.y_mm)])
    return Disc(float(x), float(y), float(rim - x) * wider)


def stacked(
    large: Denomination, small: Denomination, far: float, turn: float, at: tuple[float, float]
) -> list[VirtualCoin]:
    """A small coin on a large one, `far` (0..1) of the way from the middle to where the rims meet."""
    room = far * (large.diameter_mm - small.diameter_mm) / 2
    x, y = at[0] + room * math.cos(turn), at[1] + room * math.sin(turn)
    return [VirtualCoin(large, Face.HEADS, *at, 50), VirtualCoin(small, Face.TAILS, x, y, 200)]


@pytest.mark.parametrize("far", [0.0, 0.7])
@pytest.mark.parametrize("light", LIGHTS)
def test_the_upper_coins_rim_is_found(light: str, far: float) -> None:
    piles = [stacked(*pair, far, k, (80 + 55 * k, 150)) for k, pair in enumerate(PAIRS)]
    image = Renderer(MAT, VIEW, LIGHTS[light]).picture(Scene(coins=tuple(coin for pile in piles for coin in pile)))
    for below, above in piles:
        here, top = disc(below), disc(above)
        scale_px = 2 * here.r_px / below.denomination.diameter_mm
        circles = [
            inner for inner in rims.inside(image, here, scale_px) if abs(math.log(inner.disc.r_px / top.r_px)) < 0.04
        ]
        assert circles, (below.denomination, above.denomination)
        best = max(circles, key=lambda inner: inner.edge)
        assert math.dist((best.disc.x_px, best.disc.y_px), (top.x_px, top.y_px)) < 0.14 * top.r_px
        assert best.edge > stacks.USUAL_EDGE - 0.08


@pytest.mark.parametrize("diameter_mm", [5.0, DIME.diameter_mm, 27.4, 80.0])
def test_circles_of_any_size_may_be_searched(diameter_mm: float) -> None:
    image = np.full((200, 200, 3), 120, np.uint8)
    assert rims.inside(image, Disc(100, 100, 30), 60 / diameter_mm) == []


SILVER, BRIGHT, COPPER, BROWN = (150, 150, 150), (190, 190, 190), (110, 150, 195), (75, 100, 130)  # BGR


def drawn(
    rings: Sequence[tuple[float, float, float]],
    r_px: float = 40.0,
    on: tuple[int, int, int] = SILVER,
    ink: tuple[int, int, int] = BRIGHT,
) -> tuple[Image, Disc]:
    """A coin of radius `r_px` with smaller ones drawn on it: (x, y, radius) by its own radius. Their colours: BGR."""
    image = np.full((160, 160, 3), 230, np.uint8)
    cv2.circle(image, (80 * 16, 80 * 16), round(r_px * 16), on, -1, cv2.LINE_AA, 4)
    for x, y, radius in rings:
        centre = round((80 + x * r_px) * 16), round((80 + y * r_px) * 16)
        cv2.circle(image, centre, round(radius * r_px * 16), ink, -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8), Disc(80, 80, r_px)


@given(st.sampled_from(BY_SIZE[:3]), st.floats(0, 1), st.floats(0, math.tau), st.floats(1.0, 1.012))
def test_a_drawn_rim_is_found_where_it_is(small: Denomination, far: float, turn: float, nearer: float) -> None:
    """`nearer`: a coin on three others is nearer to a camera half a metre up, and so seen that much larger."""
    ratio = small.diameter_mm / QUARTER.diameter_mm * nearer
    x, y = (0.9 * far * (1 - ratio) * f(turn) for f in (math.cos, math.sin))
    image, here = drawn([(x, y, ratio)])
    found = rims.inside(image, here, 2 * here.r_px / QUARTER.diameter_mm)
    fitting = [inner for inner in found if abs(math.log(inner.disc.r_px / (40 * ratio))) < 0.03]
    best = max(fitting, key=lambda inner: inner.edge)
    assert math.dist((best.disc.x_px, best.disc.y_px), (80 + 40 * x, 80 + 40 * y)) < 0.04 * 40
    assert best.edge > stacks.USUAL_EDGE


def test_a_fainter_rim_of_the_same_size_is_tried_too() -> None:
    """In a blur the lower coin's relief may be stronger than the true rim: the network has to choose, not the edge."""
    image, here = drawn([(0.22, 0.0, RATIO[DIME])])
    centre, radius = (round((80 - 0.22 * 40) * 16), 80 * 16), round(40 * RATIO[DIME] * 16)
    cv2.circle(image, centre, radius, (160, 160, 160), 2, cv2.LINE_AA, 4)
    found = rims.inside(image, here, 2 * here.r_px / QUARTER.diameter_mm)
    for x in (-0.22, 0.22):
        assert any(math.dist((one.disc.x_px, one.disc.y_px), (80 + 40 * x, 80)) < 0.06 * 40 for one in found)


def test_a_blank_coin_has_no_rim_inside() -> None:
    image, here = drawn([])
    assert rims.inside(image, here, 2 * here.r_px / QUARTER.diameter_mm) == []


class Says:
    """Stands for the network: a circle near one of `coins` is that coin with the probability given, others are none."""

    def __init__(self, *coins: tuple[Disc, Denomination, float]) -> None:
        self.coins = coins

    def __call__(self, image: Image, discs: Sequence[Disc]) -> Looks:
        rows = np.array([self._row(one) for one in discs])
        return Looks(np.log(rows), np.full((len(discs), 4), 3.0), np.ones(len(discs), int))

    def again(self, image: Image, discs: Sequence[Disc], before: Looks) -> Looks:
        return self(image, discs)

    def _row(self, one: Disc) -> np.ndarray:
        for disc, kind, share in self.coins:
            apart = math.dist((one.x_px, one.y_px), (disc.x_px, disc.y_px)) / disc.r_px
            if apart < 0.1 and abs(math.log(one.r_px / disc.r_px)) < 0.04:
                row = np.full(5, (1 - share) / 4)
                row[BY_VALUE.index(kind)] = share
                return row
        return np.array([0.01, 0.01, 0.01, 0.01, 0.96])


def circle(here: Disc, kind: Denomination, looks: Looks) -> Candidates:
    """One candidate as large as a coin of `kind`."""
    diameters_mm = np.array([kind.diameter_mm])
    return replace(
        Candidates.proposed([here]),
        diameters_mm=diameters_mm,
        looks=looks,
        kinds=scale.of_known(diameters_mm, looks.kinds),
        heads_if=heads_if(looks.faces),
    )


def evenly(prior: float) -> Callable[[Sequence[Disc]], Array]:
    """The same prior log-odds of a stack everywhere."""
    return lambda discs: np.full(len(discs), prior)


def judged(image: Image, here: Disc, kind: Denomination, says: Says, prior: float = 0.0) -> Candidates:
    """What is made of a circle as large as a coin of `kind`, where the prior log-odds of a stack are as said."""
    return stacks.tops(circle(here, kind, says(image, [here])), image, evenly(prior), says)


def likeliest(found: Candidates) -> Denomination:
    """Of the one candidate there is."""
    return BY_VALUE[int(found.kinds[0, OURS].argmax())]


RATIO = {kind: kind.diameter_mm / QUARTER.diameter_mm for kind in BY_SIZE}


@pytest.mark.parametrize("top", BY_SIZE[:3])
def test_the_coin_on_a_quarter_is_the_coin(top: Denomination) -> None:
    image, here = drawn([(0.02, 0.01, RATIO[top])], ink=COPPER if top is PENNY else BRIGHT)
    inner = Disc(80.8, 80.4, 40 * RATIO[top])
    found = judged(image, here, QUARTER, Says((inner, top, 0.8)))
    assert likeliest(found) is top
    assert found.kinds.max() > 0.96
    assert found.kinds.sum() == pytest.approx(1)
    assert found.heads_if[0, BY_VALUE.index(top)] == pytest.approx(1 / (1 + math.exp(-3)))
    assert found.discs[0].r_px == pytest.approx(inner.r_px, rel=0.03)


def test_a_ring_that_looks_like_no_coin_leaves_the_one_coin() -> None:
    image, here = drawn([(0, 0, RATIO[PENNY])])
    found = judged(image, here, QUARTER, Says((here, QUARTER, 0.45)))
    assert found.discs == (here,)
    assert likeliest(found) is QUARTER
    assert found.kinds.max() > 0.5


def test_two_equally_likely_circles_make_nothing_sure() -> None:
    image, here = drawn([(0, 0, RATIO[PENNY])], ink=COPPER)
    inner = Disc(80, 80, 40 * RATIO[PENNY])
    found = judged(image, here, QUARTER, Says((here, QUARTER, 0.45), (inner, PENNY, 0.3)))
    assert found.kinds[0, OURS].max() < 0.96


@pytest.mark.parametrize(("prior", "seen"), [(0.0, PENNY), (-3.0, QUARTER)])
def test_a_ring_of_the_relief_is_a_coin_where_coins_are_stacked(prior: float, seen: Denomination) -> None:
    """The same two readings: which is likelier depends on the prior of a stack at that place."""
    image, here = drawn([(0, 0, RATIO[PENNY])], ink=COPPER)
    inner = Disc(80, 80, 40 * RATIO[PENNY])
    found = judged(image, here, QUARTER, Says((here, QUARTER, 0.4), (inner, PENNY, 0.3)), prior)
    assert likeliest(found) is seen


def test_what_looks_like_no_coin_is_nothing_sure() -> None:
    image, here = drawn([(0, 0, RATIO[DIME])])
    found = judged(image, here, QUARTER, Says())
    assert found.kinds[0, OURS].max() < KIND_SURE


@pytest.mark.parametrize(("on", "ink", "penny"), [(SILVER, COPPER, True), (BROWN, (80, 108, 142), False)])
@pytest.mark.parametrize("far", [0.0, 0.08])
def test_a_brown_nickel_is_no_penny_on_a_nickel(
    on: tuple[int, int, int], ink: tuple[int, int, int], penny: bool, far: float
) -> None:
    """The network takes it for a penny, and all the more what a ring of its relief encloses: that ring is as brown."""
    size = PENNY.diameter_mm / NICKEL.diameter_mm
    image, here = drawn([(far, 0, size)], on=on, ink=ink)
    inner = Disc(80 + 40 * far, 80, 40 * size)
    says = Says((inner, PENNY, 0.95), (here, PENNY, 0.76))
    found = judged(image, here, NICKEL, says, prior=-0.5)
    assert (found.kinds.max() >= KIND_SURE and likeliest(found) is PENNY) == penny


@pytest.mark.parametrize(("of_a_quarter", "ours"), [(1.0, True), (23.25 / QUARTER.diameter_mm, False)])
def test_a_ring_on_what_has_no_coins_size_is_no_coin(of_a_quarter: float, ours: bool) -> None:
    """Nothing looks like a coin, one ring a little: on a quarter it may be worn, on a euro it is a ring."""
    image, here = drawn([(0, 0, RATIO[PENNY] / of_a_quarter)], ink=COPPER)
    ring = Disc(80, 80, 40 * RATIO[PENNY] / of_a_quarter)
    says = Says((ring, PENNY, 0.05))
    outer = circle(here, QUARTER, says(image, [here]))
    outer = replace(outer, diameters_mm=outer.diameters_mm * of_a_quarter)
    found = stacks.tops(outer, image, evenly(-3.0), says)
    assert bool(found.ours[0] > 0.5) is ours


def test_a_coin_does_not_lie_on_one_of_its_own_size() -> None:
    """A circle of a dime's size inside a penny still looks like a penny: it is that one penny."""
    image, here = drawn([(0, 0, DIME.diameter_mm / PENNY.diameter_mm)])
    inner = Disc(80, 80, 40 * DIME.diameter_mm / PENNY.diameter_mm)
    found = judged(image, here, PENNY, Says((here, PENNY, 0.6), (inner, PENNY, 0.9)))
    assert likeliest(found) is PENNY
    assert found.kinds.max() > 0.8


def surely(kind: Denomination) -> Looks:
    """The network's looks of what is `kind` with 0.96."""
    return Looks(
        np.log([[0.96 if one is kind else 0.01 for one in (*BY_VALUE, None)]]), np.full((1, 4), 3.0), np.ones(1, int)
    )


@pytest.mark.parametrize(("prior", "searched"), [(-0.5, True), (-3.0, False)])
def test_a_plain_penny_is_searched_where_coins_are_stacked(prior: float, searched: bool) -> None:
    image, here = drawn([(0, 0, DIME.diameter_mm / PENNY.diameter_mm)])
    dime = Disc(80, 80, 40 * DIME.diameter_mm / PENNY.diameter_mm)
    plain = circle(here, PENNY, surely(PENNY))
    found = stacks.tops(plain, image, evenly(prior), Says((dime, DIME, 0.9)))
    assert (found.kinds.max() < KIND_SURE) == searched


@pytest.mark.parametrize(("below", "top"), [(QUARTER, NICKEL), (QUARTER, DIME), (NICKEL, DIME)])
@pytest.mark.parametrize("prior", [0.0, -3.0])
def test_a_coin_hidden_on_a_silver_one_leaves_nothing_sure(
    below: Denomination, top: Denomination, prior: float
) -> None:
    """All of it looks like the larger coin, but there is the smaller one's rim, and in it what looks like it."""
    image, here = drawn([(0.02, 0.01, top.diameter_mm / below.diameter_mm)])
    inner = Disc(80.8, 80.4, 40 * top.diameter_mm / below.diameter_mm)
    says = Says((inner, top, 0.8))
    found = stacks.tops(circle(here, below, surely(below)), image, evenly(prior), says)
    assert found.kinds.max() < KIND_SURE
    assert found.kinds[0, BY_VALUE.index(top)] > 1 - KIND_SURE


def test_a_faint_ring_on_a_plain_coin_changes_nothing() -> None:
    image, here = drawn([])
    cv2.circle(image, (80 * 16, 80 * 16), round(40 * RATIO[DIME] * 16), (155, 155, 155), 2, cv2.LINE_AA, 4)
    plain = circle(here, QUARTER, surely(QUARTER))
    assert stacks.tops(plain, image, evenly(-3.0), Says()).kinds == pytest.approx(plain.kinds)


def test_no_circles_hold_no_stacks() -> None:
    image, _ = drawn([])
    assert len(stacks.tops(Candidates.proposed(()), image, evenly(0.0), Says())) == 0


@pytest.mark.parametrize(
    ("light", "tilt_deg", "every"),
    [
        ("dim", 6.0, 2),
        *(pytest.param(light, tilt, 1, marks=pytest.mark.long) for light in ("plain", "dim") for tilt in (0.0, 6.0)),
    ],
)
def test_a_map_full_of_stacks_is_read(light: str, tilt_deg: float, every: int) -> None:
    """Stacks of two to four: each is read as one coin, most as the one on top, and none surely as another."""
    mat = mats.load("coin-age:forest")
    chance = np.random.default_rng(5)
    coins: list[VirtualCoin] = []
    truth = {}
    for zone in [zone for zone in mat.zones if isinstance(zone.area, Circle)][::every]:
        assert isinstance(zone.area, Circle)
        kinds = sorted(chance.choice(4, int(chance.integers(2, 5)), replace=False), reverse=True)
        x, y = zone.area.center_mm
        for k in kinds:
            face = Face.HEADS if chance.random() < 0.5 else Face.TAILS
            coins.append(VirtualCoin(BY_SIZE[k], face, x, y, float(chance.uniform(0, 360))))
            x, y = x + float(chance.uniform(-0.3, 0.3)), y + float(chance.uniform(-0.3, 0.3))
        truth[zone.name] = coins[-1].coin
    view = View.over(mat, size_px=(1456, 1088), tilt_deg=tilt_deg)
    image = Renderer(mat, view, LIGHTS[light]).picture(Scene(coins=tuple(coins)))
    seen = Reader(mat.name).read(Frame(image, 0, 0.0)).coins
    assert sorted(coin.zone or "" for coin in seen) == sorted(truth)
    assert all(coin.coin is truth[coin.zone or ""] for coin in seen if coin.sure)
    assert sum(coin.coin is truth[coin.zone or ""] for coin in seen) >= 0.8 * len(truth)
