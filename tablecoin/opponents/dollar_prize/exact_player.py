"""The computer at Exact: perfect where the game is solved, a search elsewhere, and slips below `strong`."""

from __future__ import annotations

from tablecoin.opponents import Level
from tablecoin.opponents.dollar_prize.exact_value import guess, guided, race, solution, value
from tablecoin.opponents.dollar_prize.row_search import DEEPEST, Search
from tablecoin.opponents.dollar_prize.slips import choose_or_slip
from tablecoin.rules.dollar_prize.exact import GAME, ExactState
from tablecoin.rules.dollar_prize.rows import Side
from tablecoin.rules.game import Action, Seat


def choose(state: ExactState, seat: Seat, level: Level, seed: int) -> Action:
    """What `seat` does. ValueError when it is not its turn."""
    if GAME.to_act(state) != (seat,):
        raise ValueError(f"{seat} does not act now")
    return choose_or_slip(GAME, state, level, seed, lambda: _best(state, Side(seat)))


def _best(state: ExactState, side: Side) -> Action:
    if not solution(state.options):
        turns = 1 if guided(state.options) else DEEPEST  # a good guess looks ahead itself
        return Search(GAME, side, guess).best(state, turns)

    after = {action: GAME.after(state, action) for action in GAME.legal_actions(state)}
    results = {action: value(there, margin=False).chance[side] for action, there in after.items()}
    best = max(results.values())
    equal = [action for action in after if results[action] == best]
    if best == 1:  # won: the shortest way
        return max(equal, key=lambda action: race(after[action], side))
    return max(equal, key=lambda action: (_hope(after[action], side), race(after[action], side)))


def _hope(state: ExactState, side: Side) -> float:
    """The mean result for `side` if the other's next action is drawn by lot: which way is hardest to answer?"""
    if GAME.outcome(state):
        return value(state, margin=False).chance[side]
    after = [GAME.after(state, action) for action in GAME.legal_actions(state)]
    if GAME.to_act(state) == (side.value,):
        return max(_hope(there, side) for there in after)
    return sum(value(there, margin=False).chance[side] for there in after) / len(after)
