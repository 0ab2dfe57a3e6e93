"""What the other round things of a photo say about one: Laplace's rule of succession."""

from __future__ import annotations

import numpy as np
import pytest

from tablecoin.vision.coins.company import heard
from tablecoin.vision.coins.looks import KINDS, NOT_A_COIN, OURS, Looks

QUARTER = 3
DOUBTED = np.log([0.01, 0.02, 0.01, 0.46, 0.5])  # a quarter of an unknown design


def odds(ours: list[float]) -> float:
    """The odds that the doubted disc, the first of these, is a coin of ours, when each is with these probabilities."""
    looks = Looks(np.tile(DOUBTED, (len(ours), 1)), np.zeros((len(ours), 4)), np.ones(len(ours), np.int64))
    kinds = np.exp(heard(looks, np.array(ours)).kinds[0])
    assert kinds.sum() == pytest.approx(1)
    assert kinds[QUARTER] / kinds[OURS].sum() == pytest.approx(0.92), "nothing is said about which coin it is"
    return float(kinds[OURS].sum() / kinds[NOT_A_COIN])


@pytest.mark.parametrize(
    ("others", "as_likely"),
    [
        ([], 1),  # alone it is what it looks like
        ([1.0] * 10, 11),
        ([0.0] * 10, 1 / 11),  # a plate of buttons
        ([1.0] * 5 + [0.0] * 5, 1),
        ([0.5], 1),  # what is not known says nothing
        ([1.0] * 9 + [0.0], 5),
    ],
)
def test_the_others_say_how_likely_it_is_a_coin_of_ours(others: list[float], as_likely: float) -> None:
    assert odds([0.5, *others]) == pytest.approx(as_likely)


def test_its_own_looks_are_not_counted_twice() -> None:
    assert odds([0.001, 1.0]) == pytest.approx(odds([0.999, 1.0]))


def test_of_nothing_nothing_is_said() -> None:
    assert heard(Looks.unseen(0), np.empty(0)).kinds.shape == (0, KINDS)
