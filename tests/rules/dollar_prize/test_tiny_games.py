"""Every line of a tiny game of *Steal* and of *Exact*, walked to its end: a goal of 10 cents, default house rules."""

from __future__ import annotations

import pytest

from tablecoin.rules import load


@pytest.mark.parametrize(("name", "least_ends", "least_states"), [("steal", 50, 1000), ("exact", 5, 100)])
def test_every_line_of_a_tiny_game_ends(name: str, least_ends: int, least_states: int) -> None:
    """Every state but an end leads on, and rounds never go back."""
    game = load(name)
    start = game.start(game.read_options({"goal": 10}))
    seen, waiting, over = {start}, [start], 0
    while waiting:
        state = waiting.pop()
        actions = list(game.legal_actions(state))
        over += not actions
        assert bool(actions) is (game.outcome(state) is None)
        for action in actions:
            after = game.apply(state, action)
            assert after.round >= state.round
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert over > least_ends
    assert len(seen) > least_states
