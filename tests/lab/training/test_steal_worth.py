"""The solution of *Steal* is right: a short game is solved again through the rules."""

from __future__ import annotations

from functools import cache

import pytest

from lab.training import steal_worth as steal
from tablecoin.coins import Heap
from tablecoin.opponents.dollar_prize.row_search import Search
from tablecoin.opponents.dollar_prize.steal_player import decisive_results, guess
from tablecoin.rules.dollar_prize.rows import Rows, Side, Toss
from tablecoin.rules.dollar_prize.steal import GAME, StealOptions, StealState

GOAL = 12  # cents


@cache
def through_the_rules(state: StealState) -> float:
    """The chance of Heads over all legal moves and tosses. A tie counts half, without the house rule for ties."""
    if ended := GAME.outcome(state):
        return ended.winners.count(Side.HEADS) / len(ended.winners)
    if due := GAME.toss_due(state):
        return sum(p * through_the_rules(GAME.after(state, Toss(c))) for c, p in decisive_results(due))
    worths = [through_the_rules(end) for end in Search(GAME, Side.HEADS, guess).ends(state)]
    return (max if GAME.to_act(state) == ("heads",) else min)(worths)


@pytest.mark.slow
def test_a_short_game_has_the_chances_that_the_rules_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steal, "GOAL", GOAL)
    monkeypatch.setattr(steal, "DEAREST", GOAL + 24)
    rows = steal.Rows()
    chances = steal.solve(rows)
    found = {Heap(*map(int, counts)): k for k, counts in enumerate(rows.counts[: rows.under])}
    options = StealOptions(goal=GOAL, tie_flips=0)
    for first, other in ((Heap(2), Heap(3)), (Heap(5), Heap()), (Heap(1, 1), Heap(4)), (Heap(0, 1), Heap(0, 0, 1))):
        begins = StealState(phase="turn", rows=Rows(first, other), first=Side.HEADS, mover=Side.HEADS, options=options)
        assert chances[found[first], found[other]] == pytest.approx(through_the_rules(begins), abs=1e-5)
