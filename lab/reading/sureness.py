"""How sure is sure enough: temperatures and thresholds chosen on some photographers and measured on others.

Every photo is read by the network that never saw its photographer. Then, for each fold in turn, the temperatures (one
for the kind, one for the face) and the two thresholds are chosen on the other folds' readings and measured on this
fold: no figure comes from readings that helped to choose. A wrong answer that is sure costs as much as COST questions;
the thresholds of least cost are chosen.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.labels import Label, Photo
from calibration.scorecard import OURS, match
from lab import held_out
from lab.training.folds import FOLDS
from tablecoin.coins import BY_VALUE
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.coins import find, propose, scale
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.identify import looked_at
from tablecoin.vision.coins.looks import Looks
from tablecoin.vision.coins.network import FACE_TEMPERATURE, KIND_TEMPERATURE, Identifier
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import Disc, SeenCoin, whichever

COST = 30.0  # questions that are as bad as one wrong ruling
KIND_GRID = (0.85, 1.0, 1.15, 1.3, 1.5)
FACE_GRID = (0.7, 0.77, 0.83, 0.9, 1.0, 1.1, 1.2)
FLOORS = (0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.993, 0.996, 0.998)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Read:
    """One photo as the network saw it, with the shipped temperatures only."""

    photo: Photo
    fold: int
    size_px: tuple[int, int]
    discs: list[Disc]
    looks: Looks


@dataclass(frozen=True, slots=True)
class Answers:
    """Every disc that was read, one row each."""

    fold: NDArray[np.int64]
    coin: NDArray[np.bool_]  # a labelled US coin; else a foreign coin, or an invented one
    kind: Array  # (N, 5) probabilities
    face: Array  # (N,) log odds of heads
    true_kind: NDArray[np.int64]  # index into BY_VALUE; 4: no US coin
    true_heads: NDArray[np.int64]  # 1, 0, or -1 where nobody could tell

    def __getitem__(self, rows: NDArray[np.bool_]) -> Answers:
        return Answers(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))

    def at(self, face_temperature: float) -> Answers:
        """The same with the faces' log odds divided by a temperature."""
        return replace(self, face=self.face / face_temperature)

    @property
    def wrong(self) -> NDArray[np.bool_]:
        face = (self.true_heads >= 0) & ((self.face > 0) != (self.true_heads == 1))
        return np.asarray((self.kind[:, :4].argmax(axis=1) != self.true_kind) | face)

    @property
    def sureness(self) -> tuple[Array, Array]:
        """Of the kind and of the face, (N,) each; 0 where "no US coin" is likelier than any coin."""
        best = self.kind[:, :4].max(axis=1)
        return np.where(best >= self.kind[:, 4], best, 0.0), 1 / (1 + np.exp(-np.abs(self.face)))


