"""The evidence of a ruling: the table before and after in small pictures with the coins marked, and what was read.

It goes into the journal in the same transaction as the ruling, so there is no ruling from the camera without it.
"""

from __future__ import annotations

import hashlib

import cv2
import msgspec
import numpy as np

from tablecoin.referee.scribe import Exhibit
from tablecoin.referee.showing import coins_seen
from tablecoin.referee.snapshot import CoinSeen, Texts
from tablecoin.referee.voice import texts
from tablecoin.vision.frame import Image, Reading, SeenCoin
from tablecoin.vision.shown.annotate import COLOURS_BGR, UNKNOWN_BGR

MOST_BYTES = 40_000
_WIDEST_PX = 720
_QUALITIES = (75, 60, 45, 30, 20)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


class NoEvidence(LookupError):
    """Nothing was kept; `str()` is one sentence."""


class Readings(msgspec.Struct, frozen=True):
    """What was said of a ruling, and the coins read before and after it. `before` is null for the first ruling."""

    said: Texts
    mat: str | None
    before: tuple[CoinSeen, ...] | None
    after: tuple[CoinSeen, ...]


class Evidence(msgspec.Struct, frozen=True):
    """What is kept: `body` is Readings as JSON, the pictures are JPEGs."""

    body: bytes
    before: bytes | None
    after: bytes

    @property
    def digest(self) -> str:
        """SHA-256 over all three, for the record: who has both can tell that neither was changed."""
        parts = (self.body, self.before or b"", self.after)
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def evidence_of(exhibit: Exhibit) -> Evidence:
    """The exhibit made small enough to keep for good."""
    body = Readings(
        said=texts(exhibit.said),
        mat=exhibit.after.mat,
        before=coins_seen(exhibit.before.coins) if exhibit.before else None,
        after=coins_seen(exhibit.after.coins),
    )
    before = picture(exhibit.before) if exhibit.before else None
    return Evidence(msgspec.json.encode(body), before, picture(exhibit.after))


def picture(reading: Reading) -> bytes:
    """The frame as a JPEG of at most 40 kB, 720 px wide, with a ring and a letter at each coin."""
    image = reading.frame.image
    shrink = min(1.0, _WIDEST_PX / image.shape[1])
    size = (max(1, round(image.shape[1] * shrink)), max(1, round(image.shape[0] * shrink)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    for coin in reading.coins:
        _mark(small, coin, shrink)
    jpeg = b""
    for quality in _QUALITIES:
        jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(jpeg) <= MOST_BYTES:
            break
    return jpeg


def _mark(image: Image, coin: SeenCoin, shrink: float) -> None:
    """A ring in the coin's colour, dashed by a gap where the reader is not sure, and its letters: PH, D?…"""
    kind, face = coin.denomination, coin.face
    colour = COLOURS_BGR[kind] if kind else UNKNOWN_BGR
    x, y, r = (round(value * shrink) for value in (coin.disc.x_px, coin.disc.y_px, coin.disc.r_px + 2))
    cv2.ellipse(image, (x, y), (r, r), -60, 0, 360 if coin.sure else 300, colour, 2, cv2.LINE_AA)
    letters = (kind[0].upper() if kind else "?") + (face[0].upper() if face and coin.sure else "?")
    for ink, thick in (((255, 255, 255), 3), (colour, 1)):
        cv2.putText(image, letters, (x - 9, y - r - 3), _FONT, 0.45, ink, thick, cv2.LINE_AA)
