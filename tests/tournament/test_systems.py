"""Round robin, knock-out and the ring: who plays whom."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tablecoin.tournament import knock_out, ring, round_robin
from tablecoin.tournament.tables import assigned, seated


@pytest.mark.parametrize("many", range(2, 14))
def test_in_a_round_robin_everybody_meets_everybody_once(many: int) -> None:
    players = [str(i) for i in range(1, many + 1)]
    rounds = [round_robin.pairs(players, number) for number in range(round_robin.rounds_of(many))]
    met = Counter(frozenset(pair) for each in rounds for pair in each if len(pair) == 2)
    assert met == Counter(frozenset(pair) for pair in combinations(players, 2))
    byes = Counter(pair[0] for each in rounds for pair in each if len(pair) == 1)
    assert byes == Counter(players if many % 2 else [])


@pytest.mark.parametrize(
    ("many", "first"),
    [
        (2, [(1, 2)]),
        (3, [(1,), (2, 3)]),
        (4, [(1, 4), (2, 3)]),
        (6, [(1,), (4, 5), (2,), (3, 6)]),
        (8, [(1, 8), (4, 5), (2, 7), (3, 6)]),
    ],
)
def test_a_bracket_keeps_the_best_apart(many: int, first: list[tuple[int, ...]]) -> None:
    made = knock_out.first_round([str(i) for i in range(1, many + 1)])
    assert [tuple(map(int, match)) for match in made] == first


def test_winners_of_neighbours_meet_and_who_is_gone_does_not() -> None:
    before = (("1",), ("4", "5"), ("2", "7"), ("3", "6"))
    halves = {"1": 2, "4": 0, "5": 2, "2": 2, "7": 0, "3": 2, "6": 0}
    assert knock_out.next_round(before, halves, frozenset()) == (("1", "5"), ("2", "3"))
    assert knock_out.next_round(before, halves, frozenset({"5"})) == (("1",), ("2", "3"))
    assert knock_out.next_round(before, halves, frozenset({"2", "3"})) == (("1", "5"), ())


@pytest.mark.parametrize(
    ("many", "sizes"), [(0, []), (3, [3]), (9, [9]), (10, [5, 5]), (19, [7, 6, 6]), (27, [9, 9, 9])]
)
def test_a_ring_has_few_groups_of_even_size_in_the_order_of_scores(many: int, sizes: list[int]) -> None:
    ranked = [str(i) for i in range(many)]
    made = ring.groups(ranked)
    assert [len(group) for group in made] == sizes
    assert [player for group in made for player in group] == ranked


def test_nobody_has_the_same_table_twice_while_there_are_others() -> None:
    visits = Counter({("1", "a"): 1, ("2", "a"): 1, ("3", "b"): 1, ("4", "b"): 1})
    assert assigned([("1", "2"), ("3", "4")], ["a", "b"], visits) == [("b", 0), ("a", 0)]


def test_with_fewer_tables_than_matches_some_wait() -> None:
    four = [(str(i), str(i + 1)) for i in range(1, 9, 2)]
    assert sorted(assigned(four, ["a", "b", "c"], Counter())) == [("a", 0), ("a", 1), ("b", 0), ("c", 0)]
    assert assigned(four, [], Counter()) == [("", 0)] * 4


def test_who_sat_first_more_rarely_sits_first() -> None:
    assert seated(("1", "2"), {"1": 2, "2": 1}) == ("2", "1")
    assert seated(("10", "2"), {}) == ("2", "10")
