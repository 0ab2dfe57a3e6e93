"""The expected final lead, kept beside the chances: the first of all ways to play that are equally likely to win.

A game in which each cent of the final lead counts a millionth of the prize is played as the real one, but among equal
chances by the lead. What it is worth more than the real game is the lead, in millionths.
"""

from __future__ import annotations

from collections.abc import Callable

from tablecoin.opponents.dollar_prize.bare import Counts
from tablecoin.opponents.dollar_prize.induction import LEAD
from tablecoin.opponents.dollar_prize.tables import Table
from tablecoin.rules.dollar_prize.rows import PrizeState, Side
from tablecoin.rules.game import Seat


def with_lead(chances: Table, leads: Table) -> Callable[[Counts, Counts], float]:
    """The worth of each start of a round in the game in which the lead counts."""
    return lambda first, other: chances.worth(first, other) + LEAD * leads.worth(first, other)


def lead_by(more: float) -> dict[Seat, float]:
    """Both sides' lead in cents, by what the game with the lead is worth `more` to Heads than the real one."""
    return {Side.HEADS: more / LEAD, Side.TAILS: -more / LEAD}


def final_lead(state: PrizeState) -> dict[Seat, float]:
    """Both sides' lead in cents, in a game that is over."""
    cents = state.rows[Side.HEADS].cents - state.rows[Side.TAILS].cents
    return {Side.HEADS: cents, Side.TAILS: -cents}
