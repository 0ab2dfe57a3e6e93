"""The networks: each tells which coin a crop shows, or none, and which face.

A first look is the small network's at every circle, joined by the large one's at what may be a coin. What is not clear
then is looked at again, by the fine network. Their card: docs/model-card.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tablecoin.coins import BY_VALUE, Denomination
from tablecoin.vision.coins import engine, relief
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
from tablecoin.vision.coins.looks import KINDS, OURS, Array, Looks, normalised
from tablecoin.vision.coins.neighbours import SHARE
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.coins.sureness import LEAST
from tablecoin.vision.frame import Disc, Image

AT_ONCE = 2  # views in one forward pass: more are no faster, and take more memory and cache
# The pooled logits are divided by these, so that probabilities mean what they say on photographers kept out of the
# training (temperature scaling: Guo et al., On Calibration of Modern Neural Networks, 2017). On 7,200 of strangers'
# coins on tables the true face is likelier with 0.8 than with 1 (lab/log, 2026-11-26).
KIND_TEMPERATURE = 1.2
FACE_TEMPERATURE = 0.8
# The small network's share in a first look at what may be a coin, of kind and of face; the rest is the large one's.
KIND_SHARE, FACE_SHARE = 1 / 3, 0.2
TURNS = 4  # quarter turns of a crop: the views there are of one disc
FINE_TURNS = 3  # in so many of them the fine network looks at a coin that is not clear


@dataclass(frozen=True, slots=True)
class Networks:
    """The ONNX files of the three networks."""

    small: Path
    large: Path
    fine: Path

    @classmethod
    def shipped(cls) -> Networks:
        """Those that come with tablecoin."""
        return cls(*(Path(__file__).with_name(name) for name in ("small.onnx", "large.onnx", "fine.onnx")))

    @property
    def name(self) -> str:
        """The first eight digits of their common SHA-256."""
        files = self.small, self.large, self.fine
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


class Described(NamedTuple):
    """N discs in all four quarter turns, as the networks see them."""

    small: Array  # (4, N, F) inputs of the small network's last layer, by which enrolled coins are learned
    fine: Array  # (4, N, F) those of the fine one, by which a coin is recognised
    logits: Array  # (4, N, KINDS + 1) of all networks, as after a first look and all fine ones: the kinds, then heads
    relief: Array  # (N,) what they show of it


class Identifier:
    """The networks, loaded. Used by one thread at a time.

    The logits of the small one are KINDS + 1 a view: the kinds, then heads. The other two have heads for each kind.
    """

    def __init__(self, networks: Networks | None = None, enrolled: Enrolment | None = None) -> None:
        """`networks` are used in place of those that come with tablecoin.

        `enrolled` is what was learned of the table's own coins; it is not used when it was learned for another network.
        """
        networks = networks or Networks.shipped()
        # What is learned of enrolled coins belongs to the small network's features, remembered ones to the fine one's.
        self.network, self.recogniser = (
            hashlib.sha256(file.read_bytes()).hexdigest() for file in (networks.small, networks.fine)
        )
        self._small = engine.load(networks.small)
        self._large = engine.load(networks.large)
        self._fine = engine.load(networks.fine)
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
        fits = remembered is not None and remembered.network == self.recogniser and len(remembered)
        self.remembered = remembered if fits else None

    def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
        """A first look at each of `discs` in `image`, in one quarter turn: by the small and, at what may be a coin, the
        large network.

        Remembered coins have no vote yet: what these two tell beyond doubt needs none, and a wrong vote is not to keep
        the fine network from looking.
        """
        if not discs:
            return Looks.unseen(0)
        picture, turns = Halvings(image), range(turn, turn + 1)
        features, (seen,) = self._by_small(picture, discs, turns)
        (told,) = self._enrolled(features)
        kinds, faces = seen[:, :KINDS], np.repeat(seen[:, KINDS:], len(BY_VALUE), axis=1)
        ours = np.exp(normalised((kinds + told[:, :KINDS]) / KIND_TEMPERATURE)[:, OURS]).sum(axis=1)
        near = np.flatnonzero(ours > LEAST).tolist()
        if near:
            (large_kinds,), (large_faces,) = self._by_large(picture, [discs[k] for k in near], turns)
            kinds[near] = _pooled(kinds[near], large_kinds, KIND_SHARE)
            faces[near] = _pooled(faces[near], large_faces, FACE_SHARE)
        return _looks(kinds, faces, told)

    def again(self, image: Image, discs: Sequence[Disc], before: Looks, turns: range = range(FINE_TURNS)) -> Looks:
        """`before` joined with the fine network's looks at the same discs, one in each of those quarter turns.

        Remembered coins vote in each of them. On a face that shows little relief they confirm and do not decide:
        smooth coins look alike whichever side lies up, and one that was settled would decide for all.
        """
        if not discs:
            return before
        picture, remembered = Halvings(image), self.remembered
        features, kinds, faces = self._by_fine(picture, discs, turns)
        told = np.zeros((len(turns), len(discs), KINDS + len(BY_VALUE)))
        if self.enrolled is not None:
            told += self._enrolled(self._by_small(picture, discs, turns)[0])
        if self.enrolled is not None or remembered is not None:
            remembered = remembered or Remembered(self.recogniser)
            reliefs = relief.shown(picture, discs)
            told += remembered.votes(features, reliefs)
            smooth = reliefs < relief.LITTLE
            tails, heads = remembered.most_if_smooth * FACE_TEMPERATURE / SHARE
            told[:, smooth, KINDS:] = np.clip(told[:, smooth, KINDS:], -tails, heads)
        for look in zip(kinds, faces, told, strict=True):
            before = before.joined(_looks(*look))
        return before

    def thoroughly(self, image: Image, discs: Sequence[Disc], before: Looks) -> Looks:
        """`before`, a first look upright, joined with first looks in the other quarter turns and fine ones in all four.

        It takes twice the time of three fine looks. On small, blurred coins in photos of maps these alone erred more.
        """
        for turn in range(1, TURNS):
            before = before.joined(self(image, discs, turn))
        return self.again(image, discs, before, range(TURNS))

    def features(self, image: Image, discs: Sequence[Disc], turns: range = range(TURNS)) -> Array:
        """(T, N, F): what the fine network's last layer is given of `discs` in those quarter turns."""
        return self._by_fine(Halvings(image), discs, turns)[0]

    def described(self, image: Image, discs: Sequence[Disc], kinds: Sequence[Denomination]) -> Described:
        """`discs`, which are of these kinds, without anything learned of a table's coins."""
        picture, turns = Halvings(image), range(TURNS)
        small, small_logits = self._by_small(picture, discs, turns)
        large_kinds, large_faces = self._by_large(picture, discs, turns)
        fine, fine_kinds, fine_faces = self._by_fine(picture, discs, turns)
        first_kinds = _pooled(small_logits[..., :KINDS], large_kinds, KIND_SHARE)
        first_faces = _pooled(small_logits[..., KINDS:], large_faces, FACE_SHARE)
        share = 1 / (1 + FINE_TURNS)
        pooled_kinds, every_face = _pooled(first_kinds, fine_kinds, share), _pooled(first_faces, fine_faces, share)
        faces = every_face[:, np.arange(len(discs)), [BY_VALUE.index(kind) for kind in kinds]]
        logits = np.concatenate([pooled_kinds, faces[..., None]], axis=2)
        return Described(small, fine, logits, relief.shown(picture, discs))

    def _enrolled(self, features: Array) -> Array:
        """(T, N, KINDS + OURS): what was learned of the enrolled coins adds to logits at features (T, N, F): of the
        kinds, then of heads for each kind that it may be.
        """
        if self.enrolled is None:
            return np.zeros((*features.shape[:2], KINDS + len(BY_VALUE)))
        told = features @ self.enrolled.change[:, :-1].T + self.enrolled.change[:, -1]
        return np.concatenate([told[..., :KINDS], np.repeat(told[..., KINDS:], len(BY_VALUE), axis=-1)], axis=-1)

    def _by_small(self, picture: Halvings, discs: Sequence[Disc], turns: range) -> tuple[Array, Array]:
        """The small network of `discs` in those turns: its last layer's inputs (T, N, F), logits (T, N, KINDS + 1)."""
        features, logits = _run(self._small, cut(picture, discs, CROP_PX, MARGIN), MARGIN, turns)
        return features, logits

    def _by_large(self, picture: Halvings, discs: Sequence[Disc], turns: range) -> tuple[Array, Array]:
        """The large network's logits of kinds (T, N, KINDS), and of heads for each kind it may be (T, N, OURS)."""
        faces, kinds = _run(self._large, cut(picture, discs, LARGE_PX, LARGE_MARGIN), LARGE_MARGIN, turns)
        return kinds, faces

    def _by_fine(self, picture: Halvings, discs: Sequence[Disc], turns: range) -> tuple[Array, Array, Array]:
        """The fine network's features (T, N, F), its logits of kinds (T, N, KINDS), and of heads for each kind that it
        may be (T, N, OURS).
        """
        faces, kinds, features = _run(self._fine, cut(picture, discs, FINE_PX, FINE_MARGIN), FINE_MARGIN, turns)
        return features, kinds, faces


def _looks(kinds: Array, faces: Array, told: Array) -> Looks:
    """One look at N discs: logits of kinds (N, KINDS) and faces (N, OURS), with what was learned of a table's coins."""
    return Looks(
        normalised((kinds + told[:, :KINDS]) / KIND_TEMPERATURE),
        (faces + told[:, KINDS:]) / FACE_TEMPERATURE,
        np.ones(len(kinds), np.int64),
    )


def _pooled(mine: Array, others: Array, share: float) -> Array:
    """A logarithmic pool of the logits of two, with `share` of the first."""
    return share * mine + (1 - share) * others


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
