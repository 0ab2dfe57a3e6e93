"""The values that pass from camera to referee: Frame, Disc, SeenCoin, Reading, Sighting. All immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face
from tablecoin.rules.rulebook import Message

Image = NDArray[np.uint8]  # (H, W, 3) uint8, BGR, upright
Grey = NDArray[np.uint8]  # (H, W) uint8, its brightness
PerKind = tuple[float, float, float, float]  # a number for each of BY_VALUE, in its order


@dataclass(frozen=True, slots=True)
class Frame:
    """One camera picture."""

    image: Image
    number: int  # one above the number of the frame before
    taken_s: float  # time.monotonic() when it was taken


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, in pixels of the picture; pixel centres are at whole numbers."""

    x_px: float
    y_px: float
    r_px: float


@dataclass(frozen=True, slots=True)
class SeenCoin:
    """A Disc identified."""

    disc: Disc
    denominations: PerKind  # probabilities; the rest to 1: not a coin of ours
    heads_if: PerKind  # probability that it lies heads up, should it be of that denomination
    sure: bool  # denomination and face are both likely enough to rule on
    place_mm: tuple[float, float] | None = None  # (x, y) on the mat, when its plane is known
    zone: str | None = None

    @property
    def denomination(self) -> Denomination | None:
        """The likeliest of the four; None when "not a coin of ours" is likelier."""
        best = max(self.denominations)
        return BY_VALUE[self.denominations.index(best)] if best >= 1 - sum(self.denominations) else None

    @property
    def heads(self) -> float:
        """The probability that it lies heads up, given that it is a coin of ours, whichever."""
        parts = [(p + 1e-12, up) for p, up in zip(self.denominations, self.heads_if, strict=True)]
        return sum(p * up for p, up in parts) / sum(p for p, _ in parts)

    @property
    def face(self) -> Face | None:
        """The likelier face, should it be of its likeliest denomination."""
        kind = self.denomination
        return None if kind is None else Face.HEADS if self.heads_if[BY_VALUE.index(kind)] >= 0.5 else Face.TAILS

    @property
    def face_confidence(self) -> float:
        """The probability of the likelier face, should it be of its likeliest denomination, 0.5..1."""
        up = self.heads_if[self.denominations.index(max(self.denominations))]
        return max(up, 1 - up)

    @property
    def coin(self) -> Coin | None:
        kind, face = self.denomination, self.face
        return Coin.of(kind, face) if kind and face else None


def whichever(heads: float) -> PerKind:
    """This probability of heads for every denomination."""
    return heads, heads, heads, heads


@dataclass(frozen=True, slots=True)
class Reading:
    """All the coins of one frame, and what the frame is like."""

    frame: Frame
    coins: tuple[SeenCoin, ...]
    mm_per_px: float | None  # at the picture's centre; None when nothing gave a scale
    mat: str | None = None  # the mat's name, when its markers were seen
    hand: bool = False  # something that is not a coin lies over the mat
    warnings: tuple[Message, ...] = ()  # for people: "3 of 4 markers are hidden."
    stages_ms: Mapping[str, float] = field(default_factory=dict)  # processor time of the reading thread, by stage
    unclear: Message | None = None  # why nothing may be ruled on by this picture, and what to do


@dataclass(frozen=True, slots=True)
class Sighting:
    """A Reading of a table that was still long enough to be ruled on."""

    number: int  # one above the number of the sighting before
    reading: Reading
