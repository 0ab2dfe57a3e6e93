"""One coin large, for people who are asked what it is."""

from __future__ import annotations

import cv2
import numpy as np

from tablecoin.vision.frame import Disc, Image

SIDE_PX = 480  # of the square picture
_ROUND = 1.35  # half the side of what is shown, in radii of the coin: its rim and a little of the mat
_QUALITY = 88  # of the JPEG, 0 to 100


def close_up(image: Image, disc: Disc) -> bytes:
    """The coin `disc` of `image` in the middle of a square JPEG, SIDE_PX wide. What lies outside `image` is grey."""
    scale = SIDE_PX / (2 * _ROUND * disc.r_px)
    middle = (SIDE_PX - 1) / 2
    move = np.array([[scale, 0, middle - scale * disc.x_px], [0, scale, middle - scale * disc.y_px]])
    way = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    large = cv2.warpAffine(image, move, (SIDE_PX, SIDE_PX), flags=way, borderValue=(128, 128, 128))
    return cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
