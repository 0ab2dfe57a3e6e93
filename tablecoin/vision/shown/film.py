"""The last seconds in which something moved on the table, as small JPEGs: what clips are cut from."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from tablecoin.vision.frame import Frame

MOST_CUT_BYTES = 290_000  # of one cut: with its index a clip stays below 300 kB
_MOST_HELD_BYTES = 3_000_000  # some 30 s of movement
_WIDTH_PX = 480  # about: frames are shrunk by a whole number, which costs a third of what an exact width costs
_AIM_BYTES = 11_500  # of a JPEG: 25 of them, 3 s, make a cut
_LEAST_QUALITY, _BEST_QUALITY = 15, 70  # of JPEG, 0 to 100
_SPAN_S = 6.0  # a cut goes back so far from its last still, and to the one before


@dataclass(frozen=True, slots=True)
class Still:
    """One small picture of the film."""

    taken_s: float  # as its frame's
    jpeg: bytes


class Film:
    """A ring of stills: the oldest make room. For one thread."""

    def __init__(self) -> None:
        self._stills: deque[Still] = deque()
        self._held_bytes = 0
        self._quality = 50

    @property
    def held_bytes(self) -> int:
        """How much the JPEGs take now."""
        return self._held_bytes

    def add(self, frame: Frame) -> None:
        """Shrink and encode the frame: some 2 ms of a core. Its quality follows what the stills before it took."""
        shrink = max(1, round(frame.image.shape[1] / _WIDTH_PX))
        height, width = (side // shrink for side in frame.image.shape[:2])
        whole = frame.image[: height * shrink, : width * shrink]
        small = np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1].tobytes()
        step = 2 if len(jpeg) < 0.9 * _AIM_BYTES else -5 if len(jpeg) > _AIM_BYTES else 0
        self._quality = min(_BEST_QUALITY, max(_LEAST_QUALITY, self._quality + step))
        self._stills.append(Still(frame.taken_s, jpeg))
        self._held_bytes += len(jpeg)
        while self._held_bytes > _MOST_HELD_BYTES:
            self._held_bytes -= len(self._stills.popleft().jpeg)

    def cut(self, end_s: float) -> tuple[Still, ...]:
        """The last seconds of movement up to `end_s`, and the table before them; oldest first, MOST_CUT_BYTES at most.

        Nothing is filmed at rest, so the last still may be much older than `end_s`.
        """
        found: list[Still] = []
        room = MOST_CUT_BYTES
        for still in reversed(self._stills):
            if still.taken_s > end_s:
                continue
            room -= len(still.jpeg)
            if room < 0:
                break
            found.append(still)
            if found[0].taken_s - still.taken_s > _SPAN_S:
                break
        return tuple(reversed(found))
