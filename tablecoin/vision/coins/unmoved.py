"""What lies as it lay: circles whose place and picture are those of the last reading need no second look.

A doubtful one is looked at in a few pictures, for the camera's grain is another in each, and the mean of all its looks
counts; then its answer stays too: looking again and again until chance makes it sure would be no surer.

A circle is held against a coarse patch of the last picture, cut at the very same place, each brought to one mean
brightness; what lies beside the circle does not count. On the virtual table in good light the same coin in a new frame
differs by 0.011 at most, with another coin laid down beside it by 0.018; a coin turned over differs by 0.08 at least,
one turned by twenty degrees by 0.031, one moved by half a millimetre by 0.022. Grain and dim light add up to 0.03, and
then more is looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.coins.crops import Halvings, cut
from tablecoin.vision.coins.find import hidden_share
from tablecoin.vision.coins.identify import Looks
from tablecoin.vision.frame import Disc, Image

SIDE_PX = 16  # of a patch that just holds its circle
DIFFERENT = 0.025  # root mean square over a patch of mean brightness 1
GONE = 0.15  # the same where a coin was taken away: over 0.2 on the virtual mats
NEAR = 0.1  # how far apart, in radii, two findings of one circle may be
HALF = 0.5  # of the smaller circle hidden: they are no neighbours, only one of them can be on top
PICTURES = 3  # in which a doubtful circle is looked at
DARK = 4.0  # grey levels added, so that noise in the dark is no change

Patches = NDArray[np.float32]  # (N, pixels within the circle, 3)

_ACROSS = np.arange(SIDE_PX) - (SIDE_PX - 1) / 2
_ROUND = np.hypot(_ACROSS[:, None], _ACROSS[None, :]) <= (SIDE_PX - 1) / 2  # the pixels that are the circle's own


@dataclass(frozen=True, slots=True)
class Judged:
    """What a circle turned out to be."""

    disc: Disc  # of the coin itself; of the one on top, in a stack
    looks: Looks  # of this one circle, size left aside: the mean over all the pictures in which it was looked at
    kinds: NDArray[np.float64]  # (5,) probability of each of BY_VALUE, and of "not one of ours"
    heads: float  # probability, given that it is one of ours


class Unmoved:
    """The circles of the last reading that may be taken over as they are."""

    def __init__(self) -> None:
        self._found: list[Disc] = []
        self._judged: list[Judged] = []
        self._pictures: list[int] = []  # in how many each was looked at; PICTURES for what is plain
        self._patches: Patches = np.empty((0, int(_ROUND.sum()), 3), np.float32)
        self._again: dict[Disc, int] = {}  # of the circles asked about last those that lie as they lay: its number
        self._newest: tuple[Image, Halvings] | None = None  # the picture being read

    def overlooked(self, image: Image, discs: Sequence[Disc]) -> list[Disc]:
        """Coins of the last reading that are not among `discs`, though what shows there is much like before.

        They may lie there still, or another way up: worth a look where the finder saw no circle. Where it saw another
        one, another coin lies there now, unless the picture is the very same: a coin on top of that one.
        """
        seen = _same_circles(self._found, discs)
        rows = [n for n, one in enumerate(self._judged) if one.kinds[4] < 0.5 and not seen[n].any()]
        found = []
        for n, far in zip(rows, self._apart(image, rows), strict=True):
            lain = self._found[n]
            replaced = any(hidden_share(lain, disc) > HALF for disc in discs)
            if far < (DIFFERENT if replaced else GONE):
                found.append(lain)
        return found

    def among(self, image: Image, discs: Sequence[Disc]) -> dict[int, Judged]:
        """Which of `discs`, by index, are circles of the last reading with the same picture in them."""
        self._again = {}
        pairs = {int(k): int(n) for n, k in np.argwhere(_same_circles(self._found, discs))}
        apart = self._apart(image, list(pairs.values()))
        same = {k: n for (k, n), far in zip(pairs.items(), apart, strict=True) if far < DIFFERENT}
        self._again = {discs[k]: n for k, n in same.items()}
        return {k: self._judged[n] for k, n in same.items() if self._pictures[n] >= PICTURES}

    def earlier(self, disc: Disc) -> Looks | None:
        """What earlier pictures showed of `disc`, one of those asked about last, if it lies as it lay."""
        return self._judged[self._again[disc]].looks if disc in self._again else None

    def remember(self, image: Image, discs: Sequence[Disc], judged: Sequence[Judged], plain: Sequence[bool]) -> None:
        """Forget the last reading; `discs` of `image` were found to be `judged`.

        `plain`: which of them need no further look.
        """
        before = [self._pictures[self._again[disc]] if disc in self._again else 0 for disc in discs]
        pictures = [PICTURES if sure else min(PICTURES, n + 1) for n, sure in zip(before, plain, strict=True)]
        self._found, self._judged, self._pictures = list(discs), list(judged), pictures
        self._patches = _patches(self._halvings(image), discs)
        self._newest = None

    def _apart(self, image: Image, rows: Sequence[int]) -> list[float]:
        """How far the pictures in the circles remembered, by number, are from what they were."""
        if not rows:
            return []
        now = _patches(self._halvings(image), [self._found[n] for n in rows])
        apart: list[float] = np.sqrt(np.mean((now - self._patches[list(rows)]) ** 2, axis=(1, 2))).tolist()
        return apart

    def _halvings(self, image: Image) -> Halvings:
        """The halvings of `image`, made once for all that is asked about it until it is remembered."""
        if self._newest is None or self._newest[0] is not image:
            self._newest = image, Halvings(image)
        return self._newest[1]


def _same_circles(found: Sequence[Disc], discs: Sequence[Disc]) -> NDArray[np.bool_]:
    """(F, N) whether each of `found` and each of `discs` are findings of one circle."""
    (fx, fy, fr), (x, y, r) = (
        np.reshape([(disc.x_px, disc.y_px, disc.r_px) for disc in some], (-1, 3)).T for some in (found, discs)
    )
    near = (NEAR * fr)[:, None]
    apart = np.hypot(fx[:, None] - x, fy[:, None] - y)
    return np.asarray((apart < near) & (np.abs(fr[:, None] - r) < near))


def _patches(image: Halvings, discs: Sequence[Disc]) -> Patches:
    pixels = cut(image, discs, SIDE_PX, 1.0)[:, _ROUND].astype(np.float32) + DARK
    return np.asarray(pixels / pixels.mean(axis=(1, 2), keepdims=True), np.float32)
