"""Which coin, which face: the small network of coins.onnx over crops, as probabilities. Its story: docs/reader.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.crops import cut, evened
from tablecoin.vision.frame import Disc, Image

# Dividing the network's logits by these makes its "95 %" right 95 times in 100 on photographers it never met (Guo et
# al., On Calibration of Modern Neural Networks, 2017).
KIND_TEMPERATURE = 1.3
FACE_TEMPERATURE = 1.3


@dataclass(frozen=True, slots=True)
class Looks:
    """What discs look like, size left aside; one row a disc."""

    kinds: NDArray[np.float64]  # (N, 5) log probability of each of BY_VALUE, and of "not one of ours"
    faces: NDArray[np.float64]  # (N,) log odds of heads

    @property
    def heads(self) -> NDArray[np.float64]:
        """(N,) probability of heads, given that it is one of ours."""
        return np.asarray(1 / (1 + np.exp(-self.faces)))


class Identifier:
    """The network, loaded. One thread at a time may use it."""

    def __init__(self, onnx: bytes | None = None) -> None:
        """`onnx` is a network to use instead of the one that comes with tablecoin."""
        weights = onnx if onnx is not None else (files("tablecoin.vision") / "coins.onnx").read_bytes()
        buffer = np.frombuffer(weights, np.uint8)
        # OpenCV 5 has two engines; on nets this small its older one is the quicker.
        classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        self._net = cv2.dnn.readNetFromONNX(buffer, *(() if classic is None else (classic,)))

    def __call__(self, image: Image, discs: Sequence[Disc], turns: int = 1, first: int = 0) -> Looks:
        """Look at `discs` of `image`, each `turns` times turned by quarter turns (1 to 4), the opinions averaged.

        `first` is the quarter turn to begin with.
        """
        if not discs:
            return Looks(np.empty((0, 5)), np.empty(0))
        crops = evened(cut(image, discs))
        views = [np.rot90(crops, turn, (2, 3)) for turn in range(first, first + turns)]
        self._net.setInput(np.ascontiguousarray(np.concatenate(views)))
        logits = np.reshape(self._net.forward(), (turns, len(discs), 6)).astype(float).mean(axis=0)
        return Looks(_normal(logits[:, :5] / KIND_TEMPERATURE), logits[:, 5] / FACE_TEMPERATURE)

    def again(self, image: Image, discs: Sequence[Disc], before: Looks) -> Looks:
        """`discs` looked at from the other three sides as well, after one look as they lie."""
        more = self(image, discs, turns=3, first=1)
        return Looks(_normal((before.kinds + 3 * more.kinds) / 4), (before.faces + 3 * more.faces) / 4)


def _normal(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 5) logs brought to probabilities that sum to 1."""
    return np.asarray(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True))
