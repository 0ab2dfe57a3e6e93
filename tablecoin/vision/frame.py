"""The values that pass through the eyes: Frame, Disc, SeenCoin, Reading, Sighting. All immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face
from tablecoin.rules.rulebook import Message

Image = NDArray[np.uint8]  # (H, W, 3) uint8, BGR, upright
Grey = NDArray[np.uint8]  # (H, W) uint8, its brightness


@dataclass(frozen=True, slots=True)
class Frame:
    """One camera picture."""

    image: Image
    number: int  # counts up by one a frame from a live source
    taken_s: float  # time.monotonic() when it was taken


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle the finder saw, in pixels of the image it was given; pixel centres are at whole numbers."""

    x_px: float
    y_px: float
    r_px: float


@dataclass(frozen=True, slots=True)
class SeenCoin:
    """A Disc identified."""

    disc: Disc
    denominations: tuple[float, float, float, float]  # probability of each of BY_VALUE; the rest to 1: not one of ours
    heads: float  # probability that it lies heads up, given that it is one of ours
    sure: bool  # the reader would stake a ruling on denomination and face
    place_mm: tuple[float, float] | None = None  # on the mat, when its plane is known
    zone: str | None = None

    @property
    def denomination(self) -> Denomination | None:
        """The likeliest of the four, or None when "not one of ours" is likelier than it."""
        best = int(np.argmax(self.denominations))
        return BY_VALUE[best] if self.denominations[best] >= 1 - sum(self.denominations) else None

    @property
    def face(self) -> Face | None:
        return None if self.denomination is None else Face.HEADS if self.heads >= 0.5 else Face.TAILS

    @property
    def coin(self) -> Coin | None:
        kind, face = self.denomination, self.face
        return Coin.of(kind, face) if kind and face else None


@dataclass(frozen=True, slots=True)
class Reading:
    """All the coins of one frame, and what the frame was like."""

    frame: Frame
    coins: tuple[SeenCoin, ...]
    mm_per_px: float | None  # at the picture's centre; None when nothing gave a scale
    mat: str | None = None  # the mat's name, when its markers were seen
    hand: bool = False  # something that is no coin lies over the mat, or it is moving
    warnings: tuple[Message, ...] = ()  # for people: "3 of 4 markers are hidden"
    stages_ms: Mapping[str, float] = field(default_factory=dict)  # the reading thread's own time, by stage
    unclear: Message | None = None  # why nothing may be ruled on by this picture, and what to do


@dataclass(frozen=True, slots=True)
class Sighting:
    """A Reading that stood still long enough to be ruled on."""

    number: int  # counts up by one a sighting
    reading: Reading
