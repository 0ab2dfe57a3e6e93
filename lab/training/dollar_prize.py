"""*Steal* and *Exact* solved to a dollar, and the tables the computer plays by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from tablecoin.opponents.dollar_prize.exact_rounds import ExactRounds
from tablecoin.opponents.dollar_prize.induction import Array, Rows, solve
from tablecoin.opponents.dollar_prize.steal_rounds import StealRounds
from tablecoin.opponents.dollar_prize.tables import EXACT, STEAL, Steps, Table
from tablecoin.rules.dollar_prize.exact import ExactOptions
from tablecoin.rules.dollar_prize.steal import StealOptions

OUT = Path("tablecoin/opponents/dollar_prize")
GAMES = ("steal", "exact")

Progress = Callable[[Sequence[int]], AbstractContextManager[Iterable[int]]]


def write(name: str, folder: Path, progress: Progress) -> None:
    """Solve a game and save its table. `progress` counts the totals settled."""
    rounds = StealRounds(StealOptions()) if name == "steal" else ExactRounds(ExactOptions())
    with progress(rounds.rows.totals()) as counted:
        begun = solve(rounds.rows, rounds, counted)
    table = STEAL if name == "steal" else EXACT
    table.write(folder, steps(table, rounds.rows, begun))


def steps(table: Table, rows: Rows, begun: Array) -> Steps:
    """The chances `begun`, by numbers of `rows`, as whole steps by places of the table."""
    numbers = np.array([rows.number[row] for row in table.place])
    whole: Steps = np.round(begun / table.step).astype(np.uint8)
    kept: Steps = whole[np.ix_(numbers, numbers)]
    return kept
