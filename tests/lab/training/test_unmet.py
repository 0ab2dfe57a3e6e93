"""Quarters of designs that nobody met: another relief, and everything else as it was."""

from __future__ import annotations

import numpy as np

from lab.training.cropset import NONE, REACH, UNKNOWN, CropSet
from lab.training.unmet import build
from tablecoin.coins import BY_VALUE, Denomination

SIDE = 96
RADIUS = SIDE / 2 / REACH
_y, _x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
FAR = np.hypot(_x, _y) / RADIUS
QUARTER, PENNY = BY_VALUE.index(Denomination.QUARTER), BY_VALUE.index(Denomination.PENNY)


def coins(sources: list[str], kinds: list[int], heads: list[int]) -> CropSet:
    """Discs of a metal each, on dark ground, with a rough relief."""
    rng, pictures = np.random.default_rng(5), []
    for k in range(len(kinds)):
        relief = rng.normal(0, 12, (SIDE, SIDE, 1)) * (FAR < 0.85)[..., None]
        metal = np.array([110, 140 - 8 * k, 150]) + relief
        pictures.append(np.where((FAR <= 1)[..., None], metal, 20).clip(0, 255).astype(np.uint8))
    names = np.array(sources)
    return CropSet(np.stack(pictures), np.array(kinds), np.array(heads), names, names, np.array([True] * len(kinds)))


TABLE = coins(["ann", "ben", "cy", "euro"], [QUARTER, QUARTER, PENNY, NONE], [1, 0, 0, UNKNOWN])


def test_quarters_become_tails_nobody_met_and_strangers_stay_strangers() -> None:
    made = build(TABLE, seed=3, count=40)
    ours = made.kind == QUARTER
    assert ours.sum() > 20
    assert (~ours).sum() >= 1
    assert set(made.heads[ours]) == {0}
    assert set(made.source[ours]) == {"unmet"}
    assert set(made.photographer[ours]) == {"ann", "ben"}, "they keep their photographer, who decides the fold"
    assert set(made.kind[~ours]) == {NONE}
    assert set(made.source[~ours]) == {"euro"}
    assert made.coin.all()


def test_the_relief_is_new_and_metal_rim_and_ground_are_not() -> None:
    made = build(TABLE, seed=3, count=40)
    for k in range(40):
        first = TABLE.pixels[list(TABLE.photographer).index(made.photographer[k])].astype(float)
        now = made.pixels[k].astype(float)
        assert np.array_equal(now[FAR > 1.03], first[FAR > 1.03])
        inside = FAR < 0.6
        assert np.abs(now - first)[inside].mean() > 3, "another relief"
        assert np.abs(np.log(now[inside].mean(0) / first[inside].mean(0))).max() < 0.25, "the same metal"


def test_the_same_seed_draws_the_same() -> None:
    assert np.array_equal(build(TABLE, seed=3, count=4).pixels, build(TABLE, seed=3, count=4).pixels)
    assert not np.array_equal(build(TABLE, seed=3, count=4).pixels, build(TABLE, seed=4, count=4).pixels)


def test_without_any_stranger_all_are_quarters() -> None:
    assert set(build(TABLE[np.arange(3)], seed=3, count=12).kind) == {QUARTER}
