"""Which coin, which face: the small network of coins.onnx over crops, as probabilities. Its story: docs/reader.md."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.coins.crops import cut, evened
from tablecoin.vision.frame import Disc, Image

if TYPE_CHECKING:
    from tablecoin.vision.coins.enrol import Enrolment

AT_ONCE = 4  # views shown to the network in one go: more leave the processor's cache
KINDS = 5  # logits of each of BY_VALUE and of "not one of ours"; then one of heads against tails
# Dividing the network's logits by these makes its "95 %" right 95 times in 100 on photographers it never met (Guo et
# al., On Calibration of Modern Neural Networks, 2017).
KIND_TEMPERATURE = 1.3
FACE_TEMPERATURE = 1.1

Rows = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Looks:
    """What discs look like, size left aside; one row a disc."""

    kinds: NDArray[np.float64]  # (N, 5) log probability of each of BY_VALUE, and of "not one of ours"
    faces: NDArray[np.float64]  # (N,) log odds of heads
    sides: NDArray[np.int64]  # (N,) of how many views of it these are the mean

    @classmethod
    def none(cls) -> Looks:
        """Of no discs."""
        return cls(np.empty((0, KINDS)), np.empty(0), np.empty(0, int))

    def __getitem__(self, rows: Rows) -> Looks:
        return Looks(self.kinds[rows], self.faces[rows], self.sides[rows])

    def put(self, rows: Rows, others: Looks) -> Looks:
        """These, with `others` in place of `rows`."""
        kinds, faces, sides = self.kinds.copy(), self.faces.copy(), self.sides.copy()
        kinds[rows], faces[rows], sides[rows] = others.kinds, others.faces, others.sides
        return Looks(kinds, faces, sides)

    def joined(self, others: Looks) -> Looks:
        """What these and `others`, further views of the same discs, say together: the mean of all views."""
        sides = self.sides + others.sides
        mine = self.sides / sides
        kinds = mine[:, None] * self.kinds + (1 - mine)[:, None] * others.kinds
        return Looks(_normal(kinds), mine * self.faces + (1 - mine) * others.faces, sides)

    @property
    def heads(self) -> NDArray[np.float64]:
        """(N,) probability of heads, given that it is one of ours."""
        return np.asarray(1 / (1 + np.exp(-self.faces)))


class Identifier:
    """The network, loaded. One thread at a time may use it."""

    def __init__(self, onnx: bytes | None = None, enrolled: Enrolment | None = None) -> None:
        """`onnx` is a network to use instead of the one that comes with tablecoin.

        `enrolled` is what was learned of the table's own coins; what was learned for another network is left aside.
        """
        weights = onnx if onnx is not None else (files("tablecoin.vision.coins") / "coins.onnx").read_bytes()
        self.network = hashlib.sha256(weights).hexdigest()
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        features, logits = self._seen(np.zeros((9, 9, 3), np.uint8), [Disc(4, 4, 3)], range(1))
        self._last_step = logits.shape[2], features.shape[2] + 1  # its weights, with a column for the offsets
        self.enrolled: Enrolment | None = None
        self.know(enrolled)

    def fits(self, enrolled: Enrolment) -> bool:
        """Whether these coins were learned for this network."""
        return enrolled.network == self.network and enrolled.change.shape == self._last_step

    def know(self, enrolled: Enrolment | None) -> None:
        """Go by these coins from now on, or by none where they do not fit."""
        self.enrolled = enrolled if enrolled is not None and self.fits(enrolled) else None

    def __call__(self, image: Image, discs: Sequence[Disc], turns: int = 1, first: int = 0) -> Looks:
        """Look at `discs` of `image`, each `turns` times turned by quarter turns (1 to 4), the opinions averaged.

        `first` is the quarter turn to begin with.
        """
        if not discs:
            return Looks.none()
        features, views = self._seen(image, discs, range(first, first + turns))
        if self.enrolled is not None:
            views = views + features @ self.enrolled.change[:, :-1].T + self.enrolled.change[:, -1]
        logits = views.mean(axis=0)
        kinds, faces = logits[:, :KINDS] / KIND_TEMPERATURE, logits[:, KINDS] / FACE_TEMPERATURE
        return Looks(_normal(kinds), faces, np.full(len(discs), turns))

    def features(self, image: Image, discs: Sequence[Disc]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What the network sees in `discs` from four sides: its last features (4, N, F), and its logits (4, N, 6)."""
        return self._seen(image, discs, range(4))

    def _seen(
        self, image: Image, discs: Sequence[Disc], turns: range
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The network's last features (T, N, F), and its logits (T, N, 6), of `discs` turned so many quarter turns."""
        crops = evened(cut(image, discs))
        views = np.concatenate([np.rot90(crops, turn, (2, 3)) for turn in turns])
        parts = []
        for start in range(0, len(views), AT_ONCE):
            self._net.setInput(np.ascontiguousarray(views[start : start + AT_ONCE]))
            parts.append([np.array(out, float) for out in self._net.forward(["features", "logits"])])
        features, logits = (np.concatenate(some) for some in zip(*parts, strict=True))
        return features.reshape(len(turns), len(discs), -1), logits.reshape(len(turns), len(discs), -1)

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, first: int = 1, more: int = 3) -> Looks:
        """`before`, and `discs` looked at from `more` further sides, the quarter turn `first` and those after it."""
        return before.joined(self(image, discs, turns=more, first=first))


def _normal(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 5) logs brought to probabilities that sum to 1."""
    return np.asarray(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True))
