"""A packed picture loses nothing."""

from __future__ import annotations

import numpy as np

from tablecoin.virtual.packed import Packed


def test_any_part_of_a_packed_picture_is_restored_and_nothing_beside_it() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (150, 300, 3)).astype(np.uint8)
    packed = Packed(picture)
    assert np.array_equal(packed.unpacked(), picture)
    onto = np.zeros_like(picture)
    packed.restore(onto, (100, 20, 270, 140))
    assert np.array_equal(onto[20:140, 100:270], picture[20:140, 100:270])
    assert onto.astype(int).sum() == picture[20:140, 100:270].astype(int).sum()
