"""What the network says of a coin does not depend on when it sees which of its sides."""

from __future__ import annotations

import numpy as np
import pytest

from tablecoin.vision.coins.identify import AT_ONCE, Identifier
from tablecoin.vision.frame import Disc

PICTURE = np.random.default_rng(2).integers(0, 255, (200, 600, 3)).astype(np.uint8)
DISCS = [Disc(40 + 50 * k, 100, 22) for k in range(2 * AT_ONCE + 1)]


@pytest.fixture(scope="module")
def identifier() -> Identifier:
    return Identifier()


@pytest.mark.parametrize("steps", [(3,), (1, 2), (1, 1, 1)])
def test_sides_seen_one_after_another_are_worth_all_four_at_once(
    identifier: Identifier, steps: tuple[int, ...]
) -> None:
    looks, sides = identifier(PICTURE, DISCS), 1
    for more in steps:
        looks = identifier.again(PICTURE, DISCS, looks, sides, more)
        sides += more
    at_once = identifier(PICTURE, DISCS, turns=4)
    assert looks.kinds == pytest.approx(at_once.kinds, abs=1e-4)
    assert looks.faces == pytest.approx(at_once.faces, abs=1e-4)


def test_no_discs_are_no_looks(identifier: Identifier) -> None:
    looks = identifier(PICTURE, [])
    assert (looks.kinds.shape, looks.faces.shape, looks.sides.shape) == ((0, 5), (0,), (0,))
