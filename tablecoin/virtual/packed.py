"""A picture kept small, without any loss, of which now and then a part is needed."""

from __future__ import annotations

import cv2
import numpy as np

from tablecoin.vision.frame import Image

Box = tuple[int, int, int, int]  # left, top, right, bottom, in pixels

_SIDE = 128  # of a tile, in pixels; a coin on the canvas is 72 to 97 wide and touches four of them
_FAST = (cv2.IMWRITE_PNG_COMPRESSION, 1)  # a better one saves little here and takes longer


class Packed:
    """A picture (H, W, 3) uint8 as PNG files of its tiles. It never changes, so that several may share it."""

    def __init__(self, picture: Image) -> None:
        self.shape = picture.shape
        height, width = self.shape[:2]
        corners = ((left, top) for top in range(0, height, _SIDE) for left in range(0, width, _SIDE))
        self._tiles = {
            (left, top): cv2.imencode(".png", picture[top : top + _SIDE, left : left + _SIDE], _FAST)[1].tobytes()
            for left, top in corners
        }

    def restore(self, onto: Image, box: Box) -> None:
        """Put this part of the picture back in its place. `onto` has the picture's shape and is written to."""
        left, top, right, bottom = box
        for x in range(left - left % _SIDE, right, _SIDE):
            for y in range(top - top % _SIDE, bottom, _SIDE):
                tile = cv2.imdecode(np.frombuffer(self._tiles[x, y], np.uint8), cv2.IMREAD_COLOR)
                assert tile is not None  # it was encoded above
                a, b = slice(max(top, y), min(bottom, y + _SIDE)), slice(max(left, x), min(right, x + _SIDE))
                onto[a, b] = tile[a.start - y : a.stop - y, b.start - x : b.stop - x]

    def unpacked(self) -> Image:
        """The whole picture, a new array."""
        picture = np.empty(self.shape, np.uint8)
        height, width = self.shape[:2]
        self.restore(picture, (0, 0, width, height))
        return picture
