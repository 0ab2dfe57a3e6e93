"""What the network says of a coin does not depend on the order in which its quarter turns are looked at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablecoin.coins import BY_VALUE, Face
from tablecoin.virtual.art import draw_coin
from tablecoin.vision.coins.looks import Looks, heads_if
from tablecoin.vision.coins.network import AT_ONCE, TURNS, Identifier
from tablecoin.vision.frame import Disc, Image

COINS = [(BY_VALUE[k % 4], Face.HEADS if k < 3 else Face.TAILS) for k in range(2 * AT_ONCE + 1)]
DISCS = [Disc(40 + 100 * k, 100, 40) for k in range(len(COINS))]


def drawn() -> Image:
    """A grey surface with COINS at DISCS, (200, 600, 3)."""
    surface = np.full((200, 600, 3), 150, np.uint8)
    for (kind, face), disc in zip(COINS, DISCS, strict=True):
        coin = cv2.resize(draw_coin(kind, face, 0, 120), (80, 80), interpolation=cv2.INTER_AREA)
        here = surface[60:140, int(disc.x_px) - 40 : int(disc.x_px) + 40]
        here[coin[..., 3] > 127] = coin[coin[..., 3] > 127, :3]
    return surface


PICTURE = drawn()


@pytest.fixture(scope="module")
def identifier() -> Identifier:
    return Identifier()


def closely(identifier: Identifier, image: Image, discs: list[Disc]) -> Looks:
    """A first look at each of `discs`, and the fine network's in all four quarter turns."""
    return identifier.again(image, discs, identifier(image, discs), range(TURNS))


@pytest.mark.parametrize("turns", [[range(4)], [range(1), range(1, 4)], [range(k, k + 1) for k in range(4)]])
def test_fine_looks_one_after_another_count_as_all_at_once(identifier: Identifier, turns: list[range]) -> None:
    looks = identifier(PICTURE, DISCS)
    for some in turns:
        looks = identifier.again(PICTURE, DISCS, looks, some)
    assert looks.views.tolist() == [1 + TURNS] * len(DISCS)
    at_once = closely(identifier, PICTURE, DISCS)
    assert looks.kinds == pytest.approx(at_once.kinds, abs=1e-4)
    assert looks.faces == pytest.approx(at_once.faces, abs=1e-4)


def test_every_face_is_told_by_the_kind_that_the_coin_is(identifier: Identifier) -> None:
    looks = closely(identifier, PICTURE, DISCS)
    of_its_kind = heads_if(looks.faces)[range(len(COINS)), [BY_VALUE.index(kind) for kind, _ in COINS]]
    assert (of_its_kind > 0.5).tolist() == [face is Face.HEADS for _, face in COINS]


def test_nothing_looked_at_again_stays_nothing(identifier: Identifier) -> None:
    assert len(identifier.again(PICTURE, [], Looks.unseen(0)).views) == 0


def test_no_discs_have_no_looks(identifier: Identifier) -> None:
    looks = identifier(PICTURE, [])
    assert (looks.kinds.shape, looks.faces.shape, looks.views.shape) == ((0, 5), (0, 4), (0,))


@pytest.mark.parametrize("count", [1, AT_ONCE, 2 * AT_ONCE + 1])
def test_any_number_of_discs_gives_the_same_answer_as_each_alone(identifier: Identifier, count: int) -> None:
    together = identifier(PICTURE, DISCS[:count])
    for k, disc in enumerate(DISCS[:count]):
        alone = identifier(PICTURE, [disc])
        assert alone.kinds[0] == pytest.approx(together.kinds[k], abs=1e-3)
        assert alone.faces[0] == pytest.approx(together.faces[k], abs=1e-3)


def test_probabilities_sum_to_one(identifier: Identifier) -> None:
    assert np.exp(identifier(PICTURE, DISCS).kinds).sum(axis=1) == pytest.approx(1)
