"""What the chances of a state cost: the analysis of a game values each of its states once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count

from tablecoin import rules
from tablecoin.analysis.analysis import SAMPLES
from tablecoin.checks.bench.timing import Spread
from tablecoin.opponents import value
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.game import State
from tablecoin.rules.random_play import random_game

_FEWEST = 20  # states of a game that are valued at least


def chance_ms(seconds: float) -> dict[str, Spread]:
    """The time a state, by game, over the states of random games, with as many samples as the analysis takes.

    The tables of solved games are read before the clock starts.
    """
    spreads = {}
    for name in rules.NAMES:
        valuer, times_s, used_s = value.load(name), list[float](), 0.0
        for number, state in enumerate(_states(name)):
            start_s = time.thread_time()
            valuer(state, samples=SAMPLES, seed=number)
            took_s = time.thread_time() - start_s
            if number:  # the first one reads the tables
                times_s.append(took_s)
                used_s += took_s
            if used_s > seconds and len(times_s) >= _FEWEST:
                break
        spreads[name] = Spread.of(times_s)
    return spreads


def _states(name: str) -> Iterator[State]:
    """The states of random games without end; of *Coin Wars* those after its scenes were drawn."""
    game = rules.load(name)
    for seed in count():
        for _, state in random_game(game, seed):
            if not isinstance(state, CoinWarsState) or state.scene is not None:
                yield state
