"""The lens, measured from pictures of a ChArUco board (Garrido-Jurado et al. 2014; Zhang 2000 for the solution).

Each picture shows the board at another place and tilted another way. From enough of them the focal length, the
principal point and two radial distortion coefficients follow by least squares (`cv2.calibrateCamera`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.overlay import GREEN_BGR
from calibration.step import Outcome, Sight
from calibration.words import say
from tablecoin import mat as mats
from tablecoin.mat.charuco import opencv_board
from tablecoin.vision.frame import Image
from tablecoin.vision.place.lens import Lens

WANTED = 8  # pictures needed
LEAST_CORNERS = 15  # corners that a picture must show
MOST_ERROR_PX = 0.8  # largest root mean square reprojection error that is accepted
REACH_PX = 3  # half the window in which a corner is refined to subpixel precision
SAME_SHARE = 0.02  # of the picture's width; a view whose corners moved less than this counts as the same

Corners = NDArray[np.float32]  # (N, 2) pixels


@dataclass(frozen=True)
class BoardView:
    """The board's inner corners in one picture: their ids and pixels."""

    ids: tuple[int, ...]
    corners: Corners


def find_board(image: Image) -> BoardView:
    """The corners that the picture shows; none without the board."""
    board = mats.load("charuco").board
    assert board is not None
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(opencv_board(board)).detectBoard(grey)
    if corners is None or ids is None:
        return BoardView((), np.empty((0, 2), np.float32))
    # OpenCV 4.11, the newest on Raspberry Pi OS Bookworm, places corners half a pixel off those of OpenCV 5.
    rough = np.reshape(corners, (-1, 1, 2)).astype(np.float32)
    fine = cv2.cornerSubPix(grey, rough, (REACH_PX, REACH_PX), (-1, -1), (cv2.TERM_CRITERIA_COUNT, 20, 0))
    return BoardView(tuple(int(k) for k in np.ravel(ids)), np.reshape(fine, (-1, 2)))


def solve(views: list[BoardView], size_px: tuple[int, int]) -> tuple[Lens, float]:
    """The lens that fits the views best, and its root mean square reprojection error in pixels."""
    board = mats.load("charuco").board
    assert board is not None
    places = np.reshape(opencv_board(board).getChessboardCorners(), (-1, 3)).astype(np.float32)
    error, inner, bends, _, _ = cv2.calibrateCamera(
        [places[list(view.ids)].reshape(-1, 1, 3) for view in views],
        [view.corners.reshape(-1, 1, 2) for view in views],
        size_px,
        np.eye(3),
        np.zeros(5),
        flags=cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3,
    )
    k1, k2, p1, p2, k3 = (float(value) for value in np.ravel(bends)[:5])
    fx, fy, cx, cy = (float(inner[row, column]) for row, column in ((0, 0), (1, 1), (0, 2), (1, 2)))
    return Lens(fx, fy, cx, cy, k1, k2, p1, p2, k3), float(error)


@dataclass
class LensStep:
    """Collects one picture at each run, solves with `WANTED` of them, and then starts again."""

    name: str = "lens"
    pictures: int = 1
    optional: bool = True
    views: list[BoardView] = field(default_factory=list)

    def run(self, sight: Sight) -> Outcome:
        image = sight.frame.image
        view = find_board(image)
        picture = _drawn(image, view)
        facts = {"corners": len(view.ids), "views": len(self.views), "wanted": WANTED}
        if len(view.ids) < LEAST_CORNERS:
            return Outcome(False, say("lens.none", **facts), picture, say("lens.none.do"), figures=facts)
        if any(_same(view, other, image.shape[1]) for other in self.views):
            return Outcome(False, say("lens.same"), picture, say("lens.same.do"), figures=facts)
        self.views.append(view)
        facts["views"] = len(self.views)
        if len(self.views) < WANTED:
            return Outcome(False, say("lens.view", **facts), picture, say("lens.view.do"), figures=facts, more=True)
        lens, error_px = solve(self.views, (image.shape[1], image.shape[0]))
        self.views.clear()
        measured = {**facts, "error_px": round(error_px, 3), "k1": round(lens.k1, 4), "focal_px": round(lens.fx_px, 1)}
        if error_px > MOST_ERROR_PX:
            said = say("lens.bad", error_px=error_px, limit=MOST_ERROR_PX)
            return Outcome(False, said, picture, say("lens.bad.do"), measured)
        changes = {"lens": lens, "lens_error_px": round(error_px, 3)}
        return Outcome(True, say("lens.ok", **measured), picture, figures=measured, changes=changes)


def _same(view: BoardView, other: BoardView, width_px: int) -> bool:
    places = dict(zip(other.ids, other.corners, strict=True))
    apart = [np.hypot(*(corner - places[k])) for k, corner in zip(view.ids, view.corners, strict=True) if k in places]
    return bool(apart) and float(np.median(apart)) < SAME_SHARE * width_px


def _drawn(image: Image, view: BoardView) -> Image:
    picture = image.copy()
    size = max(4, round(image.shape[1] / 200))
    for x, y in view.corners:
        cv2.drawMarker(picture, (round(float(x)), round(float(y))), GREEN_BGR, cv2.MARKER_CROSS, 2 * size, size // 3)
    return picture
