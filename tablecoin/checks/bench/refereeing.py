"""What the rules and the referee's search cost."""

from __future__ import annotations

import time
from typing import Any

from tablecoin import rules
from tablecoin.checks.bench.timing import Spread, timed_ms
from tablecoin.coins import BY_VALUE
from tablecoin.referee.belief import TableBelief
from tablecoin.referee.explain import explain
from tablecoin.rules.game import Layout
from tablecoin.rules.random_play import random_game
from tablecoin.vision.frame import Disc, SeenCoin, whichever


def games_per_second(seconds: float) -> dict[str, float]:
    """Whole games of random legal play in a second, by game."""
    rates = {}
    for name in rules.NAMES:
        game = rules.load(name)

        def play(seed: int, game: Any = game) -> None:
            for _ in random_game(game, seed):
                pass

        rates[name] = round(1000 / (sum(times := list(timed_ms(play, seconds))) / len(times)), 2)
    return rates


def explain_ms(seconds: float) -> dict[str, Spread]:
    """The referee's explanation search over the turns of random games, each seen surely."""
    spreads = {}
    for name in ("steal", "exact", "coin-age", "goes-around"):
        game = rules.load(name)
        times: list[float] = []
        for seed in range(10_000):
            state = None
            for action, after in random_game(game, seed):
                if action is not None and state is not None and not game.tosses_due(state):
                    belief = sure_belief(game.layout(after))
                    start_s = time.thread_time()
                    explain(game, [state], belief, finished=True)
                    times.append(time.thread_time() - start_s)
                state = after
                if sum(times) > seconds:
                    break
            if sum(times) > seconds or (seed > 200 and not times):
                break
        spreads[name] = Spread.of(times)
    return spreads


def sure_belief(layout: Layout) -> TableBelief:
    """The belief of a reader that sees exactly this layout, and surely."""
    coins = []
    for zone, pile in layout.items():
        up = list(pile.heads if pile.heads is not None else pile.heap)
        for kind in pile.heap:
            heads = kind in up
            if heads:
                up.remove(kind)
            sure = tuple(0.997 if other is kind else 0.001 for other in BY_VALUE)
            coins.append(SeenCoin(Disc(0, 0, 30), sure, whichever(0.995 if heads else 0.005), sure=True, zone=zone))  # type: ignore[arg-type]
    return TableBelief(coins)
