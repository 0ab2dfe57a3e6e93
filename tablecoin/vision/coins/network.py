"""The small network of coins.onnx: which coin and which face a crop shows. Its card: docs/model-card.md."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from tablecoin.vision.coins import engine
from tablecoin.vision.coins.crops import cut, evened
from tablecoin.vision.coins.enrolment import Enrolment
from tablecoin.vision.coins.looks import KINDS, Array, Looks, normalised
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.frame import Disc, Image

AT_ONCE = 2  # views in one forward pass: more are no faster, and take more memory and cache
# The logits are divided by these, so that of the answers it gives 95 % about 95 in 100 are right on photographers kept
# out of the training (temperature scaling: Guo et al., On Calibration of Modern Neural Networks, 2017). Chosen by
# `python -m lab.reading.sureness`.
KIND_TEMPERATURE = 1.3
FACE_TEMPERATURE = 1.1
TURNS = 4  # quarter turns of a crop: the views there are of one disc


class Identifier:
    """The network, loaded. Used by one thread at a time. Its logits are (KINDS + 1) a view: the kinds, then heads."""

    def __init__(self, onnx: bytes | None = None, enrolled: Enrolment | None = None) -> None:
        """`onnx` is a network to use in place of the one that comes with tablecoin.

        `enrolled` is what was learned of the table's own coins; it is not used when it was learned for another network.
        """
        weights = onnx if onnx is not None else (files("tablecoin.vision.coins") / "coins.onnx").read_bytes()
        self.network = hashlib.sha256(weights).hexdigest()
        self._network = engine.load(weights)
        features, logits = self._seen(np.zeros((9, 9, 3), np.uint8), [Disc(4, 4, 3)], range(1))
        self._last_layer = logits.shape[2], features.shape[2] + 1  # the shape of its weights and, last, its offsets
        self.enrolled: Enrolment | None = None
        self.remembered: Remembered | None = None
        self.know(enrolled)

    def fits(self, enrolled: Enrolment) -> bool:
        """Whether these coins were learned for this network."""
        return enrolled.network == self.network and enrolled.change.shape == self._last_layer

    def know(self, enrolled: Enrolment | None) -> None:
        """Use these enrolled coins from now on; None, or coins learned for another network: use none."""
        self.enrolled = enrolled if enrolled is not None and self.fits(enrolled) else None

    def recall(self, remembered: Remembered | None) -> None:
        """Let these remembered coins vote from now on; None, empty, or remembered by another network: none do.

        May be called from another thread than the one that reads.
        """
        fits = remembered is not None and remembered.network == self.network and len(remembered)
        self.remembered = remembered if fits else None

    def __call__(self, image: Image, discs: Sequence[Disc], turns: int = 1, first: int = 0) -> Looks:
        """The looks of `discs` in `image`: the logits averaged over `turns` quarter turns (1 to 4) from `first` on."""
        if not discs:
            return Looks.unseen(0)
        features, views = self._seen(image, discs, range(first, first + turns))
        if self.enrolled is not None:
            views = views + features @ self.enrolled.change[:, :-1].T + self.enrolled.change[:, -1]
        if (remembered := self.remembered) is not None:
            views = views + remembered.votes(features)
        logits = views.mean(axis=0)
        kinds, faces = logits[:, :KINDS] / KIND_TEMPERATURE, logits[:, KINDS] / FACE_TEMPERATURE
        return Looks(normalised(kinds), faces, np.full(len(discs), turns))

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, first: int = 1, more: int = TURNS - 1) -> Looks:
        """`before` joined with `more` further quarter turns of the same discs, the first of them `first`."""
        return before.joined(self(image, discs, turns=more, first=first))

    def features(self, image: Image, discs: Sequence[Disc]) -> tuple[Array, Array]:
        """The last layer's inputs (4, N, F) and its logits (4, N, KINDS + 1) for `discs`, in all four quarter turns."""
        return self._seen(image, discs, range(TURNS))

    def _seen(self, image: Image, discs: Sequence[Disc], turns: range) -> tuple[Array, Array]:
        """The last layer's inputs (T, N, F) and its logits (T, N, KINDS + 1) for `discs` in those quarter turns."""
        crops = evened(cut(image, discs))
        parts = [
            self._network(np.ascontiguousarray(views[start : start + AT_ONCE]))
            for views in (np.rot90(crops, turn, (2, 3)) for turn in turns)
            for start in range(0, len(views), AT_ONCE)
        ]
        features, logits = (np.concatenate(some).astype(float) for some in zip(*parts, strict=True))
        return features.reshape(len(turns), len(discs), -1), logits.reshape(len(turns), len(discs), -1)
