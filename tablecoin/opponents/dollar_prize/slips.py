"""The levels of both Dollar Prize players: how often an action is drawn by lot instead of chosen."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tablecoin.opponents import Level
from tablecoin.rules.dollar_prize.prize import DollarPrize
from tablecoin.rules.dollar_prize.rows import PrizeState
from tablecoin.rules.game import Action

# of an action; measured against random play and against each other: docs/solved-games.md
SLIPS = {Level.EASY: 0.65, Level.MIDDLE: 0.25, Level.STRONG: 0.0}


def choose_or_slip(
    game: DollarPrize[Any, Any, Any], state: PrizeState, level: Level, seed: int, best: Callable[[], Action]
) -> Action:
    """The best action, or now and then any legal one. The state is part of the seed: slips differ from turn to turn."""
    dice = Random(f"{seed} {state.round} {state.rows} {state.turn}")
    if dice.random() < SLIPS[level]:
        drawn: Action = dice.choice(list(game.legal_actions(state)))
        return drawn
    return best()
