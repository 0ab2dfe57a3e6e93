"""What a club lacks of a journal, and when it asks."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tablecoin.club.gaps import STANDS_S, Gaps, Range


def gaps(there: list[int], newest: int, most: int = 1000) -> Gaps:
    made = Gaps(most)
    made.got(there, 0.0)
    made.hear(newest, 0.0)
    return made


@pytest.mark.parametrize(
    ("there", "newest", "missing"),
    [
        ([], 0, []),
        ([1, 2, 3], 3, []),
        ([3, 1, 2], 2, []),
        ([], 3, [Range(1, 3)]),
        ([1, 4], 4, [Range(2, 3)]),
        ([1, 3, 5, 6], 8, [Range(2, 2), Range(4, 4), Range(7, 8)]),
        ([2], 0, [Range(1, 1)]),
    ],
)
def test_what_is_missing(there: list[int], newest: int, missing: list[Range]) -> None:
    made = gaps(there, newest)
    assert list(made.ranges()) == missing
    assert made.missing == sum(last - first + 1 for first, last in missing)
    assert made.whole == (not missing)


def test_a_long_gap_is_asked_for_in_pieces() -> None:
    assert list(gaps([], 25, most=10).ranges()) == [Range(1, 10), Range(11, 20), Range(21, 25)]


def test_a_table_that_tells_of_more_than_anybody_could_play_costs_no_more_than_another() -> None:
    """To count every ruling would take for ever."""
    assert gaps([2], 2**53 - 1).due(STANDS_S) == [Range(1, 1), Range(3, 1002), Range(1003, 2002), Range(2003, 3002)]


def test_a_young_gap_is_not_asked_for() -> None:
    made = gaps([1, 3], 3)
    assert made.due(STANDS_S - 0.1) == []
    assert made.due(STANDS_S) == [Range(2, 2)]


def test_what_is_not_answered_is_asked_for_more_and_more_rarely() -> None:
    made = gaps([], 5)
    asked = [second for second in range(200) if made.due(float(second))]
    waits = [b - a for a, b in pairwise(asked)]
    assert waits[:4] == [3, 6, 12, 24]
    assert set(waits[4:]) == {30}


def test_after_an_answer_the_wait_is_short_again() -> None:
    made = gaps([], 5)
    for second in range(40):
        made.due(float(second))
    made.got([1], 40.0)
    assert made.due(41.0) == []
    assert made.due(40.0 + STANDS_S) == [Range(2, 5)]


@pytest.mark.parametrize("seed", range(5))
def test_in_any_order_and_twice_nothing_is_missing_at_the_end(seed: int) -> None:
    chance = random.Random(seed)
    numbers = [*range(1, 200), *chance.choices(range(1, 200), k=100)]
    chance.shuffle(numbers)
    made = Gaps(10)
    for number in numbers:
        made.got([number], 0.0)
    assert made.whole
    assert made.upto == 199
