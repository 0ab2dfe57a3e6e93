"""Position and lens of the virtual camera: the ground truth for the plane."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablecoin.mat import Mat
from tablecoin.vision.place.lens import Lens, Points


@dataclass(frozen=True)
class View:
    """A pinhole camera with radial distortion (Brown's model) over a mat.

    It looks at `aim_mm` from `distance_mm` away, tilted by `tilt_deg` off the vertical towards `towards_deg` (0: it
    stands to the right of the aim, 90: below it on the mat), and is turned by `roll_deg` about its own axis.
    """

    size_px: tuple[int, int] = (1280, 960)
    aim_mm: tuple[float, float] = (210.0, 148.5)
    distance_mm: float = 520.0
    tilt_deg: float = 0.0
    towards_deg: float = 90.0
    roll_deg: float = 0.0
    focal_px: float = 1500.0
    k1: float = 0.0

    @classmethod
    def over(cls, mat: Mat, margin_mm: float = 8.0, **settings: object) -> View:
        """A view aimed at the mat's middle that just shows the whole mat, with `margin_mm` of table around it."""
        view = replace(cls(**settings), aim_mm=(mat.width_mm / 2, mat.height_mm / 2))  # type: ignore[arg-type]
        x = np.linspace(-margin_mm, mat.width_mm + margin_mm, 9)
        y = np.linspace(-margin_mm, mat.height_mm + margin_mm, 9)
        rim = [(a, b) for a in x for b in y if a in (x[0], x[-1]) or b in (y[0], y[-1])]
        width, height = view.size_px
        reach = np.abs(replace(view, focal_px=1.0).to_px(rim) - ((width - 1) / 2, (height - 1) / 2)).max(axis=0)
        return replace(view, focal_px=float(min((width - 1) / 2 / reach[0], (height - 1) / 2 / reach[1])))

    @cached_property
    def lens(self) -> Lens:
        width, height = self.size_px
        return Lens(self.focal_px, self.focal_px, (width - 1) / 2, (height - 1) / 2, k1=self.k1)

    @cached_property
    def to_camera(self) -> NDArray[np.float64]:
        """Homography (3, 3) from (x mm, y mm, 1) on the mat to undistorted pixels."""
        tilt, towards, roll = np.radians((self.tilt_deg, self.towards_deg, self.roll_deg))
        back = np.array((np.sin(tilt) * np.cos(towards), np.sin(tilt) * np.sin(towards), -np.cos(tilt)))
        eye = (
            np.array((*self.aim_mm, 0.0)) + self.distance_mm * back
        )  # z points down into the table, because y points down on the mat
        ahead = -back
        # right and down are as close as possible to the mat's x and y, so that no view is upside down
        right = np.array((1.0, 0.0, 0.0)) - ahead[0] * ahead
        right /= np.linalg.norm(right)
        down = np.cross(ahead, right)
        turn = np.stack((np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right, ahead))
        lens = self.lens
        inner = np.array(((lens.fx_px, 0, lens.cx_px), (0, lens.fy_px, lens.cy_px), (0, 0, 1)))
        return np.asarray(inner @ np.column_stack((turn[:, 0], turn[:, 1], -turn @ eye)))

    def to_px(self, places_mm: ArrayLike) -> Points:
        """Pixels (N, 2) of places on the mat (N, 2) in mm."""
        places = np.reshape(np.asarray(places_mm, float), (-1, 2))
        straight = np.column_stack((places, np.ones(len(places)))) @ self.to_camera.T
        return self.lens.bend(straight[:, :2] / straight[:, 2:])

    def to_mm(self, pixels: ArrayLike) -> Points:
        """Places on the mat (N, 2) in mm that pixels (N, 2) show."""
        straight = self.lens.straighten(pixels)
        places = np.column_stack((straight, np.ones(len(straight)))) @ np.linalg.inv(self.to_camera).T
        return np.asarray(places[:, :2] / places[:, 2:])

    def bumped(self) -> View:
        """The view after somebody bumped the camera: moved by 9 mm and turned by 1.2 degrees."""
        x, y = self.aim_mm
        return replace(self, aim_mm=(x + 7.0, y - 5.0), roll_deg=self.roll_deg + 1.2)
