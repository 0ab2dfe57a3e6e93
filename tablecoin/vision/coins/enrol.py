"""Your own coins: the network's last step moved a little, so that it knows the coins of this table. No retraining.

A tray of known coins is laid heads up, read, turned over and read again. The network's last features of every coin, in
some views, and what it is then train the last, linear step alone: logistic regression that starts from what the
network says already and is held to it by a ridge (a Gaussian prior on the change). What that does to coins not shown
is counted on some left out of the training in turn; where those would be told worse, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination, Face, Heap
from tablecoin.storage import durable
from tablecoin.vision.calibrated import Calibration
from tablecoin.vision.coins.identify import FACE_TEMPERATURE, KIND_TEMPERATURE, KINDS, Identifier
from tablecoin.vision.coins.reader import FACE_SURE, KIND_SURE, diameters_mm
from tablecoin.vision.frame import Disc, Image, Reading
from tablecoin.vision.place.plane import Plane

RIDGE = 0.0002  # pull back to the network's own last step, per view and unit of change
STEPS, RATE = 600, 1.5  # of gradient descent with momentum, on features of unit size
SIZES = (0.97, 1.0, 1.03)  # circles are never quite right: each coin is learned a little smaller and larger too
FILE = "coins.npz"  # beside the table's calibration
PARTS = 4  # of the coins, each left out once
SAME_SIZE = 0.03  # neighbours in size, of different kinds, must differ at least so much
OTHER_MM = 0.9  # a coin that differs from its kind by more is another

Array = NDArray[np.float64]


class EnrolError(ValueError):
    """Coins cannot be enrolled: `str()` is one sentence that says why and what to do.

    `fault` (count, sizes, other, lacking, side or file) and `facts` are for those who say it in other words.
    """

    def __init__(self, said: str, fault: str = "file", **facts: object) -> None:
        super().__init__(said)
        self.fault, self.facts = fault, facts


class Tray(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies there when a picture is taken: coins of each denomination, all with the same face up."""

    coins: Heap
    face: Face


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One picture of known coins: where each lies, and what it is."""

    image: Image
    discs: tuple[Disc, ...]
    kinds: tuple[Denomination, ...]
    face: Face


class Count(NamedTuple):
    """Coins' sides told by their looks alone, size left aside: how many rightly, and surely so, and surely wrongly."""

    right: int
    sure: int
    sure_wrong: int

    def no_worse(self, other: Count) -> bool:
        """As many are told rightly, and no more surely wrongly."""
        return self.sure_wrong <= other.sure_wrong and self.right >= other.right


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """What was learned of a table's own coins."""

    change: NDArray[np.float32]  # (6, features + 1): to the network's last weights, in the last column to its offsets
    network: str  # sha256 of the network it was learned for
    coins: int  # sides of coins shown
    before: Count  # of these, as the network comes
    after: Count  # and after learning from the others alone

    @property
    def helps(self) -> bool:
        """Whether anything is changed."""
        return bool(self.change.any())

    def save(self, path: Path) -> None:
        """Write it to `path` (.npz); a power cut leaves the old one or the new one. Raises OSError."""
        counts = np.array([self.coins, *self.before, *self.after])
        file = BytesIO()
        np.savez(file, change=self.change, network=np.array(self.network), counts=counts)
        durable.replace(path, file.getvalue())

    @classmethod
    def load(cls, path: Path) -> Enrolment:
        """Read what `save` wrote. EnrolError where that cannot be used."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                change, network, counts = stored["change"], str(stored["network"]), stored["counts"]
        except OSError as error:
            raise EnrolError(
                f"{path} cannot be read ({error.strerror or 'no such form'}): enrol the coins again."
            ) from None
        except (ValueError, KeyError, EOFError, BadZipFile):
            raise EnrolError(f"{path} holds no enrolled coins: enrol them again.") from None
        if change.ndim != 2 or change.dtype != np.float32 or not np.isfinite(change).all() or counts.shape != (7,):
            raise EnrolError(f"{path} holds no enrolled coins: enrol them again.")
        coins, *told = (int(count) for count in counts)
        return cls(change, network, coins, Count(*told[:3]), Count(*told[3:]))


def own_coins(calibration: Calibration | None, folder: Path, identifier: Identifier) -> tuple[Enrolment | None, str]:
    """The coins enrolled for the table whose calibration lies in `folder`, and a sentence about them.

    (None, why) where `identifier` cannot use them; nothing is said where none were enrolled. Never raises.
    """
    if calibration is None or calibration.coins is None:
        return None, ""
    path = folder / calibration.coins
    try:
        found = Enrolment.load(path)
    except EnrolError as error:
        return None, f"{error} Until then they are read like any others."
    if not identifier.fits(found):
        return None, f"{path.name} was learned for another network: enrol the coins again; until then it is left aside."
    return found, f"Its own coins are known, {found.coins} sides of them."


def enrol(shown: Sequence[Shown], identifier: Identifier | None = None) -> Enrolment:
    """Learn the coins of these pictures, unless all are known surely or those left out would be told worse.

    EnrolError when a kind or a face was not shown at all: what is never seen would be forgotten.
    """
    identifier = identifier or Identifier()
    features, logits, kinds, heads = [], [], [], []
    for picture in shown:
        if not picture.discs:
            continue
        for size in SIZES:
            wider = [Disc(disc.x_px, disc.y_px, disc.r_px * size) for disc in picture.discs]
            seen, said = identifier.features(picture.image, wider)  # (4, N, features), (4, N, 6)
            features.append(seen.transpose(1, 0, 2))
            logits.append(said.transpose(1, 0, 2))
        kinds += [BY_VALUE.index(kind) for kind in picture.kinds]
        heads += [int(picture.face is Face.HEADS)] * len(picture.kinds)
    if lacking := [kind for k, kind in enumerate(BY_VALUE) if k not in kinds]:
        raise EnrolError(
            f"There is no {lacking[0]} among them: lay at least one coin of each kind.", "lacking", coin=lacking[0]
        )
    if len(set(heads)) < 2:
        raise EnrolError("Only one side of the coins was shown: show them heads up and tails up.", "side")
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
    """What each coin of `reading` is if `tray` lay there: their sizes tell. EnrolError when that cannot be.

    With the mat's `plane` the sizes are true ones, and a coin that cannot be what was said is found out.
    """
    here = [coin.disc for coin in reading.coins]
    sizes = diameters_mm(plane, here) if plane else np.array([2 * disc.r_px for disc in here])
    order = np.argsort(sizes, kind="stable")
    truth = [kind for kind in BY_SIZE for _ in range(tray.coins[kind])]
    if len(here) != len(truth):
        raise EnrolError(
            f"{len(truth)} coins should lie there and {len(here)} are seen:"
            " spread them out, take everything else away, and try again.", "count", asked=len(truth), seen=len(here),
        )  # fmt: skip
    for kind, k in zip(truth, order, strict=True) if plane else ():
        if abs(sizes[k] - kind.diameter_mm) > OTHER_MM:
            raise EnrolError(
                f"One coin should be a {kind} and measures {sizes[k]:.1f} mm: lay the coins you said.",
                "other", coin=kind, measured_mm=float(sizes[k]),
            )  # fmt: skip
    for small, large, k, n in zip(truth, truth[1:], order, order[1:], strict=False):
        if small is not large and sizes[n] < (1 + SAME_SIZE) * sizes[k]:
            raise EnrolError(
                f"The {small} and the {large} cannot be told apart by size: are these the coins? Lay them flat and"
                " apart, with the camera straight above.", "sizes", small=small, large=large,
            )  # fmt: skip
    return Shown(reading.frame.image, tuple(here[k] for k in order), tuple(truth), tray.face)


def _by_coin(parts: Sequence[Array], sizes: int) -> Array:
    """(N coins, views, columns) of parts (n, 4, columns) that come size by size, picture by picture."""
    pictures = [np.concatenate(parts[k : k + sizes], axis=1) for k in range(0, len(parts), sizes)]
    return np.concatenate(pictures)


def _count(logits: Array, kind: NDArray[np.int64], head: NDArray[np.int64]) -> Count:
    """How well (N, views, 6), the mean over the views, name kind and face."""
    mean = logits.mean(axis=1)
    odds = np.exp((mean[:, :KINDS] - mean[:, :KINDS].max(axis=1, keepdims=True)) / KIND_TEMPERATURE)
    kinds, heads = odds / odds.sum(axis=1, keepdims=True), 1 / (1 + np.exp(-mean[:, KINDS] / FACE_TEMPERATURE))
    right = (kinds.argmax(axis=1) == kind) & ((heads > 0.5) == (head == 1))
    sure = (kinds[:, : len(BY_VALUE)].max(axis=1) >= KIND_SURE) & (np.maximum(heads, 1 - heads) >= FACE_SURE)
    return Count(int(right.sum()), int((right & sure).sum()), int((sure & ~right).sum()))


def _told(features: Array, change: Array) -> Array:
    return np.asarray(features @ change[:, :-1].T + change[:, -1])


def _learned(features: Array, logits: Array, kind: NDArray[np.int64], head: NDArray[np.int64]) -> Array:
    """(6, columns + 1): the change that explains the known coins best, the ridge considered."""
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
        speed = 0.9 * speed - RATE * (wrong.T @ inputs / len(inputs) + RIDGE * change)
        change = change + speed
    scale = np.append(np.full(flat.shape[1], 1 / size), 1.0) / np.sqrt(flat.shape[1])
    return np.asarray(change * scale)
