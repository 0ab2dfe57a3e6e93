"""The computer at Steal: perfect where the game is solved, a search elsewhere, and slips below `strong`."""

from __future__ import annotations

from tablecoin.opponents import Level
from tablecoin.opponents.dollar_prize.bare import nearly_plain
from tablecoin.opponents.dollar_prize.row_search import DEEPEST, Search
from tablecoin.opponents.dollar_prize.slips import choose_or_slip
from tablecoin.opponents.dollar_prize.steal_tosses import results
from tablecoin.opponents.dollar_prize.steal_value import guess, race, solution, value
from tablecoin.rules.dollar_prize.rows import Side
from tablecoin.rules.dollar_prize.steal import GAME, StealAction, StealState
from tablecoin.rules.game import Action, Seat


def choose(state: StealState, seat: Seat, level: Level, seed: int) -> Action:
    """What `seat` does. ValueError when it is not its turn."""
    if GAME.to_act(state) != (seat,):
        raise ValueError(f"{seat} does not act now")
    return choose_or_slip(GAME, state, level, seed, lambda: _best(state, Side(seat)))


def _best(state: StealState, side: Side) -> Action:
    if not solution(state.options):
        turns = 1 if nearly_plain(state.options) else DEEPEST  # a good guess looks ahead itself
        return Search(GAME, side, guess, results).best(state, turns)

    def prospect(action: StealAction) -> tuple[float, float]:
        """The chance after an action; between equal chances the faster row, for the other player may slip."""
        after = GAME.after(state, action)
        return round(value(after, margin=False).chance[side], 9), race(after, side)

    return max(GAME.legal_actions(state), key=prospect)