@dataclass(frozen=True, slots=True)
class Choice:
    """Temperatures of the network's logits, and the least probabilities to be sure."""

    kind_temperature: float
    face_temperature: float
    kind_floor: float
    face_floor: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Counts of some answers under a Choice."""

    coins: int
    sure: int
    wrong_and_sure: int
    strangers_sure: int  # things that are no US coin, surely read as one

    def cost(self, wrong: float) -> float:
        return wrong * (self.wrong_and_sure + self.strangers_sure) + self.coins - self.sure


def read_all(photos: Iterable[Photo], images: Path) -> list[Read]:
    """Read every photo by the network that was held out for it, where one was. Raises CameraError, NotTrained."""
    networks = [Identifier(held_out.networks(fold)) for fold in range(len(FOLDS))]
    reads = []
    for photo in photos:
        fold = held_out.fold_of(photo)
        if fold is None:
            continue
        image = load_picture(images / photo.name)
        proposed = Candidates.proposed(propose.anywhere(image, find.PHOTO).discs)
        seen = looked_at(proposed, image, networks[fold])
        reads.append(Read(photo, fold, (image.shape[1], image.shape[0]), list(seen.discs), seen.looks))
    return reads


def answers(reads: Sequence[Read], kind_temperature: float) -> Answers:
    """What the reader says with this temperature for the kinds and none (1) for the faces."""
    rows = [row for read in reads for row in _rows(read, kind_temperature)]
    fold, coin, kind, face, true_kind, true_heads = zip(*rows, strict=True)
    return Answers(
        np.array(fold), np.array(coin), np.array(kind), np.array(face), np.array(true_kind), np.array(true_heads)
    )


def _rows(read: Read, kind_temperature: float) -> Iterator[tuple[object, ...]]:
    # Log probabilities times a factor are log probabilities at another temperature, up to a constant.
    kinds = scale.of_unknown(read.discs, read.looks.kinds * (KIND_TEMPERATURE / kind_temperature), read.size_px).kinds
    seen = [SeenCoin(disc, (0, 0, 0, 0), whichever(0.5), False) for disc in read.discs]
    labels = {j: read.photo.labels[k] for k, j in match(read.photo.labels, seen).items()}
    for j in range(len(seen)):
        label = labels.get(j)
        if label is not None or read.photo.complete:
            ours = label is not None and label.denomination in OURS
            yield read.fold, ours, kinds[j], _face(read.looks.faces[j], kinds[j]), *_truth(label)


def _face(faces: Array, kinds: Array) -> float:
    """The log-odds of heads at temperature 1, should the disc be of its likeliest kind."""
    return float(faces[kinds[: len(faces)].argmax()] * FACE_TEMPERATURE)


def _truth(label: Label | None) -> tuple[int, int]:
    if label is None or label.denomination not in OURS:
        return 4, -1
    return [str(kind) for kind in BY_VALUE].index(label.denomination), {"heads": 1, "tails": 0}.get(label.face, -1)


def choose(said: Mapping[float, Answers], rows: NDArray[np.bool_], wrong: float) -> Choice:
    """The temperatures under which the truth is likeliest, then the thresholds of least cost.

    `said` holds the answers at each temperature of the kinds, `rows` which of them may be looked at.
    """
    _, kind_t = min((_surprise(some[rows])[0], t) for t, some in said.items())
    _, face_t = min((_surprise(said[kind_t][rows].at(t))[1], t) for t in FACE_GRID)
    best = said[kind_t][rows].at(face_t)
    floors = min(itertools.product(FLOORS, FLOORS), key=lambda pair: outcome(best, *pair).cost(wrong))
    return Choice(kind_t, face_t, *floors)


def _surprise(said: Answers) -> tuple[float, float]:
    """Mean negative log likelihood of the labelled coins' kinds, and of their faces."""
    coins = said[said.coin]
    kind = -np.log(np.clip(coins.kind[np.arange(len(coins.fold)), coins.true_kind], 1e-6, 1))
    told = coins[coins.true_heads >= 0]
    face = np.log1p(np.exp(-(2 * told.true_heads - 1) * told.face))
    return float(kind.mean()), float(face.mean())


def outcome(said: Answers, kind_floor: float, face_floor: float) -> Outcome:
    """Counts at these thresholds."""
    kind, face = said.sureness
    sure = (kind >= kind_floor) & (face >= face_floor)
    wrong = sure & said.wrong
    return Outcome(
        int(said.coin.sum()),
        int((sure & said.coin).sum()),
        int((wrong & said.coin).sum()),
        int((sure & ~said.coin).sum()),
    )


def curve(said: Answers) -> list[tuple[float, float]]:
    """(coverage, risk): of the coins, the share answered at each sureness, and the share of those that is wrong."""
    coins = said[said.coin]
    kind, face = coins.sureness
    order = np.argsort(-(kind * face), kind="stable")
    wrong = np.cumsum(coins.wrong[order])
    counts = np.arange(1, len(order) + 1)
    return list(zip((counts / len(order)).tolist(), (wrong / counts).tolist(), strict=True))


