"""Heads are counted by player and by coin, and the exact test of fairness is right."""

from __future__ import annotations

from math import comb
from statistics import NormalDist

import pytest

from tablecoin.coins import Coin
from tablecoin.journal.fairness import Fairness, summary, two_sided
from tablecoin.journal.tosses import Toss, Tossed, falls_of


def toss(seat: str, *coins: str, stands: bool = True) -> Toss:
    return Toss(1, "coin-age", "2026-01-01T00:00:00", seat, tuple(map(Coin, coins)), stands)


TOSSES = [
    toss("heads", "penny:heads", "dime:heads"),
    toss("tails", "penny:tails", "dime:heads"),
    toss("heads", "penny:tails"),
    toss("tails", "quarter:heads", stands=False),
]


def test_each_coin_that_stands_is_one_trial() -> None:
    counted = summary(Tossed(tuple(TOSSES), falls_of(TOSSES), 0))
    assert counted.tosses == tuple(TOSSES)
    assert counted.total == Fairness(3, 5, 1.0)
    assert counted.seats == {"heads": Fairness(2, 3, 1.0), "tails": Fairness(1, 2, 1.0)}
    assert counted.coins == {"penny": Fairness(1, 3, 1.0), "dime": Fairness(2, 2, 0.5)}
    assert counted.seats_coins == {
        "heads": {"penny": Fairness(1, 2, 1.0), "dime": Fairness(1, 1, 1.0)},
        "tails": {"penny": Fairness(0, 1, 1.0), "dime": Fairness(1, 1, 1.0)},
    }


def test_without_tosses_there_is_nothing_to_count() -> None:
    counted = summary(Tossed((), {}, 0))
    assert (counted.total, counted.seats, counted.coins) == (Fairness(0, 0, 1.0), {}, {})


@pytest.mark.parametrize(
    ("heads", "total", "p"),
    [(0, 0, 1.0), (1, 1, 1.0), (1, 2, 1.0), (0, 5, 2 / 32), (5, 5, 2 / 32), (9, 10, 22 / 1024), (50, 100, 1.0)],
)
def test_the_p_value_of_few_coins(heads: int, total: int, p: float) -> None:
    assert two_sided(heads, total) == pytest.approx(p)


def test_the_p_value_of_very_many_coins() -> None:
    """It agrees with the normal approximation with continuity correction, to a thousandth."""
    for heads, total in ((500_500, 1_000_000), (499_000, 1_000_000), (50_300, 100_000)):
        z = (abs(heads - total / 2) - 0.5) / (total / 4) ** 0.5
        assert two_sided(heads, total) == pytest.approx(2 * NormalDist().cdf(-z), rel=1e-3)


def test_fair_coins_get_a_p_value_below_5_percent_at_most_5_percent_of_the_time() -> None:
    for total in (7, 20, 61):
        called = sum(comb(total, k) for k in range(total + 1) if two_sided(k, total) <= 0.05)
        assert called / 2**total <= 0.05


def test_more_heads_than_coins_raises() -> None:
    with pytest.raises(ValueError, match="cannot be"):
        two_sided(6, 5)
