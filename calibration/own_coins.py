"""Learning a table's own coins: the network's last, linear layer moved a little. The network is not retrained.

A tray of known coins is laid heads up, read, turned over and read again. The inputs are the network's last features of
every coin in several views, the targets what each coin is. Only the last layer is trained: multinomial logistic
regression that starts from the network's own logits, with a ridge penalty (a Gaussian prior) on the change.
Cross-validation counts what the change does to coins it was not trained on; where those are read worse, nothing is
changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.words import say, word
from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination, Face
from tablecoin.vision.coins.candidates import diameters_mm
from tablecoin.vision.coins.enrolment import Count, Enrolment, Tray
from tablecoin.vision.coins.looks import KINDS, OURS
from tablecoin.vision.coins.network import FACE_TEMPERATURE, KIND_TEMPERATURE, Identifier
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import Disc, Image, Reading
from tablecoin.vision.place.plane import Plane

RIDGE = (
    0.0002  # weight of the ridge penalty, per view and squared unit of change; chosen by `python -m lab read own-coins`
)
STEPS, RATE = 600, 1.5  # of gradient descent with momentum, on features scaled to a root mean square of 1
MOMENTUM = 0.9
SIZES = (0.97, 1.0, 1.03)  # each disc is also learned 3 % smaller and larger: measured circles are off by as much
PARTS = 4  # folds of the cross-validation: every fourth coin is left out in turn
SAME_SIZE = 0.03  # neighbours in size that are of different kinds must differ by at least this share
OTHER_MM = 0.9  # a coin whose diameter is further than this from its kind's is not of that kind

Array = NDArray[np.float64]


class EnrolError(ValueError):
    """Coins cannot be enrolled: `texts` says why in every language, `str()` in English."""

    def __init__(self, fault: str, **facts: object) -> None:
        """`fault`: a sentence of words.toml without its `enrol.`: count, sizes, other, lacking or one_side."""
        self.fault = fault
        self.texts = say(f"enrol.{fault}", **{name: _fact(fact) for name, fact in facts.items()})
        super().__init__(self.texts["en"])


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One picture of known coins: where each lies, and what it is."""

    image: Image
    discs: tuple[Disc, ...]
    kinds: tuple[Denomination, ...]
    face: Face


def enrol(shown: Sequence[Shown], identifier: Identifier | None = None) -> Enrolment:
    """Learn the coins of these pictures. The change is zero where all are sure already, or others are read worse.

    Raises EnrolError where a denomination or a face was not shown: training would unlearn it.
    """
    identifier = identifier or Identifier()
    features, logits, kinds, heads = [], [], [], []
    for picture in shown:
        if not picture.discs:
            continue
        for size in SIZES:
            wider = [Disc(disc.x_px, disc.y_px, disc.r_px * size) for disc in picture.discs]
            described = identifier.described(picture.image, wider, picture.kinds)
            features.append(described.small.transpose(1, 0, 2))
            logits.append(described.logits.transpose(1, 0, 2))
        kinds += [BY_VALUE.index(kind) for kind in picture.kinds]
        heads += [int(picture.face is Face.HEADS)] * len(picture.kinds)
    if lacking := [kind for k, kind in enumerate(BY_VALUE) if k not in kinds]:
        raise EnrolError("lacking", coin=lacking[0])
    if len(set(heads)) < 2:
        raise EnrolError("one_side")
    views = _by_coin(features, len(SIZES)), _by_coin(logits, len(SIZES))
    kind, head = np.array(kinds), np.array(heads)
    before = _count(views[1], kind, head)
    after, part = [], np.arange(len(kind)) % PARTS
    for out in range(PARTS):
        stay = part != out
        change = _learned(views[0][stay], views[1][stay], kind[stay], head[stay])
        told = views[1][part == out] + _told(views[0][part == out], change)
        after.append(_count(told, kind[part == out], head[part == out]))
    learned = Count(*(sum(counts) for counts in zip(*after, strict=True)))
    if learned.no_worse(before) and before.sure < len(kind):
        change = _learned(views[0], views[1], kind, head)
    else:
        learned, change = before, np.zeros((views[1].shape[2], views[0].shape[2] + 1))
    return Enrolment(change.astype(np.float32), identifier.network, len(kind), before, learned)


