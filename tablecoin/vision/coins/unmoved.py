"""What lies as it lay: a circle whose place and picture are those of the last reading keeps its answer.

A new coin is looked at in two pictures and a doubtful one in a few, because each has other noise, and the mean of all
its looks counts. Then its answer stays too: looking again until noise makes it sure would not make it right.

A circle is compared as a coarse patch, cut from both pictures at the very same place and scaled to one mean brightness;
only pixels inside the circle count. Measured on the virtual table in good light, as root mean square: the same coin in
a new frame 0.011 at most, with another coin laid down beside it 0.018; a coin nudged by half a millimetre 0.022, turned
by twenty degrees 0.031, turned over 0.08 at least. Noise and dim light add up to 0.03: then more is looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.crops import Halvings, cut
from tablecoin.vision.coins.find import hidden_share
from tablecoin.vision.frame import Disc

SIDE_PX = 16  # side of a patch; its inscribed circle is the candidate's circle
DIFFERENT = 0.025  # root mean square difference of two patches of mean 1, from which something was touched
GONE = 0.15  # the same from which a coin was taken away: over 0.2 on the virtual mats
NEAR = 0.1  # in radii: findings of one circle differ by less than this in place and in radius
HALF = 0.5  # share of the smaller of two circles inside the other above which they cannot lie side by side
ABSENT = 0.5  # probability of NOT_A_COIN from which a circle of the last reading is not searched for again
PICTURES = 3  # in so many pictures a doubtful circle is looked at
DARK = 4.0  # grey levels added to every pixel, so that noise in the dark is not taken for a change

Patches = NDArray[np.float32]  # (N, pixels inside the circle, 3)

_ACROSS = np.arange(SIDE_PX) - (SIDE_PX - 1) / 2
_ROUND = np.hypot(_ACROSS[:, None], _ACROSS[None, :]) <= (SIDE_PX - 1) / 2  # (SIDE, SIDE): inside the circle


@dataclass(frozen=True, slots=True, eq=False)
class LastReading:
    """The identified candidates of the last picture, and a patch of that picture for each."""

    candidates: Candidates
    patches: Patches

    @classmethod
    def of(cls, candidates: Candidates, picture: Halvings) -> LastReading:
        """What to remember of `candidates`, which were identified in `picture`."""
        return cls(candidates, _patches(picture, candidates.circles))

    def overlooked(self, circles: Sequence[Disc], picture: Halvings) -> list[Disc]:
        """Circles of coins that are not among `circles`, though `picture` looks much the same there as before.

        They may lie there still, or the other way up: worth a look where the finder missed them. Where the finder saw
        another circle, another coin lies there now, unless the patch is the same: then that is a coin on top of this.
        """
        seen = _same_circles(self.candidates.circles, circles)
        rows = np.flatnonzero((self.candidates.strange < ABSENT) & ~seen.any(axis=1))
        found = []
        for n, far in zip(rows, self._apart(picture, rows), strict=True):
            lain = self.candidates.circles[n]
            replaced = any(hidden_share(lain, circle) > HALF for circle in circles)
            if far < (DIFFERENT if replaced else GONE):
                found.append(lain)
        return found

    def recalled(self, proposed: Candidates, picture: Halvings) -> Candidates:
        """`proposed`, where those that lie as they lay have the answers of the last reading."""
        pairs = np.argwhere(_same_circles(self.candidates.circles, proposed.circles))
        last_of = {int(k): int(n) for n, k in pairs}
        rows, lain = (np.array(some, np.int64) for some in (list(last_of), list(last_of.values())))
        same = self._apart(picture, lain) < DIFFERENT
        return proposed.put(rows[same], self.candidates[lain[same]])

    def _apart(self, picture: Halvings, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(N,) root mean square difference between `picture` and the last one, in the circles of `rows`."""
        if not len(rows):
            return np.empty(0)
        now = _patches(picture, [self.candidates.circles[n] for n in rows])
        return np.asarray(np.sqrt(np.mean((now - self.patches[rows]) ** 2, axis=(1, 2))))


def _same_circles(found: Sequence[Disc], discs: Sequence[Disc]) -> NDArray[np.bool_]:
    """(F, N) whether each of `found` and each of `discs` are findings of one circle."""
    (fx, fy, fr), (x, y, r) = (
        np.reshape([(disc.x_px, disc.y_px, disc.r_px) for disc in some], (-1, 3)).T for some in (found, discs)
    )
    near = (NEAR * fr)[:, None]
    apart = np.hypot(fx[:, None] - x, fy[:, None] - y)
    return np.asarray((apart < near) & (np.abs(fr[:, None] - r) < near))


def _patches(picture: Halvings, circles: Sequence[Disc]) -> Patches:
    pixels = cut(picture, circles, SIDE_PX, 1.0)[:, _ROUND].astype(np.float32) + DARK
    return np.asarray(pixels / pixels.mean(axis=(1, 2), keepdims=True), np.float32)


NOTHING_YET = LastReading(Candidates.proposed(()), np.empty((0, int(_ROUND.sum()), 3), np.float32))
