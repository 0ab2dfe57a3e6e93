"""The scorecard: readings of labelled photos compared with their labels, counted by folder and pooled.

A label and a reading match when their centres lie within half the label's radius, nearest pairs first, one to one.
Misses are counted on every photo, invented coins only where every coin has a label. Coins other than the four kinds
count as errors when they are read *surely* as one of these.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from calibration.labels import Label, Photo
from tablecoin.coins import BY_VALUE
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Reading, SeenCoin

OURS = frozenset(str(kind) for kind in BY_VALUE)
POOLED = "all"


class Score(msgspec.Struct, frozen=True):
    """Counts over some photos. `coins`: labelled coins of the four kinds; `odd_coins`: all other labelled coins."""

    pictures: int = 0
    coins: int = 0
    found: int = 0
    missed: int = 0
    denomination_answered: int = 0
    denomination_right: int = 0
    face_answered: int = 0
    face_right: int = 0
    sure: int = 0
    not_sure: int = 0
    wrong_and_sure: int = 0
    invented: int = 0
    invented_and_sure: int = 0
    odd_coins: int = 0
    odd_taken_for_ours: int = 0
    complete_pictures: int = 0
    exact_pictures: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(**{name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__})


class Mistake(msgspec.Struct, frozen=True):
    """One error: a coin missed, invented, or read as another."""

    image: str
    x_px: float
    y_px: float
    label: str
    read: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Card:
    """All results of a scorecard."""

    folders: Mapping[str, Score]  # by folder, in the order met; `all` last
    mistakes: tuple[Mistake, ...]
    confusion: Mapping[tuple[str, str], int]  # (label, read), coins with their faces, `none` where nothing was read
    curve: tuple[tuple[float, float, float], ...]  # (least confidence, share answered, share of the answered wrong)


def compile_card(photos: Iterable[Photo], read: Callable[[Photo], Reading]) -> Card:
    """Read every photo and compare with its labels. Raises what `read` raises."""
    folders: dict[str, Score] = defaultdict(Score)
    mistakes: list[Mistake] = []
    confusion: Counter[tuple[str, str]] = Counter()
    answers: list[tuple[float, bool]] = []
    for photo in photos:
        reading = read(photo)
        folders[photo.folder] += _one(photo, reading, mistakes, confusion, answers)
    total = sum(folders.values(), Score())
    return Card({**folders, POOLED: total}, tuple(mistakes), dict(confusion), risk_coverage(answers))


def match(labels: Iterable[Label], coins: Iterable[SeenCoin]) -> dict[int, int]:
    """Match labels with coins: {label index: coin index}."""
    seen = list(coins)
    pairs = []
    for k, label in enumerate(labels):
        for j, coin in enumerate(seen):
            apart = math.hypot(coin.disc.x_px - label.disc.x_px, coin.disc.y_px - label.disc.y_px)
            if apart < 0.5 * label.disc.r_px:
                pairs.append((apart / label.disc.r_px, k, j))
    took: dict[int, int] = {}
    for _, k, j in sorted(pairs):
        if k not in took and j not in took.values():
            took[k] = j
    return took


def risk_coverage(answers: list[tuple[float, bool]]) -> tuple[tuple[float, float, float], ...]:
    """(confidence, coverage, risk): the share of answers at least that confident, and how many of these are wrong."""
    points = []
    ranked = sorted(answers, reverse=True)
    for floor in (0.999, 0.998, 0.995, 0.99, 0.98, 0.97, 0.95, 0.9, 0.8, 0.6, 0.0):
        kept = [right for confidence, right in ranked if confidence >= floor]
        if kept:
            points.append((floor, len(kept) / len(ranked), kept.count(False) / len(kept)))
    return tuple(points)


def _one(
    photo: Photo,
    reading: Reading,
    mistakes: list[Mistake],
    confusion: Counter[tuple[str, str]],
    answers: list[tuple[float, bool]],
) -> Score:
    took = match(photo.labels, reading.coins)
    count: Counter[str] = Counter(pictures=1)
    exact = True

    def mistake(disc_of: Label | SeenCoin, label: str, read: str, sure: bool) -> None:
        mistakes.append(Mistake(photo.name, round(disc_of.disc.x_px), round(disc_of.disc.y_px), label, read, sure))

    for k, label in enumerate(photo.labels):
        coin = reading.coins[took[k]] if k in took else None
        known = f"{label.denomination}:{label.face}"
        if label.denomination not in OURS:
            count["odd_coins"] += 1
            if coin and coin.denomination and coin.sure:
                count["odd_taken_for_ours"] += 1
                mistake(label, known, _words(coin), coin.sure)
            continue
        count["coins"] += 1
        confusion[known, _words(coin) if coin else "none"] += 1
        if coin is None:
            count["missed"] += 1
            exact = False
            mistake(label, known, "missed", False)
            continue
        count["found"] += 1
        right = True
        if coin.denomination:
            count["denomination_answered"] += 1
            same = coin.denomination == label.denomination
            count["denomination_right"] += same
            right &= same
        if coin.face and label.face != "unknown":
            count["face_answered"] += 1
            same = coin.face == label.face
            count["face_right"] += same
            right &= same
        count["sure"] += coin.sure
        count["not_sure"] += not coin.sure
        count["wrong_and_sure"] += coin.sure and not right
        exact &= coin.sure and right
        if coin.denomination and label.face != "unknown":
            answers.append((max(coin.denominations) * coin.face_confidence, right))
        if not right:
            mistake(label, known, _words(coin), coin.sure)
    if photo.complete:
        extra = [c for j, c in enumerate(reading.coins) if j not in took.values() and c.denomination]
        for coin in extra:
            mistake(coin, "invented", _words(coin), coin.sure)
        count["invented"] = len(extra)
        count["invented_and_sure"] = sum(coin.sure for coin in extra)
        count["complete_pictures"] = 1
        count["exact_pictures"] = int(exact and not extra)
    return Score(**count)


def _words(coin: SeenCoin) -> str:
    return str(coin.coin) if coin.coin else "none"


def table(card: Card) -> str:
    """The card as text, one line per folder."""
    head = f"{'':20} {'pictures':>8} {'coins':>5} {'found':>7} {'kind':>7} {'face':>7} {'not sure':>8}"
    lines = [head + f" {'wrong+sure':>10} {'invented':>8} {'odd taken':>9} {'exact':>9}"]
    for folder, s in card.folders.items():
        lines.append(
            f"{folder:20} {s.pictures:8} {s.coins:5} {_share(s.found, s.coins):>7}"
            f" {_share(s.denomination_right, s.denomination_answered):>7} {_share(s.face_right, s.face_answered):>7}"
            f" {_share(s.not_sure, s.found):>8} {s.wrong_and_sure:10} {s.invented:8}"
            f" {f'{s.odd_taken_for_ours}/{s.odd_coins}':>9} {f'{s.exact_pictures}/{s.complete_pictures}':>9}"
        )
    return "\n".join(lines)


def as_record(card: Card) -> dict[str, object]:
    """The card as JSON values."""
    return {
        "folders": dict(card.folders),
        "curve": [{"confidence": c, "answered": a, "wrong": w} for c, a, w in card.curve],
        "confusion": [{"label": k, "read": r, "coins": n} for (k, r), n in sorted(card.confusion.items())],
        "mistakes": card.mistakes,
    }


def read_from(images: Path, identifier: Identifier | None = None) -> Callable[[Photo], Reading]:
    """A reader of the photos below the folder `images`, by the shipped network or another.

    It raises CameraError where a photo is missing or is no picture.
    """
    reader = Reader("none", identifier=identifier)
    return lambda photo: reader.read(Frame(load_picture(images / photo.name), 0, 0.0))


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "-"
