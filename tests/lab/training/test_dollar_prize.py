"""The solved games from their setups: who wins between perfect players."""

from __future__ import annotations

import pytest

from lab.training.dollar_prize import from_setups


def test_a_short_game_is_solved_from_every_setup() -> None:
    """Whoever begins with fewer of the five pennies loses a short Exact, and with more of them wins it."""
    assert from_setups("exact", {"goal": 12}) == [0, 0, 0, 1, 1, 1]
    assert from_setups("steal", {"goal": 12})[2] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("options", [{"goal": 150}, {"multi_convert": True}, {"swap_consent": True}])
def test_what_is_too_large_or_more_than_two_rows_is_not_solved(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="only games to 100 cents at most"):
        from_setups("exact", options)
