"""How strong computers play What Goes Around, as thousands of imagined games need it: fast, and nearly the same.

Strong computers think for 100 ms before a choice, far too long for a game that is only imagined. So their choices in
whole games were watched, and styles were fitted to them (`python -m lab train goes-around`): for each round how ready
they are for each act, and which aims they draw from, among few and among many players. At first nearly all of them
steal, later they wait.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
import numpy as np

from tablecoin.opponents.goes_around.odds import Bools, Chosen, Floats, Imagined, Style, Table
from tablecoin.storage import arrays

FILE = "strong_play.npz"
READY = 2  # of the numbers of a style: how ready it is to steal and to protect; the others are its aim
FEW = 4  # players alive; with more of them strong computers wait from the second round on
_MOST_BYTES = 1 << 18


class Mixture(msgspec.Struct, frozen=True):
    """The play of each round. The first two places are: few or many players alive; rounds left after this one."""

    readiness: Floats  # (2, 9, 2) to steal and to protect, see odds.Style
    aims: Floats  # (A, 4) the rest of a style
    aimed: Floats  # (2, 9, A) how likely each aim is drawn

    def drawn(self, alive: Bools, rounds: int, dice: np.random.Generator) -> Floats:
        """(games, players, 6) a style for everybody, with so many rounds left, the one that begins included."""
        many = (alive.sum(axis=1) > FEW).astype(np.int64)
        upto = self.aimed[many, rounds - 1].cumsum(axis=1)
        which = (dice.random(alive.shape)[..., None] >= upto[:, None]).sum(axis=2)
        aims = self.aims[np.minimum(which, len(self.aims) - 1)]
        ready = np.broadcast_to(self.readiness[many, rounds - 1][:, None], (*alive.shape, READY))
        return np.concatenate([ready, aims], axis=2)


class StrongPlay(Imagined):
    """Many copies of a table, in which everybody plays on as strong computers do."""

    def __init__(self, table: Table, games: int) -> None:
        super().__init__(table, games, np.zeros((games, len(table.banks), len(Style._fields))))

    def choices(self, dice: np.random.Generator) -> Chosen:
        """What everybody chooses this round."""
        self.styles = shipped().drawn(self.alive, self.rounds, dice)
        return super().choices(dice)


@cache
def shipped() -> Mixture:
    """The mixture the program comes with."""
    found = arrays.unpacked((files("tablecoin.opponents.goes_around") / FILE).read_bytes(), _MOST_BYTES)
    return Mixture(**{name: found[name].astype(np.float64) for name in Mixture.__struct_fields__})
