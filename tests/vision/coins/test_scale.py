"""A known scale is recovered from the coins, and their sizes tell the silver ones apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin.coins import BY_VALUE, Denomination
from tablecoin.vision.coins.scale import of_known, of_measured, of_unknown
from tablecoin.vision.coins.sureness import KIND_SURE, STRANGE
from tablecoin.vision.frame import Disc

SIZE_PX = (1200, 900)
COLOUR_ONLY = {  # by a network that tells only copper from silver
    Denomination.PENNY: (0.97, 0.01, 0.01, 0.005, 0.005),
    Denomination.NICKEL: (0.01, 0.33, 0.33, 0.32, 0.01),
    Denomination.DIME: (0.01, 0.33, 0.33, 0.32, 0.01),
    Denomination.QUARTER: (0.01, 0.33, 0.33, 0.32, 0.01),
}


def laid(
    kinds: list[Denomination], mm_per_px: float, seed: int, tilt: float = 0.0, error: float = 0.01
) -> tuple[list[Disc], np.ndarray]:
    """Discs of these coins at random places, with an `error` in radius; the scale drifts by `tilt` to the right."""
    rng = np.random.default_rng(seed)
    discs = []
    for kind in kinds:
        x, y = rng.uniform(0, SIZE_PX[0]), rng.uniform(0, SIZE_PX[1])
        drift = np.exp(tilt * (x / SIZE_PX[0] - 0.5) + rng.normal(0, error))
        discs.append(Disc(x, y, kind.diameter_mm / 2 / mm_per_px * drift))
    return discs, np.log([COLOUR_ONLY[kind] for kind in kinds])


def likeliest(kinds: np.ndarray) -> list[Denomination]:
    return [BY_VALUE[k] for k in kinds[:, :4].argmax(axis=1)]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(BY_VALUE[1:]), min_size=3, max_size=20),
    st.floats(0.03, 0.8),
    st.integers(0, 10_000),
)
def test_pennies_give_the_scale_and_the_scale_gives_the_silver(
    silver: list[Denomination], mm_per_px: float, seed: int
) -> None:
    kinds = [Denomination.PENNY, Denomination.PENNY, *silver]
    sized = of_unknown(*laid(kinds, mm_per_px, seed, error=0.005), SIZE_PX)
    assert sized.mm_per_px == pytest.approx(mm_per_px, rel=0.03)
    assert likeliest(sized.kinds) == kinds


def test_a_tilted_camera_is_corrected() -> None:
    kinds = [*BY_VALUE] * 5
    sized = of_unknown(*laid(kinds, 0.12, seed=4, tilt=0.16), SIZE_PX)
    assert likeliest(sized.kinds) == kinds


def test_one_coin_alone_is_what_it_looks_like() -> None:
    looks = np.log([[0.02, 0.7, 0.1, 0.15, 0.03]])
    for r_px in (20.0, 200.0):
        sized = of_unknown([Disc(500, 400, r_px)], looks, SIZE_PX)
        assert np.argmax(sized.kinds) == 1
        assert sized.kinds[0, 1] < 0.9


def test_a_size_between_two_coins_makes_neither_certain() -> None:
    discs, looks = laid([Denomination.PENNY] * 6, 0.1, seed=2, error=0.0)
    between = (Denomination.NICKEL.diameter_mm + Denomination.QUARTER.diameter_mm) / 4 / 0.1
    discs.append(Disc(600, 400, between))
    looks = np.vstack([looks, np.log([COLOUR_ONLY[Denomination.NICKEL]])])
    assert of_unknown(discs, looks, SIZE_PX).kinds[-1].max() < 0.9


def test_a_size_that_fits_no_coin_is_not_a_coin() -> None:
    kinds = of_known(np.array([30.0, 24.26]), np.log([[0.01, 0.3, 0.3, 0.3, 0.09]] * 2))
    assert kinds[0, 4] > 0.9
    assert np.argmax(kinds[1]) == 3


def test_the_holes_of_a_tray_do_not_outvote_the_coins_on_it() -> None:
    kinds = [Denomination.PENNY, Denomination.NICKEL, Denomination.QUARTER, Denomination.PENNY]
    discs, looks = laid(kinds, 0.17, seed=8)
    holes = [Disc(20.0 + 40 * (n % 25), 20.0 + 60 * (n // 25), 11.0) for n in range(200)]
    like_a_hole = np.log(np.tile((0.1, 0.2, 0.1, 0.1, 0.5), (200, 1)))
    sized = of_unknown(discs + holes, np.concatenate([looks, like_a_hole]), SIZE_PX)
    assert sized.mm_per_px == pytest.approx(0.17, rel=0.03)
    assert likeliest(sized.kinds[:4]) == kinds
    assert (sized.kinds[:4, 4] < 0.05).all()
    assert (sized.kinds[4:, 4] > 0.5).all()


@pytest.mark.parametrize(("error", "is_sure"), [(0.002, True), (0.03, False)])
def test_sizes_tell_more_where_those_of_a_picture_agree_better(error: float, is_sure: bool) -> None:
    """A quarter of an unknown design, which the networks take for no coin of ours."""
    kinds = [*BY_VALUE] * 4
    discs, looks = laid(kinds, 0.12, seed=6, error=error)
    looks[3] = np.log([0.005, 0.01, 0.005, 0.45, 0.53])
    discs[3] = Disc(600, 450, kinds[3].diameter_mm / 2 / 0.12)
    assert bool(of_unknown(discs, looks, SIZE_PX).kinds[3, 3] > KIND_SURE) is is_sure


def test_without_coins_there_is_no_scale() -> None:
    assert of_unknown([], np.empty((0, 5)), SIZE_PX).mm_per_px is None
    strangers = np.log([[0.001, 0.001, 0.001, 0.001, 0.996]] * 3)
    assert of_unknown([Disc(1, 1, 9.0 + k) for k in range(3)], strangers, SIZE_PX).mm_per_px is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(5, 300), min_size=1, max_size=8), st.integers(0, 1000))
def test_probabilities_always_add_up(radii: list[float], seed: int) -> None:
    looks = np.log(np.random.default_rng(seed).dirichlet(np.ones(5), len(radii)))
    kinds = of_unknown([Disc(10.0 * k, 5.0 * k, r) for k, r in enumerate(radii)], looks, SIZE_PX).kinds
    assert kinds.sum(axis=1) == pytest.approx(1)
    assert (kinds >= 0).all()


def test_an_error_that_all_diameters_share_is_estimated() -> None:
    plain, silver = np.log(np.full(5, 0.2)), np.log([0.002, 0.45, 0.45, 0.08, 0.018])
    kinds = [Denomination.QUARTER, Denomination.PENNY, Denomination.PENNY, Denomination.NICKEL, Denomination.DIME]
    surely = np.log([[0.96 if other is kind else 0.01 for other in BY_VALUE] + [0.01] for kind in kinds[:4]])
    diameters = 1.03 * np.array([kind.diameter_mm for kind in kinds])  # all rims measured 3 % too wide
    together = of_measured(diameters, np.vstack([surely, silver]))
    alone = of_measured(diameters[4:], silver[None])
    assert together[4, BY_VALUE.index(Denomination.DIME)] > max(0.95, alone[0, BY_VALUE.index(Denomination.DIME)])
    assert of_measured(np.array([19.05]), plain[None]).argmax() == BY_VALUE.index(Denomination.PENNY)
    assert of_measured(np.empty(0), np.empty((0, 5))).shape == (0, 5)


PENNY, NICKEL, DIME, QUARTER, NONE = range(5)
AMONG = (PENNY, NICKEL, QUARTER)  # three clear coins beside the one asked about
DOLLAR_MM, HALF_MM, EURO_CENT_MM = 26.5, 30.61, 16.25


def surely(kind: int, rest: float = 1e-5) -> np.ndarray:
    """Log-probabilities of a network that is sure of one kind; the others have `rest` each."""
    return np.log([1 - 4 * rest if k == kind else rest for k in range(5)])


def on_the_mat(diameter_mm: float, looks: np.ndarray, others: tuple[int, ...] = AMONG) -> np.ndarray:
    """The posterior of a coin with this diameter and these looks, beside clear `others`."""
    sizes = [BY_VALUE[kind].diameter_mm for kind in others]
    kinds = of_measured(np.array([*sizes, diameter_mm]), np.vstack([*(surely(kind) for kind in others), looks]))
    return np.asarray(kinds[-1])


@pytest.mark.parametrize("others", [AMONG, ()], ids=["beside clear coins", "alone"])
@pytest.mark.parametrize(
    ("is_a", "seen_as"),
    [
        (PENNY, DIME),  # burnt out in the light: neither colour nor relief
        (DIME, PENNY),  # brown with dirt
        (NICKEL, QUARTER),
        (QUARTER, NICKEL),
        (NICKEL, PENNY),  # under a warm lamp
    ],
)
def test_looks_are_never_sure_against_the_diameter(is_a: int, seen_as: int, others: tuple[int, ...]) -> None:
    kinds = on_the_mat(BY_VALUE[is_a].diameter_mm, surely(seen_as), others)
    assert kinds[seen_as] < KIND_SURE
    assert kinds[is_a] > kinds[seen_as] or not others


@pytest.mark.parametrize("error", [-0.015, -0.01, 0.0, 0.01, 0.015])
@pytest.mark.parametrize("kind", [PENNY, NICKEL, DIME, QUARTER])
def test_a_clear_coin_measured_as_well_as_usual_is_sure(kind: int, error: float) -> None:
    assert on_the_mat(BY_VALUE[kind].diameter_mm * (1 + error), surely(kind, 0.002))[kind] > KIND_SURE


@pytest.mark.parametrize("kind", [PENNY, NICKEL, DIME, QUARTER])
def test_a_badly_measured_rim_makes_no_clear_coin_another(kind: int) -> None:
    """Partly covered, worn, or on a ring of its relief: one in a hundred is off by 3 % and more."""
    for error in (-0.03, 0.03):
        kinds = on_the_mat(BY_VALUE[kind].diameter_mm * (1 + error), surely(kind, 0.002))
        assert kinds.argmax() == kind


@pytest.mark.parametrize(
    ("diameter_mm", "seen_as"),
    [(DOLLAR_MM, QUARTER), (HALF_MM, QUARTER), (EURO_CENT_MM, PENNY), (EURO_CENT_MM, DIME)],
    ids=["dollar", "half", "euro cent as a penny", "euro cent as a dime"],
)
def test_a_diameter_that_fits_no_kind_is_none_of_ours(diameter_mm: float, seen_as: int) -> None:
    assert on_the_mat(diameter_mm, surely(seen_as))[NONE] > 0.5


def test_a_worn_silver_coin_between_two_sizes_stays_in_doubt() -> None:
    between = np.sqrt(BY_VALUE[PENNY].diameter_mm * BY_VALUE[DIME].diameter_mm)
    assert on_the_mat(between, np.log([0.5, 0.005, 0.48, 0.005, 0.01])).max() < KIND_SURE


@pytest.mark.parametrize("kind", BY_VALUE)
def test_what_is_surely_no_coin_stays_none_though_it_has_the_size_of_one(kind: Denomination) -> None:
    assert on_the_mat(kind.diameter_mm, surely(NONE, 1e-4))[NONE] > STRANGE
