"""What may lie at a place of a photographed map: candidates with their chances, and the doubts that people settle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
import numpy as np

from tablecoin.coins import BY_VALUE, Coin, Face
from tablecoin.photos.inventory import Kind
from tablecoin.vision.coins.sureness import FACE_SURE_AT_ONCE, KIND_SURE_AT_ONCE
from tablecoin.vision.frame import PerKind, SeenCoin
from tablecoin.vision.place.plane import Plane

# Weight of "none of ours" against what the network says: it learned from as many other things as coins, but what
# lies on a space or in a bank is nearly always a coin.
STRANGE = 0.1
SLIGHT = 0.01  # candidates with a smaller chance are not offered as answers
ANSWERS = 3  # offered at most

Box = tuple[float, float, float, float]


class Candidate(msgspec.Struct, frozen=True):
    """What may lie there, null for nothing or no coin of the game, with its chance from 0 to 1."""

    coin: Coin | None
    chance: float


class Doubt(msgspec.Struct, frozen=True):
    """A place that a person should check.

    The first candidate is the one that the score counts. None at all: the coins of that bank were not read.
    `box_mm` is left, top, right, bottom on the map; `box_px` the same part of the photo, upright.
    """

    place: str  # a space, or `bank.heads`, `bank.tails`
    candidates: tuple[Candidate, ...]
    box_mm: Box
    box_px: Box | None


def kinds_of(seen: SeenCoin) -> dict[Kind, float]:
    """The chances of each kind, and of no coin of the game, by what the reader saw of that coin alone."""
    chances: dict[Kind, float] = dict(zip(BY_VALUE, seen.denominations, strict=True))
    chances[None] = STRANGE * max(0.0, 1 - sum(seen.denominations))
    whole = sum(chances.values())
    return {kind: chance / whole for kind, chance in chances.items()}


def candidates_of(kinds: Mapping[Kind, float], heads_if: PerKind) -> tuple[Candidate, ...]:
    """Every coin with its chance, likeliest first. `heads_if`: the chance of heads, should it be of that kind."""
    found = [Candidate(None, kinds.get(None, 0.0))]
    for kind, up in zip(BY_VALUE, heads_if, strict=True):
        chance = kinds.get(kind, 0.0)
        found += [Candidate(Coin.of(kind, Face.HEADS), chance * up)]
        found += [Candidate(Coin.of(kind, Face.TAILS), chance * (1 - up))]
    return tuple(sorted(found, key=lambda candidate: -candidate.chance))


def is_sure(kinds: Mapping[Kind, float], heads_if: PerKind) -> bool:
    """Whether a coin is sure enough, in kind and face, to be counted without a word. That it is none never is."""
    known, up = max(zip((kinds.get(kind, 0.0) for kind in BY_VALUE), heads_if, strict=True))
    return known >= KIND_SURE_AT_ONCE and max(up, 1 - up) >= FACE_SURE_AT_ONCE


def offered(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Those worth an answer, in the order given, with rounded chances; the first stays whatever its chance is."""
    kept = [one for number, one in enumerate(candidates) if not number or one.chance >= SLIGHT][:ANSWERS]
    return tuple(Candidate(one.coin, round(one.chance, 3)) for one in kept)


def box_in(photo: Plane, box_mm: Box) -> Box:
    """The smallest upright box of the photo that holds `box_mm`."""
    left, top, right, bottom = box_mm
    corners = photo.to_px([(left, top), (right, top), (right, bottom), (left, bottom)])
    (x0, y0), (x1, y1) = np.round(corners.min(axis=0), 1).tolist(), np.round(corners.max(axis=0), 1).tolist()
    return x0, y0, x1, y1


def box_times(box: Box | None, times: int) -> Box | None:
    """The same part of a photo that is `times` as wide."""
    if box is None:
        return None
    left, top, right, bottom = box
    return left * times, top * times, right * times, bottom * times
