"""The computer at Exact: perfect where the game is solved, a search elsewhere, and slips below `strong`."""

from __future__ import annotations

from tablecoin.opponents import Level
from tablecoin.opponents.dollar_prize.exact_value import guess, solution, value
from tablecoin.opponents.dollar_prize.row_search import Search
from tablecoin.opponents.dollar_prize.slips import choose_or_slip
from tablecoin.rules.dollar_prize.exact import GAME, ExactAction, ExactState
from tablecoin.rules.dollar_prize.rows import Side
from tablecoin.rules.game import Action, Seat


def choose(state: ExactState, seat: Seat, level: Level, seed: int) -> Action:
    """What `seat` does. ValueError when it is not its turn."""
    if GAME.to_act(state) != (seat,):
        raise ValueError(f"{seat} does not act now")
    return choose_or_slip(GAME, state, level, seed, lambda: _best(state, Side(seat)))


def _best(state: ExactState, side: Side) -> Action:
    if not solution(state.options):
        return Search(GAME, side, guess).best(state)

    def prospect(action: ExactAction) -> tuple[float, float]:
        """The result after an action; between equal results the faster row, for the other player may slip."""
        after = GAME.after(state, action)
        return value(after).chance[side], guess(after, side)

    return max(GAME.legal_actions(state), key=prospect)
