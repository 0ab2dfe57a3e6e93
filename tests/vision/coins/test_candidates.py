"""The batch that passes through the three stages: columns stay in step, and nothing is changed in place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE
from tablecoin.virtual.view import View
from tablecoin.vision.coins.candidates import Candidates, diameters_mm
from tablecoin.vision.coins.looks import KINDS, NOT_A_COIN, Looks
from tablecoin.vision.frame import Disc
from tablecoin.vision.place.plane import Plane, matrix_of

DISCS = [Disc(100.0 * k, 50, 20 + k) for k in range(4)]
INNER = Disc(101, 50, 12)
HEADS = [0.1, 0.2, 0.3, 0.4]

_turn = np.linspace(0, 2 * np.pi, 400, endpoint=False)
CIRCLE = np.column_stack([np.cos(_turn), np.sin(_turn)])  # of radius 1


def answered(discs: list[Disc], kind: int, pictures: int) -> Candidates:
    """All of one kind, surely heads."""
    count = len(discs)
    looks = Looks(np.log(np.full((count, KINDS), 0.2)), np.full((count, 4), 3.0), np.full(count, 4))
    return replace(
        Candidates.proposed(discs),
        looks=looks,
        kinds=np.eye(KINDS)[[kind] * count],
        heads_if=np.ones((count, 4)),
        pictures=np.full(count, pictures),
    )


def test_nothing_is_known_of_what_is_only_proposed() -> None:
    batch = Candidates.proposed(DISCS)
    assert len(batch) == 4
    assert batch.ours == pytest.approx(0.8)
    assert batch.strange == pytest.approx(0.2)
    assert not batch.sure.any()
    assert np.isnan(batch.diameters_mm).all()


def test_answers_are_put_into_their_rows_and_the_old_batch_stays() -> None:
    batch = Candidates.proposed(DISCS)
    put = batch.put([3, 1], answered([INNER, DISCS[1]], kind=2, pictures=2))
    assert put.circles == batch.circles
    assert put.discs == (DISCS[0], DISCS[1], DISCS[2], INNER)
    assert put.pictures.tolist() == [0, 2, 0, 2]
    assert put.looks.views.tolist() == [0, 4, 0, 4]
    assert put.sure.tolist() == [False, True, False, True]
    assert batch.pictures.tolist() == [0, 0, 0, 0]
    assert batch.discs == tuple(DISCS)


@pytest.mark.parametrize("rows", [[2, 0], [], [1]])
def test_some_rows_keep_all_their_columns(rows: list[int]) -> None:
    batch = replace(answered(DISCS, 0, 1), heads_if=np.array([[up] * 4 for up in HEADS]))
    some = batch[rows]
    assert some.circles == tuple(DISCS[k] for k in rows)
    assert some.heads_if.tolist() == [[HEADS[k]] * 4 for k in rows]
    assert len(some.kinds) == len(some.looks.kinds) == len(some.pictures) == len(rows)


def test_of_covering_circles_the_likeliest_stays_first_in_order() -> None:
    kinds = np.zeros((3, KINDS))
    kinds[:, 0] = [0.6, 0.9, 0.8]
    kinds[:, NOT_A_COIN] = 1 - kinds[:, 0]
    batch = replace(Candidates.proposed([Disc(0, 0, 20), Disc(3, 0, 20), Disc(300, 0, 20)]), kinds=kinds)
    assert batch.strongest(least=0.1) == [1, 2]
    assert batch.strongest(least=0.85) == [1]


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0])
def test_a_coins_diameter_is_measured_wherever_it_lies(tilt_deg: float) -> None:
    mat = mats.load("two-row")
    view = View.over(mat, size_px=(1456, 1088), tilt_deg=tilt_deg)
    plane = Plane(mat, matrix_of(np.linalg.inv(view.to_camera)), None, (), (), 0.0)
    for kind in BY_VALUE:
        for x, y in ((40, 40), (210, 150), (380, 260)):
            rim = view.to_px(np.array((x, y)) + kind.diameter_mm / 2 * CIRCLE)
            (cx, cy), area = rim.mean(axis=0), _area(rim)
            seen = Disc(float(cx), float(cy), float(np.sqrt(area / np.pi)))
            assert diameters_mm(plane, [seen])[0] == pytest.approx(kind.diameter_mm, rel=2e-3)


def _area(polygon: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    """By the shoelace formula."""
    x, y = polygon.T
    return float(abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2)
