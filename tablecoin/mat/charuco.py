"""The ChArUco board for measuring a lens. No game is played on it, and its markers are of another family than a mat's.

Ten by seven squares of 25 mm fill one A4 or Letter sheet. OpenCV's own `CharucoBoard` is the definition of the pattern;
drawing and finding it both use `opencv_board`. OpenCV is imported only there, because most users of a mat draw none.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablecoin.mat.plan import Board, Mat

if TYPE_CHECKING:
    import cv2

CHARUCO = Mat(
    name="charuco",
    title={"en": "Lens board", "zh": "镜头标定板"},
    width_mm=274.0,
    height_mm=196.0,
    zones=(),
    markers=(),
    ruler_mm=(12.0, 192.0),
    board=Board(columns=10, rows=7, square_mm=25.0, marker_mm=18.0, x_mm=12.0, y_mm=10.0),
)


@cache
def opencv_board(board: Board) -> cv2.aruco.CharucoBoard:
    """The board as OpenCV's aruco module knows it; its own origin is the chessboard's top left corner."""
    import cv2

    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard((board.columns, board.rows), board.square_mm, board.marker_mm, family)


def black_rectangles(board: Board) -> list[tuple[float, float, float, float]]:
    """What is printed black: (left, top, right, bottom) in millimetres on the sheet."""
    import cv2

    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    drawn: list[tuple[float, float, float, float]] = []
    inset = (board.square_mm - board.marker_mm) / 2
    side = board.marker_mm / 7  # five modules and a border of one
    number = 0
    for row in range(board.rows):
        for column in range(board.columns):
            left, top = board.x_mm + column * board.square_mm, board.y_mm + row * board.square_mm
            if (row + column) % 2 == 0:  # the top left square is black (OpenCV 4.6 and later)
                drawn.append((left, top, left + board.square_mm, top + board.square_mm))
                continue
            bits: NDArray[np.uint8] = np.asarray(cv2.aruco.generateImageMarker(family, number, 7), np.uint8)
            number += 1
            for y, x in np.argwhere(bits == 0):
                at_x, at_y = left + inset + x * side, top + inset + y * side
                drawn.append((at_x, at_y, at_x + side, at_y + side))
    return drawn
