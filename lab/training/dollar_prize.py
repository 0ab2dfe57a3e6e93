"""*Steal* and *Exact* solved to a dollar, and the tables the computer plays by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from tablecoin import rules
from tablecoin.opponents.dollar_prize.bare import plain
from tablecoin.opponents.dollar_prize.exact_rounds import ExactRounds
from tablecoin.opponents.dollar_prize.induction import Array, Rows, solve
from tablecoin.opponents.dollar_prize.steal_rounds import StealRounds
from tablecoin.opponents.dollar_prize.tables import EXACT, STEAL, Steps, Table
from tablecoin.rules.dollar_prize.exact import ExactOptions
from tablecoin.rules.dollar_prize.steal import StealOptions

OUT = Path("tablecoin/opponents/dollar_prize")
GAMES = ("steal", "exact")
GOAL_AT_MOST = 100  # cents: a game to a dollar takes 1.5 GB, and twice the goal eight times as much

Progress = Callable[[Sequence[int]], AbstractContextManager[Iterable[int]]]


def write(name: str, folder: Path, progress: Progress) -> None:
    """Solve a game and save its table. `progress` counts the totals settled."""
    rounds = StealRounds(StealOptions()) if name == "steal" else ExactRounds(ExactOptions())
    with progress(rounds.rows.totals()) as counted:
        begun = solve(rounds.rows, rounds, counted)
    table = STEAL if name == "steal" else EXACT
    table.write(folder, steps(table, rounds.rows, begun))


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
    """The chances `begun`, by numbers of `rows`, as whole steps by places of the table."""
    numbers = np.array([rows.number[row] for row in table.place])
    whole: Steps = np.round(begun / table.step).astype(np.uint8)
    kept: Steps = whole[np.ix_(numbers, numbers)]
    return kept