def sorted_out(reading: Reading, tray: Tray, plane: Plane | None = None) -> Shown:
    """Match the coins of `reading` with those of `tray` by their order in size. Raises EnrolError where that fails.

    With the mat's `plane` the sizes are in millimetres, and a coin that is not of the kind named is refused.
    """
    here = [coin.disc for coin in reading.coins]
    sizes = diameters_mm(plane, here) if plane else np.array([2 * disc.r_px for disc in here])
    order = np.argsort(sizes, kind="stable")
    truth = [kind for kind in BY_SIZE for _ in range(tray.coins[kind])]
    if len(here) != len(truth):
        raise EnrolError("count", asked=len(truth), seen=len(here))
    for kind, k in zip(truth, order, strict=True) if plane else ():
        if abs(sizes[k] - kind.diameter_mm) > OTHER_MM:
            raise EnrolError("other", coin=kind, measured_mm=float(sizes[k]))
    for small, large, k, n in zip(truth, truth[1:], order, order[1:], strict=False):
        if small is not large and sizes[n] < (1 + SAME_SIZE) * sizes[k]:
            raise EnrolError("sizes", small=small, large=large)
    return Shown(reading.frame.image, tuple(here[k] for k in order), tuple(truth), tray.face)


def _fact(fact: object) -> object:
    return word(fact) if isinstance(fact, Denomination) else fact


def _by_coin(parts: Sequence[Array], sizes: int) -> Array:
    """(N coins, views, columns) of parts (n, 4, columns) that come size by size, picture by picture."""
    pictures = [np.concatenate(parts[k : k + sizes], axis=1) for k in range(0, len(parts), sizes)]
    return np.concatenate(pictures)


def _count(logits: Array, kind: NDArray[np.int64], head: NDArray[np.int64]) -> Count:
    """How well the mean over the views of logits (N, views, 6) tells denomination and face."""
    mean = logits.mean(axis=1)
    odds = np.exp((mean[:, :KINDS] - mean[:, :KINDS].max(axis=1, keepdims=True)) / KIND_TEMPERATURE)
    kinds, heads = odds / odds.sum(axis=1, keepdims=True), 1 / (1 + np.exp(-mean[:, KINDS] / FACE_TEMPERATURE))
    right = (kinds.argmax(axis=1) == kind) & ((heads > 0.5) == (head == 1))
    sure = (kinds[:, OURS].max(axis=1) >= KIND_SURE) & (np.maximum(heads, 1 - heads) >= FACE_SURE)
    return Count(int(right.sum()), int((right & sure).sum()), int((sure & ~right).sum()))


def _told(features: Array, change: Array) -> Array:
    """What `change` (6, features + 1) adds to the logits of features (..., features)."""
    return np.asarray(features @ change[:, :-1].T + change[:, -1])


def _learned(features: Array, logits: Array, kind: NDArray[np.int64], head: NDArray[np.int64]) -> Array:
    """(6, features + 1): the change that maximises the likelihood of the known coins less the ridge penalty."""
    views = features.shape[1]
    flat, said = features.reshape(-1, features.shape[2]), logits.reshape(-1, logits.shape[2])
    size = np.sqrt((flat**2).mean()) + 1e-9
    inputs = np.column_stack([flat / size, np.ones(len(flat))]) / np.sqrt(flat.shape[1])
    target = np.zeros_like(said)
    target[np.arange(len(said)), np.repeat(kind, views)] = 1
    target[:, KINDS] = np.repeat(head, views)
    change, speed = np.zeros((said.shape[1], inputs.shape[1])), np.zeros((said.shape[1], inputs.shape[1]))
    for _ in range(STEPS):
        now = said + inputs @ change.T
        odds = np.exp(now[:, :KINDS] - now[:, :KINDS].max(axis=1, keepdims=True))
        wrong = np.column_stack([odds / odds.sum(axis=1, keepdims=True), 1 / (1 + np.exp(-now[:, KINDS]))]) - target
        speed = MOMENTUM * speed - RATE * (wrong.T @ inputs / len(inputs) + RIDGE * change)
        change = change + speed
    scale = np.append(np.full(flat.shape[1], 1 / size), 1.0) / np.sqrt(flat.shape[1])
    return np.asarray(change * scale)
