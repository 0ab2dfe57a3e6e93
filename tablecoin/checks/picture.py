"""What the camera's pictures are like: brightness, mat, scale, focus, light, flicker. Measured, not guessed.

`Seen` holds what a check needs. The doctor takes it from a camera that it opens itself, the health page from the
running table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.checks.finding import Finding, found
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Frame, Image
from tablecoin.vision.place.fit import is_mirrored
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.clearness import BLURRED_MM, Clearness, clearness

GOOD_MM_PER_PX, WORKING_MM_PER_PX = 0.35, 0.5  # hardware.md
SOFT_MM = 1.5  # edges wider than this still rule, but coins are asked about more often
FAINT_LEVELS = 60.0  # contrast of black and white below which more light helps
CLIPPED, MOST_CLIPPED = 253, 0.10  # grey level that is overexposed, and the largest share of the picture that may be
MOST_FLICKER = 0.03  # swing of the light between two frames that the settler still takes for rest (rest/unrest.py)
FRAMES = 20  # looked at for flicker: a second at the usual rate
_GRID = (8, 6)  # cells across and down in which the light is averaged


@dataclass(frozen=True)
class Seen:
    """Pictures of one camera. `frames`: at least one, oldest first. `plane`: where the mat lies; None: unseen."""

    camera: str
    frames: Sequence[Frame]
    fps: float
    warning: Message | None = None  # what the camera itself says is wrong
    plane: Plane | None = None

    @property
    def image(self) -> Image:
        """The newest picture."""
        return self.frames[-1].image


def camera(seen: Seen) -> Finding:
    """The camera's name, picture size, rate and brightness."""
    height, width = seen.image.shape[:2]
    level = round(float(seen.image.mean()))
    facts: dict[str, Any] = {
        "camera": seen.camera,
        "width": width,
        "height": height,
        "fps": round(seen.fps),
        "level": level,
    }
    if not 40 <= level <= 220:
        return found("camera", "warn", "camera", f"camera.{'darker' if level < 40 else 'brighter'}.do", **facts)
    if seen.warning:
        return found("camera", "warn", "camera.warned", seen=Message("check.camera", facts), warning=seen.warning)
    return found("camera", "ok", "camera", **facts)


def no_mat(seen: Seen) -> Finding:
    """That no mat is seen, and whether that is because the picture is mirrored."""
    key = "mat.mirrored" if is_mirrored(seen.image) else "mat.none"
    return found("mat", "warn", key, f"{key}.do")


def scale(mm_per_px: float) -> Finding:
    """The scale at which the camera sees the table."""
    mm = f"{mm_per_px:.2f}"
    if mm_per_px > WORKING_MM_PER_PX:
        return found("scale", "fail", "scale", "scale.large.do", mm=mm)
    if mm_per_px > GOOD_MM_PER_PX:
        return found("scale", "warn", "scale", "scale.fair.do", mm=mm)
    return found("scale", "ok", "scale", mm=mm)


def measured(seen: Seen) -> Iterator[Finding]:
    """Focus and light, which need the mat's markers, and flicker."""
    clear = clearness(seen.image, seen.plane) if seen.plane else None
    if clear and seen.plane:
        height, width = seen.image.shape[:2]
        yield focus(clear, seen.plane.mm_per_px_at((width / 2, height / 2)))
        yield light(clear, float((cv2.cvtColor(seen.image, cv2.COLOR_BGR2GRAY) >= CLIPPED).mean()))
    if len(seen.frames) > 1:
        yield flicker([frame.image for frame in seen.frames])


def focus(clear: Clearness, mm_per_px: float) -> Finding:
    """The width of the edges of the mat's markers."""
    facts: dict[str, Any] = {"mm": f"{clear.edge_mm:.1f}", "px": f"{clear.edge_mm / mm_per_px:.1f}", "limit": SOFT_MM}
    if clear.edge_mm > BLURRED_MM:
        return found("focus", "fail", "focus", "focus.do", **facts)
    if clear.edge_mm > SOFT_MM:
        return found("focus", "warn", "focus", "focus.do", **facts)
    return found("focus", "ok", "focus", **facts)


def light(clear: Clearness, clipped: float) -> Finding:
    """The contrast of black and white on the mat against the noise, and the overexposed share of the picture."""
    facts: dict[str, Any] = {
        "levels": round(clear.levels),
        "grain": f"{clear.grain:.1f}",
        "clipped": round(100 * clipped),
    }
    if clear.fault and clear.edge_mm <= BLURRED_MM:  # its other fault is darkness
        return found("light", "fail", "light", "light.more.do", **facts)
    if clear.levels < FAINT_LEVELS:
        return found("light", "warn", "light", "light.more.do", **facts)
    if clipped > MOST_CLIPPED:
        return found("light", "warn", "light", "light.less.do", **facts)
    return found("light", "ok", "light", **facts)


def flicker(images: Sequence[Image]) -> Finding:
    """How much the light changes from one picture to the next."""
    swing = light_swing(images)
    facts: dict[str, Any] = {"percent": f"{100 * swing:.1f}", "limit": round(100 * MOST_FLICKER)}
    if swing > MOST_FLICKER:
        return found("flicker", "warn", "flicker", "flicker.do", **facts)
    return found("flicker", "ok", "flicker", **facts)


def light_swing(images: Sequence[Image]) -> float:
    """The largest change of the light between neighbours among the pictures, as a share of it.

    Each picture is averaged in cells, which takes the noise away. Bands of a rolling shutter change the cells of some
    rows only, so each row counts for itself. The median of a row's cells leaves out a hand or a coin in some of them.
    """
    cells = np.stack([_cells(image) for image in images])
    changes = np.abs(np.diff(cells, axis=0)) / np.maximum(cells[1:], 1.0)
    return float(np.median(changes, axis=2).max())


def _cells(image: Image) -> NDArray[np.float32]:
    """The mean brightness in a coarse grid, (rows, columns)."""
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, _GRID, interpolation=cv2.INTER_AREA), np.float32)
