"""Strong play as it is imagined: a style drawn for each round, bold at first."""

from __future__ import annotations

import numpy as np
import pytest

from tablecoin.opponents.goes_around.odds import STEAL, Style, Table
from tablecoin.opponents.goes_around.strong_play import READY, StrongPlay, shipped
from tablecoin.rules.goes_around.round import GoesAroundOptions

GAMES = 2000


def steals(rounds: int, left: float) -> float:
    """The share of steals among four equal players with so many rounds and uses of each act left."""
    options = GoesAroundOptions(players=4)
    table = Table(np.full(4, 10), np.full((4, 3), left), np.ones(4, bool), rounds, options)
    chosen = StrongPlay(table, GAMES).choices(np.random.default_rng(1))
    return float((chosen.act == STEAL).mean())


def test_each_round_has_shares_of_the_aims() -> None:
    mixture = shipped()
    assert mixture.readiness.shape == (2, 9, READY)
    assert mixture.aimed.shape == (2, 9, len(mixture.aims))
    assert mixture.aimed.sum(axis=2) == pytest.approx(1)
    assert mixture.aimed.min() >= 0
    assert READY + mixture.aims.shape[1] == len(Style._fields)


def test_strong_players_steal_at_once_and_later_they_wait() -> None:
    """Their own games began with 98 steals of 100 choices; with six rounds left 21 of 100 were steals."""
    assert steals(rounds=9, left=3) > 0.9
    assert steals(rounds=6, left=2) < 0.5
