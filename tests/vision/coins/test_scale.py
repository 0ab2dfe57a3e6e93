"""A known scale is recovered from the coins, and their sizes tell the silver ones apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablecoin.coins import BY_VALUE, Denomination
from tablecoin.vision.coins.scale import of_known, of_measured, of_unknown
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
