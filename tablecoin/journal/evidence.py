"""The evidence of a ruling: pictures of the table before and after it with the coins marked, and what was read.

It is written into the journal in the same transaction as the ruling, so no ruling from the camera lacks it (but on a
full disk).
"""

from __future__ import annotations

import hashlib

import cv2
import msgspec
import numpy as np

from tablecoin.referee.scribe import Exhibit
from tablecoin.referee.showing import coins_seen
from tablecoin.referee.snapshot import CoinSeen, Texts
from tablecoin.rules.rulebook import Complaint, texts
from tablecoin.vision.frame import Image, Reading, SeenCoin
from tablecoin.vision.shown.annotate import COLOURS_BGR, UNKNOWN_BGR

MOST_BYTES = 40_000  # of a picture: a game of 200 rulings then needs at most 16 MB
_WIDEST_PX = 720  # wider pictures are shrunk
_QUALITIES = (75, 60, 45, 30, 20)  # JPEG qualities tried in turn until the picture is small enough
_FONT = cv2.FONT_HERSHEY_SIMPLEX


class NoEvidence(Complaint, LookupError):
    """Nothing was kept with a ruling."""


class Readings(msgspec.Struct, frozen=True):
    """The referee's words, and the coins read before and after the ruling. `before` is null for the first ruling."""

    said: Texts
    mat: str | None
    before: tuple[CoinSeen, ...] | None
    after: tuple[CoinSeen, ...]


class Evidence(msgspec.Struct, frozen=True):
    """What is kept with a ruling: `body` is a Readings as JSON, the pictures are JPEGs."""

    body: bytes
    before: bytes | None
    after: bytes

    @property
    def digest(self) -> str:
        """SHA-256 over all three parts. The record names it, so a change of either shows when one compares them."""
        parts = (self.body, self.before or b"", self.after)
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def evidence_of(exhibit: Exhibit) -> Evidence:
    """The exhibit, made small enough to be kept forever."""
    body = Readings(
        said=texts(exhibit.said),
        mat=exhibit.after.mat,
        before=coins_seen(exhibit.before.coins) if exhibit.before else None,
        after=coins_seen(exhibit.after.coins),
    )
    before = picture(exhibit.before) if exhibit.before else None
    return Evidence(msgspec.json.encode(body), before, picture(exhibit.after))


def picture(reading: Reading) -> bytes:
    """The frame as a JPEG: at most MOST_BYTES, at most 720 px wide, with a ring and two letters at each coin."""
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
    """Draw a ring in the coin's colour, open where the reader is not sure, and its letters: PH (penny, heads), D?…"""
    kind, face = coin.denomination, coin.face
    colour = COLOURS_BGR[kind] if kind else UNKNOWN_BGR
    x, y, r = (round(value * shrink) for value in (coin.disc.x_px, coin.disc.y_px, coin.disc.r_px + 2))
    cv2.ellipse(image, (x, y), (r, r), -60, 0, 360 if coin.sure else 300, colour, 2, cv2.LINE_AA)
    letters = (kind[0].upper() if kind else "?") + (face[0].upper() if face and coin.sure else "?")
    for ink, thick in (((255, 255, 255), 3), (colour, 1)):
        cv2.putText(image, letters, (x - 9, y - r - 3), _FONT, 0.45, ink, thick, cv2.LINE_AA)
