"""Tosses gathered from the journal, and the exact test of fairness."""

from __future__ import annotations

import pytest

from tablecoin.journal.tosses import summary, tosses, two_sided
from tablecoin.referee.events import Acted, Event, Started, TakenBack
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game


@pytest.mark.parametrize(
    ("heads", "total", "p"),
    [(0, 0, 1.0), (1, 1, 1.0), (1, 2, 1.0), (0, 5, 2 / 32), (5, 5, 2 / 32), (9, 10, 22 / 1024), (50, 100, 1.0)],
)
def test_the_exact_test(heads: int, total: int, p: float) -> None:
    assert two_sided(heads, total) == pytest.approx(p)


def test_of_very_many_coins_too() -> None:
    """No longer to be summed term by term; by the normal approximation with its correction, to a thousandth."""
    from statistics import NormalDist

    for heads, total in ((500_500, 1_000_000), (499_000, 1_000_000), (50_300, 100_000)):
        z = (abs(heads - total / 2) - 0.5) / (total / 4) ** 0.5
        assert two_sided(heads, total) == pytest.approx(2 * NormalDist().cdf(-z), rel=1e-3)


def test_of_fair_coins_at_most_five_in_a_hundred_are_called_uneven() -> None:
    """The test keeps its promise: p <= 0.05 happens to fair coins at most 5 % of the time."""
    from math import comb

    for total in (7, 20, 61):
        called = sum(comb(total, k) for k in range(total + 1) if two_sided(k, total) <= 0.05)
        assert called / 2**total <= 0.05


def test_heads_beyond_the_tosses_cannot_be() -> None:
    with pytest.raises(ValueError, match="cannot be"):
        two_sided(6, 5)


STARTED = Started(1, "steal", {"starter": "heads"}, {})


def flip(*coins: str) -> Acted:
    return Acted(2, {"do": "flip", "coins": list(coins)}, "table", "camera")


def lines(*events: Event) -> list[tuple[str, Event]]:
    return [(f"2026-01-01T00:00:{k:02d}", event) for k, event in enumerate(events)]


def test_tosses_stand_in_the_order_they_fell_though_the_clock_was_set_back() -> None:
    first, second = flip(*["penny:heads"] * 5), flip(*["penny:tails"] * 5)
    times = ("12:00:00", "12:00:10", "12:00:20", "11:00:00")
    events = (STARTED, first, TakenBack(3, "phone"), second)
    told = list(tosses([list(zip(times, events, strict=True))]))
    assert [(toss.at, toss.stands) for toss in told] == [("12:00:10", False), ("11:00:00", True)]


def test_a_toss_put_right_is_kept_but_only_the_right_one_counts() -> None:
    wrong, right = flip(*["penny:heads"] * 5), flip(*["penny:heads"] * 4, "penny:tails")
    every = list(tosses([lines(STARTED, wrong, TakenBack(3, "phone"), right)]))
    assert [toss.stands for toss in every] == [False, True]
    told = summary(every)
    assert (told.total.heads, told.total.tosses) == (4, 5)
    assert told.coins.keys() == {"penny"}
    assert told.seats.keys() == {"table"}


def test_every_toss_of_a_whole_game_is_found_with_its_player() -> None:
    game = load("coin-age")
    start = Started(1, "coin-age", {}, {})
    played = [(action, state) for action, state in random_game(game, 3) if action is not None]
    acts: list[Event] = [Acted(k, game.write_action(action), "heads", "camera") for k, (action, _) in enumerate(played)]
    every = list(tosses([lines(start, *acts)]))
    flips = [action for action, _ in played if type(action).__name__ == "Toss"]
    assert [toss.coins for toss in every] == [action.coins for action in flips]
    assert {toss.seat for toss in every} == {"heads", "tails"}
    told = summary(every)
    assert told.total.tosses == sum(record.tosses for record in told.seats.values())
    assert told.total.heads == sum(record.heads for record in told.coins.values())
