"""*Steal* and *Exact* solved to a dollar, and the tables the computer plays by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from tablecoin import rules
from tablecoin.opponents.dollar_prize.bare import plain
from tablecoin.opponents.dollar_prize.exact_rounds import ExactRounds
from tablecoin.opponents.dollar_prize.induction import LEAD, Array, Rows, solve
from tablecoin.opponents.dollar_prize.steal_rounds import StealRounds
from tablecoin.opponents.dollar_prize.tables import EXACT, EXACT_LEAD, STEAL, STEAL_LEAD, Steps, Table
from tablecoin.rules.dollar_prize.exact import ExactOptions
from tablecoin.rules.dollar_prize.steal import StealOptions

OUT = Path("tablecoin/opponents/dollar_prize")
GAMES = ("steal", "exact")
GOAL_AT_MOST = 100  # cents: a game to a dollar takes 1.5 GB, and twice the goal eight times as much

Progress = Callable[[Sequence[int]], AbstractContextManager[Iterable[int]]]


def write(name: str, folder: Path, progress: Progress) -> None:
    """Solve a game and save its tables. `progress` counts the totals settled, three times."""
    chances, leads = (STEAL, STEAL_LEAD) if name == "steal" else (EXACT, EXACT_LEAD)
    rows, begun = _solved(name, 0.0, progress)
    chances.write(folder, steps(chances, rows, begun))
    little = LEAD / 1000  # by which equal chances are decided in the same way
    more = _solved(name, LEAD, progress)[1] - _solved(name, little, progress)[1]
    leads.write(folder, steps(leads, rows, more / (LEAD - little)))


def _solved(name: str, cent: float, progress: Progress) -> tuple[Rows, Array]:
    """The rows of the usual game, and what each start of a round is worth. `cent`: see Rows."""
    rounds = StealRounds(StealOptions(), cent) if name == "steal" else ExactRounds(ExactOptions(), cent)
    with progress(rounds.rows.totals()) as counted:
        return rounds.rows, solve(rounds.rows, rounds, counted)


def from_setups(name: str, options: Mapping[str, object]) -> list[float]:
    """The chances of whoever begins, by their pennies in the setup, 0 to 5.

    Raises InputError for unknown options, and ValueError for those with which a position is more than two rows.
    """
    read = rules.load(name).read_options(options)
    if read.goal > GOAL_AT_MOST or not plain(read) or getattr(read, "swap_consent", False):
        raise ValueError(f"only games to {GOAL_AT_MOST} cents at most can be solved, with turns by the plain rules")
    rounds = StealRounds(read) if isinstance(read, StealOptions) else ExactRounds(read)
    begun, number = solve(rounds.rows, rounds), rounds.rows.number
    return [float(begun[number[k, 0, 0, 0], number[5 - k, 0, 0, 0]]) for k in range(6)]


def steps(table: Table, rows: Rows, begun: Array) -> Steps:
    """What starts of a round are worth, by numbers of `rows`, as whole steps by places of the table."""
    numbers = np.array([rows.number[row] for row in table.place])
    whole: Steps = np.round((begun - table.least) / table.step).astype(np.uint8)
    kept: Steps = whole[np.ix_(numbers, numbers)]
    return kept