def drawn(points: Sequence[tuple[float, float]], marks: Sequence[tuple[float, float]]) -> str:
    """The curve as SVG: coverage to the right, risk upwards by its square root; `marks` are the thresholds chosen."""
    wide, high, left, low = 560, 300, 52, 40

    def at(coverage: float, risk: float) -> str:
        return f"{left + coverage * (wide - left - 12):.1f},{high - low - (risk / 0.1) ** 0.5 * (high - low - 14):.1f}"

    step = max(1, len(points) // 300)
    path = " ".join(at(coverage, min(risk, 0.1)) for coverage, risk in points[::step])
    lines = []
    for risk in (0.001, 0.003, 0.01, 0.03, 0.1):
        (x0, y), (x1, _) = (at(side, risk).split(",") for side in (0, 1))
        lines.append(f'<path d="M{x0} {y}H{x1}" stroke="#ccc"/><text x="4" y="{float(y) + 4:.1f}">{risk:.1%}</text>')
    for coverage in (0.25, 0.5, 0.75, 1.0):
        x, y = at(coverage, 0).split(",")
        lines.append(f'<text x="{x}" y="{float(y) + 18:.1f}" text-anchor="middle">{coverage:.0%}</text>')
    dots = "".join(
        '<circle cx="{}" cy="{}" r="5" fill="#b5651d"/>'.format(*at(coverage, risk).split(","))
        for coverage, risk in marks
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12">'
        f'<rect width="{wide}" height="{high}" fill="#fff"/>{"".join(lines)}'
        f'<polyline points="{path}" fill="none" stroke="#246" stroke-width="2"/>{dots}'
        f'<text x="{wide - 12}" y="{high - 6}" text-anchor="end">coins answered</text>'
        f'<text x="{left + 6}" y="14">of these wrong (kind or face)</text></svg>\n'
    )


def report(reads: Sequence[Read], cost: float) -> tuple[list[str], str]:
    """The figures, a line each; and the risk-coverage curve as SVG."""
    said = {temperature: answers(reads, temperature) for temperature in KIND_GRID}
    folds = said[KIND_GRID[0]].fold
    pooled, parts, lines = Outcome(0, 0, 0, 0), [], []
    for fold in range(len(FOLDS)):
        choice = choose(said, folds != fold, cost)
        parts.append(said[choice.kind_temperature][folds == fold].at(choice.face_temperature))
        result = outcome(parts[-1], choice.kind_floor, choice.face_floor)
        lines.append(f"fold {fold}: {_words(choice)} (from the other folds) → {_counts(result)}")
        pooled = Outcome(*(getattr(pooled, n) + getattr(result, n) for n in Outcome.__dataclass_fields__))
    lines.append(f"all, each measured where it was not chosen: {_counts(pooled)}")
    lines.append(f"chosen on all: {_words(choose(said, folds >= 0, cost))}")
    shipped = answers(reads, KIND_TEMPERATURE).at(FACE_TEMPERATURE)
    lines.append(f"the shipped ones, chosen on these readings too: {_counts(outcome(shipped, KIND_SURE, FACE_SURE))}")
    together = Answers(*(np.concatenate([getattr(p, n) for p in parts]) for n in Answers.__dataclass_fields__))
    marks = [(pooled.sure / pooled.coins, pooled.wrong_and_sure / max(pooled.sure, 1))]
    return lines, drawn(curve(together), marks)


def _words(choice: Choice) -> str:
    return (
        f"temperatures {choice.kind_temperature:g} and {choice.face_temperature:g},"
        f" sure from {choice.kind_floor:g} and {choice.face_floor:g}"
    )


def _counts(result: Outcome) -> str:
    return (
        f"sure of {result.sure} of {result.coins} coins ({result.sure / max(result.coins, 1):.1%}),"
        f" of these {result.wrong_and_sure} wrong ({result.wrong_and_sure / max(result.sure, 1):.2%}),"
        f" and of {result.strangers_sure} things that are no US coins"
    )
