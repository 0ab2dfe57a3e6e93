"""Arrays come back as they were packed, or not at all."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest

from tablecoin.storage.arrays import ArraysError, packed, unpacked
from tests.storage.damage import flipped

MOST = 100_000
ARRAYS = {"numbers": np.arange(600, dtype=np.float32), "name": np.array("coins")}


def old_file() -> bytes:
    """As versions wrote it that knew no digest."""
    file = BytesIO()
    np.savez(file, **ARRAYS)  # type: ignore[arg-type]
    return file.getvalue()


@pytest.mark.parametrize("data", [packed(ARRAYS), old_file()], ids=["with a digest", "of an older version"])
def test_arrays_come_back(data: bytes) -> None:
    found = unpacked(data, MOST)
    assert found.keys() == ARRAYS.keys()
    assert all(np.array_equal(found[name], ARRAYS[name]) for name in ARRAYS)


def test_numpy_reads_the_file_too() -> None:
    with np.load(BytesIO(packed(ARRAYS))) as stored:
        assert np.array_equal(stored["numbers"], ARRAYS["numbers"])


def is_refused(data: bytes) -> bool:
    """Whether `data` is refused; what is not refused must hold the right arrays."""
    try:
        found = unpacked(data, MOST)
    except ArraysError:
        return True
    assert all(np.array_equal(found[name], ARRAYS[name]) for name in ARRAYS)
    return False


def test_whatever_bit_is_flipped_the_arrays_are_right_or_refused() -> None:
    refused = sum(is_refused(damaged) for damaged in flipped(packed(ARRAYS), 6000))
    assert refused > 5000


@pytest.mark.parametrize(("length", "refused"), [(0, True), (39, True), (1000, True), (-50, True), (-20, False)])
def test_a_file_that_is_cut_off_is_right_or_refused(length: int, refused: bool) -> None:
    assert is_refused(packed(ARRAYS)[:length]) is refused


def test_damage_to_an_older_file_raises_no_other_error() -> None:
    refused = 0
    for damaged in flipped(old_file(), 2000):
        try:
            unpacked(damaged, MOST)
        except ArraysError:
            refused += 1
    assert refused > 1000


def test_a_file_that_unpacks_to_more_is_refused() -> None:
    bomb = BytesIO()
    np.savez_compressed(bomb, zeros=np.zeros(10_000_000))
    assert len(bomb.getvalue()) < MOST
    with pytest.raises(ArraysError, match="unpacks to more"):
        unpacked(bomb.getvalue(), MOST)
