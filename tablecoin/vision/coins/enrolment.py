"""What was learned of a table's own coins: a change to the network's last, linear layer, kept in one file.

`calibration/own_coins.py` learns it; the network adds it to its logits. lab/log/ tells what it brings.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import Face, Heap
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage import arrays, durable

FILE = "coins.npz"  # its usual name, beside the table's calibration
LARGEST_FILE = 1_000_000  # bytes; one has about 6,000


class EnrolmentError(Complaint, ValueError):
    """A file of enrolled coins cannot be used: why, and what to do."""


class Tray(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people say lies there: coins of each denomination, all with the same face up."""

    coins: Heap
    face: Face


class Count(NamedTuple):
    """How many sides of coins the network tells by their looks alone, without their sizes."""

    right: int  # denomination and face are both right
    sure: int  # of these, how many reach the thresholds of `sureness`
    sure_wrong: int  # wrong, though they reach the thresholds

    def no_worse(self, other: Count) -> bool:
        """Whether at least as many sides are right as in `other`, and no more are wrong and sure."""
        return self.sure_wrong <= other.sure_wrong and self.right >= other.right


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """What was learned of a table's own coins."""

    change: NDArray[np.float32]  # (6, features + 1): added to the last layer's weights, last column to its offsets
    network: str  # SHA-256, in hexadecimal, of the network it was learned for
    coins: int  # sides of coins shown
    before: Count  # of these sides, by the network alone
    after: Count  # the same by cross-validation: each side told by what was learned from others

    @property
    def helps(self) -> bool:
        """Whether it changes anything."""
        return bool(self.change.any())

    def save(self, path: Path) -> None:
        """Write it to `path` (.npz); after a power cut the file is the old one or the new one. Raises OSError."""
        counts = np.array([self.coins, *self.before, *self.after])
        parts = {"change": self.change, "network": np.array(self.network), "counts": counts}
        durable.replace(path, arrays.packed(parts))

    @classmethod
    def load(cls, path: Path) -> Enrolment:
        """Read what `save` wrote. EnrolmentError when the file is missing, damaged or something else."""
        try:
            parts = arrays.unpacked(durable.read(path, LARGEST_FILE), LARGEST_FILE)
            change, counts = parts["change"], parts["counts"]
            if change.ndim != 2 or change.dtype != np.float32 or not np.isfinite(change).all():
                raise ValueError("it holds no change of a layer")
            coins, right, sure, wrong, *after = (int(count) for count in counts)
            return cls(change, str(parts["network"]), coins, Count(right, sure, wrong), Count(*after))
        except OSError as error:
            facts = {"path": str(path), "why": error.strerror or Message("enrolment.form")}
            raise EnrolmentError(Message("enrolment.unread", facts)) from None
        except (ValueError, KeyError, TypeError):
            raise EnrolmentError(Message("enrolment.none", {"path": str(path)})) from None
