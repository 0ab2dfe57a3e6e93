"""Swiss pairing: nobody meets twice where it can be avoided, score groups are kept, a bye comes once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.club.swiss import Found, play
from tablecoin.tournament.swiss import Meetings, pairs

Pairing = tuple[tuple[str, ...], ...]


def test_the_upper_half_meets_the_lower_half() -> None:
    ranked = ["1", "2", "3", "4", "5", "6"]
    assert pairs(ranked, dict.fromkeys(ranked, 0), Counter(), {}) == (("1", "4"), ("2", "5"), ("3", "6"))


def test_who_has_met_does_not_meet_again() -> None:
    ranked = ["1", "2", "3", "4"]
    met: Meetings = Counter({frozenset("13"): 1})
    assert pairs(ranked, dict.fromkeys(ranked, 0), met, {}) == (("1", "4"), ("2", "3"))


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    halves = {"1": 4, "2": 2, "3": 2, "4": 0, "5": 0}
    assert pairs(list(halves), halves, Counter(), {})[-1] == ("5",)
    assert pairs(list(halves), halves, Counter(), {"5": 1})[-1] == ("4",)


def test_one_player_alone_has_the_bye_and_nobody_gives_no_round() -> None:
    assert pairs(["1"], {"1": 0}, Counter(), {}) == (("1",),)
    assert pairs([], {}, Counter(), {}) == ()


@pytest.mark.parametrize("tournaments", [4, pytest.param(25, marks=pytest.mark.long)])
def test_random_tournaments(tournaments: int) -> None:
    """A sample; `python -m lab club swiss` plays 200."""
    found = Found()
    for seed in range(tournaments):
        play(seed, found)
    assert found.pairs > 60 * tournaments
    assert (found.rematches, found.second_byes) == (0, 0)
    assert found.far == 0  # nobody plays over a point up or down where it can be avoided
    assert found.apart[0] > 0.8 * found.pairs


def test_tournaments_twice_as_long_as_a_swiss_is_made_for() -> None:
    """Now some meet twice, and never more than the graph of the never-met forces."""
    found = Found()
    for seed in range(20):
        play(seed, found, most_players=12, times_rounds=2)
    assert found.rematches > 0
    assert found.avoidable == 0


def every_pairing(players: Sequence[str]) -> Iterator[Pairing]:
    """All ways to pair an even number of players."""
    if not players:
        yield ()
        return
    first, *others = players
    for other in others:
        for rest in every_pairing([each for each in others if each != other]):
            yield ((first, other), *rest)


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[str], dict[str, int], Meetings]:
    many = 2 * draw(st.integers(1, 4))
    players = [str(i + 1) for i in range(many)]
    scores = draw(st.lists(st.integers(0, 6), min_size=many, max_size=many).map(lambda each: sorted(each)[::-1]))
    met = draw(st.lists(st.sampled_from([frozenset(pair) for pair in combinations(players, 2)]), max_size=3 * many))
    return players, dict(zip(players, scores, strict=True)), Counter(met)


@given(fields())
def test_no_pairing_of_all_is_better(field: tuple[list[str], dict[str, int], Meetings]) -> None:
    """Compared with every pairing there is: first the meetings, then the squared differences in score."""
    players, halves, met = field

    def cost(pairing: Pairing) -> tuple[int, int]:
        return (
            sum(met[frozenset(pair)] for pair in pairing),
            sum((halves[pair[0]] - halves[pair[1]]) ** 2 for pair in pairing),
        )

    assert cost(pairs(players, halves, met, {})) == min(map(cost, every_pairing(players)))


@pytest.mark.parametrize("seed", range(3))
def test_the_same_tournament_is_paired_the_same(seed: int) -> None:
    assert play(seed, Found()) == play(seed, Found())
