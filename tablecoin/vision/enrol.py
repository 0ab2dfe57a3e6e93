"""Your own coins: the network's last step moved a little, so that it knows the coins of this table. No retraining.

A tray of known coins is laid heads up, read, turned over and read again. The network's 96 last features of every coin,
in some views, and what it is then train the last, linear step alone: logistic regression that starts from what the
network says already and is held to it by a ridge (a Gaussian prior on the change). How much it helps is counted on
coins left out of the training in turn; where it does not help, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination, Face
from tablecoin.vision.frame import Disc, Reading
from tablecoin.vision.identify import KINDS, Identifier

RIDGE = 0.0002  # pull back to the network's own last step, per view and unit of change
STEPS, RATE = 600, 1.5  # of gradient descent with momentum, on features of unit size
SIZES = (0.97, 1.0, 1.03)  # circles are never quite right: each coin is learned a little smaller and larger too
PARTS = 4  # of the coins, each left out once
SAME_SIZE = 0.03  # neighbours in size, of different kinds, must differ at least so much

Array = NDArray[np.float64]


class EnrolError(ValueError):
    """Coins cannot be enrolled: `str()` is one sentence that says why and what to do."""


class Tray(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lay there when a picture was taken: how many of each denomination, all with the same face up."""

    coins: Mapping[Denomination, int]
    face: Face


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """What was learned of a table's own coins."""

    change: NDArray[np.float32]  # (6, 97): to the network's last weights, and in the last column to its offsets
    network: str  # sha256 of the network it was learned for
    coins: int  # sides of coins shown
    before: int  # of these so many read right as the network comes
    after: int  # and so many after learning from the others

    def save(self, path: Path) -> None:
        """Write it to `path` (.npz)."""
        with path.open("wb") as file:
            counts = np.array([self.coins, self.before, self.after])
            np.savez(file, change=self.change, network=np.array(self.network), counts=counts)

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
        if change.ndim != 2 or change.dtype != np.float32 or not np.isfinite(change).all() or counts.shape != (3,):
            raise EnrolError(f"{path} holds no enrolled coins: enrol them again.")
        return cls(change, network, *(int(count) for count in counts))


def enrol(readings: Sequence[Reading], known: Sequence[Tray], identifier: Identifier | None = None) -> Enrolment:
    """Learn the coins of `readings`, where `known` says for each picture what lay there.

    Where several denominations lie in one picture, their sizes say which is which. EnrolError when a picture does not
    show what was laid.
    """
    identifier = identifier or Identifier()
    features, logits, kinds, heads = [], [], [], []
    for reading, tray in zip(readings, known, strict=True):
        discs, truth = sorted_out(reading, tray)
        if not discs:
            continue
        for size in SIZES:
            wider = [Disc(disc.x_px, disc.y_px, disc.r_px * size) for disc in discs]
            seen, said = identifier.features(reading.frame.image, wider)  # (4, N, 96), (4, N, 6)
            features.append(seen.transpose(1, 0, 2))
            logits.append(said.transpose(1, 0, 2))
        kinds += [BY_VALUE.index(kind) for kind in truth]
        heads += [int(tray.face is Face.HEADS)] * len(truth)
    if not kinds:
        raise EnrolError("No coins were shown: lay a tray of known coins, heads up.")
    views = _by_coin(features, len(SIZES)), _by_coin(logits, len(SIZES))
    kind, head = np.array(kinds), np.array(heads)
    before = _right(views[1].mean(axis=1), kind, head)
    after, part = 0, np.arange(len(kind)) % PARTS
    for out in range(PARTS) if len(kind) >= PARTS else ():
        stay = part != out
        change = _learned(views[0][stay], views[1][stay], kind[stay], head[stay])
        told = views[1][part == out] + _told(views[0][part == out], change)
        after += _right(told.mean(axis=1), kind[part == out], head[part == out])
    helps = after > before or (after == before == len(kind))
    change = _learned(views[0], views[1], kind, head) if helps else np.zeros((6, views[0].shape[2] + 1))
    return Enrolment(change.astype(np.float32), identifier.network, len(kind), before, after if helps else before)


def sorted_out(reading: Reading, tray: Tray) -> tuple[list[Disc], list[Denomination]]:
    """The discs of `reading`, smallest first, and what each is if `tray` lay there. EnrolError when that cannot be."""
    discs = sorted((coin.disc for coin in reading.coins), key=lambda disc: disc.r_px)
    truth = [kind for kind in BY_SIZE for _ in range(tray.coins.get(kind, 0))]
    if len(discs) != len(truth):
        raise EnrolError(
            f"{len(truth)} coins should lie there and {len(discs)} are seen:"
            " spread them out, take everything else away, and try again."
        )
    for k in range(1, len(discs)):
        if truth[k] is not truth[k - 1] and discs[k].r_px < (1 + SAME_SIZE) * discs[k - 1].r_px:
            raise EnrolError(
                f"The {truth[k - 1]} and the {truth[k]} cannot be told apart by size here: enrol one kind at a time."
            )
    return discs, truth


def _by_coin(parts: Sequence[Array], sizes: int) -> Array:
    """(N coins, views, columns) of parts (n, 4, columns) that come size by size, picture by picture."""
    pictures = [np.concatenate(parts[k : k + sizes], axis=1) for k in range(0, len(parts), sizes)]
    return np.concatenate(pictures)


def _right(logits: Array, kind: NDArray[np.int64], head: NDArray[np.int64]) -> int:
    """How many of (N, 6) name their kind and face."""
    return int(((logits[:, :KINDS].argmax(axis=1) == kind) & ((logits[:, KINDS] > 0) == (head == 1))).sum())


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
