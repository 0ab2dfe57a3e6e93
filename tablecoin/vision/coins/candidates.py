"""The one value that passes through the reader's three stages: circles that may be coins, a row each.

`propose` fills the circles, `identify` what each of them is, `resolve` makes SeenCoins of those that are coins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.coins import find
from tablecoin.vision.coins.looks import KINDS, NOT_A_COIN, OURS, Array, Looks, Rows
from tablecoin.vision.coins.neighbours import FEATURES
from tablecoin.vision.coins.network import TURNS
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import Disc
from tablecoin.vision.place.plane import Plane

# Share of the smaller of two circles that lies inside the other, by area, above which only one of them is a coin.
# Coins that lie on one another are one candidate: `stacks` finds the upper rim inside the lower.
COVERED = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """N circles of one picture, best supported first; every column has a row for each."""

    circles: tuple[Disc, ...]  # as proposed, in pixels of the picture
    diameters_mm: Array  # (N,) of the circles, on the mat; NaN until they are measured there
    looks: Looks  # of the circles, sizes left aside
    kinds: Array  # (N, KINDS) probabilities, from looks and sizes together
    heads_if: Array  # (N, OURS) probability that it lies heads up, should it be of that kind
    discs: tuple[Disc, ...]  # the coin's own rim: its circle, or in a stack the upper coin's
    pictures: NDArray[np.int64]  # (N,) number of pictures in which it was looked at since it last changed
    # (N, TURNS, FEATURES) the fine network's features of the discs in each quarter turn; NaN until they are needed
    features: NDArray[np.float32]

    @classmethod
    def proposed(cls, circles: Sequence[Disc]) -> Candidates:
        """Circles that nobody looked at yet."""
        count = len(circles)
        return cls(
            circles=tuple(circles),
            diameters_mm=np.full(count, np.nan),
            looks=Looks.unseen(count),
            kinds=np.full((count, KINDS), 1 / KINDS),
            heads_if=np.full((count, NOT_A_COIN), 0.5),
            discs=tuple(circles),
            pictures=np.zeros(count, np.int64),
            features=np.full((count, TURNS, FEATURES), np.nan, np.float32),
        )

    def __len__(self) -> int:
        return len(self.circles)

    def __getitem__(self, rows: Rows) -> Candidates:
        """Those of `rows`, in that order."""
        return Candidates(
            circles=tuple(self.circles[k] for k in rows),
            diameters_mm=self.diameters_mm[rows],
            looks=self.looks[rows],
            kinds=self.kinds[rows],
            heads_if=self.heads_if[rows],
            discs=tuple(self.discs[k] for k in rows),
            pictures=self.pictures[rows],
            features=self.features[rows],
        )

    def put(self, rows: Rows, others: Candidates) -> Candidates:
        """These, with the answers of `others` in `rows`. Circles and diameters stay as they are."""
        discs = dict(enumerate(self.discs)) | dict(zip(rows, others.discs, strict=True))
        kinds, heads_if = self.kinds.copy(), self.heads_if.copy()
        pictures, features = self.pictures.copy(), self.features.copy()
        kinds[rows], heads_if[rows] = others.kinds, others.heads_if
        pictures[rows], features[rows] = others.pictures, others.features
        return replace(
            self,
            looks=self.looks.put(rows, others.looks),
            kinds=kinds,
            heads_if=heads_if,
            discs=tuple(discs.values()),
            pictures=pictures,
            features=features,
        )

    @property
    def ours(self) -> Array:
        """(N,) probability of being a coin of ours, whichever."""
        return np.asarray(self.kinds[:, OURS].sum(axis=1))

    @property
    def strange(self) -> Array:
        """(N,) probability of being no coin of ours."""
        return np.asarray(self.kinds[:, NOT_A_COIN])

    @property
    def certainty(self) -> tuple[Array, Array]:
        """(N,) probability of the likeliest denomination, and (N,) of the likelier face, should it be of that one."""
        ours = self.kinds[:, OURS]
        up = np.take_along_axis(self.heads_if, ours.argmax(axis=1)[:, None], axis=1)[:, 0]
        return ours.max(axis=1), np.maximum(up, 1 - up)

    @property
    def sure(self) -> NDArray[np.bool_]:
        """(N,) whether denomination and face are both sure enough to stake a ruling on."""
        kind, face = self.certainty
        return np.asarray((kind >= KIND_SURE) & (face >= FACE_SURE))

    def strongest(self, least: float) -> list[int]:
        """Non-maximum suppression: the rows, likeliest coin first, that no likelier one covers.

        Those whose probability of being a coin is below `least` are left out.
        """
        ours = self.ours
        kept: list[int] = []
        for k in np.argsort(-ours, kind="stable"):
            if ours[k] >= least and all(find.hidden_share(self.discs[k], self.discs[n]) <= COVERED for n in kept):
                kept.append(int(k))
        return kept


def diameters_mm(plane: Plane, discs: Sequence[Disc]) -> Array:
    """(N,) diameters on the mat: of the circle with the same area as the ellipse that the disc is there."""
    if not discs:
        return np.empty(0)
    x, y, r = np.array([(disc.x_px, disc.y_px, disc.r_px) for disc in discs]).T
    rims = [np.column_stack([x + r * dx, y + r * dy]) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    right, left, below, above = plane.to_mm(np.concatenate(rims)).reshape(4, -1, 2)
    across, down = right - left, below - above
    return np.asarray(np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])))
