"""What the network says of a coin does not depend on the order in which its quarter turns are looked at."""

from __future__ import annotations

import numpy as np
import pytest

from tablecoin.vision.coins.network import AT_ONCE, Identifier
from tablecoin.vision.frame import Disc

PICTURE = np.random.default_rng(2).integers(0, 255, (200, 600, 3)).astype(np.uint8)
DISCS = [Disc(40 + 50 * k, 100, 22) for k in range(2 * AT_ONCE + 1)]


@pytest.fixture(scope="module")
def identifier() -> Identifier:
    return Identifier()


@pytest.mark.parametrize("steps", [(3,), (1, 2), (1, 1, 1)])
def test_quarter_turns_one_after_another_count_as_all_four_at_once(
    identifier: Identifier, steps: tuple[int, ...]
) -> None:
    looks, first = identifier(PICTURE, DISCS), 1
    for more in steps:
        looks = identifier.again(PICTURE, DISCS, looks, first, more)
        first += more
    assert looks.views.tolist() == [4] * len(DISCS)
    at_once = identifier(PICTURE, DISCS, turns=4)
    assert looks.kinds == pytest.approx(at_once.kinds, abs=1e-4)
    assert looks.faces == pytest.approx(at_once.faces, abs=1e-4)


def test_no_discs_have_no_looks(identifier: Identifier) -> None:
    looks = identifier(PICTURE, [])
    assert (looks.kinds.shape, looks.faces.shape, looks.views.shape) == ((0, 5), (0,), (0,))


@pytest.mark.parametrize("count", [1, AT_ONCE, 2 * AT_ONCE + 1])
def test_any_number_of_discs_gives_the_same_answer_as_each_alone(identifier: Identifier, count: int) -> None:
    together = identifier(PICTURE, DISCS[:count])
    for k, disc in enumerate(DISCS[:count]):
        alone = identifier(PICTURE, [disc])
        assert alone.kinds[0] == pytest.approx(together.kinds[k], abs=1e-3)
        assert alone.faces[0] == pytest.approx(together.faces[k], abs=1e-3)


def test_probabilities_sum_to_one(identifier: Identifier) -> None:
    assert np.exp(identifier(PICTURE, DISCS).kinds).sum(axis=1) == pytest.approx(1)
