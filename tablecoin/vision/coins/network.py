"""The networks: each tells which coin a crop shows, or none, and which face.

Every circle is shown to the small network. What may be a coin is shown to two closer ones as well, the large and the
fine one, each of which counts more than the small one. Their card: docs/model-card.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from tablecoin.coins import BY_VALUE, Denomination
from tablecoin.vision.coins import engine
from tablecoin.vision.coins.crops import (
    CROP_PX,
    FINE_MARGIN,
    FINE_PX,
    LARGE_MARGIN,
    LARGE_PX,
    MARGIN,
    Crops,
    Halvings,
    cut,
    evened,
)
from tablecoin.vision.coins.enrolment import Enrolment
from tablecoin.vision.coins.looks import KINDS, OURS, Array, Looks, Rows, normalised
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.coins.sureness import LEAST
from tablecoin.vision.frame import Disc, Image

AT_ONCE = 2  # views in one forward pass: more are no faster, and take more memory and cache
# The pooled logits are divided by these, so that probabilities mean what they say on photographers kept out of the
# training (temperature scaling: Guo et al., On Calibration of Modern Neural Networks, 2017). Of coins of two folds at
# four sizes the truth is likelier with these than with 1.3 and 1.1, which fitted two networks (lab/log, 2026-11-25).
KIND_TEMPERATURE = 1.2
FACE_TEMPERATURE = 1.0
# The shares of the small, the large and the fine network in what they say together.
KIND_SHARES, FACE_SHARES = (0.2, 0.4, 0.4), (0.1, 0.45, 0.45)
TURNS = 4  # quarter turns of a crop: the views there are of one disc


@dataclass(frozen=True, slots=True)
class Networks:
    """The three networks, as ONNX."""

    small: bytes
    large: bytes
    fine: bytes

    @classmethod
    def shipped(cls) -> Networks:
        """Those that come with tablecoin."""
        here = files("tablecoin.vision.coins")
        return cls(*((here / name).read_bytes() for name in ("small.onnx", "large.onnx", "fine.onnx")))

    @property
    def name(self) -> str:
        """The first eight digits of their common SHA-256."""
        return hashlib.sha256(self.small + self.large + self.fine).hexdigest()[:8]


class _Closer(NamedTuple):
    """A network that looks closer at what may be a coin, and the crops that it takes."""

    network: engine.Network
    side_px: int
    margin: float


class Identifier:
    """The networks, loaded. Used by one thread at a time.

    The logits of the small one are KINDS + 1 a view: the kinds, then heads. The closer ones have heads for each kind.
    """

    def __init__(self, networks: Networks | None = None, enrolled: Enrolment | None = None) -> None:
        """`networks` are used in place of those that come with tablecoin.

        `enrolled` is what was learned of the table's own coins; it is not used when it was learned for another network.
        """
        networks = networks or Networks.shipped()
        self.network = hashlib.sha256(networks.small).hexdigest()  # what is learned belongs to the features of this one
        self._small = engine.load(networks.small)
        self._closer = (
            _Closer(engine.load(networks.large), LARGE_PX, LARGE_MARGIN),
            _Closer(engine.load(networks.fine), FINE_PX, FINE_MARGIN),
        )
        features, logits = self._by_small(Halvings(np.zeros((9, 9, 3), np.uint8)), [Disc(4, 4, 3)], range(1))
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
        picture, views = Halvings(image), range(first, first + turns)
        features, seen = self._by_small(picture, discs, views)
        told = self._told(features).mean(axis=0)
        logits = seen.mean(axis=0)
        kinds, faces = logits[:, :KINDS], np.repeat(logits[:, KINDS:], len(BY_VALUE), axis=1)
        hopeful = np.exp(normalised((kinds + told[:, :KINDS]) / KIND_TEMPERATURE)[:, OURS]).sum(axis=1) > LEAST
        near = np.flatnonzero(hopeful)
        closer = self._by_closer(picture, discs, near, views)
        kinds[near] = _pooled([kinds[near], *(said.mean(axis=0) for _, said in closer)], KIND_SHARES)
        faces[near] = _pooled([faces[near], *(said.mean(axis=0) for said, _ in closer)], FACE_SHARES)
        return Looks(
            normalised((kinds + told[:, :KINDS]) / KIND_TEMPERATURE),
            (faces + told[:, KINDS:]) / FACE_TEMPERATURE,
            np.full(len(discs), turns),
        )

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, first: int = 1, more: int = TURNS - 1) -> Looks:
        """`before` joined with `more` further quarter turns of the same discs, the first of them `first`."""
        return before.joined(self(image, discs, turns=more, first=first))

    def features(self, image: Image, discs: Sequence[Disc], kinds: Sequence[Denomination]) -> tuple[Array, Array]:
        """For `discs` that are of these kinds, in all four quarter turns, without anything learned of a table's coins:
        the inputs of the small network's last layer (4, N, F) and all networks' logits (4, N, KINDS + 1).
        """
        picture, views = Halvings(image), range(TURNS)
        features, small = self._by_small(picture, discs, views)
        every = np.arange(len(discs))
        closer, columns = self._by_closer(picture, discs, every, views), [BY_VALUE.index(kind) for kind in kinds]
        pooled_kinds = _pooled([small[..., :KINDS], *(said for _, said in closer)], KIND_SHARES)
        faces = [said[:, every, columns][..., None] for said, _ in closer]
        return features, np.concatenate([pooled_kinds, _pooled([small[..., KINDS:], *faces], FACE_SHARES)], axis=2)

    def _told(self, features: Array) -> Array:
        """(T, N, KINDS + 1): what was learned of a table's own coins adds to the logits of features (T, N, F)."""
        told = np.zeros((*features.shape[:2], KINDS + 1))
        if self.enrolled is not None:
            told += features @ self.enrolled.change[:, :-1].T + self.enrolled.change[:, -1]
        if (remembered := self.remembered) is not None:
            told += remembered.votes(features)
        return told

    def _by_small(self, picture: Halvings, discs: Sequence[Disc], turns: range) -> tuple[Array, Array]:
        """The small network of `discs` in those turns: its last layer's inputs (T, N, F), logits (T, N, KINDS + 1)."""
        features, logits = _run(self._small, cut(picture, discs, CROP_PX, MARGIN), MARGIN, turns)
        return features, logits

    def _by_closer(
        self, picture: Halvings, discs: Sequence[Disc], rows: Rows, turns: range
    ) -> list[tuple[Array, Array]]:
        """Each closer network of those of `discs` in those turns: its logits of heads for each kind that it may be
        (T, len(rows), OURS), and of the kinds (T, len(rows), KINDS).
        """
        if not len(rows):
            return [(np.empty((len(turns), 0, len(BY_VALUE))), np.empty((len(turns), 0, KINDS)))] * len(self._closer)
        told = []
        for network, side_px, margin in self._closer:
            faces, kinds = _run(network, cut(picture, [discs[k] for k in rows], side_px, margin), margin, turns)
            told.append((faces, kinds))
        return told


def _pooled(logits: Sequence[Array], shares: Sequence[float]) -> Array:
    """What the logits of the networks say together: a logarithmic pool."""
    return np.asarray(sum(share * said for share, said in zip(shares, logits, strict=True)))


def _run(network: engine.Network, crops: Crops, margin: float, turns: range) -> list[Array]:
    """The network's outputs for `crops` in those quarter turns, (T, N, ...) each."""
    upright = evened(crops, margin)
    parts = [
        network(np.ascontiguousarray(views[start : start + AT_ONCE]))
        for views in (np.rot90(upright, turn, (2, 3)) for turn in turns)
        for start in range(0, len(views), AT_ONCE)
    ]
    outputs = (np.concatenate(some).astype(float) for some in zip(*parts, strict=True))
    return [every.reshape(len(turns), len(crops), -1) for every in outputs]
